"""With other modules of nginx around: auth_request, error_page, mirror, slice, TLS."""

import subprocess
import time


def make_certificate(prefix):
    """A certificate for localhost that nobody has signed, for @prefix@/key.pem and cert.pem."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-keyout", str(prefix / "key.pem"), "-out", str(prefix / "cert.pem")],
        check=True, capture_output=True)


def check(report, nginx, origin, library, folder):
    names = ("sample/master.m3u8", "made/large.m3u8", "made/media.m3u8")
    expected = {name: library.master(folder / name) for name in names}
    for name in names:
        for way in ("/auth/chunked/", "/mirror/length/", "/mirror/chunked/"):
            response = nginx.curl(way + name)
            report.equal(f"{way}{name}", (response.status, response.body), (200, expected[name]))
        for way in ("/static/", "/nocache/", "/o/chunked/", "/o/length/"):
            response = nginx.curl(way + name, "-k", scheme="https", port=nginx.port3)
            report.equal(f"TLS: {way}{name}", (response.status, response.body), (200, expected[name]))
    report.equal("auth_request refuses", nginx.curl("/auth/length/made/small.m3u8", "-H", "X-Refuse: 1").status, 403)
    check_mirror(report, nginx, origin)
    check_slices(report, nginx, folder)
    check_error_pages(report, nginx, library, folder)


def check_mirror(report, nginx, origin):
    """A mirrored request goes as the client sent it, but for what the request itself is edited."""
    nginx.curl("/mirror/length/sample/master.m3u8", "-H", "X-Mirrored: yes")
    for _ in range(100):
        if any(path == "/length/made/small.m3u8" and "x-mirrored" in fields for path, fields in origin.requests):
            break
        time.sleep(0.02)
    else:
        report.equal("the mirror is asked", False, True)
    nginx.curl("/mirror/length/made/media.ts", "-H", "Range: bytes=0-9", "-H", "X-Mirrored: ts")
    for _ in range(100):
        seen = [fields.get("range") for path, fields in origin.requests if path.endswith("/small.m3u8") and fields.get("x-mirrored") == "ts"]
        if seen:
            break
        time.sleep(0.02)
    report.equal("nothing is edited for the mirror alone", seen, ["bytes=0-9"])
    report.equal("and the request is answered", nginx.curl("/mirror/length/sample/master.m3u8").status, 200)


def check_slices(report, nginx, folder):
    """What comes in slices is parts to the module: it passes as it is, and whole."""
    for name in ("sample/master.m3u8", "made/large.m3u8"):
        for _ in range(2):
            response = nginx.curl("/slice/length/" + name)
            report.equal(f"/slice/length/{name}", (response.curl, response.status, response.body == (folder / name).read_bytes()), (0, 200, True))


def check_error_pages(report, nginx, library, folder):
    """A client of HTTP/1.0 gets the page for 502 in place of a playlist that breaks off before anything of it has gone: once, and edited."""
    small, text = library.master(folder / "made/small.m3u8"), (folder / "made/text.m3u8").read_bytes()
    for way, status, body in (("/paged/", 200, small), ("/namedpage/", 200, small), ("/filepage/", 502, text)):
        for count in (5, 1000):
            answer = nginx.curl(f"{way}tornchunked-{count}/made/held.m3u8", "--http1.0")
            report.equal(f"{way}, {count} bytes", (answer.curl, answer.status, answer.body), (0, status, body))
        gone = nginx.curl(f"{way}tornchunked-300001/made/large.m3u8", "--http1.0")
        report.equal(f"{way}: a reset, once some of it has gone", (gone.curl, gone.status), (56, 200))
        newer = nginx.curl(f"{way}tornchunked-1000/made/held.m3u8")
        report.equal(f"{way}: HTTP/1.1 hears of the end", (newer.curl, newer.status), (18, 200))
    torn = nginx.curl("/tornpage/tornchunked-1000/made/held.m3u8", "--http1.0")
    report.equal("a page that breaks off too", (torn.curl, torn.status, b"EXT" in torn.body), (0, 502, False))
