#!/usr/bin/env python3
"""A blocking low-latency origin (8216bis B.1) before ffmpeg, and a client that writes down the versions of its playlist.

    Tests/Servers/low_latency.py Tests/Fixtures/live/low-latency.txt

ffmpeg encodes fragmented MP4 at the pace of a clock, and each fragment is a part. After some seconds it ends within a segment and is started anew, and its
clock is 0 again. The client asks as a player does: for the next part before it is there, every other time for a delta update. It takes 20 s.
`LiveRecordedTests` follows what was written; the recording in the tree is of ffmpeg 5.1.
"""

import datetime
import http.client
import http.server
import pathlib
import re
import struct
import subprocess
import sys
import threading
import time
import urllib.parse

PARTS = 4  # of a segment
PART = 0.5  # seconds
TARGET = 2  # seconds
WINDOW = 8  # segments that a version lists
SKIP_UNTIL = 6 * TARGET  # seconds; at least that (8216bis 4.4.3.8)
WITH_PARTS = 2  # whole segments that have parts, next to the last
LIVES = (2.6, 17.4)  # seconds for which ffmpeg runs


def boxes(data, start=0, end=None):
    """(type, first byte of what it holds, end) of each box of an MP4."""
    end = len(data) if end is None else end
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        yield kind, start + 8, start + size
        start += size


def box(data, *path):
    """From where to where the first box of these, one within the other, has its content."""
    start, end = 0, len(data)
    for wanted in path:
        start, end = next((start, end) for kind, start, end in boxes(data, start, end) if kind == wanted)
    return start, end


class Fragment:
    """A `moof`: when it begins and how long it is, in units of the time scale."""

    def __init__(self, moof):
        header = box(moof, b"moof", b"traf", b"tfhd")[0]
        flags = int.from_bytes(moof[header + 1:header + 4])
        # The default duration of a sample comes after the track, a base offset and a description, of which some are there.
        default = header + 8 + 8 * bool(flags & 1) + 4 * bool(flags & 2)
        times = box(moof, b"moof", b"traf", b"tfdt")[0]
        self.start = int.from_bytes(moof[times + 4:times + 4 + (8 if moof[times] else 4)])
        run = box(moof, b"moof", b"traf", b"trun")[0]
        flags, count = int.from_bytes(moof[run + 1:run + 4]), int.from_bytes(moof[run + 4:run + 8])
        width = 4 * sum(bool(flags & bit) for bit in (0x100, 0x200, 0x400, 0x800))
        first = run + 8 + 4 * bool(flags & 1) + 4 * bool(flags & 4)
        self.duration = sum(
            int.from_bytes(moof[at:at + 4]) for at in ([first + index * width for index in range(count)] if flags & 0x100 else [default] * count))


class Segment:
    def __init__(self, number, life, date, is_first):
        self.number, self.life, self.date, self.is_first = number, life, date, is_first
        self.parts, self.bytes, self.is_whole, self.start = [], [], False, None

    @property
    def duration(self):
        return sum(self.parts)


class Origin:
    """`v.m3u8` and `w.m3u8`, the same by two names; each waits for what is asked of it."""

    def __init__(self):
        self.segments, self.changed, self.is_over, self.maps = [], threading.Condition(), False, []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                status, body = outer.answer(self.path)
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def encode(self):
        """Runs the encoder, one life after the other."""
        for life, seconds in enumerate(LIVES):
            encoder = subprocess.Popen(
                ["ffmpeg", "-nostdin", "-v", "error", "-re", "-f", "lavfi", "-i", "testsrc=size=96x64:rate=30", "-t", str(seconds), "-c:v", "libx264",
                 "-preset", "ultrafast", "-bf", "0", "-g", "60", "-sc_threshold", "0", "-pix_fmt", "yuv420p", "-f", "mp4",
                 "-movflags", "empty_moov+default_base_moof", "-frag_duration", str(int(PART * 1e6)), "-"], stdout=subprocess.PIPE)
            began = datetime.datetime.now(datetime.timezone.utc)
            self.read(encoder.stdout, life, began)
            encoder.wait()
        with self.changed:
            self.is_over = True
            self.changed.notify_all()

    def read(self, pipe, life, began):
        """Makes parts of what the encoder writes."""
        scale, head, moof = None, b"", None
        while header := pipe.read(8):
            size, kind = struct.unpack(">I4s", header)
            data = header + pipe.read(size - 8)
            if kind == b"moof":
                moof = data
            elif kind == b"mdat" and moof:
                self.add(life, began, Fragment(moof), scale, moof + data)
            elif kind in (b"ftyp", b"moov"):
                head += data
                if kind == b"moov":
                    times = box(data, b"moov", b"trak", b"mdia", b"mdhd")[0]
                    scale = int.from_bytes(data[times + (20 if data[times] else 12):][:4])
                    self.maps.append(head)
        with self.changed:
            self.segments[-1].is_whole = True
            self.changed.notify_all()

    def add(self, life, began, fragment, scale, data):
        with self.changed:
            last = self.segments[-1] if self.segments else None
            if last is None or last.is_whole:
                date = began + datetime.timedelta(seconds=fragment.start / scale)
                last = Segment(len(self.segments), life, date, is_first=last is not None and last.life != life)
                last.start = fragment.start * 90_000 // scale
                self.segments.append(last)
            last.parts.append(fragment.duration / scale)
            last.bytes.append(data)
            last.is_whole = len(last.parts) == PARTS
            self.changed.notify_all()

    def next(self):
        """The number of the part that comes next, and of its segment."""
        last = self.segments[-1] if self.segments else None
        if last is None or last.is_whole:
            return len(self.segments), 0
        return last.number, len(last.parts)

    def answer(self, path):
        name, _, query = path.partition("?")
        name = name.removeprefix("/")
        if found := re.fullmatch(r"(\d+)(?:\.(\d+))?\.m4s", name):
            with self.changed:
                data = self.segments[int(found[1])].bytes
                return 200, b"".join(data if found[2] is None else [data[int(found[2])]])
        if found := re.fullmatch(r"init(\d)\.mp4", name):
            return 200, self.maps[int(found[1])]
        if name not in ("v.m3u8", "w.m3u8"):
            return 404, b""
        fields = dict(urllib.parse.parse_qsl(query))
        with self.changed:
            if "_HLS_part" in fields and "_HLS_msn" not in fields:
                return 400, b""
            if "_HLS_msn" in fields:
                wanted = int(fields["_HLS_msn"]), int(fields.get("_HLS_part", PARTS - 1))
                if wanted[0] > len(self.segments) + 1:
                    return 400, b""
                if not self.changed.wait_for(lambda: self.next() > wanted or self.is_over, 3 * TARGET):
                    return 503, b""
            return 200, self.playlist("w.m3u8" if name == "v.m3u8" else "v.m3u8", fields.get("_HLS_skip") == "YES").encode()

    def playlist(self, other, is_delta):
        whole = [segment for segment in self.segments if segment.is_whole]
        listed = whole[-WINDOW:]
        first = listed[0].number if listed else 0
        lines = [
            "#EXTM3U", "#EXT-X-VERSION:9", f"#EXT-X-TARGETDURATION:{TARGET}", f"#EXT-X-PART-INF:PART-TARGET={PART}",
            f"#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK={3 * PART},CAN-SKIP-UNTIL={SKIP_UNTIL}",
            f"#EXT-X-MEDIA-SEQUENCE:{first}", f"#EXT-X-DISCONTINUITY-SEQUENCE:{sum(segment.is_first for segment in self.segments[:first])}"]
        skipped = 0
        if is_delta:
            length = sum(segment.duration for segment in listed)
            for segment in listed:
                if length - segment.duration < SKIP_UNTIL:
                    break
                length -= segment.duration
                skipped += 1
        if skipped:
            lines.append(f"#EXT-X-SKIP:SKIPPED-SEGMENTS={skipped}")
        else:
            lines.append(f'#EXT-X-MAP:URI="init{listed[0].life if listed else 0}.mp4"')
        with_parts = [segment.number for segment in whole[-WITH_PARTS:]]
        for segment in listed[skipped:] + self.segments[len(whole):]:
            if segment.is_first:
                lines += ["#EXT-X-DISCONTINUITY", f'#EXT-X-MAP:URI="init{segment.life}.mp4"']
            lines.append(f"#EXT-X-PROGRAM-DATE-TIME:{segment.date.isoformat(timespec='milliseconds').replace('+00:00', 'Z')}")
            if segment.number in with_parts or not segment.is_whole:
                for index, duration in enumerate(segment.parts):
                    independent = ",INDEPENDENT=YES" if index == 0 else ""
                    lines.append(f'#EXT-X-PART:DURATION={duration:.5f},URI="{segment.number}.{index}.m4s"{independent}')
            if segment.is_whole:
                lines += [f"#EXTINF:{segment.duration:.5f},", f"{segment.number}.m4s"]
        number, part = self.next()
        if self.is_over:
            lines.append("#EXT-X-ENDLIST")
        else:
            lines.append(f'#EXT-X-PRELOAD-HINT:TYPE=PART,URI="{number}.{part}.m4s"')
            last = self.segments[-1]
            lines.append(f'#EXT-X-RENDITION-REPORT:URI="{other}",LAST-MSN={last.number},LAST-PART={len(last.parts) - 1}')
        return "\n".join(lines) + "\n"


def record(origin):
    """Asks for one version after the other: [(query, playlist)]."""
    client = http.client.HTTPConnection("127.0.0.1", origin.server.server_port, timeout=30)

    def get(query):
        client.request("GET", "/v.m3u8" + query)
        answer = client.getresponse()
        return answer.status, answer.read().decode()

    for query, status in (("?_HLS_part=1", 400), ("?_HLS_msn=99", 400)):
        assert get(query)[0] == status, query
    versions, waited = [("", get("")[1])], 0
    while "#EXT-X-ENDLIST" not in versions[-1][1]:
        hinted = re.search(r'#EXT-X-PRELOAD-HINT:TYPE=PART,URI="(\d+)\.(\d+)\.m4s"', versions[-1][1])
        query = f"?_HLS_msn={hinted[1]}&_HLS_part={hinted[2]}" + "&_HLS_skip=YES" * (len(versions) % 2)
        began = time.monotonic()
        status, version = get(query)
        assert status == 200, (query, status)
        waited += time.monotonic() - began > PART / 4
        versions.append((query, version))
    assert waited > len(versions) / 2, f"only {waited} of {len(versions)} were waited for"
    return versions


def main():
    origin = Origin()
    encoder = threading.Thread(target=origin.encode)
    encoder.start()
    with origin.changed:
        origin.changed.wait_for(lambda: origin.segments, 30)
    versions = record(origin)
    encoder.join()
    text = "".join(f"# {segment.number}.m4s {segment.start}\n" for segment in origin.segments)
    text += "".join(f"={query}\n{version}" for query, version in versions)
    pathlib.Path(sys.argv[1]).write_text(text)
    print(f"{len(versions)} versions of {len(origin.segments)} segments, {len(text)} bytes")


if __name__ == "__main__":
    main()
