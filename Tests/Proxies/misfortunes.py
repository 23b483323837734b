"""What nobody wants and everybody gets: a log that cannot be written, clients that read nothing, origins that say more than they were asked."""

import os
import pathlib
import re
import socket
import threading
import time

from odd_origins import Listener, read_head
from pressure import request
from server import body_of
from surtitle_proxy import SurtitleProxy

CUES = b"WEBVTT\n\n00:01.000 --> 00:02.000\nhi\n"
TRACK = ("--track", "uri=en.vtt,language=en,name=x")
FILE = "/.surtitle/%2Fm.m3u8/track/en.vtt"


def check(report, command, scratch):
    check_log(report, command, scratch)
    check_unread_playlists(report, command, scratch)
    check_surplus(report, command, scratch)
    check_eviction(report, command, scratch)
    check_steady_origin(report, command, scratch)
    check_broken_part(report, command, scratch)
    check_half_closed(report, command, scratch)
    check_memory(report, command, scratch)


def message(body, status="200 OK", kind="text/vtt", fields=""):
    return f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{fields}\r\n".encode() + body


class Says(Listener):
    """Sends what `answer` makes of each request's lines."""

    def __init__(self, answer):
        self.answer = answer
        super().__init__(self._run_one)

    def _run_one(self, connection):
        file = connection.makefile("rb")
        while lines := read_head(file):
            connection.sendall(self.answer(lines))


def before(command, log, origin, *arguments):
    return SurtitleProxy(command, log, "--origin", f"http://127.0.0.1:{origin.port}/m.m3u8", *arguments)


def whole(connection):
    return b"".join(iter(lambda: connection.recv(65536), b""))


def check_log(report, command, scratch):
    pipe = scratch / "unread.log"
    os.mkfifo(pipe)
    # A reader that reads nothing, so that the pipe fills.
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with Says(lambda _: message(b"x", kind="text/plain")) as origin:
        for log in (pathlib.Path("/dev/full"), pipe):
            with before(command, log, origin) as proxy:
                with proxy.connect(b"") as connection:
                    statuses = set()
                    for _ in range(200):
                        connection.sendall(f"GET /{'a' * 1000} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                        statuses.add(connection.recv(65536)[9:12])
                time.sleep(1.2)
                health = proxy.curl("/.surtitle/health").status
                began = time.monotonic()
                report.equal(f"a log that cannot be written, {log.name}", (statuses, health, proxy.stop(), time.monotonic() - began < 5), ({b"200"}, 200, 0, True))
    os.close(reader)


def check_unread_playlists(report, command, scratch):
    def endless(connection):
        read_head(connection.makefile("rb"))
        lines = b"#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + b"#EXTINF:4,\nabcdefgh.ts\n" * 200
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/vnd.apple.mpegurl\r\nTransfer-Encoding: chunked\r\n\r\n")
        while True:
            connection.sendall(b"%x\r\n%s\r\n" % (len(lines), lines))

    with Listener(endless) as origin, before(command, scratch / "unread-playlist.log", origin, *TRACK, "--grace", "0.5") as proxy:
        with proxy.connect(request("/m.m3u8")):
            time.sleep(1)
            began = time.monotonic()
            report.equal("SIGTERM, and a client that reads nothing of a playlist", (proxy.stop(20), time.monotonic() - began < 5), (0, True))


def check_surplus(report, command, scratch):
    """Behind each answer comes another, in one piece with it: as much as the proxy reads at once, and a little more."""
    head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n"
    fills = 12288 - len(head % 12000)
    answer = (head % fills).encode() + b"g" * fills + message(b"EVIL", kind="text/plain")
    with Says(lambda _: answer) as origin, before(command, scratch / "surplus.log", origin, "--pass", "--threads", "1") as proxy:
        bodies = set()

        def ask():
            with proxy.connect(b"") as connection:
                for _ in range(100):
                    connection.sendall(b"GET /x HTTP/1.1\r\nHost: a\r\n\r\n")
                    text = b""
                    while (body := body_of(text)) is None:
                        text += connection.recv(65536)
                    bodies.add(body[:4])

        clients = [threading.Thread(target=ask) for _ in range(16)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        report.equal("nobody gets what was not asked for", bodies, {b"gggg"})


def check_eviction(report, command, scratch):
    with Says(lambda _: message(b"x", kind="text/plain")) as origin, Says(lambda _: message(CUES)) as other:
        track = ("--track", f"uri=http://127.0.0.1:{other.port}/en.vtt,language=en,name=x")
        with before(command, scratch / "eviction.log", origin, *track, "--threads", "1", "--origin-connections", "1") as proxy:
            found = [(proxy.curl("/x").status, b"hi" in proxy.curl(FILE).body) for _ in range(3)]
        report.equal("a connection that waits makes room for another origin's", found, [(200, True)] * 3)


def check_steady_origin(report, command, scratch):
    body = CUES + b"".join(b"\n00:%02d.000 --> 00:%02d.500\ncue\n" % (second, second) for second in range(3, 60))

    def slowly(connection):
        read_head(connection.makefile("rb"))
        text = message(body)
        for start in range(0, len(text), 100):
            connection.sendall(text[start:start + 100])
            time.sleep(0.15)

    with Listener(slowly) as origin, before(command, scratch / "steady.log", origin, *TRACK, "--patience", "1") as proxy:
        answer = proxy.curl(FILE)
        report.equal("a track's file that comes steadily, for longer than --patience", (answer.status, answer.body.count(b"cue")), (200, 57))


def check_broken_part(report, command, scratch):
    def part(connection):
        read_head(connection.makefile("rb"))
        fields = "Content-Range: bytes 0-999/2000\r\n"
        connection.sendall(message(b"x" * 1000, "206 Partial Content", "application/vnd.apple.mpegurl", fields)[:-997])

    with Listener(part) as origin, before(command, scratch / "part.log", origin, *TRACK) as proxy:
        with proxy.connect(b"GET /m HTTP/1.1\r\nHost: a\r\nRange: bytes=0-999\r\n\r\n") as connection:
            report.equal("a part of a playlist that breaks off", whole(connection)[9:12], b"502")


def check_half_closed(report, command, scratch):
    def answer(lines):
        playlist = b"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n"
        if any(line.lower().startswith("range:") for line in lines):
            return message(playlist[:8], "206 Partial Content", "application/vnd.apple.mpegurl", f"Content-Range: bytes 0-7/{len(playlist)}\r\n")
        return message(playlist, kind="application/vnd.apple.mpegurl")

    with Says(answer) as origin, before(command, scratch / "half.log", origin, *TRACK, "--keep-alive", "20") as proxy:
        with proxy.connect(b"GET /m HTTP/1.1\r\nHost: a\r\nRange: bytes=0-7\r\n\r\n") as connection:
            connection.shutdown(socket.SHUT_WR)
            began = time.monotonic()
            text = whole(connection)
            report.equal("half-closed, and asked for again: closed at once", (text[9:12], time.monotonic() - began < 5), (b"200", True))


def check_memory(report, command, scratch):
    """What is fetched for an address of the proxy's own leaves nothing behind."""
    def resident(proxy):
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{proxy.process.pid}/status").read_text())[1]) >> 10

    def answer(lines):
        return message(CUES) if ".vtt" in lines[0] else message(b"#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n")

    asked = f"GET {FILE} HTTP/1.1\r\nHost: a\r\nX-Long: {'p' * 60_000}\r\n\r\n".encode()
    with Says(answer) as origin, before(command, scratch / "memory.log", origin, *TRACK, "--threads", "1") as proxy, proxy.connect(b"") as connection:
        sizes = []
        for _ in range(2):
            for _ in range(300):
                connection.sendall(asked)
                text = b""
                while body_of(text) is None:
                    text += connection.recv(65536)
            sizes.append(resident(proxy))
        report.equal(f"memory after 300 requests and 600: {sizes} MB", sizes[1] - sizes[0] < 10, True)
