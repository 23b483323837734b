"""Connections: pipelined, half closed, kept, given up, too slow; and what belongs to them in header fields."""

import contextlib
import socket
import struct
import time

from odd_origins import Echo, Silent, Slow, status_of
from pressure import read_response, request
from server import body_of, free_port
from surtitle_proxy import SurtitleProxy


def check(report, command, proxy, origin, library, folder, scratch):
    check_pipelining(report, proxy, library, folder)
    check_half_close(report, proxy, library, folder)
    check_old_http(report, proxy, library, folder)
    with Echo() as echo, SurtitleProxy(command, scratch / "echo.log", "--origin", f"http://127.0.0.1:{echo.port}") as before_echo:
        check_fields(report, before_echo, echo)
        check_bodies(report, before_echo)
        check_reuse(report, before_echo, echo)
    check_failures(report, command, scratch)
    check_cancelling(report, command, scratch)
    check_back_pressure(report, command, scratch)
    check_bad_requests(report, proxy)


def check_pipelining(report, proxy, library, folder):
    names = ["sample/master.m3u8", "made/small.m3u8", "made/held.m3u8", "made/beyond.m3u8", "made/media.m3u8", "made/text.m3u8"] * 5
    paths = [f"/o/{('length', 'chunked', 'untyped')[number % 3]}/{name}" for number, name in enumerate(names)]
    with proxy.connect("".join(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n" for path in paths).encode()) as connection:
        file = connection.makefile("rb")
        wrong = [path for path, name in zip(paths, names) if read_response(file) != library.master(folder / name)]
    report.equal("30 requests at once on a connection", wrong, [])
    # A response that has to be asked for again in the middle.
    head = "GET /o/length/made/small.m3u8 HTTP/1.1\r\nHost: a\r\n\r\n"
    again = "GET /o/typed/made/play HTTP/1.1\r\nHost: a\r\nRange: bytes=0-9\r\n\r\n"
    with proxy.connect((head + again + head).encode()) as connection:
        file = connection.makefile("rb")
        lengths = [len(read_response(file) or b"") for _ in range(3)]
    report.equal("one asked again between two others", lengths, [len(library.master(folder / "made/small.m3u8"))] * 3)


def check_half_close(report, proxy, library, folder):
    for path in ("/o/length/made/small.m3u8", "/o/slow/sample/master.m3u8"):
        with proxy.connect(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode()) as connection:
            connection.shutdown(socket.SHUT_WR)
            text = b"".join(iter(lambda: connection.recv(65536), b""))
        name = path.split("/", 3)[3]
        report.equal(f"{path}: a client that sends no more", body_of(text), library.master(folder / name))
    with proxy.connect(b"") as connection:
        connection.shutdown(socket.SHUT_WR)
        report.equal("a client that asked for nothing", connection.recv(10), b"")


def check_old_http(report, proxy, library, folder):
    for way in ("length", "chunked", "close"):
        for name in ("made/small.m3u8", "made/large.m3u8", "made/media.ts"):
            expected = library.master(folder / name) if name.endswith("m3u8") else (folder / name).read_bytes()
            response = proxy.curl(f"/o/{way}/{name}", "--http1.0")
            report.equal(f"HTTP/1.0, {way} {name}", (response.curl, response.body == expected, response["transfer-encoding"]), (0, True, None))


def check_fields(report, proxy, echo):
    response = proxy.curl(
        "/any?a=b", "-H", "Connection: X-Mine, close", "-H", "X-Mine: 1", "-H", "Keep-Alive: 5", "-H", "TE: trailers",
        "-H", "Proxy-Authorization: x", "-H", "Upgrade: h2c", "-H", "X-Other: 2")
    seen = response.body.decode().splitlines()[:-1]
    report.equal("the target", seen[0], "GET /any?a=b HTTP/1.1")
    names = sorted(line.split(":")[0].lower() for line in seen[1:])
    report.equal("what goes to the origin", names, ["accept", "host", "user-agent", "via", "x-other"])
    report.equal("Host at the origin", [line for line in seen if line.startswith("Host")], [f"Host: 127.0.0.1:{echo.port}"])
    fields = {name: response[name] for name in ("x-hop", "keep-alive", "proxy-authenticate", "x-end", "via")}
    report.equal("what comes back", fields, {"x-hop": None, "keep-alive": None, "proxy-authenticate": None, "x-end": "b", "via": "1.1 surtitle"})
    absolute = proxy.connect(b"GET http://other.example/path?x HTTP/1.1\r\nHost: other.example\r\nConnection: close\r\n\r\n")
    with absolute:
        text = b"".join(iter(lambda: absolute.recv(65536), b""))
    report.equal("a target with scheme and host", text.partition(b"\r\n\r\n")[2].splitlines()[0], b"GET /path?x HTTP/1.1")


def check_bodies(report, proxy):
    data = "x" * 3_000_000
    for name, options in {"with its length": (), "in chunks": ("-H", "Transfer-Encoding: chunked"), "expecting 100": ("-H", "Expect: 100-continue")}.items():
        response = proxy.curl("/upload", *options, "-d", "@-", stdin=data.encode())
        report.equal(f"a body {name}", (response.body.splitlines() or [b""])[-1], b"3000000")


def check_reuse(report, proxy, echo):
    before = len(echo.requests)
    with proxy.connect(b"") as connection:
        file = connection.makefile("rb")
        for _ in range(20):
            connection.sendall(b"GET /kept HTTP/1.1\r\nHost: a\r\n\r\n")
            read_response(file)
    report.equal("20 requests, one connection to the origin", len({number for number, _ in echo.requests[before:]}), 1)


def check_failures(report, command, scratch):
    with SurtitleProxy(command, scratch / "closed.log", "--origin", f"http://127.0.0.1:{free_port()}") as proxy:
        report.equal("nobody there", (proxy.curl("/a").status, proxy.curl("/a.m3u8").status), (502, 502))
        report.equal("which is counted", proxy.metric("origin_failures_total"), 2)
    with Echo(close_after=1) as echo, SurtitleProxy(command, scratch / "closes.log", "--origin", f"http://127.0.0.1:{echo.port}", "--threads", "1") as proxy:
        statuses = []
        for _ in range(4):
            statuses.append(proxy.curl("/a").status)
            time.sleep(0.1)
        report.equal("an origin that closes without a word", statuses, [200] * 4)
    with Silent() as silent, SurtitleProxy(command, scratch / "silent.log", "--origin", f"http://127.0.0.1:{silent.port}", "--patience", "1") as proxy:
        report.equal("an origin that says nothing", proxy.curl("/a.m3u8").status, 504)
        report.equal("it is told to stop", silent.gone.wait(5), True)
        report.equal("the log says so", proxy.line("/a.m3u8").split(" ")[2], "504")
    with Slow(200_000_000, 3) as slow, SurtitleProxy(command, scratch / "slow.log", "--origin", f"http://127.0.0.1:{slow.port}", "--patience", "1") as proxy:
        with proxy.connect(request("/a.ts")) as connection, contextlib.suppress(ConnectionResetError):
            while connection.recv(100_000):
                pass
        report.equal("an origin that stops in mid-body: the log says so", "too slow" in proxy.line("/a.ts"), True)


def check_cancelling(report, command, scratch):
    with Silent() as silent, SurtitleProxy(command, scratch / "left.log", "--origin", f"http://127.0.0.1:{silent.port}") as proxy:
        connection = proxy.connect(request("/a.m3u8"))
        silent.asked.wait(5)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        report.equal("a client leaves: the origin's request ends", silent.gone.wait(5), True)
        report.equal("which is counted", proxy.metric("cancelled_total"), 1)
        report.equal("and logged", proxy.line("/a.m3u8").split(" ")[2], "499")
    with Slow(200_000_000, 0.001) as slow, SurtitleProxy(command, scratch / "middle.log", "--origin", f"http://127.0.0.1:{slow.port}") as proxy:
        connection = proxy.connect(request("/a.ts"))
        connection.recv(10_000)
        connection.close()
        report.equal("a client leaves in the middle", slow.gone.wait(10), True)


def check_back_pressure(report, command, scratch):
    with Slow(200_000_000) as slow, SurtitleProxy(command, scratch / "full.log", "--origin", f"http://127.0.0.1:{slow.port}") as proxy:
        with proxy.connect(request("/a.ts"), buffer=4096) as connection:
            connection.recv(1000)
            time.sleep(1)
            # The buffers of four sockets, and what the proxy may hold.
            report.equal("a client that reads nothing: the origin waits", slow.sent < 30_000_000, True)


def check_bad_requests(report, proxy):
    for name, text, status in (
        ("no HTTP", b"nonsense\r\n\r\n", 400), ("two lengths", b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na", 400),
        ("CONNECT", b"CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n", 405),
    ):
        with proxy.connect(text) as connection:
            connection.settimeout(5)
            report.equal(f"a bad request: {name}", status_of(connection.recv(1000)), status)
