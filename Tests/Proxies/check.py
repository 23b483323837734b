#!/usr/bin/env python3
"""Checks surtitle-proxy on the loopback interface: check.py --proxy FILE --surtitle COMMAND

    swift build --package-path Sources/NIOProxy --product surtitle-proxy
    Tests/Proxies/check.py --proxy Sources/NIOProxy/.build/debug/surtitle-proxy --surtitle .build/release/surtitle

What comes out must be what the command makes of the same file, whatever the origin and the client do. Rows on header fields and bodies are
those that the module for nginx is held to (Tests/Servers). SURTITLE_CONFORMANCE is a folder with more playlists. Needs curl and openssl.
"""

import argparse
import json
import pathlib
import sys
import tempfile
import time

for beside in ("Servers", "Nginx"):
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / beside))

import bodies  # noqa: E402
import connections  # noqa: E402
import headers  # noqa: E402
import instance  # noqa: E402
import lifetime  # noqa: E402
import misfortunes  # noqa: E402
import pressure  # noqa: E402
from library import TRACKS, Library, Report, make_files  # noqa: E402
from origin import Origin  # noqa: E402
from surtitle_proxy import SurtitleProxy  # noqa: E402
import videos  # noqa: E402

WAYS = ("/o/length/", "/o/chunked/", "/o/close/", "/o/untyped/")


def check_bodies(report, proxy, library, folder, names):
    bodies.check_all(report, proxy, library, folder, names, WAYS, ("/o/slow/",))
    bodies.check_lengths(report, proxy, bodies.LENGTHS)


def check_headers(report, proxy, origin, library, folder):
    headers.check_requests(report, proxy, origin)
    headers.check_responses(report, proxy, library, folder)
    headers.check_validators(report, proxy, origin)
    headers.check_ranges(report, proxy, folder)
    headers.check_looks(report, proxy, folder)
    check_asking_again(report, proxy, origin, library, folder)


def check_asking_again(report, proxy, origin, library, folder):
    """A playlist where nobody expects one: if it is no whole one that comes, another is asked for."""
    plain, ours = (folder / "made/play").read_bytes(), library.master(folder / "made/play")
    report.equal("of another type, at an unlikely path", proxy.curl("/o/length/made/play").body, plain)
    typed = proxy.curl("/o/typed/made/play")
    report.equal("of the type, at an unlikely path", typed.body, ours)
    part = proxy.curl("/o/typed/made/play", "-H", "Range: bytes=0-9")
    report.equal("a part of that", (part.status, part.body, part["content-range"]), (200, ours, None))
    report.equal("the second request", origin.last("/typed/made/play").get("range"), None)
    theirs = typed["etag"].rpartition("-surtitle-")[0] + '"'
    known = proxy.curl("/o/typed/made/play", "-H", f"If-None-Match: {theirs}")
    report.equal("not modified, says the origin of its own", (known.status, known.body), (200, ours))
    derived = proxy.curl("/o/typed/made/play", "-H", f"If-None-Match: {typed['etag']}")
    report.equal("a derived tag makes a path likely", (derived.status, derived["etag"]), (304, typed["etag"]))
    old = proxy.curl("/o/typed/made/play", "--http1.0", "-H", "Range: bytes=0-9")
    report.equal("asked again for HTTP/1.0", (old.status, old.body), (200, ours))


def check_pressure(report, proxy, library, folder, is_long):
    pressure.check_torn(report, proxy, library, folder, (0, 5, 60, 1000, 3000, 70_000, 300_001))
    pressure.check_slow_readers(report, proxy, library, folder, 6, ("/o/length/", "/o/chunked/", "/o/untyped/"))
    pressure.check_resets(report, proxy, library, folder, 400 if is_long else 60, ("/o/length/", "/o/chunked/", "/o/slow/", "/o/untyped/"))
    pressure.check_many(report, proxy, library, folder, 6000 if is_long else 1200, ("/o/length/", "/o/chunked/", "/o/untyped/"))


def check_beside_nginx(report, command, module, origin, scratch):
    """One configuration has one entity tag, whoever serves it: behind one name the two may take turns."""
    prefix = scratch / "nginx"
    prefix.mkdir()
    tracks = [dict(part.partition("=")[::2] for part in track.split(",")) for track in TRACKS]
    directives = "".join(f"surtitle_track {' '.join(track.split(','))};\n" for track in TRACKS)
    file = prefix / "tracks.json"
    file.write_text(json.dumps({"tracks": [{key: value or True for key, value in track.items()} for track in tracks]}))
    limited = prefix / "limited.json"
    limited.write_text(json.dumps({**json.loads(file.read_text()), "limits": {"longest-line": 5000}}))
    servers = f"""
    server {{
        listen 127.0.0.1:@port@;
        surtitle on;
        location /o/ {{ proxy_pass http://origin/o/; {directives} }}
        location /json/ {{ proxy_pass http://origin/o/; surtitle_config {file}; }}
        location /limited/ {{ proxy_pass http://origin/o/; surtitle_config {limited}; }}
    }}
    """.replace("http://origin/o/", "http://origin/")
    options = [option for track in TRACKS for option in ("--track", track)]
    there = f"http://127.0.0.1:{origin.port}"
    path = "length/sample/master.m3u8"
    with instance.Nginx(prefix, module, origin.port, servers).running() as nginx:
        tags = {place: nginx.curl(f"/{place}/{path}")["etag"] for place in ("o", "json", "limited")}
        for name, place, more in (("tracks", "o", options), ("a file", "json", ["--config", str(file)]), ("limits", "limited", ["--config", str(limited)])):
            with SurtitleProxy(command, scratch / "beside.log", "--origin", there, *more) as proxy:
                mine = proxy.curl(f"/o/{path}")["etag"]
                report.equal(f"{name}: one tag in nginx and here", (tags[place], "-surtitle-" in mine), (mine, True))
                known = nginx.curl(f"/{place}/{path}", "-H", f"If-None-Match: {mine}")
                report.equal(f"{name}: nginx knows it", (known.status, known.body), (304, b""))
        report.equal("other limits, another tag", len(set(tags.values())), 2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--proxy", required=True)
    parser.add_argument("--surtitle", required=True, help="the command to compare with")
    parser.add_argument("--module", help="the module for nginx, to be compared with")
    parser.add_argument("--long", action="store_true", help="more of what chance decides")
    parser.add_argument("--keep", metavar="FOLDER", help="where the files and logs go, and stay")
    arguments = parser.parse_args()
    began = time.monotonic()
    report = Report()
    library = Library(str(pathlib.Path(arguments.surtitle).resolve()))
    command = str(pathlib.Path(arguments.proxy).resolve())
    with tempfile.TemporaryDirectory(prefix="surtitle-proxy-") as temporary:
        scratch = pathlib.Path(arguments.keep or temporary)
        scratch.mkdir(exist_ok=True)
        folder = scratch / "files"
        folder.mkdir()
        names = make_files(folder)
        origin = Origin(folder)
        options = [option for track in TRACKS for option in ("--track", track)]
        with SurtitleProxy(command, scratch / "proxy.log", "--origin", f"http://127.0.0.1:{origin.port}", *options) as proxy:
            check_bodies(report, proxy, library, folder, names)
            report.done("playlists in all ways", began)
            check_headers(report, proxy, origin, library, folder)
            report.done("header fields", began)
            check_pressure(report, proxy, library, folder, arguments.long)
            report.done("broken, slow and many", began)
            connections.check(report, command, proxy, origin, library, folder, scratch)
            report.done("connections", began)
            report.equal("it ends in good order", proxy.stop(), 0)
        if arguments.module:
            check_beside_nginx(report, command, str(pathlib.Path(arguments.module).resolve()), origin, scratch)
        lifetime.check(report, command, origin, library, folder, scratch)
        report.done("what is configured", began)
        videos.check(report, command, scratch)
        report.done("what is found out once", began)
        misfortunes.check(report, command, scratch)
        report.done("misfortunes", began)
        origin.stop()
    print(f"{report.failures} of {report.checks} checks failed, {time.monotonic() - began:.0f} s")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
