#!/usr/bin/env python3
"""Checks the examples for Varnish and Apache httpd: check.py --varnish MODULE --apache MODULE --surtitle COMMAND

run.sh builds them. Each line says what does not hold; the last one how many did not, and the seconds.
"""

import argparse
import concurrent.futures
import gzip
import os
import pathlib
import re
import signal
import sys
import tempfile
import time

from hosts import Apache, Varnish
from library import Library, Report, make_files
from origin import Origin
from playlists import abandoned, is_abandoned

def check_bodies(report, host, library, folder, names, ways):
    for name in names:
        expected = library.master(folder / name)
        for way in ways + (("slow",) if (folder / name).stat().st_size < 3000 and "conformance" not in name else ()):
            response = host.curl(f"/{way}/{name}")
            report.equal(f"{host.name}: /{way}/{name}: status", (response.curl, response.status), (0, 200))
            report.equal(f"{host.name}: /{way}/{name}: body", response.body, expected)
            if response["content-length"] is not None:
                report.equal(f"{host.name}: /{way}/{name}: length", int(response["content-length"]), len(expected))


def check_lengths(report, host):
    for name, has_length in (("small", True), ("held", True), ("exact", True), ("over", False), ("large", False)):
        for way in ("length", "chunked"):
            response = host.curl(f"/{way}/made/{name}.m3u8")
            report.equal(f"{host.name}: {way} {name}: has a length", response["content-length"] is not None, has_length)


def check_headers(report, host, origin, folder, library):
    path = "/length/sample/master.m3u8"
    get, head = host.curl(path), host.curl(path, "-I")
    whole = library.master(folder / "sample/master.m3u8")
    report.equal(f"{host.name}: ETag", bool(re.fullmatch(r'"[0-9a-f]+-surtitle-[0-9a-f]{16}"', get["etag"] or "")), True)
    for name in ("Last-Modified", "Repr-Digest", "Content-Range"):
        report.equal(f"{host.name}: {name}", get[name], None)
    report.equal(f"{host.name}: Accept-Ranges", get["accept-ranges"], "none")
    report.equal(f"{host.name}: HEAD", (head.status, head["etag"], head["content-length"], head.body), (200, get["etag"], None, b""))

    known = host.curl(path, "-H", f"If-None-Match: {get['etag']}")
    report.equal(f"{host.name}: 304", (known.status, known["etag"], known.body), (304, get["etag"], b""))
    theirs = get["etag"].rpartition("-surtitle-")[0] + '"'
    report.equal(f"{host.name}: the origin's tag", host.curl(path, "-H", f"If-None-Match: {theirs}").status, 200)
    later = host.curl(path, "-H", "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT")
    report.equal(f"{host.name}: times tell nothing", later.status, 200)

    for way in ("length", "chunked", "untyped"):
        part = host.curl(f"/{way}/sample/master.m3u8", "-H", "Range: bytes=0-9", "-H", "Accept-Encoding: gzip, br")
        report.equal(f"{host.name}: a part of {way} is the whole", (part.status, part.body), (200, whole))
        report.equal(f"{host.name}: the origin is not asked for a part", origin.last(f"/{way}/sample/master.m3u8").get("range"), None)
    part = host.curl("/length/made/media.ts", "-H", "Range: bytes=1000-1999")
    report.equal(f"{host.name}: a part of media", (part.status, part.body), (206, (folder / "made/media.ts").read_bytes()[1000:2000]))
    post = host.curl(path, "-d", "a=b")
    report.equal(f"{host.name}: POST", post.body, (folder / "sample/master.m3u8").read_bytes())
    report.equal(f"{host.name}: 404", host.curl("/length/nothing.m3u8").status, 404)


def check_torn(report, host, folder, library):
    """Whole lines are edited, the torn one is as it came, nothing is appended. It may be an error instead, and of what came the host may lose some."""
    name = "made/large.m3u8"
    plain, whole = (folder / name).read_bytes(), library.master(folder / name)
    for count in (60, 1000, 5000, 70_000, 300_001):
        for way in ("tornlength", "tornchunked"):
            response = host.curl(f"/{way}-{count}/{name}")
            if response.status in (502, 503):
                report.equal(f"{host.name}: {way} {count}: an error in place of what was held", b"#EXT" in response.body, False)
                continue
            report.equal(f"{host.name}: {way} {count}: not whole", response.curl != 0, True)
            report.equal(f"{host.name}: {way} {count}", is_abandoned(plain, whole, response.body), True)
            report.equal(f"{host.name}: {way} {count}: no more than came", len(response.body) <= len(abandoned(plain, whole, count)), True)
    reset = host.curl("/reset-100000/" + name)
    is_error = reset.status in (502, 503)
    report.equal(f"{host.name}: a reset", (is_error or reset.curl != 0, is_error or is_abandoned(plain, whole, reset.body)), (True, True))


def check_many(report, host, library, folder):
    names = ("sample/master.m3u8", "made/held.m3u8", "made/large.m3u8")
    expected = {name: library.master(folder / name) for name in names}
    jobs = [(f"/{way}/{name}", expected[name]) for name in names for way in ("length", "chunked", "untyped")] * 8
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        wrong = [path for (path, body), found in zip(jobs, pool.map(lambda job: host.curl(job[0]).body, jobs)) if found != body]
    report.equal(f"{host.name}: many at once", wrong, [])


def check_apache(report, host, library, folder):
    """What only Apache does: files of its own, compression behind the filter, places without tracks."""
    expected = library.master(folder / "made/held.m3u8")
    response = host.curl("/gzip/length/made/held.m3u8", "-H", "Accept-Encoding: gzip")
    report.equal("Apache: compressed behind the filter", gzip.decompress(response.body), expected)
    tag = host.curl("/static/made/held.m3u8")["etag"]
    known = host.curl("/static/made/held.m3u8", "-H", f"If-None-Match: {tag}")
    report.equal("Apache: 304 of a file", (known.status, known["etag"]), (304, tag))
    head = host.curl("/static/made/held.m3u8", "-I")
    report.equal("Apache: HEAD of a file", (head.status, head["content-length"]), (200, None))
    part = host.curl("/static/made/held.m3u8", "-H", "Range: bytes=0-9")
    report.equal("Apache: a part of a file is the whole", (part.status, part.body), (200, expected))


def check(report, host, origin, library, folder, names, ways):
    check_bodies(report, host, library, folder, names, ways)
    check_lengths(report, host)
    check_headers(report, host, origin, folder, library)
    check_torn(report, host, folder, library)
    check_many(report, host, library, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--varnish", required=True, metavar="MODULE")
    parser.add_argument("--apache", required=True, metavar="MODULE")
    parser.add_argument("--surtitle", required=True, help="the command to compare with")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the servers end too
    began = time.monotonic()
    report = Report()
    library = Library(str(pathlib.Path(arguments.surtitle).resolve()))
    with tempfile.TemporaryDirectory(prefix="surtitle-servers-") as scratch:
        os.chmod(scratch, 0o755)
        folder = pathlib.Path(scratch, "files")
        folder.mkdir()
        names = make_files(folder)
        origin = Origin(folder)
        varnish = Varnish(f"{scratch}/varnish", pathlib.Path(arguments.varnish).resolve(), origin, folder)
        apache = Apache(f"{scratch}/apache", pathlib.Path(arguments.apache).resolve(), origin, folder)
        with varnish.running():
            check(report, varnish, origin, library, folder, names, ("length", "length", "chunked", "untyped"))
        report.done("Varnish", began)
        with apache.running():
            check(report, apache, origin, library, folder, names, ("length", "chunked", "close", "untyped", "static"))
            check_apache(report, apache, library, folder)
        report.done("Apache", began)
        for host in (varnish, apache):
            report.equal(f"{host.name}: ends in good order", (host.status, host.crash in host.log()), (0, False))
        origin.stop()
    print(f"{report.failures} of {report.checks} checks failed, {time.monotonic() - began:.0f} s")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
