#!/usr/bin/env python3
"""Plays in real players what surtitle-proxy and `surtitle live` put beside a stream that an encoder makes at this moment.

    Tests/Players/install.sh
    swift build --package-path Sources/NIOProxy --product surtitle-proxy
    Tests/Players/check_live.py --server Sources/NIOProxy/.build/debug/surtitle-proxy --surtitle .build/release/surtitle [--module module.so]

ffmpeg encodes at the pace of a clock, stops, and starts again with another time line. Beside it are a whole track, through the proxy, through
`surtitle live` and through nginx with the module, and one whose cues are sent to the proxy two to five seconds after they were said. hls.js plays all
of them side by side. Each cue must be there once, and show when the video shows its date: within 0.2 s, and within 0.3 s where it came late. GStreamer
plays the first of them: each cue must be there, at one distance from its date within 0.2 s until the encoder stops, and then again. What AVPlayer does
was not run here.
"""

import argparse
import contextlib
import datetime
import http.client
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path[1:1] = [str(pathlib.Path(__file__).resolve().parent.parent / name) for name in ("Nginx", "Servers")]

import browser  # noqa: E402
import checking  # noqa: E402
import players  # noqa: E402
import stream  # noqa: E402
from file_server import FileServer  # noqa: E402
from instance import Nginx  # noqa: E402
from proxy import Proxy  # noqa: E402

SERVERS = """
    surtitle_live_zone channels:1m;
    server {{
        listen 127.0.0.1:@port@;
        surtitle on;
        surtitle_track uri=en.m3u8 language=en file=@prefix@/whole.vtt live=video.m3u8 at={at};
        add_header Access-Control-Allow-Origin *;
        location / {{
            surtitle_serve on;
            proxy_pass http://origin;
            proxy_hide_header Access-Control-Allow-Origin;
        }}
    }}
"""

SECONDS = 58  # for which the players play
FIRST_RUN = 34  # seconds after which the encoder stops
LATE = (2.0, 5.0, 3.0, 4.0)  # how long after it was said a cue is sent, in turn
EVERY = 2  # seconds from one cue to the next
LENGTH = 1.5  # seconds for which each shows


def encoder(folder, *flags):
    """ffmpeg, as a live encoder."""
    return subprocess.Popen(
        ["ffmpeg", "-nostdin", "-v", "error", "-re", "-f", "lavfi", "-i", "testsrc=size=160x90:rate=15", "-re", "-f", "lavfi", "-i", "sine=440",
         "-c:v", "libx264", "-preset", "ultrafast", "-bf", "0", "-g", "30", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "32k",
         "-f", "hls", "-hls_time", "2", "-hls_list_size", "8", "-master_pl_name", "master.m3u8",
         "-hls_flags", "+".join(("program_date_time", "delete_segments", "omit_endlist", "temp_file") + flags), "video.m3u8"], cwd=folder)


def stop(process, sent=signal.SIGINT):
    process.send_signal(sent)
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def date_of(text):
    return datetime.datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%f%z").timestamp()


class Recorder(threading.Thread):
    """Notes when each segment of the video was, by its playlist: {URI: (begins, ends)}, seconds since 1970."""

    def __init__(self, playlist):
        super().__init__(daemon=True)
        self.playlist, self.segments, self.is_over = playlist, {}, threading.Event()

    def run(self):
        while not self.is_over.wait(0.5):
            begins = length = None
            for line in self.playlist.read_text().splitlines():
                if line.startswith("#EXT-X-PROGRAM-DATE-TIME:"):
                    begins = date_of(line.partition(":")[2])
                elif line.startswith("#EXTINF:"):
                    length = float(line[8:].split(",")[0])
                elif line and not line.startswith("#") and begins is not None:
                    self.segments[line] = (begins, begins + length)

    def lives(self):
        """From when to when each run of the encoder was."""
        lives = []
        for start, end in sorted(self.segments.values()):
            if lives and start - 0.05 <= lives[-1][1]:
                lives[-1] = (lives[-1][0], max(end, lives[-1][1]))
            else:
                lives.append((start, end))
        return lives

    def covers(self, begins, ends):
        """Whether the video has all of that, on one time line: there is nothing to show a cue in a hole."""
        rest = begins
        for start, end in sorted(self.segments.values()):
            if start - 0.05 <= rest < end:
                rest = end
        return rest >= ends


class Speaker(threading.Thread):
    """Sends cues to the proxy, each late, by one request that goes on."""

    def __init__(self, port, path, zero):
        super().__init__(daemon=True)
        self.port, self.path, self.zero, self.is_over, self.status = port, path, zero, threading.Event(), None
        self.first = int(time.time() - zero) // EVERY + 1

    def lines(self):
        number = self.first
        while True:
            late = LATE[number % len(LATE)]
            if self.is_over.wait(max(0, self.zero + number * EVERY + late - time.time())):
                return
            yield f'{{"start":{number * EVERY},"end":{number * EVERY + LENGTH},"text":"cue {number}"}}\n'.encode()
            number += 1

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("POST", self.path, body=self.lines(), encode_chunked=True, headers={"Transfer-Encoding": "chunked"})
        self.status = connection.getresponse().status


def check_watched(report, name, watched, recorder, zero, first, tolerance):
    """Each cue from number `first` on that the video has while hls.js played is there once, at its date."""
    report.equal(f"{name}: hls.js has no fatal error", watched and watched.errors, ())
    if not watched or not watched.first:
        return report.fail(name, "nothing played")
    found = {}
    for text, date, _ in watched.cues:
        found.setdefault(text, []).append(date)
    # What was under way when it joined, and what was not yet there when it ended, counts neither way.
    due = [number for number in range(first, 100)
           if watched.first / 1000 + 1 <= zero + number * EVERY and zero + number * EVERY + LENGTH <= watched.last / 1000 - 1
           and recorder.covers(zero + number * EVERY, zero + number * EVERY + LENGTH)]
    report.equal(f"{name}: hls.js played for most of the time, over the restart", (watched.last - watched.first) / 1000 > SECONDS * 0.6, True)
    report.equal(f"{name}: each of {len(due)} cues is there", [number for number in due if f"cue {number}" not in found], [])
    report.equal(f"{name}: each cue is there once", {text: dates for text, dates in found.items() if len(dates) > 1}, {})
    off = {number: found[f"cue {number}"][0] / 1000 - zero - number * EVERY
           for number in due if f"cue {number}" in found and found[f"cue {number}"][0] is not None}
    report.equal(f"{name}: hls.js tells the date of most cues", len(off) > len(due) * 0.8, True)
    if off:
        print(f"        {name}: {min(off.values()):+.3f} to {max(off.values()):+.3f} s", flush=True)
    report.equal(f"{name}: each shows within {tolerance} s of its date",
                 {number: round(value, 3) for number, value in off.items() if abs(value) > tolerance}, {})


def check_heard(report, name, playback, zero, lives):
    """GStreamer has every cue from its first to its last, all at one distance from their dates as long as the clock is one; repeats are its own."""
    report.equal(f"{name}: GStreamer goes on to the end, without errors", (playback.reached_end, playback.errors), (False, ()))
    found = {}
    for cue in playback.cues:
        found.setdefault(int(cue.text.split()[-1]), []).append(cue.start / 1000)
    numbers = sorted(found)
    due = [n for n in range(numbers[0], numbers[-1] + 1) if any(begins <= zero + n * EVERY and zero + n * EVERY + LENGTH <= ends for begins, ends in lives)] \
        if numbers else []
    report.equal(f"{name}: GStreamer has enough cues, over the restart", len(due) > SECONDS / EVERY * 0.5, True)
    report.equal(f"{name}: GStreamer has each of {len(due)} cues", [n for n in due if n not in found], [])
    for number, (begins, ends) in enumerate(lives):
        # In the first segment after a restart it goes from one clock to the other.
        begins += 2 * min(number, 1)
        off = [(start - n * EVERY, n) for n in due if begins <= zero + n * EVERY < ends for start in found.get(n, ())]
        if off:
            usual = sorted(off)[len(off) // 2][0]
            print(f"        {name}: GStreamer, {usual:+.3f} s after the first date", flush=True)
            report.equal(f"{name}: at one offset", [(n, round(value, 3)) for value, n in off if abs(value - usual) > 0.2], [])


def behind_nginx(module, scratch, port, at):
    """An nginx with the module before the origin at `port`; nothing without a module."""
    if not module:
        return contextlib.nullcontext()
    scratch.chmod(0o755)
    return Nginx(str(scratch), module, port, SERVERS.format(at=at)).running()


def check(report, server, surtitle, module, scratch):
    folder = scratch / "live"
    folder.mkdir()
    playlist = folder / "video.m3u8"
    running = encoder(folder)
    following = None
    try:
        while not (playlist.exists() and playlist.read_text().count("#EXTINF") >= 2):
            time.sleep(0.2)
        zero = date_of(next(line for line in playlist.read_text().splitlines() if "DATE-TIME" in line).partition(":")[2])
        at = datetime.datetime.fromtimestamp(zero, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
        zero = date_of(at.replace("Z", "+0000"))
        whole = scratch / "whole.vtt"
        whole.write_bytes(stream.webvtt([stream.Cue(int(n * EVERY * 1000), int((n * EVERY + LENGTH) * 1000), f"cue {n}") for n in range(1, 60)]))
        recorder = Recorder(playlist)
        recorder.start()
        following = subprocess.Popen(
            [surtitle, "live", "master.m3u8", "--name", "subtitled.m3u8", "-o", ".", "--track", f"file={whole},uri=en.vtt,language=en,at={at}"],
            cwd=folder)
        track = {"uri": "en.vtt", "language": "en", "at": at}
        with FileServer(folder) as origin:
            master = origin.url("master.m3u8")
            with Proxy.before(server, scratch / "whole.json", master, {"tracks": [track | {"file": str(whole)}]}) as one, \
                    Proxy.before(server, scratch / "said.json", master, {"tracks": [track | {"cues": "http"}]}) as other, \
                    behind_nginx(module, scratch, int(master.split("/")[2].partition(":")[2]), at) as nginx:
                speaker = Speaker(other.port, "/.surtitle/%2Fmaster.m3u8/cues/en?format=jsonl", zero)
                speaker.start()
                restarted = threading.Event()

                def restart():
                    nonlocal running
                    stop(running)
                    time.sleep(1)
                    running = encoder(folder, "append_list", "discont_start")
                    restarted.set()

                timer = threading.Timer(max(1, zero + FIRST_RUN - time.time()), restart)
                timer.start()
                urls = {"whole, proxy": f"http://127.0.0.1:{one.port}/master.m3u8", "sent late, proxy": f"http://127.0.0.1:{other.port}/master.m3u8",
                        "whole, surtitle live": origin.url("subtitled.m3u8")}
                if nginx:
                    urls["whole, nginx"] = f"http://127.0.0.1:{nginx.port}/master.m3u8"
                heard = players.LiveGstreamer(urls["whole, proxy"])
                with report.player("hls.js"):
                    watched = browser.watch_with_hls_js(list(urls.values()), SECONDS)
                    report.equal("the encoder was started again", restarted.is_set(), True)
                    for name, url in urls.items():
                        first, tolerance = (speaker.first, 0.3) if "late" in name else (1, 0.2)
                        check_watched(report, name, watched.get(url), recorder, zero, first, tolerance)
                check_heard(report, "whole, proxy", heard.stop(), zero, recorder.lives())
                timer.join()
                recorder.is_over.set()
                speaker.is_over.set()
                speaker.join(10)
                report.equal("the cues that were sent are taken", speaker.status, 204)
    finally:
        stop(running)
        if following:
            stop(following)
            report.equal("surtitle live ends in good order", following.returncode, 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--server", required=True, help="surtitle-proxy")
    parser.add_argument("--surtitle", required=True)
    parser.add_argument("--module", help="that for nginx; left out if it is not given")
    arguments = parser.parse_args()
    # Who runs this in the background may have it ignored, and then all that is started here would be deaf to it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    missing = browser.missing()
    if missing:
        required = os.environ.get("CI") == "true"
        print(f"{'FAILED' if required else 'skipped'}: {missing} is missing (Tests/Players/install.sh installs it)")
        return 1 if required else 0
    report = checking.Report()
    with tempfile.TemporaryDirectory(prefix="surtitle-live-") as scratch:
        module = arguments.module and os.path.abspath(arguments.module)
        check(report, os.path.abspath(arguments.server), os.path.abspath(arguments.surtitle), module, pathlib.Path(scratch))
    print(f"{report.failures} checks failed" if report.failures else "live: all cues at their dates")
    return min(report.failures, 1)


if __name__ == "__main__":
    sys.exit(main())
