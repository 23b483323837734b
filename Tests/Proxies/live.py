#!/usr/bin/env python3
"""surtitle-proxy beside live streams, before a simulated origin.

    Tests/Proxies/live.py --proxy Sources/NIOProxy/.build/debug/surtitle-proxy
"""

import argparse
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Servers"))
from live_origin import BEGIN, Origin, clock, date, write_cues  # noqa: E402
from surtitle_proxy import SurtitleProxy  # noqa: E402

TARGET = 4


class Checks:
    def __init__(self, command, folder):
        self.command, self.folder, self.failed = command, folder, 0
        self.cues = folder / "en.vtt"
        write_cues(self.cues)

    def check(self, is_right, what):
        if not is_right:
            self.failed += 1
            print("FAILED:", what, flush=True)

    def proxy(self, origin, *arguments):
        log = self.folder / "proxy.log"
        return SurtitleProxy(self.command, log, "--origin", f"http://127.0.0.1:{origin.port}/master.m3u8", *arguments)

    def track(self, proxy, name):
        return proxy.curl(f"/.surtitle/%2Fmaster.m3u8/track/{name}")

    def texts(self, answer):
        return re.findall(r"^cue .*$", answer.body.decode(), re.M)

    def whole_file(self):
        """A file beside a stream that has been on for an hour: its cues where they show, by the dates."""
        with Origin(first=900) as origin, self.proxy(origin, "--track", f"file={self.cues},language=en,at={date(BEGIN)}") as proxy:
            master = proxy.curl("/master.m3u8").body.decode()
            self.check("/track/en.m3u8" in master, f"the master has the track: {master}")
            made = self.track(proxy, "en.m3u8")
            expected = re.sub(r"s(\d+)\.aac", r"en/\1.vtt", origin.playlist().decode())
            self.check(made.status == 200 and made.body.decode() == expected, f"the video's playlist: {made.body.decode()}")
            self.check(made["cache-control"] == f"max-age={TARGET // 2}", f"{made.fields}")
            for number in range(5):
                segment = self.track(proxy, f"en/{900 + number}.vtt")
                self.check(self.texts(segment) == [f"cue {number * 4}"], f"segment {number}: {segment.body}")
                self.check(b"MPEGTS:900000" in segment.body and b"LOCAL:00:00:00.000" in segment.body, f"one map: {segment.body}")
                self.check(segment["content-type"] == "text/vtt", f"{segment.fields}")
                self.check(segment["cache-control"] == f"max-age={5 * TARGET}", f"{segment.fields}")
            origin.count += 1
            time.sleep(TARGET / 2 + 0.2)
            made = self.track(proxy, "en.m3u8").body.decode()
            self.check("en/905.vtt" in made and "en/900.vtt" not in made, f"it follows the video: {made}")
            self.check(self.texts(self.track(proxy, "en/900.vtt")) == ["cue 0"], "what slid out lately is there")
            # Names that no playlist has had: nothing is fetched for them, but for what may be in the next version.
            asked = len(origin.asked)
            for name in ("-1", "0900", "99999999999999999999", "1000", "a", "900.vtt.vtt", "900.0.0", "", "../en/900"):
                answer = self.track(proxy, f"en/{name}.vtt")
                self.check(answer.status == 404, f"en/{name}.vtt: {answer.status}")
            self.check(self.track(proxy, "fr/900.vtt").status == 404, "another track")
            self.check(len(origin.asked) == asked, f"nothing is fetched for these: {origin.asked[asked:]}")
            self.check(self.track(proxy, "en/906.vtt").status == 404, "the next one is waited for, by one fetch, and is not there")
            answer = proxy.curl("/.surtitle/%2Fmaster.m3u8/track/en.m3u8", "-I")
            self.check(answer.status == 200 and not answer.body, "HEAD")
            answer = proxy.curl("/.surtitle/%2Fmaster.m3u8/track/en.m3u8", "-X", "DELETE")
            self.check(answer.status == 405, "no other method")

    def one_fetch(self):
        """Twenty clients at once cost one fetch of each playlist and of one time stamp."""
        with Origin() as origin, self.proxy(origin, "--track", f"file={self.cues},language=en,at={date(BEGIN)}") as proxy:
            origin.delay = 0.3
            for name in ("en.m3u8", "en/2.vtt"):
                answers = []
                clients = [threading.Thread(target=lambda: answers.append(self.track(proxy, name))) for _ in range(20)]
                for client in clients:
                    client.start()
                for client in clients:
                    client.join()
                self.check({answer.status for answer in answers} == {200}, f"{name}: {[a.status for a in answers]}")
                self.check(len({answer.body for answer in answers}) == 1, f"{name}: all get the same")
            self.check(origin.times_asked("/master.m3u8") == 1, "the master once")
            self.check(origin.times_asked("/v.m3u8") <= 2, f"the video's playlist once in half a target duration: {origin.asked}")
            self.check(sum(".aac" in path for path in origin.asked) == 1, f"one time stamp: {origin.asked}")

    def others(self):
        """What is complete, what does not follow, and an EVENT without at=."""
        spec = f"file={self.cues},language=en"
        with Origin() as origin, self.proxy(origin, "--track", spec + ",live=no") as proxy:
            made = self.track(proxy, "en.m3u8").body
            self.check(b"en.vtt" in made and b"#EXT-X-ENDLIST" in made, f"live=no: {made}")
            self.check(self.track(proxy, "en/1.vtt").status == 404, "live=no has no segments")
        with Origin() as origin, self.proxy(origin, "--track", spec) as proxy:
            origin.is_complete = True
            made = self.track(proxy, "en.m3u8").body
            self.check(b"en.vtt" in made and b"#EXT-X-ENDLIST" in made, f"beside a complete video: {made}")
            self.check(self.track(proxy, "en/1.vtt").status == 404, "a complete one has no segments")
        with Origin(event=True, dates=False) as origin, self.proxy(origin, "--track", spec) as proxy:
            made = self.track(proxy, "en.m3u8").body
            self.check(b"EVENT" in made and b"en/0.vtt" in made, f"beside an EVENT: {made}")
            self.check(self.texts(self.track(proxy, "en/1.vtt")) == ["cue 4"], "an EVENT from 0 needs no at=")
            origin.is_complete = True
            time.sleep(TARGET / 2 + 0.2)
            self.check(b"#EXT-X-ENDLIST" in self.track(proxy, "en.m3u8").body, "it ends with the video")
        with Origin(first=7, dates=False) as origin, self.proxy(origin, "--track", spec) as proxy:
            self.check(b"en/7.vtt" in self.track(proxy, "en.m3u8").body, "beside a window without at=")
            segment = self.track(proxy, "en/8.vtt")
            self.check(segment.status == 200 and self.texts(segment) == [], f"nobody knows the time: {segment.body}")
            self.check(proxy.wait_for(lambda: "at=" in proxy.log()), "a note says at=")

    def several(self):
        """Files that follow one another: each counts from its own date, and no two cues have one name."""
        later = self.folder / "later.srt"
        later.write_text("1\n00:00:00,500 --> 00:00:01,500\ncue later\n\n")
        spec = f"file={self.cues},language=en,at={date(BEGIN)},then={later}@{date(BEGIN + 2 * TARGET)};{self.cues}@{date(BEGIN + 4 * TARGET)}"
        with Origin() as origin, self.proxy(origin, "--track", spec) as proxy:
            self.check(self.track(proxy, "en.m3u8").status == 200, "the track")
            expected = {1: ["cue 4"], 2: ["cue 8", "cue later"], 3: ["cue 12"], 4: ["cue 16", "cue 0"]}
            names = []
            for number, texts in expected.items():
                segment = self.track(proxy, f"en/{number}.vtt")
                self.check(self.texts(segment) == texts, f"segment {number}: {segment.body}")
                names += re.findall(r"^(\S+)\n\S+ -->", segment.body.decode(), re.M)
            self.check(len(set(names)) == 6, f"each has its own name: {names}")
            self.check(b"00:00:08.500 --> 00:00:09.500" in self.track(proxy, "en/2.vtt").body, "in the first one's cue time")
        run = subprocess.run(
            [self.command, "--origin", "http://127.0.0.1:1", "--track", spec + ";none.vtt@2026-11-23T20:00:00Z"],
            capture_output=True, text=True, timeout=20)
        self.check(run.returncode == 2 and "none.vtt cannot be read" in run.stderr, f"one that is not there: {run.stderr}")

    def trouble(self):
        """An origin in trouble: the last version for three target durations, then 502 or 504."""
        with Origin() as origin, self.proxy(origin, "--track", f"file={self.cues},language=en,at={date(BEGIN)}") as proxy:
            self.check(self.track(proxy, "en.m3u8").status == 200, "all is well")
            origin.status = 500
            time.sleep(TARGET / 2 + 0.2)
            self.check(self.track(proxy, "en.m3u8").status == 200, "the last version")
            time.sleep(2.5 * TARGET + 0.5)
            self.check(self.track(proxy, "en.m3u8").status == 502, "after three target durations")
            origin.status = 200
            time.sleep(1.2)
            self.check(self.track(proxy, "en.m3u8").status == 200, "and again")

        # Nothing is said, until the last version is too old; 404 as any other.
        with Origin(target=2) as origin, self.proxy(origin, "--track", f"file={self.cues},language=en,at={date(BEGIN)}") as proxy:
            self.check(self.track(proxy, "en.m3u8").status == 200, "all is well")
            origin.status = 404
            time.sleep(1.2)
            self.check(self.track(proxy, "en.m3u8").status == 200, "404: the last version")
            time.sleep(6)
            self.check(self.track(proxy, "en.m3u8").status == 502, "404: after three target durations")
            origin.status = 200
            time.sleep(1.1)
            self.check(self.track(proxy, "en.m3u8").status == 200, "404: and again")
            origin.delay = 8
            time.sleep(6.5)
            began = time.monotonic()
            status = self.track(proxy, "en.m3u8").status
            self.check(status == 504 and time.monotonic() - began < 4, f"no answer: {status} after {time.monotonic() - began:.1f} s")

    def bodies(self):
        """What is no version, is broken off, or is older: the one before goes on being served."""
        with Origin(first=20, target=2) as origin, self.proxy(origin, "--track", f"file={self.cues},language=en,at={date(BEGIN)}") as proxy:
            held = self.track(proxy, "en.m3u8").body
            segment = self.track(proxy, "en/22.vtt").body

            def stays(what):
                time.sleep(1.2)
                asked = origin.times_asked("/v.m3u8")
                made = self.track(proxy, "en.m3u8")
                self.check(origin.times_asked("/v.m3u8") > asked, f"{what}: the version is asked for")
                self.check(made.status == 200 and made.body == held, f"{what}: {made.status} {made.body}")
                self.check(self.track(proxy, "en/22.vtt").body == segment, f"{what}: a segment")

            head = b"#EXTM3U\n#EXT-X-TARGETDURATION:2\n"
            for what, text in (
                    ("no playlist", b"<html>"), ("multivariant", b"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9\nv.m3u8\n"),
                    ("I-frames only", head + b"#EXT-X-I-FRAMES-ONLY\n#EXTINF:2,\na\n"), ("no target duration", b"#EXTM3U\n#EXTINF:2,\na\n"),
                    ("a malformed duration", head + b"#EXTINF:two,\na\n"), ("over a limit", head + b"#EXTINF:2,\na\n" * 400_000)):
                origin.text = text
                stays(what)
                origin.text = None
                self.check(self.track(proxy, "en.m3u8").status == 200, "it goes on")
                time.sleep(1.2)
                self.check(self.track(proxy, "en.m3u8").body == held, "and again")
            for words in (
                    "at byte 0: this is no media playlist", "at byte 32: the playlist is one of I-frames", "at byte 0: EXT-X-TARGETDURATION is missing",
                    "at byte 32: the segment has no EXTINF with a duration before it"):
                self.check(proxy.log().count(words) == 1, f"what is wrong is told once, {words}: {proxy.log()}")
            for what, is_torn, more in (("broken off", True, 1), ("older", False, -1), ("older and broken off", True, -1)):
                origin.is_torn, origin.count = is_torn, 5 + more
                stays(what)
                origin.is_torn, origin.count = False, 5
                time.sleep(1.2)
                self.check(self.track(proxy, "en.m3u8").body == held, f"behind what is {what}")
            origin.count += 1
            time.sleep(1.2)
            self.check(b"en/25.vtt" in self.track(proxy, "en.m3u8").body, "the newer one is taken")

    def lives(self):
        """The encoder begins anew, with lower, overlapping and higher numbers: never the old clock's map."""
        with Origin(first=50, target=2) as origin, self.proxy(origin, "--track", f"file={self.cues},language=en,at={date(BEGIN)}") as proxy:
            for number, (first, ticks, name) in enumerate(((50, 900_000, "s"), (3, 77_777, "t"), (4, 5_000_000, "s"), (900, 123, "t"))):
                if number:
                    origin.restart(first, ticks, name)
                last = 0
                for _ in range(3):
                    origin.count += 1
                    time.sleep(1.2)
                    made = self.track(proxy, "en.m3u8").body.decode()
                    listed = [int(found) for found in re.findall(r"^en/(\d+)\.vtt", made, re.M)]
                    self.check(listed and listed[0] >= last or number, f"{listed} behind {last}")
                    last = listed[0]
                newest = origin.first + origin.count - 1
                self.check(listed[-1] == newest, f"life {number}: {listed} up to {newest}")
                segment = self.track(proxy, f"en/{newest}.vtt").body.decode()
                clock = re.search(r"MPEGTS:(\d+),LOCAL:(\d+):(\d+):(\d+)\.(\d+)|LOCAL:(\d+):(\d+):(\d+)\.(\d+),MPEGTS:(\d+)", segment)
                self.check(clock is not None, f"life {number}: {segment}")
                groups = [int(group) for group in clock.groups() if group]
                (mpegts, local) = (groups[0], groups[1:]) if clock[1] else (groups[4], groups[:4])
                local = ((local[0] * 60 + local[1]) * 60 + local[2]) * 1000 + local[3]
                # What begins with the newest segment shows when that does.
                shown = mpegts + 90 * ((origin.begin - BEGIN + (origin.count - 1) * 2) * 1000 - local)
                expected = ticks + (origin.count - 1) * 2 * 90_000
                self.check((shown - expected) % 2**33 == 0, f"life {number}: {shown} and not {expected}")

    def notes(self):
        """Where nobody can tell the time, segments have no cues, and a note says what would help."""
        spec = f"file={self.cues},language=en,"
        key = b'#EXT-X-KEY:METHOD=AES-128,URI="skd://a",KEYFORMAT="com.apple.streamingkeydelivery"\n'
        for what, at, change, words in (
                ("a key that nobody has", f"at={date(BEGIN)}", lambda text: text.replace(b"#EXTINF", key + b"#EXTINF", 1), "give a map"),
                ("no time stamp", f"at={date(BEGIN)}", lambda text: text.replace(b".aac", b".none"), "give a map"),
                ("an anchor that has gone by", "at=msn:3", lambda text: text, "give at= a date")):
            with Origin(first=20, target=2, dates="msn" not in at) as origin, self.proxy(origin, "--track", spec + at) as proxy:
                origin.text = change(origin.playlist())
                self.check(self.track(proxy, "en.m3u8").status == 200, what)
                for _ in range(4):
                    segment = self.track(proxy, "en/22.vtt")
                    self.check(segment.status == 200 and self.texts(segment) == [], f"{what}: {segment.status} {segment.body}")
                    time.sleep(1.2)
                    self.track(proxy, "en.m3u8")
                self.check(proxy.wait_for(lambda: words in proxy.log()), f"{what}: {proxy.log()}")
        with Origin(first=20, target=2, dates=False) as origin, self.proxy(origin, "--track", spec + "at=msn:20") as proxy:
            self.check(self.texts(self.track(proxy, "en/22.vtt")) == ["cue 4"], "an anchor that is there")
            origin.restart(60, 999)
            origin.count = 5
            time.sleep(1.2)
            self.check(b"en/60.vtt" in self.track(proxy, "en.m3u8").body, "versions were missed")
            segment = self.track(proxy, "en/62.vtt")
            self.check(segment.status == 200 and self.texts(segment) == [], f"an unknown gap: {segment.body}")
            self.check(proxy.wait_for(lambda: "dates would help" in proxy.log()), f"an unknown gap: {proxy.log()}")

    def directives(self):
        """_HLS_msn and _HLS_part are the origin's, and so is what it says no to; where low latency is left out they are nobody's."""
        track = ("--track", f"file={self.cues},language=en,at={date(BEGIN)}")
        with Origin(first=30, target=2, parts=True, blocks=2.0) as origin, self.proxy(origin, *track) as proxy:
            made = self.track(proxy, "en.m3u8").body
            for query in ("_HLS_msn=99", "_HLS_part=1"):
                self.check(self.track(proxy, f"en.m3u8?{query}").status == 400, f"{query}: the origin's 400")
                self.check(f"/v.m3u8?{query}" in origin.asked, f"{query} goes to the origin: {origin.asked}")
            self.check(self.track(proxy, "en.m3u8").body == made, "the version stays")
            timer = threading.Timer(0.7, lambda: setattr(origin, "count", origin.count + 1))
            timer.start()
            began = time.monotonic()
            answer = self.track(proxy, "en.m3u8?_HLS_msn=35&_HLS_part=1&_HLS_skip=YES")
            self.check(answer.status == 200 and b"en/35.vtt" in answer.body and b"SKIP" not in answer.body, f"a blocking reload: {answer.body}")
            self.check(time.monotonic() - began > 0.5, "which waited")
            self.check("/v.m3u8?_HLS_msn=35&_HLS_part=1" in origin.asked, f"as it is: {origin.asked}")
            self.check(self.texts(self.track(proxy, "en/35.0.vtt")) == ["cue 8"], "a part of it")
        with Origin(first=30, target=2, parts=True) as origin, self.proxy(origin, "--low-latency", "strip", *track) as proxy:
            for query in ("_HLS_msn=99", "_HLS_part=1"):
                self.check(self.track(proxy, f"en.m3u8?{query}").status == 200, f"{query} without low latency")
            self.check(not any("_HLS" in path for path in origin.asked), f"nothing is asked for: {origin.asked}")

    # Cues that are sent

    MASTER = "/.surtitle/%2Fmaster.m3u8/"
    CUES = MASTER + "cues/en"

    def sent(self, proxy, body, *arguments, query="?format=jsonl", method="POST"):
        return proxy.curl(self.CUES + query, "-X", method, "-H", "Expect:", "--data-binary", "@-", *arguments, stdin=body)

    @staticmethod
    def line(start, text):
        return f'{{"start":{start},"end":{start + 2},"text":"{text}"}}\n'.encode()

    def growing(self, origin, *arguments, at=f",at={date(BEGIN)}"):
        return self.proxy(origin, "--track", f"cues=http,language=en{at}", *arguments)

    def sent_cues(self):
        """Cues by a body that does not end: each is in the next answer, and in the segments of versions that come after it."""
        with Origin() as origin, self.growing(origin) as proxy:
            self.check(self.track(proxy, "en.m3u8").status == 200, "the track is there before any cue")
            head = f"POST {self.CUES}?format=jsonl HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\nTransfer-Encoding: chunked\r\n\r\n"
            with proxy.connect(head.encode()) as writer:
                def write(text):
                    writer.sendall(f"{len(text):x}\r\n".encode() + text + b"\r\n")

                write(self.line(origin.count * TARGET, "cue first"))
                time.sleep(0.3)
                second = self.sent(proxy, b"")
                self.check(second.status == 409 and b"somebody else" in second.body, f"a second writer: {second.status} {second.body}")
                number = origin.count
                origin.count += 1
                self.check(proxy.wait_for(lambda: f"en/{number}.vtt" in self.track(proxy, "en.m3u8").body.decode()), "the next version")
                self.check(self.texts(self.track(proxy, f"en/{number}.vtt")) == ["cue first"], "the cue is in its segment")
                # The version after that comes though no player asks for it: the writer keeps the channel going.
                write(self.line(origin.count * TARGET, "cue second"))
                number, asked = origin.count, origin.times_asked("/v.m3u8")
                origin.count += 1
                self.check(proxy.wait_for(lambda: origin.times_asked("/v.m3u8") > asked + 1), "versions are fetched while somebody writes")
                began = time.monotonic()
                write(self.line((origin.count) * TARGET, "cue third"))
                self.check(self.texts(self.track(proxy, f"en/{number}.vtt")) == ["cue second"], "the second cue")
                write(b'{"start": 1, "text": "torn')
                self.check(time.monotonic() - began < 2, "an answer beside an open body")
            # It has gone, in the middle of a cue: another may begin.
            self.check(proxy.wait_for(lambda: self.sent(proxy, b"").status == 204), "after a writer that has vanished")
            texts = self.sent(proxy, b"WEBVTT\n\n00:01.000 --> 00:02.000\nlate\n", query="", method="PUT")
            self.check(texts.status == 415 and b"format=" in texts.body, f"no form: {texts.status} {texts.body}")
            texts = self.sent(proxy, b"WEBVTT\n\n00:01.000 --> 00:02.000\nlate\n", "-H", "Content-Type: text/vtt; charset=utf-8", query="", method="PUT")
            self.check(texts.status == 204, f"WebVTT by PUT: {texts.status} {texts.body}")
            texts = self.sent(proxy, b"1\n00:00:01,000 --> 00:00:02,000\nlate\n", "-H", "Content-Type: application/x-subrip", query="")
            self.check(texts.status == 204, f"SubRip: {texts.status} {texts.body}")
            # As a recogniser does it.
            answer = proxy.curl(self.CUES + "?format=jsonl", "-T", "-", stdin=self.line(8000, "piped"))
            self.check(
                answer.status == 100 and answer.body.startswith(b"HTTP/1.1 204 "), f"curl -T -: told to go on, then taken: {answer.status} {answer.body}")

    def cues_of_before(self):
        """Who sends cues while the configuration is read again is told so at once, and then may begin anew."""
        with Origin() as origin, self.growing(origin) as proxy:
            with proxy.connect(
                    f"POST {self.CUES}?format=jsonl HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()) as writer:
                proxy.wait_for(lambda: self.sent(proxy, b"").status == 409)
                proxy.process.send_signal(signal.SIGHUP)
                writer.settimeout(5)
                answer = writer.recv(4096)
                self.check(b" 503 " in answer and b"anew" in answer, f"a sender of before: {answer}")
                self.check(self.sent(proxy, self.line(0, "cue")).status == 204, "it may begin anew")

    def refused_cues(self):
        """What is not taken, and by whom it is sent."""
        with Origin() as origin, self.growing(origin, "--cors", "*") as proxy:
            for method in ("GET", "OPTIONS", "DELETE"):
                answer = proxy.curl(self.CUES + "?format=jsonl", "-X", method)
                self.check(answer.status == 405 and "PUT" in answer["allow"], f"{method}: {answer.status}")
                self.check(answer["access-control-allow-origin"] is None, f"{method}: pages have no part in it")
            for field in ("Origin: https://player.example", "Origin: null", "Sec-Fetch-Site: same-origin"):
                answer = self.sent(proxy, self.line(1, "a"), "-H", field)
                self.check(answer.status == 403 and answer["access-control-allow-origin"] is None, f"{field}: {answer.status}")
            for body, status, words in (
                    (b'{"start": 1}\n', 400, b"JSON object"), (b"\xff\xfe", 400, b"UTF-8"),
                    (b'{"start":1,"end":2,"text":"' + b"a" * (1 << 20) + b'"}\n', 413, b"limit"),
                    (b"".join(self.line(9000 + number, "a") for number in range(300)), 429, b"second")):
                answer = self.sent(proxy, body)
                self.check(answer.status == status and words in answer.body, f"{status}: {answer.status} {answer.body}")
                time.sleep(1.1)
            kept = b'{"start":%d,"end":%d,"text":"' + b"b" * 60000 + b'"}\n'
            answers = []
            for number in range(90):
                answers.append(self.sent(proxy, kept % (9000 + number, 9002 + number)).status)
                if answers[-1] != 204:
                    break
            self.check(answers[-1] == 413 and len(answers) > 60, f"4 MiB are kept: {answers}")
            self.check(self.sent(proxy, self.line(1, "a")).status in (204, 413), "and it goes on")
        token = "0123456789abcdef-secret"
        (self.folder / "token").write_text(token + "\n")
        with Origin() as origin, self.growing(origin, "--cues-token", str(self.folder / "token")) as proxy:
            for field in ("X: y", "Authorization: Bearer 0123456789abcdef-secreT", "Authorization: Basic " + token, "Authorization: Bearer"):
                answer = self.sent(proxy, self.line(1, "a"), "-H", field)
                self.check(answer.status == 401 and answer["www-authenticate"] == "Bearer", f"{field}: {answer.status}")
            self.check(self.sent(proxy, self.line(1, "a"), "-H", "Authorization: Bearer " + token).status == 204, "the token")
            answer = self.sent(proxy, self.line(1, "a"), "-H", "Authorization: Bearer " + token, "-H", "Origin: https://a.example")
            self.check(answer.status == 403, "the token in a page")
            self.check(token not in proxy.log(), "the token stands in no log")
            # A body that goes on does not hold up the end.
            with proxy.connect(
                    f"POST {self.CUES}?format=jsonl HTTP/1.1\r\nHost: 127.0.0.1:{proxy.port}\r\nAuthorization: Bearer {token}\r\n"
                    "Transfer-Encoding: chunked\r\n\r\n5\r\n     \r\n".encode()) as writer:
                time.sleep(0.3)
                began = time.monotonic()
                proxy.stop()
                self.check(time.monotonic() - began < 3, "SIGTERM ends a body that goes on")
                self.check(b" 503 " in writer.recv(4096), "and says so")

    def untimed_cues(self):
        """Without at= a cue shows from when it came."""
        with Origin(first=70, dates=False) as origin, self.growing(origin, at="") as proxy:
            self.check(self.track(proxy, "en.m3u8").status == 200, "the track")
            self.check(self.sent(proxy, self.line(0, "cue now")).status == 204, "a cue")
            number = origin.first + origin.count
            origin.count += 1
            self.check(proxy.wait_for(lambda: f"en/{number}.vtt" in self.track(proxy, "en.m3u8").body.decode()), "the next version")
            self.check(self.texts(self.track(proxy, f"en/{number}.vtt")) == ["cue now"], "the cue")

    @staticmethod
    def opened(pipe, writers):
        """Whether somebody reads the pipe; then its other end is in `writers`."""
        try:
            writers.append(os.open(pipe, os.O_WRONLY | os.O_NONBLOCK))
        except OSError:
            return False
        return True

    def followed(self):
        """A file that grows: each cue as it is appended, whoever replaces the file or makes it shorter."""
        said = self.folder / "said.jsonl"
        track = ("--track", f"cues={said},language=en,at={date(BEGIN)}")
        with Origin() as origin, self.proxy(origin, *track) as proxy:
            self.check(self.track(proxy, "en.m3u8").status == 200, "the track is there before the file")
            self.check(self.sent(proxy, self.line(1, "a")).status == 405, "nobody sends cues to it")

            def shows(text, what):
                number = origin.count
                origin.count += 1
                there = proxy.wait_for(lambda: f"en/{number}.vtt" in self.track(proxy, "en.m3u8").body.decode())
                self.check(there and self.texts(self.track(proxy, f"en/{number}.vtt")) == [text], f"{what}: {text}")

            def next_line(text):
                return self.line(origin.count * TARGET, text)

            said.write_bytes(next_line("cue first"))
            shows("cue first", "a file that comes later")
            with said.open("ab") as file:
                whole = next_line("cue second")
                file.write(whole[:9])
                file.flush()
                time.sleep(0.6)
                file.write(whole[9:])
            shows("cue second", "a line that comes in two")
            asked = origin.times_asked("/v.m3u8")
            self.check(proxy.wait_for(lambda: origin.times_asked("/v.m3u8") > asked), "versions are fetched while it grows")
            said.write_bytes(next_line("cue third"))
            shows("cue third", "a file that became shorter")
            other = self.folder / "other"
            moment = clock(origin.count * TARGET), clock(origin.count * TARGET + 2)
            other.write_text(f"WEBVTT\n\n{moment[0]} --> {moment[1]}\ncue fourth\n\n" + "NOTE long\n\n" * 50)
            other.replace(said)
            shows("cue fourth", "another file, in another form")
            said.unlink()
            said.mkdir()
            self.check(proxy.wait_for(lambda: f"{said}: Is a directory" in proxy.log()), f"what cannot be read is told: {proxy.log()}")
            said.rmdir()
            said.write_bytes(b"{}\n" + next_line("cue fifth"))
            shows("cue fifth", "a line that is none is left out")
            self.check("the line is left out" in proxy.log(), "and told of")
            # A named pipe, of which one writer after another has the other end.
            said.unlink()
            os.mkfifo(said)
            for text in ("cue sixth", "cue seventh"):
                writers = []
                self.check(proxy.wait_for(lambda: self.opened(said, writers)), "the pipe is read")
                for writer in writers:
                    os.write(writer, next_line(text)[:20])
                    time.sleep(0.2)
                    os.write(writer, next_line(text)[20:].rstrip(b"\n"))
                    os.close(writer)
                shows(text, "a named pipe")
            # What comes out of one goes to all that have the track, and what came before SIGHUP is there after it.
            other_master = self.MASTER.replace("master.m3u8", "master.m3u8%3Fuser%3D2")
            self.check(proxy.curl(other_master + "track/en.m3u8").status == 200, "another master with the same track")
            writers = []
            self.check(proxy.wait_for(lambda: self.opened(said, writers)), "the pipe is read")
            number, line = origin.count, next_line("cue eighth")
            os.write(writers[0], line)
            time.sleep(0.6)
            origin.count += 1
            for master in (self.MASTER, other_master):
                there = proxy.wait_for(lambda: f"en/{number}.vtt" in proxy.curl(master + "track/en.m3u8").body.decode())
                texts = self.texts(proxy.curl(f"{master}track/en/{number}.vtt"))
                self.check(there and "cue eighth" in texts, f"a pipe for {master}: {texts}")
            proxy.process.send_signal(signal.SIGHUP)
            proxy.wait_for(lambda: "read again" in proxy.log())
            os.write(writers[0], next_line("cue ninth"))
            time.sleep(0.6)
            shows("cue ninth", "a named pipe after SIGHUP")
            os.close(writers[0])
            self.check(self.texts(self.track(proxy, f"en/{number}.vtt")) == ["cue eighth"], "and what came out of it before")
            said.unlink()
        # Without at= what has been said before anybody was there is not shown.
        said.write_bytes(self.line(0, "cue old"))
        with Origin(first=70, dates=False) as origin, self.proxy(origin, "--track", f"cues={said},language=en") as proxy:
            self.check(self.track(proxy, "en.m3u8").status == 200, "the track")
            with said.open("ab") as file:
                file.write(self.line(1, "cue new"))
            number = origin.first + origin.count
            origin.count += 1
            self.check(proxy.wait_for(lambda: f"en/{number}.vtt" in self.track(proxy, "en.m3u8").body.decode()), "the next version")
            texts = self.texts(self.track(proxy, f"en/{number}.vtt"))
            self.check(texts == ["cue new"], f"what is appended shows: {texts}")

    def passing(self):
        """What becomes of the video's own playlists: nothing, but for a report; plain; or some segments short."""
        track = ("--track", f"file={self.cues},language=en,at={date(BEGIN)}")
        report = b'#EXT-X-RENDITION-REPORT:URI="/.surtitle/%2Fmaster.m3u8/track/en.m3u8"\n'
        with Origin(first=30, parts=True) as origin, self.proxy(origin, *track) as proxy:
            video = proxy.curl("/v.m3u8")
            self.check(video.body == origin.playlist() and "of-the-origin" in video["etag"], f"as it is: {video.fields} {video.body}")
            made = self.track(proxy, "en.m3u8").body
            self.check(b"#EXT-X-PART:" in made and b"PRELOAD-HINT" in made, f"the rendition has parts: {made}")
            video = proxy.curl("/v.m3u8?_HLS_msn=34")
            self.check(video.body == origin.playlist() + report and video["etag"] is None, f"the rendition is reported: {video.body}")
            self.check(proxy.curl("/v.m3u8", "--http1.0").body == origin.playlist() + report, "to a client of HTTP/1.0 too")
            head = proxy.curl("/v.m3u8", "-I")
            self.check(head.status == 501, f"HEAD is the origin's, which knows none: {head.status}")
            self.check(proxy.curl("/s31.aac").body == origin.answer("/s31.aac", {})[1], "segments go by")
            origin.is_complete = True
            self.check(proxy.curl("/v.m3u8").body == origin.playlist(), "not when the stream has ended")
        with Origin(first=30, parts=True) as origin, self.proxy(origin, "--low-latency", "strip", *track) as proxy:
            plain = re.sub(rb"#EXT-X-P(ART|RELOAD).*\n", b"", origin.playlist()).replace(b"CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=6,", b"")
            video = proxy.curl("/v.m3u8")
            self.check(video.body == plain and video["etag"] is None, f"plain: {video.body}")
            self.check(b"PART" not in self.track(proxy, "en.m3u8").body, "so is the rendition")
            master = proxy.curl("/master.m3u8")
            self.check(b"SUBTITLES=" in master.body and master["content-length"] == str(len(master.body)), f"the master: {master.fields}")
        with Origin(first=30, parts=True) as origin, self.proxy(origin, "--hold-back", "2", *track) as proxy:
            for _ in range(2):
                video, made = proxy.curl("/v.m3u8").body, self.track(proxy, "en.m3u8").body
                numbers = list(range(origin.first + origin.count - origin.window, origin.first + origin.count - 2))
                self.check([int(n) for n in re.findall(rb"^s(\d+)", video, re.M)] == numbers, f"all but two: {video}")
                self.check([int(n) for n in re.findall(rb"^en/(\d+)", made, re.M)] == numbers, f"as many beside it: {made}")
                self.check(b"PART" not in video + made, "without low latency")
                origin.count += 1
                time.sleep(TARGET / 2 + 0.2)
            origin.is_complete = True
            self.check(proxy.curl("/v.m3u8").body.count(b".aac\n") == origin.window, "all when the stream has ended")
        for option in (("--low-latency", "low"), ("--hold-back", "0"), ("--hold-back", "101")):
            run = subprocess.run(
                [self.command, "--origin", "http://127.0.0.1:1", *option], capture_output=True, text=True, timeout=20)
            self.check(run.returncode == 2 and option[0] in run.stderr, f"{option}: {run.stderr}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--proxy", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checks = Checks(arguments.proxy, pathlib.Path(folder))
        for name in ("whole_file", "one_fetch", "others", "several", "trouble", "bodies", "lives", "notes", "directives", "sent_cues", "cues_of_before", "refused_cues", "untimed_cues", "followed", "passing"):
            getattr(checks, name)()
    print("live: FAILED" if checks.failed else "live: ok")
    return min(checks.failed, 1)


if __name__ == "__main__":
    sys.exit(main())
