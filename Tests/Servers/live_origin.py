"""A live stream, simulated: a playlist that grows by hand, and segments of packed audio, whose ID3 tag tells the time stamp."""

import http.server
import re
import struct
import threading
import time

BEGIN = 1_795_000_000  # 2026-11-18T11:06:40Z
MASTER = b'#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9,RESOLUTION=2x2,CODECS="avc1.42c00b"\nv.m3u8\n'
TICKS = 900_000


def date(seconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + ".000Z"


def clock(seconds):
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.000"


def write_cues(path, every=4, until=4000):
    """A file with a cue every so many seconds, that is called by when it starts."""
    path.write_text("WEBVTT\n\n" + "".join(f"{clock(at)} --> {clock(at + every - 1)}\ncue {at}\n\n" for at in range(0, until, every)))


class Origin:
    """The stream, whose segments are `target` seconds long. `count` grows by hand; `asked` has each path, `fields` the header fields."""

    def __init__(self, first=0, window=5, dates=True, event=False, target=4, folder="/", filler=280, blocks=0.0, parts=False):
        self.first, self.count, self.window, self.dates, self.event, self.target = first, 5, window, dates, event, target
        self.folder, self.filler, self.begin, self.ticks, self.name = folder, filler, BEGIN, TICKS, "s"
        self.is_complete, self.status, self.asked, self.fields, self.delay = False, 200, [], [], 0.0
        self.is_torn, self.blocks, self.parts, self.text = False, blocks, parts, None
        self.lock = threading.Lock()
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                status, body = outer.answer(self.path, self.headers)
                length = len(body)
                part = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
                if status == 200 and part and int(part[1]) < length:
                    last = min(int(part[2]), length - 1)
                    status, body = 206, body[int(part[1]):last + 1]
                self.send_response(status)
                if status == 206:
                    self.send_header("Content-Range", f"bytes {part[1]}-{last}/{length}")
                torn = outer.is_torn and status == 200
                self.send_header("Content-Length", str(len(body) + 1000 * torn))
                self.send_header("ETag", '"of-the-origin"')
                self.end_headers()
                self.wfile.write(body)
                self.close_connection = self.close_connection or torn

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads, request_queue_size = True, 128

            def handle_error(self, *_):
                pass

        self.server = Server(("127.0.0.1", 0), Handler)
        self.port = self.server.server_port

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def restart(self, first, ticks, name="t"):
        """Another life of the stream: other numbers, another clock, later on."""
        self.begin += (self.count + 3) * self.target
        self.first, self.count, self.ticks, self.name = first, 1, ticks, name

    def playlist(self):
        if self.text is not None:
            return self.text
        oldest = 0 if self.event else max(0, self.count - self.window)
        lines = ["#EXTM3U", "#EXT-X-VERSION:6", f"#EXT-X-TARGETDURATION:{self.target}"]
        if self.event:
            lines.append("#EXT-X-PLAYLIST-TYPE:EVENT")
        if self.blocks:
            lines.append("#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES")
        if self.parts:
            lines += ["#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=6,HOLD-BACK=12", "#EXT-X-PART-INF:PART-TARGET=2.0"]
        lines.append(f"#EXT-X-MEDIA-SEQUENCE:{self.first + oldest}")
        for number in range(oldest, self.count):
            if self.dates:
                lines.append(f"#EXT-X-PROGRAM-DATE-TIME:{date(self.begin + number * self.target)}")
            if self.parts and number == self.count - 1:
                lines += [f'#EXT-X-PART:DURATION=2.0,URI="{self.name}{self.first + number}.{part}.aac"' for part in (0, 1)]
            lines += [f"#EXTINF:{self.target}.000,", f"{self.name}{self.first + number}.aac"]
        if self.parts and not self.is_complete:
            lines.append(f'#EXT-X-PRELOAD-HINT:TYPE=PART,URI="{self.name}{self.first + self.count}.0.aac"')
        return ("\n".join(lines + ["#EXT-X-ENDLIST"] * self.is_complete) + "\n").encode()

    def answer(self, path, fields):
        with self.lock:
            self.asked.append(path)
            self.fields.append(fields)
        time.sleep(self.delay)
        name, _, query = path.partition("?")
        if name == self.folder + "master.m3u8":
            return 200, MASTER
        if self.status != 200:
            return self.status, b""
        if name == self.folder + "v.m3u8":
            if found := re.search(r"_HLS_msn=(\d+)", query):
                return self.block(int(found[1]))
            if "_HLS_part=" in query:
                return 400, b""
            return 200, self.playlist()
        if found := re.fullmatch(re.escape(self.folder) + r"[st](\d+)\.aac", name):
            ticks = (self.ticks + (int(found[1]) - self.first) * self.target * 90_000) % 2**33
            frame = b"com.apple.streaming.transportStreamTimestamp\0" + struct.pack(">Q", ticks)
            tag = b"PRIV" + struct.pack(">I", len(frame)) + b"\0\0" + frame
            audio = b"\xff\xf1\x50\x80\x02\x1f\xfc" * (self.filler // 7)
            return 200, b"ID3\4\0\0" + bytes([0, 0, len(tag) >> 7, len(tag) & 127]) + tag + audio
        return 404, b""

    def block(self, number):
        """Waits for the segment, `blocks` seconds at most."""
        if number > self.first + self.count + 2:
            return 400, b""
        end = time.monotonic() + self.blocks
        while number >= self.first + self.count and time.monotonic() < end:
            time.sleep(0.02)
        return 200, self.playlist()

    def times_asked(self, name):
        with self.lock:
            return sum(path.split("?")[0] == self.folder + name.lstrip("/") for path in self.asked)
