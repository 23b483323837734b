"""What comes out is what the library makes of it: every playlist, in every way it can come."""

import gzip
import re

# What of the path is nginx's way, and what the origin's.
FILES = ("/static/", "/static/", "/nocache/", "/nosendfile/", "/sendfile/", "/threads/", "/small/", "/untyped/")
PROXIED = ("/o/length/", "/o/chunked/", "/o/close/", "/unbuffered/chunked/", "/unbuffered/length/", "/smallproxy/chunked/",
           "/cached/length/", "/cached/length/", "/o/untyped/")


def check(report, nginx, library, folder, names):
    check_all(report, nginx, library, folder, names, FILES + PROXIED, ("/o/slow/", "/unbuffered/slow/"))
    check_lengths(report, nginx)
    check_gzip(report, nginx, library, folder)
    check_subrequests(report, nginx, library, folder)


def check_all(report, nginx, library, folder, names, ways, slow_ways):
    """Every playlist in each way, and short ones in the slow ways too."""
    for name in names:
        expected = library.master(folder / name)
        for way in ways + (slow_ways if (folder / name).stat().st_size < 3000 else ()):
            compare(report, nginx, way + name, expected)


def check_few(report, nginx, library, folder):
    """For a slow nginx."""
    for name in ("sample/master.m3u8", "made/held.m3u8", "made/large.m3u8", "made/media.m3u8", "made/noend.m3u8", "made/text.m3u8"):
        expected = library.master(folder / name)
        for way in ("/static/", "/static/", "/nocache/", "/nosendfile/", "/small/", "/o/length/", "/o/chunked/", "/smallproxy/chunked/", "/o/untyped/"):
            compare(report, nginx, way + name, expected)
    compare(report, nginx, "/o/slow/sample/master.m3u8", library.master(folder / "sample/master.m3u8"))
    check_gzip(report, nginx, library, folder)
    check_subrequests(report, nginx, library, folder)


def compare(report, nginx, path, expected):
    response = nginx.curl(path)
    report.equal(f"{path}: status", (response.curl, response.status), (0, 200))
    report.equal(f"{path}: body", response.body, expected)
    if response["content-length"] is not None:
        report.equal(f"{path}: Content-Length", int(response["content-length"]), len(expected))


# Which of them have a length, at the origin's.
LENGTHS = (
    ("/o/chunked/made/held.m3u8", True), ("/o/slow/made/small.m3u8", True), ("/o/chunked/made/exact.m3u8", True),
    ("/o/chunked/made/over.m3u8", False), ("/o/chunked/made/beyond.m3u8", False), ("/o/length/made/media.m3u8", True),
    ("/o/length/made/text.m3u8", True), ("/o/chunked/made/media.m3u8", False),
)
LENGTHS_OF_FILES = (
    ("/static/made/held.m3u8", True), ("/nocache/made/exact.m3u8", True), ("/nocache/made/over.m3u8", False), ("/static/made/over.m3u8", True),
    ("/nocache/made/beyond.m3u8", False), ("/static/made/beyond.m3u8", True), ("/small/made/small.m3u8", False), ("/static/made/media.m3u8", True),
    ("/static/made/empty.m3u8", True),
)


def check_lengths(report, nginx, rows=LENGTHS + LENGTHS_OF_FILES):
    """What is held goes with its length, and what is not edited keeps it."""
    for path, has_length in rows:
        response = nginx.curl(path)
        report.equal(f"{path}: has a length", response["content-length"] is not None, has_length)
        report.equal(f"{path}: in chunks", response["transfer-encoding"] == "chunked", not has_length)


def check_gzip(report, nginx, library, folder):
    """nginx compresses behind the module, whatever the origin was asked for."""
    for name in ("sample/master.m3u8", "made/large.m3u8"):
        expected = library.master(folder / name)
        for way in ("/gzip/length/", "/gzip/chunked/", "/gzipstatic/"):
            response = nginx.curl(way + name, "-H", "Accept-Encoding: gzip")
            report.equal(f"{way}{name}: encoded", response["content-encoding"], "gzip")
            report.equal(f"{way}{name}: decoded", gzip.decompress(response.body), expected)
            response = nginx.curl(way + name)
            report.equal(f"{way}{name}: not encoded", (response["content-encoding"], response.body), (None, expected))
    tag = nginx.curl("/gzip/length/sample/master.m3u8", "-H", "Accept-Encoding: gzip")["etag"]
    report.equal("a tag behind gzip is weak", bool(re.fullmatch(r'W/"[0-9a-f]+-surtitle-[0-9a-f]{16}"', tag)), True)
    response = nginx.curl("/gzip/length/sample/master.m3u8", "-H", "Accept-Encoding: gzip", "-H", f"If-None-Match: {tag}")
    report.equal("a weak tag comes back", response.status, 304)


def check_subrequests(report, nginx, library, folder):
    expected = library.master(folder / "made/small.m3u8")
    response = nginx.curl("/page/made/page.html", "-H", "Accept-Encoding: gzip", "-H", "X-A: b")
    report.equal("subrequests of SSI", response.body, b"<p>" + expected + b"</p>" + expected)
