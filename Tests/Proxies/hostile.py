#!/usr/bin/env python3
"""Tries to break into surtitle-proxy, on the loopback interface: hostile.py --proxy FILE --surtitle COMMAND

Clients that say where a body ends in two ways, addresses that lead elsewhere, requests that cost more than they weigh, origins that are no HTTP.
Each is refused in the way that SECURITY.md and the proxy's README tell, and whoever comes after it gets what is right.
"""

import argparse
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Servers"))

from library import Report, make_files  # noqa: E402
from odd_origins import Echo, Scripted, Slow, status_of  # noqa: E402
from origin import Origin  # noqa: E402
from pressure import request  # noqa: E402
from surtitle_proxy import SurtitleProxy  # noqa: E402

FIELDS = "Host: a\r\n"
SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n"
MOST_RESIDENT = 100 << 20


def head(target="/a", fields=FIELDS, method="GET", version="1.1"):
    return f"{method} {target} HTTP/{version}\r\n{fields}\r\n".encode()


def until_closed(connection):
    """All that comes, and whether the connection was closed in good order."""
    text = b""
    try:
        while (part := connection.recv(65536)):
            text += part
    except ConnectionResetError:
        return text, False
    return text, True


def ask(proxy, text):
    with proxy.connect(text) as connection:
        return until_closed(connection)[0]


def before(command, log, origin, *arguments, **more):
    return SurtitleProxy(command, log, "--origin", f"http://127.0.0.1:{origin.port}", *arguments, **more)


def check_heads(report, command, scratch):
    rows = {
        "a long target": (head("/" + "a" * 70_000), 414), "one byte too long": (head("/" + "a" * 8192), 414),
        "two hosts": (head(fields="Host: a\r\nHost: b\r\n"), 400), "no host": (head(fields=""), 400),
        "user information": (head("http://u@internal/"), 400), "another scheme": (head("foo://internal/"), 400),
        "a path like a host": (head("//evil.example/a.m3u8"), 400), "with a backslash": (head("/\\evil.example/a.m3u8"), 400),
        "one in an absolute form": (head("http://a//evil.example/"), 400),
        "one within": (head("/.surtitle/%2F%2Fevil.example%2Fa.m3u8/play.m3u8"), 400),
        "one within, with a backslash": (head("/.surtitle/%2f%5Cevil.example%2Fa.m3u8/play.m3u8"), 400),
        "a length in Connection": (head(method="POST", fields=FIELDS + f"Connection: content-length\r\nContent-Length: {len(SMUGGLED)}\r\n") + SMUGGLED, 400),
        "in a list, with a tab": (
            head(method="POST", fields=FIELDS + f"Connection: close,\tCONTENT-LENGTH\t\r\nContent-Length: {len(SMUGGLED)}\r\n") + SMUGGLED, 400),
        "chunks in Connection": (
            head(method="POST", fields=FIELDS + "Connection: Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n") + b"%x\r\n%s\r\n0\r\n\r\n" % (len(SMUGGLED), SMUGGLED), 400),
        "the host in Connection": (head(fields=FIELDS + "Connection: host\r\n"), 400),
        "33 names": (head(fields=FIELDS + "Connection: " + ", ".join(f"x{number}" for number in range(33)) + "\r\n"), 400),
        "a coding before the chunks": (head(method="POST", fields=FIELDS + "Transfer-Encoding: gzip, chunked\r\n") + b"0\r\n\r\n", 501),
        "a coding alone": (head(method="POST", fields=FIELDS + "Transfer-Encoding: gzip\r\n") + SMUGGLED, 501),
        "chunks and a length": (head(method="POST", fields=FIELDS + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n") + b"0\r\n\r\n", 400),
        "chunks in HTTP/1.0": (head(method="POST", version="1.0", fields="Transfer-Encoding: chunked\r\n") + b"0\r\n\r\n", 400),
        "fields without an end": (head(fields=FIELDS + "".join(f"X-{number}: {'a' * 3000}\r\n" for number in range(100))), 431),
    }
    with Echo() as echo, before(command, scratch / "heads.log", echo, "--track", "uri=a.m3u8,language=en,name=A") as proxy:
        for name, (text, status) in rows.items():
            answer = ask(proxy, text)
            report.equal(f"{name}: refused, and nothing after it", (status_of(answer), answer.count(b"HTTP/1.1 ")), (status, 1))
        report.equal("nothing of these reaches the origin", [lines[0] for _, lines in echo.requests], [])
        proxy.line("foo://internal/")
        report.equal("the log has those that were refused", proxy.line("/\\evil.example/a.m3u8").split(" ")[2], "400")
        for name, text, seen in (
            ("HTTP/1.0 without a host", head("/old", "", version="1.0"), "GET /old HTTP/1.1"),
            ("an absolute form", head("http://other.example/b?c", "Host: a\r\nConnection: close\r\n"), "GET /b?c HTTP/1.1"),
            ("8 KiB", head("/" + "a" * 8191, "Host: a\r\nConnection: close\r\n"), f"GET /{'a' * 8191} HTTP/1.1"),
        ):
            report.equal(f"{name}: served", (status_of(ask(proxy, text)), echo.requests[-1][1][0]), (200, seen))


def check_names(report, command, scratch):
    """A page whose name leads here (DNS rebinding) is not served: on loopback, Host is a name of this machine, or what --url says."""
    good = {"127.0.0.1": 200, "localhost": 200, "LOCALHOST": 200, "[::1]": 200, "evil.example": 421, "127.0.0.2": 421, "localhost.evil.example": 421}
    tracks = ("--track", "uri=a.m3u8,language=en,name=A")
    with Echo() as echo:
        for url, more in ((None, {"media.example": 421}), ("http://media.example", {"media.example": 200})):
            with before(command, scratch / "names.log", echo, *tracks, url=url, listen=f"127.0.0.1:{free_port()}") as proxy:
                for path in ("/a", "/.surtitle/health", "/.surtitle/metrics", "/.surtitle/%2Fa/track/x.vtt"):
                    served = 404 if "track" in path else 200
                    for host, status in good.items():
                        answer = ask(proxy, head(path, f"Host: {host}:{proxy.port}\r\nConnection: close\r\n"))
                        report.equal(f"{url}, {path} of {host}", status_of(answer), served if status == 200 else status)
                    for host, status in {"127.0.0.1": 421, f"127.0.0.1:{proxy.port + 1}": 421, **more}.items():
                        answer = ask(proxy, head(path, f"Host: {host}\r\nConnection: close\r\n"))
                        report.equal(f"{url}, {path} of {host}", status_of(answer), served if status == 200 else status)
                for host in ("a/b", "u@a", "a b", "", "a:", "a:99999", "a%2eb", "h\xc3\xa4"):
                    report.equal(f"{host!r} is no host", status_of(ask(proxy, head(fields=f"Host: {host}\r\n"))), 400)
                name = f"127.0.0.1:{proxy.port}"
                elsewhere = head("http://evil.example/a", f"Host: {name}\r\n")
                report.equal("the host of an absolute form counts", status_of(ask(proxy, elsewhere)), 421)
                here = head(f"http://{name}/a", "Host: evil.example\r\nConnection: close\r\n")
                report.equal("and Host then does not", status_of(ask(proxy, here)), 200)
                report.equal("HTTP/1.0 needs none", status_of(ask(proxy, head(fields="", version="1.0"))), 200)
        for place in ("0.0.0.0:0", "[::]:0", "0:0"):
            run = subprocess.run([command, "--origin", f"http://127.0.0.1:{echo.port}", "--listen", place], capture_output=True, text=True, timeout=30)
            report.equal(f"--listen {place} wants to know what clients call it", (run.returncode, run.stdout, "--url" in run.stderr, run.stderr.count("\n")), (2, "", True, 1))


def check_pages(report, command, origin, folder, scratch):
    """What pages of other places may read, and where metrics are."""
    tracks = ("--track", f"{folder}/made/film.srt")
    for pages in (None, "*", "https://player.example"):
        port = free_port()
        options = (*tracks, *(("--cors", pages) if pages else ()), "--metrics", f"127.0.0.1:{port}")
        with before(command, scratch / "pages.log", origin, *options) as proxy:
            host = ("-H", "Host: media.example:81")
            master = proxy.curl("/o/length/sample/master.m3u8", *host)
            prefix = "http://media.example:81"
            (uri,) = [line.partition('URI="')[2].rstrip('"') for line in master.body.decode().splitlines() if "/.surtitle/" in line]
            report.equal(f"{pages}: --url host: {uri}", uri.startswith(prefix + "/.surtitle/"), True)
            own = uri.removeprefix(prefix)
            for path in (own, own.replace(".m3u8", ".vtt"), own.rpartition("/track/")[0] + "/play.m3u8", "/o/chunked/sample/master.m3u8", "/o/length/made/large.m3u8"):
                response = proxy.curl(path, *host)
                report.equal(f"{pages}: {path}", (response.status in (200, 302), response["access-control-allow-origin"]), (True, pages))
            report.equal(f"{pages}: a failure of ours", proxy.curl(own, "-d", "x")["access-control-allow-origin"], pages)
            for path in ("/o/length/made/media.m3u8", "/o/length/made/media.ts", "/o/none", "/.surtitle/health", "/.surtitle/metrics"):
                report.equal(f"{pages}: {path} is as it was", proxy.curl(path)["access-control-allow-origin"], None)
            report.equal("metrics are not where clients come", proxy.curl("/.surtitle/metrics").status, 404)
            asked, main = len(origin.requests), proxy.port
            proxy.port = port
            metrics = proxy.curl("/.surtitle/metrics")
            report.equal("but where --metrics says", (metrics.status, metrics.body[:7], metrics["access-control-allow-origin"]), (200, b"# HELP ", None))
            report.equal("health too", proxy.curl("/.surtitle/health").status, 200)
            report.equal("and nothing else", (proxy.curl("/o/length/made/media.ts").status, proxy.curl(own).status, len(origin.requests)), (404, 404, asked))
            report.equal("by no other name", proxy.curl("/.surtitle/metrics", *host).status, 421)
            proxy.port = main


def check_framing(report, command, scratch):
    """What a client says of a message's way says nothing to the origin."""
    with Echo() as echo, before(command, scratch / "framing.log", echo) as proxy:
        for name, fields, body, seen in (
            ("a length", "Content-Length: 36", SMUGGLED, ["content-length: 36"]),
            ("one written otherwise, twice", "content-LENGTH: 036", SMUGGLED, ["content-length: 36"]),
            ("chunks", "Transfer-Encoding: CHUNKED", b"%x\r\n%s\r\n0\r\n\r\n" % (len(SMUGGLED), SMUGGLED), ["transfer-encoding: chunked"]),
        ):
            body = body.ljust(36, b" ") if name != "chunks" else body
            text = ask(proxy, head("/framed", f"Host: a\r\nConnection: close\r\n{fields}\r\n", "POST") + body)
            lines = [line.lower() for line in echo.requests[-1][1][1:]]
            framing = [line for line in lines if line.startswith(("content-length", "transfer-encoding"))]
            report.equal(f"{name}: as the proxy has read it", (status_of(text), framing, len(echo.requests)), (200, seen, len(echo.requests)))
        report.equal("no request within a body", [lines[0] for _, lines in echo.requests], ["POST /framed HTTP/1.1"] * 3)
        fields = "Host: a\r\nConnection: close, cache-control, via, x-mine\r\nCache-Control: no-cache\r\nVia: 1.1 before\r\nX-Mine: 1\r\n"
        ask(proxy, head("/kept", fields))
        lines = [line for line in echo.requests[-1][1][1:] if not line.startswith("Host")]
        report.equal("Cache-Control and Via stay", lines, ["Cache-Control: no-cache", "Via: 1.1 before", "Via: 1.1 surtitle"])
        trailers = b"0\r\nContent-Length: 7\r\nHost: b\r\nX-Sum: 1\r\n\r\n"
        ask(proxy, head("/trailers", "Host: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n", "POST") + trailers)
        report.equal("an upgrade does not hang", status_of(ask(proxy, head("/up", "Host: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n"))), 200)


def resident(proxy):
    """How many bytes of memory the proxy has; 0 where no file tells."""
    try:
        lines = pathlib.Path(f"/proc/{proxy.process.pid}/status").read_text().splitlines()
    except FileNotFoundError:
        return 0
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmRSS"))


def check_memory(report, command, origin, folder, scratch):
    tracks = [option for language in ("sv", "nb", "da", "fi") for option in ("--track", f"{folder}/made/film.{language}.srt")]
    for language in ("sv", "nb", "da", "fi"):
        (folder / f"made/film.{language}.srt").write_bytes((folder / "made/film.srt").read_bytes())
    with before(command, scratch / "memory.log", origin, *tracks, "--threads", "2", "--quiet") as proxy:
        statuses = {}
        for number in range(300):
            target = f"/o/length/made/small.m3u8?{number:04}" + "%" * (70_000 if number % 10 == 0 else 8_100)
            status = status_of(ask(proxy, head(target, "Host: a\r\nConnection: close\r\n")))
            statuses[status] = statuses.get(status, 0) + 1
        report.equal("playlists at long targets", statuses, {414: 30, 200: 270})
        report.equal(f"memory after them: {resident(proxy) >> 20} MB", resident(proxy) < MOST_RESIDENT, True)
    check_waiting(report, command, scratch, folder)
    for options in ((), ("--pass",)):
        with before(command, scratch / "unread.log", origin, *options, "--threads", "1", "--quiet") as proxy:
            with proxy.connect(b"", buffer=4096) as connection:
                sent = send_for(connection, head("/o/length/made/held.m3u8") * 500, 5)
                report.equal(f"{options}: requests whose answers nobody reads are not read ({sent >> 10} KB)", sent < 20 << 20, True)
                report.equal(f"{options}: memory with them: {resident(proxy) >> 20} MB", resident(proxy) < MOST_RESIDENT, True)
                report.equal(f"{options}: others go on", proxy.curl("/o/length/made/held.m3u8").status, 200)
                check_answers(report, connection, (folder / "made/held.m3u8").read_bytes(), options)


def check_waiting(report, command, scratch, folder):
    """What waits for all clients together has a bound, whatever it is."""
    big = folder / "made/long.srt"
    big.write_text("".join(f"{n}\n{n // 3600:02}:{n // 60 % 60:02}:{n % 60:02},000 --> {n // 3600:02}:{n // 60 % 60:02}:{n % 60:02},900\n{'text ' * 20}\n\n" for n in range(20_000)))
    unfinished = b"GET /a HTTP/1.1\r\nHost: a\r\n" + b"X-Long: " + b"a" * 60_000
    early = head("/a.ts", "Host: a\r\n") * 500
    with Slow(100_000_000) as slow:
        options = ("--track", f"{big}", "--threads", "2", "--quiet")
        own = "/.surtitle/%2Fa.m3u8/track/track.vtt"
        for name, text in (("heads that do not end", unfinished), ("bodies", early), ("files of ours", head(own))):
            with before(command, scratch / "waiting.log", slow, *options) as proxy:
                report.equal("the file is there", len(proxy.curl(own).body) > 2_000_000, True)
                held = []
                for _ in range(600):
                    connection = proxy.connect(b"", buffer=4096)
                    connection.settimeout(2)
                    try:
                        connection.sendall(text)
                    except OSError:
                        pass
                    held.append(connection)
                time.sleep(3)
                # Each thread has some copies of the file that it is about to make.
                most = MOST_RESIDENT + (60 << 20) * ("ours" in name)
                report.equal(f"600 clients, {name}: {resident(proxy) >> 20} MB", resident(proxy) < most, True)
                report.equal(f"600 clients, {name}: others are served", proxy.curl("/.surtitle/health").status, 200)
                for connection in held:
                    connection.close()


def send_for(connection, text, seconds):
    """Sends this again and again, and reads nothing; how many bytes have left."""
    connection.settimeout(0.5)
    sent, end = 0, time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            sent += connection.send(text[sent % len(text):])
        except TimeoutError:
            pass
    return sent


def check_answers(report, connection, expected, options):
    """Then they are read after all, and are right."""
    connection.settimeout(30)
    file = connection.makefile("rb")
    right = 0
    for _ in range(20):
        status = file.readline()
        while file.readline().strip():
            pass
        right += b" 200 " in status and file.read(len(expected)) == expected
    report.equal(f"{options}: the answers, once they are read", right, 20)


def check_own(report, command, origin, folder, scratch):
    with before(command, scratch / "own.log", origin, "--track", "uri=/o/length/made/film.srt,type=srt,language=sv,name=Svenska") as proxy:
        own = "/.surtitle/" + proxy.curl("/o/length/sample/master.m3u8").body.decode().partition("/.surtitle/")[2].partition('"')[0]
        asked = len(origin.requests)
        for path in (own, own.replace(".m3u8", ".vtt"), own.rpartition("/track/")[0] + "/play.m3u8"):
            for method in ("POST", "PUT", "DELETE", "OPTIONS"):
                response = proxy.curl(path, "-X", method, *(("-d", "x") if method == "POST" else ()))
                report.equal(f"{method} to {path}", (response.status, response["allow"]), (405, "GET, HEAD"))
        report.equal("for which nothing is fetched", len(origin.requests) - asked, 0)
        health = proxy.curl("/.surtitle/health")
        report.equal("health", (health.status, health["access-control-allow-origin"], health["cache-control"]), (200, None, "no-store"))
        report.equal("which is not the origin's", len(origin.requests) - asked, 0)
        looked = proxy.curl("/.surtitle/health", "-I")
        report.equal("health, HEAD", (looked.status, looked.body, looked["content-length"]), (200, b"", health["content-length"]))
        report.equal("health, POST", proxy.curl("/.surtitle/health", "-d", "x").status, 405)
        metrics = proxy.curl("/.surtitle/metrics")
        report.equal("metrics are not for other pages", (metrics.status, metrics["access-control-allow-origin"]), (200, None))
        whole, looked = proxy.curl(own), proxy.curl(own, "-I")
        report.equal("HEAD of an own address", (looked.status, looked.body, looked["content-length"]), (200, b"", str(len(whole.body))))


def whole(body, status="200 OK", fields=""):
    return [f"HTTP/1.1 {status}\r\n{fields}Content-Length: {len(body)}\r\n\r\n".encode() + body]


def playlist(*lines):
    return whole("\n".join(("#EXTM3U", *lines, "")).encode())


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def check_elsewhere(report, command, scratch):
    """Redirects and playlists of an origin that name a server which only the proxy reaches."""
    with Echo() as internal, Scripted({}) as origin:
        for host in ("127.0.0.1", "localhost", "127.1", "0x7f000001", "2130706433", "[::ffff:127.0.0.1]", "a.localhost"):
            there = f"http://{host}:{internal.port}/"
            origin.answers[f"/to/{host}"] = whole(b"", "302 Found", f"Location: {there}secret\r\n")
            origin.answers[f"/media/{host}"] = playlist("#EXT-X-TARGETDURATION:4", "#EXTINF:4,", f"{there}1.ts")
            origin.answers[f"/mapped/{host}"] = playlist(
                "#EXT-X-TARGETDURATION:4", f'#EXT-X-MAP:URI="{there}init"', "#EXTINF:4,", "1.m4s")
            origin.answers[f"/master/{host}"] = playlist("#EXT-X-STREAM-INF:BANDWIDTH=1", f"{there}v.m3u8")
        origin.answers["/en.vtt"] = whole(b"WEBVTT\n\n00:00.000 --> 00:01.000\na\n")
        port = free_port()
        base, root = f"http://127.0.0.1:{port}", f"http/127.0.0.1:{origin.port}"
        settings = {"base": base + "/", "master": f"http://127.0.0.1:{origin.port}/m", "keys": "fetch", "map": "auto",
                    "tracks": [{"uri": "/en.vtt", "language": "en", "name": "A"}]}

        def asked(paths, **more):
            file = scratch / "elsewhere.json"
            file.write_text(json.dumps({**settings, **more}))
            with SurtitleProxy(command, scratch / "elsewhere.log", "--config", str(file), listen=f"127.0.0.1:{port}") as proxy:
                return [proxy.curl(path, "-H", "Cookie: a=b", "-H", "Authorization: c", "-H", "X-Mine: 1") for path in paths]

        hosts = [path.removeprefix("/to/") for path in origin.answers if path.startswith("/to/")]
        for role, status in (("key", 302), ("master", 502), ("variant", 502)):
            for host, response in zip(hosts, asked(f"/{role}/{root}/to/{host}" for host in hosts)):
                there = f"http://{host}:{internal.port}/secret" if status == 302 else None
                report.equal(
                    f"{role}: a redirect to {host}", (response.status, response["location"], response.body), (status, there, b""))
        # What would be handed on comes from listed origins alone, be another one public or not: the client may go there.
        for place, target in {"public": "https://192.0.9.1/k", "public, by a name": "http://keys.example:81/k?a#b", "nothing": "ftp://keys.example/"}.items():
            origin.answers["/to/key"] = origin.answers["/moved.vtt"] = whole(b"", "307 Temporary Redirect", f"Location: {target}\r\n")
            key, file = asked((f"/key/{root}/to/key", "/track/en.vtt"), tracks=[{"uri": "/moved.vtt", "language": "en", "name": "A"}])
            expected = (302, target.partition("#")[0]) if target.startswith("http") else (502, None)
            report.equal(f"a key elsewhere, {place}", (key.status, key["location"], key.body), (*expected, b""))
            if target.startswith("http"):
                report.equal(f"a file elsewhere, {place}", (file.status, file["location"], file.body), (*expected, b""))
            else:
                report.equal(f"a file elsewhere, {place}", (file.status, file.body), (200, b"WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:0\n\n"))
        for kind in ("media", "mapped", "master"):
            for host in hosts:
                (text,) = asked(["/track/en.vtt"], master=f"http://127.0.0.1:{origin.port}/{kind}/{host}")
                report.equal(f"{host} in a {kind} playlist: no map", (text.status, b"X-TIMESTAMP-MAP" in text.body, b"\na\n" in text.body), (200, False, True))
        report.equal("nothing has gone there", [lines[0] for _, lines in internal.requests], [])
        (response,) = asked([f"/key/{root}/to/127.0.0.1"], origins=[f"http://127.0.0.1:{internal.port}"])
        report.equal("where the configuration lets it go it goes", (response.status, response.body.split(b"\n")[0]), (200, b"GET /secret HTTP/1.1"))
        names = sorted(line.partition(":")[0].lower() for line in internal.requests[-1][1][1:])
        report.equal("without what may be credentials", names, ["accept", "accept-encoding", "host", "user-agent"])
        (response,) = asked([f"/key/{root}/en.vtt"], keys="player")
        report.equal("keys are the player's", response.status, 404)


def check_encodings(report, command, origin, scratch):
    """A file that is not UTF-8 is served as the command decodes it, and told of if that cannot be."""
    cue = "WEBVTT\n\n00:00.000 --> 00:01.000\nGrüße\n"
    subrip = "1\n00:00:00,000 --> 00:00:01,000\nGrüße\n"
    option = ("--from-encoding", "windows-1252")
    for name, suffix, text, keys, options, expected, told in (
        ("UTF-16", "vtt", cue.encode("utf-16"), "", (), "Grüße", 0), ("windows-1252", "srt", subrip.encode("cp1252"), "", option, "Grüße", 0),
        ("UTF-8 beside a name", "srt", subrip.encode(), "", option, "Grüße", 0), ("WebVTT beside a name", "vtt", cue.encode(), "", option, "Grüße", 0),
        ("a mark beside a name", "vtt", cue.encode("utf-16"), "", option, "Grüße", 0), ("nobody knows", "vtt", cue.encode("cp1252"), "", (), "WEBVTT", 1),
        ("a track's own", "vtt", cue.encode("cp1252"), ",encoding=windows-1252", (), "Grüße", 0),
        ("a track's own beside another", "vtt", cue.encode("cp1252"), ",encoding=windows-1252", ("--from-encoding", "koi8-r"), "Grüße", 0),
        ("shifted", "vtt", cue.encode(), ",shift=2", (), "00:02.000 --> 00:03.000", 0),
    ):
        file = scratch / f"film.de.{suffix}"
        file.write_bytes(text)
        with before(command, scratch / "encodings.log", origin, "--track", f"{file}{keys}", "--quiet", *options) as proxy:
            response = proxy.curl("/.surtitle/%2Fo%2Flength%2Fmade%2Fsmall.m3u8/track/de.vtt")
            report.equal(f"{name}: what is served", (response.status, expected.encode() in response.body, b":01.000" in response.body), (200, True, name != "shifted"))
            report.equal(f"{name}: what is told", proxy.log().count("not UTF-8"), told)
    track = "uri=latin.srt,language=de,encoding=windows-1252"
    with before(command, scratch / "encodings.log", origin, "--track", track, "--quiet") as proxy:
        response = proxy.curl("/.surtitle/%2Fo%2Flength%2Fmade%2Fsmall.m3u8/track/de.vtt")
        report.equal("a file of the origin's", (response.status, "\nété\n".encode() in response.body), (200, True))
    run = subprocess.run([command, "--origin", "http://127.0.0.1:1/", "--track", track.replace("windows-1252", "nonsense")], capture_output=True, text=True, timeout=30)
    report.equal("a track's that nobody knows", (run.returncode, "track 1: encoding: nonsense" in run.stderr, run.stderr.count("\n")), (2, True, 1))
    run = subprocess.run([command, "--origin", "http://127.0.0.1:1/", "--from-encoding", "nonsense"], capture_output=True, text=True, timeout=30)
    report.equal("an encoding that nobody knows", (run.returncode, "nonsense" in run.stderr, run.stderr.count("\n")), (2, True, 1))


def check_starts(report, command):
    """What is told at the start, and by which status."""
    def run(*arguments, **environment):
        environment = {**os.environ, **environment}
        return subprocess.run([command, "--origin", "http://127.0.0.1:1/", *arguments], capture_output=True, text=True, timeout=30, env=environment)

    told = run("--help", "--nonsense")
    report.equal("the help", (told.returncode, told.stdout.startswith("usage: surtitle-proxy "), told.stderr), (0, True, ""))
    told = run("--listen", "127.0.0.1:0", SURTITLE_CUES_TOKEN="too short")
    report.equal("a token of the environment", (told.returncode, told.stdout, "16 or more" in told.stderr, told.stderr.count("\n")), (2, "", True, 1))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        told = run("--listen", f"127.0.0.1:{taken.getsockname()[1]}")
    report.equal("where another listens", (told.returncode, told.stdout, told.stderr.count("\n")), (1, "", 1))


def check_log(report, command, origin, folder, scratch):
    with before(command, scratch / "log.log", origin, "--track", f"{folder}/made/film.srt") as proxy:
        path = "/.surtitle/%2Fo%C2%9B31m%C2%85%E2%80%AE/play.m3u8"
        proxy.curl(path)
        report.equal("control characters of a path within are escapes in the log", "/o\\u{009B}31m\\u{0085}\\u{202E} " in proxy.line(path), True)


def check_torn(report, proxy, folder):
    """What breaks off must not look whole where only the end of the connection tells."""
    for path in ("/o/tornchunked-200000/made/media.ts", "/o/tornchunked-300001/made/large.m3u8"):
        with proxy.connect(f"GET {path} HTTP/1.0\r\n\r\n".encode()) as connection:
            text, isInOrder = until_closed(connection)
            report.equal(f"HTTP/1.0, {path}: reset", (status_of(text), isInOrder), (200, False))
    with proxy.connect(b"GET /o/chunked/made/media.ts HTTP/1.0\r\n\r\n") as connection:
        text, isInOrder = until_closed(connection)
        report.equal("HTTP/1.0, a whole one", (isInOrder, text.endswith((folder / "made/media.ts").read_bytes())), (True, True))


CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n"
GOOD = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood"
ANSWERS = {
    "/good": (GOOD,),
    "/chunk": (CHUNKED + b"ZZ\r\nbad\r\n0\r\n\r\n",),
    "/chunk-later": (CHUNKED, 0.1, b"ZZ\r\nbad\r\n0\r\n\r\n"),
    "/switch": (b"HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n", 0.1, GOOD),
    "/early": (b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + GOOD,),
    "/coding": (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n4\r\nevil\r\n0\r\n\r\n",),
    "/both": (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nevil\r\n0\r\n\r\n",),
    "/lengths": (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nevil!",),
    "/names": (b"HTTP/1.1 200 OK\r\nConnection: " + b",".join(b"x%d" % number for number in range(99)) + b"\r\nContent-Length: 4\r\n\r\nevil",),
    "/named": (b"HTTP/1.1 200 OK\r\nConnection: content-length\r\nContent-Length: 4\r\n\r\ngood",),
    "/spare": (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngoodHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil",),
    "/late": (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n", 4, b"good"),
}


def check_origins(report, command, scratch):
    with Scripted(ANSWERS) as origin:
        for options in ((), ("--pass",)):
            with before(command, scratch / "origins.log", origin, *options, "--threads", "1", "--patience", "5") as proxy:
                for path in ("/chunk", "/chunk-later", "/switch", "/coding", "/both", "/lengths", "/names"):
                    with proxy.connect(head(path) + head("/good")) as connection:
                        connection.shutdown(socket.SHUT_WR)
                        text, _ = until_closed(connection)
                    report.equal(f"{options} {path}: 502, and the next is right", (status_of(text), b"evil" in text, text.endswith(b"good")), (502, False, True))
                for path in ("/early", "/named"):
                    report.equal(f"{options} {path}: as it is", proxy.curl(path).body, b"good")
                with proxy.connect(head("/spare") + head("/good") * 3) as connection:
                    connection.shutdown(socket.SHUT_WR)
                    text, _ = until_closed(connection)
                report.equal(f"{options}: more than one answer", (text.count(b"good"), text.count(b"evil")), (4, 0))
                with proxy.connect(head("/late")) as connection:
                    connection.settimeout(3.5)
                    report.equal(f"{options}: a head does not wait for its body", status_of(connection.recv(65536)), 200)


def check_limits(report, command, scratch):
    with Echo() as echo:
        with before(command, scratch / "connections.log", echo, "--threads", "1", "--connections", "8") as proxy:
            held = [proxy.connect(b"") for _ in range(8)]
            time.sleep(0.2)
            with proxy.connect(b"") as one_more:
                report.equal("a client too many is turned away", until_closed(one_more)[0], b"")
            report.equal("those who came first are served", [serve(connection) for connection in held], [200] * 8)
            for connection in held:
                connection.close()
            report.equal("and others once they have left", proxy.wait_for(lambda: proxy.curl("/a").status), 200)
        check_origin_connections(report, command, scratch)
        check_total(report, command, scratch)
        check_descriptors(report, command, scratch, echo)
        with before(command, scratch / "slow.log", echo, "--keep-alive", "1", "--upload", "1") as proxy:
            fields = FIELDS + "Content-Length: 1000\r\n"
            for name, start, status in (("a head", b"GET /slow HTTP/1.1\r\nHost: a\r\nX: ", 0), ("a body", head("/slow", fields, "POST"), 408)):
                with proxy.connect(start) as connection:
                    began = time.monotonic()
                    text = trickle(connection, 8)
                    report.equal(f"{name} that trickles: {text!r}", (status_of(text), time.monotonic() - began < 6), (status, True))


def check_origin_connections(report, command, scratch):
    with Scripted({"/slow": (b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n", 2, b"good"), "/good": (GOOD,)}) as origin:
        with before(command, scratch / "origins.log", origin, "--threads", "1", "--origin-connections", "2") as proxy:
            held = [proxy.connect(head("/slow")) for _ in range(2)]
            time.sleep(0.3)
            response = proxy.curl("/good")
            report.equal("a connection too many to the origin", (response.status, response["retry-after"]), (503, "1"))
            report.equal("which is counted", proxy.metric("turned_away_total"), 1)
            for connection in held:
                with connection:
                    report.equal("those that were there go on", read_body(connection, 4), b"good")
            report.equal("and then there is room", [proxy.curl("/good").status for _ in range(3)], [200] * 3)


def read_body(connection, count):
    connection.settimeout(10)
    file = connection.makefile("rb")
    while file.readline().strip():
        pass
    return file.read(count)


def check_total(report, command, scratch):
    """What goes on for ever, a little at a time, ends all the same."""
    trickle = tuple(step for _ in range(200) for step in (b"x", 0.1))
    with Scripted({"/trickle": (b"HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n", *trickle), "/head": (b"HTTP/1.1 200 OK\r\nX: ", *trickle)}) as origin:
        with before(command, scratch / "total.log", origin, "--total", "2", "--patience", "3") as proxy:
            for path, status, most in (("/trickle", 200, 4), ("/head", 504, 5)):
                began = time.monotonic()
                with proxy.connect(head(path)) as connection:
                    connection.settimeout(15)
                    text, _ = until_closed(connection)
                report.equal(f"{path} of the origin", (status_of(text), time.monotonic() - began < most), (status, True))
    with Slow(50_000_000) as slow, before(command, scratch / "reader.log", slow, "--total", "2") as proxy:
        with proxy.connect(request("/a.ts"), buffer=4096) as connection:
            connection.settimeout(15)
            began = time.monotonic()
            try:
                while connection.recv(1000) and time.monotonic() - began < 10:
                    time.sleep(0.1)
            except ConnectionResetError:
                pass
            report.equal("a reader of 10 KB/s", (time.monotonic() - began < 6, slow.gone.wait(5)), (True, True))


def check_descriptors(report, command, scratch, echo):
    """Where there are no more, it waits for some."""
    with before(command, scratch / "descriptors.log", echo, "--threads", "2", "--quiet", files=64) as proxy:
        held = [proxy.connect(b"") for _ in range(120)]
        time.sleep(1)
        start = seconds_used(proxy)
        time.sleep(2)
        used = seconds_used(proxy) - start
        report.equal(f"no more descriptors: {used:.2f} s of processor time in two", used < 0.2, True)
        for connection in held:
            connection.close()
        report.equal("once there are some, it serves", proxy.wait_for(lambda: proxy.curl("/a").status), 200)


def seconds_used(proxy):
    """Processor time of the proxy; 0 where no file tells."""
    try:
        fields = pathlib.Path(f"/proc/{proxy.process.pid}/stat").read_text().rpartition(")")[2].split()
    except FileNotFoundError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def serve(connection):
    connection.sendall(head())
    return status_of(connection.recv(65536))


def trickle(connection, seconds):
    """Sends a byte ten times a second until the connection ends; what came."""
    connection.settimeout(0.1)
    text, end = b"", time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            connection.sendall(b"a")
            part = connection.recv(65536)
            if not part:
                break
            text += part
        except TimeoutError:
            pass
        except OSError:
            break
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--proxy", required=True)
    parser.add_argument("--surtitle", help="taken as check.py takes it; nothing is compared with it here")
    arguments = parser.parse_args()
    began = time.monotonic()
    report = Report()
    command = str(pathlib.Path(arguments.proxy).resolve())
    with tempfile.TemporaryDirectory(prefix="surtitle-hostile-") as temporary:
        scratch = pathlib.Path(temporary)
        folder = scratch / "files"
        folder.mkdir()
        make_files(folder)
        origin = Origin(folder)
        check_heads(report, command, scratch)
        check_framing(report, command, scratch)
        check_names(report, command, scratch)
        check_starts(report, command)
        report.done("heads", began)
        check_pages(report, command, origin, folder, scratch)
        check_own(report, command, origin, folder, scratch)
        check_log(report, command, origin, folder, scratch)
        check_encodings(report, command, origin, scratch)
        with before(command, scratch / "torn.log", origin, "--track", "uri=a.m3u8,language=en,name=A") as proxy:
            check_torn(report, proxy, folder)
        check_elsewhere(report, command, scratch)
        check_origins(report, command, scratch)
        report.done("own addresses and origins", began)
        check_limits(report, command, scratch)
        report.done("limits", began)
        check_memory(report, command, origin, folder, scratch)
        report.done("memory", began)
        origin.stop()
    print(f"{report.failures} of {report.checks} checks failed, {time.monotonic() - began:.0f} s")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
