"""What is configured: tracks, a reload, an end, metrics, https."""

import json
import signal
import socket
import subprocess
import threading
import time

from library import TRACKS
from odd_origins import Echo, certificate
from pressure import request
from server import body_of
from surtitle_proxy import SurtitleProxy


def check(report, command, origin, library, folder, scratch):
    check_reload(report, command, origin, library, folder, scratch)
    check_end(report, command, origin, library, folder, scratch)
    check_metrics(report, command, origin, scratch)
    check_tracks(report, command, origin, folder, scratch)
    check_pass(report, command, origin, folder, scratch)
    check_https(report, command, scratch)
    check_arguments(report, command, scratch)


def before(command, log, origin, *arguments):
    return SurtitleProxy(command, log, "--origin", f"http://127.0.0.1:{origin.port}", *arguments)


def check_reload(report, command, origin, library, folder, scratch):
    file, master = scratch / "tracks.json", folder / "sample/master.m3u8"
    file.write_text('{"tracks": [{"uri": "a.m3u8", "language": "en", "name": "A"}]}')
    first = library.master(master, tracks=("uri=a.m3u8,language=en,name=A",))
    second = library.master(master, tracks=("uri=b.m3u8,language=de,name=B",))
    with before(command, scratch / "reload.log", origin, "--config", str(file)) as proxy:
        with proxy.connect(b"") as kept:
            report.equal("before a reload", ask(kept), first)
            tag = proxy.curl("/o/length/sample/master.m3u8")["etag"]
            slow = proxy.connect(request("/o/slow/sample/master.m3u8"))
            for text, complaint, expected in (
                ("{nonsense", "tracks.json", first), ('{"tracks": [{"uri": "a.m3u8", "nme": "A"}]}', "did you mean", first),
                ('{"tracks": [{"uri": "a.vtt", "file": "nowhere.vtt", "name": "A"}]}', "cannot be read", first),
                ('{"tracks": [{"uri": "b.m3u8", "language": "de", "name": "B"}]}', "read again", second),
            ):
                told = proxy.log().count("surtitle-proxy: ")
                file.write_text(text)
                proxy.process.send_signal(signal.SIGHUP)
                lines = proxy.wait_for(lambda: [line for line in proxy.log().splitlines() if line.startswith("surtitle-proxy: ")][told:])
                report.equal(f"SIGHUP with {text}", complaint in lines[0], True)
                report.equal(f"then, on a new connection, {text}", proxy.curl("/o/length/sample/master.m3u8").body, expected)
                report.equal(f"and on one that was kept, {text}", ask(kept), expected)
        with slow:
            report.equal("a request that began before", body_of(b"".join(iter(lambda: slow.recv(65536), b""))), first)
        report.equal("its tag is another", proxy.curl("/o/length/sample/master.m3u8")["etag"] == tag, False)
        known = proxy.curl("/o/length/sample/master.m3u8", "-H", f"If-None-Match: {tag}")
        report.equal("the old tag is not known", known.status, 200)


def ask(connection):
    connection.sendall(b"GET /o/length/sample/master.m3u8 HTTP/1.1\r\nHost: a\r\n\r\n")
    text = b""
    while body_of(text) is None:
        text += connection.recv(65536)
    return body_of(text)


def check_end(report, command, origin, library, folder, scratch):
    expected = library.master(folder / "sample/master.m3u8")
    with before(command, scratch / "end.log", origin, *(option for track in TRACKS for option in ("--track", track))) as proxy:
        idle, slow = proxy.connect(b""), proxy.connect(b"GET /o/slow/sample/master.m3u8 HTTP/1.1\r\nHost: a\r\n\r\n")
        time.sleep(0.1)
        status = []
        ending = threading.Thread(target=lambda: status.append(proxy.stop()))
        ending.start()
        with slow, idle:
            report.equal("SIGTERM: a connection without a request is closed", idle.recv(10), b"")
            text = b"".join(iter(lambda: slow.recv(65536), b""))
            report.equal("SIGTERM: a request under way ends first", body_of(text), expected)
        ending.join()
        report.equal("SIGTERM: the status", status, [0])
        report.equal("SIGTERM: nobody listens", socket.socket().connect_ex(("127.0.0.1", proxy.port)) != 0, True)
    with before(command, scratch / "limit.log", origin, "--grace", "0.5") as proxy:
        with proxy.connect(request("/o/slow/made/media.ts")) as connection:
            connection.recv(10)
            began = time.monotonic()
            report.equal("SIGTERM: not for longer than the limit", (proxy.stop(), time.monotonic() - began < 5), (0, True))


def check_metrics(report, command, origin, scratch):
    with before(command, scratch / "metrics.log", origin, "--track", "uri=a.m3u8,language=en,name=A", "--threads", "2") as proxy:
        for path in ("/o/length/sample/master.m3u8",) * 3 + ("/o/length/made/open.m3u8", "/o/length/made/media.m3u8", "/o/none"):
            proxy.curl(path)
        proxy.curl("/o/tornchunked-1000/made/large.m3u8")
        names = ("multivariant_total", "uneditable_lines_total", "abandoned_total", "origin_failures_total", 'responses_total{class="4xx"}')
        report.equal("metrics", [proxy.metric(name) for name in names], [5, 1, 1, 1, 1])
        report.equal("metrics: a type", proxy.curl("/.surtitle/metrics")["content-type"], "text/plain; version=0.0.4")
        line = proxy.line("/o/length/made/open.m3u8")
        report.equal("a line of the log", (line.split(" ")[0], line.split(" ")[2], "multivariant" in line), ("GET", "200", True))


def check_tracks(report, command, origin, folder, scratch):
    """Files of this machine and of the origin, by addresses of the proxy's own."""
    (folder / "made/there.srt").write_bytes((folder / "made/film.srt").read_bytes())
    (folder / "made/film.nb.sdh.srt").write_bytes((folder / "made/film.srt").read_bytes())
    (folder / "made/live").mkdir(exist_ok=True)
    (folder / "made/single.m3u8").write_text("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n")
    specs = ("--track", f"{folder}/made/film.srt", "--track", f"{folder}/made/film.nb.sdh.srt", "--track", f"uri=/o/length/made/there.srt,type=srt,language=sv,name=Svenska",
             "--track", "uri=nowhere.vtt,language=de,name=Deutsch", "--track", "uri=theirs.m3u8,language=fr,name=Français")
    url = f"http://127.0.0.1:{origin.port}"
    with SurtitleProxy(command, scratch / "tracks.log", "--origin", f"{url}/o/length/made/single.m3u8", *specs) as proxy:
        master = proxy.curl("/o/length/sample/master.m3u8").body.decode()
        uris = [line.partition('URI="')[2].rstrip('"') for line in master.splitlines() if "TYPE=SUBTITLES" in line]
        own = [uri for uri in uris if "/.surtitle/" in uri]
        report.equal("four tracks are the proxy's, one is not", (len(own), [uri for uri in uris if uri not in own]), (4, ["theirs.m3u8"]))
        report.equal("a file's name tells language and flags", 'NAME="Norsk bokmål (SDH)",LANGUAGE="nb"' in master and "CHARACTERISTICS=" in master, True)
        found = {}
        for uri in own:
            path = uri.removeprefix(f"http://127.0.0.1:{proxy.port}")
            playlist = proxy.curl(path)
            lines = [line for line in playlist.body.decode().splitlines() if line and not line.startswith("#")]
            file = proxy.curl(lines[0].removeprefix(f"http://127.0.0.1:{proxy.port}"))
            found[path.rpartition("/")[2]] = (playlist.status, file.status, file["content-type"], file.body[:6], file.body.count(b"Cue "))
        here = (200, 200, "text/vtt", b"WEBVTT", 49)
        report.equal("tracks of files", found, {"track.m3u8": here, "nb.m3u8": here, "sv.m3u8": here, "de.m3u8": (200, 200, "text/vtt", b"WEBVTT", 0)})
        wrapped = proxy.curl(proxy.entry.removeprefix(f"http://127.0.0.1:{proxy.port}"))
        report.equal("a single rendition is wrapped", (wrapped.status, b"#EXT-X-STREAM-INF" in wrapped.body, wrapped.body.count(b"TYPE=SUBTITLES"),
                                                       b"\n/o/length/made/single.m3u8\n" in wrapped.body), (200, True, 5, True))
        whole = proxy.curl("/.surtitle/%2Fo%2Flength%2Fsample%2Fmaster.m3u8/play.m3u8")
        report.equal("a multivariant playlist is not", (whole.status, whole["location"]), (302, "/o/length/sample/master.m3u8"))
        part = proxy.curl(own[0].removeprefix(f"http://127.0.0.1:{proxy.port}"), "-H", "Range: bytes=0-6")
        report.equal("ranges of what is the proxy's", (part.status, part.body), (206, b"#EXTM3U"))
        for path in ("/.surtitle/", "/.surtitle/x/track/sv.vtt", "/.surtitle/%2Fa/track/xx.vtt", "/.surtitle/%2Fa%0A/track/sv.vtt"):
            report.equal(f"{path}: nothing there", proxy.curl(path).status, 404)
        post = proxy.curl(own[0].removeprefix(f"http://127.0.0.1:{proxy.port}"), "-d", "x")
        report.equal("POST", post.status, 405)


def check_pass(report, command, origin, folder, scratch):
    with before(command, scratch / "pass.log", origin, "--pass", "--track", "uri=a.m3u8,language=en,name=A") as proxy:
        response = proxy.curl("/o/length/sample/master.m3u8", "-H", "Range: bytes=0-9")
        report.equal("--pass", (response.status, response.body), (206, (folder / "sample/master.m3u8").read_bytes()[:10]))


def check_https(report, command, scratch):
    context, file = certificate(scratch)
    with Echo(context) as echo:
        url = f"https://127.0.0.1:{echo.port}"
        with SurtitleProxy(command, scratch / "https.log", "--origin", url, "--ca", str(file)) as proxy:
            report.equal("an https origin", [proxy.curl("/a").status for _ in range(3)], [200] * 3)
            report.equal("on one connection or two", len({number for number, _ in echo.requests}) <= 3, True)
        with SurtitleProxy(command, scratch / "untrusted.log", "--origin", url) as proxy:
            report.equal("one that nobody vouches for", proxy.curl("/a").status, 502)


def check_arguments(report, command, scratch):
    config = scratch / "bad.json"
    config.write_text(json.dumps({"tracks": [{"uri": "a.m3u8", "name": 'a"b'}]}))
    for arguments in ((), ("--origin", "ftp://a/"), ("--origin", "http://a/", "--listen", "8080"), ("--origin", "http://a/", "--nonsense", "x"),
                      ("--origin", "http://a/", "--track", "x"), ("--origin", "http://a/", "--config", str(config)),
                      ("--origin", "http://a/", "--track", "uri=a.vtt,file=/nowhere/a.vtt")):
        run = subprocess.run([command, *arguments], capture_output=True, text=True, timeout=30)
        report.equal(f"refused: {arguments}", (run.returncode, run.stdout, run.stderr.count("\n")), (2, "", 1))
