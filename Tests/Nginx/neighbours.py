"""With other modules of nginx around: auth_request, mirror, slice, TLS."""

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


def check_mirror(report, nginx, origin):
    """A mirrored request goes as the client sent it, but for what the request itself is edited."""
    nginx.curl("/mirror/length/sample/master.m3u8", "-H", "X-Mirrored: yes")
    for _ in range(100):
        if any(path == "/length/made/small.m3u8" and "x-mirrored" in fields for path, fields in origin.requests):
            break
        time.sleep(0.02)
    else:
        report.equal("the mirror is asked", False, True)
    report.equal("and the request is answered", nginx.curl("/mirror/length/sample/master.m3u8").status, 200)


def check_slices(report, nginx, folder):
    """What comes in slices is parts to the module: it passes as it is, and whole."""
    for name in ("sample/master.m3u8", "made/large.m3u8"):
        for _ in range(2):
            response = nginx.curl("/slice/length/" + name)
            report.equal(f"/slice/length/{name}", (response.curl, response.status, response.body == (folder / name).read_bytes()), (0, 200, True))
