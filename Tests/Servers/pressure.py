"""Origins that break off, clients that are slow or leave, and many requests at once."""

import concurrent.futures
import socket
import struct
import time

from playlists import abandoned
from server import body_of


def check(report, nginx, library, folder):
    check_torn_and_told(report, nginx, library, folder, (0, 5, 60, 1000, 3000, 70_000, 300_001))
    check_slow_readers(report, nginx, library, folder, 12)
    check_resets(report, nginx, library, folder, 100)
    check_many(report, nginx, library, folder, 6000)


def check_few(report, nginx, library, folder):
    """For a slow nginx."""
    check_torn_and_told(report, nginx, library, folder, (5, 1000, 70_000))
    check_slow_readers(report, nginx, library, folder, 2)
    check_resets(report, nginx, library, folder, 10)
    check_many(report, nginx, library, folder, 400)


def check_torn_and_told(report, nginx, library, folder, counts):
    """The log tells of those that broke off."""
    ways = ("/o/tornlength-", "/o/tornchunked-", "/unbuffered/tornchunked-", "/smallproxy/tornlength-")
    before = nginx.log().count("the origin broke off")
    check_torn(report, nginx, library, folder, counts, ways)
    told = len(ways) * sum(count > 0 for count in counts)
    report.equal("the log tells of those that broke off", nginx.log().count("the origin broke off") - before >= told, True)


def check_torn(report, nginx, library, folder, counts, ways=("/o/tornlength-", "/o/tornchunked-")):
    """Origins that break off after so many bytes."""
    name = "made/large.m3u8"
    plain, whole = (folder / name).read_bytes(), library.master(folder / name)
    for count in counts:
        expected = abandoned(plain, whole, count)
        for way in [f"{way}{count}/" for way in ways]:
            response = nginx.curl(way + name)
            report.equal(f"{way}: it is not whole", response.curl != 0, True)
            report.equal(f"{way}: no line is half edited", response.body, expected)
        old = nginx.curl(f"/o/tornchunked-{count}/made/held.m3u8", "--http1.0")
        if 0 < count < 60_000:
            report.equal(f"HTTP/1.0, {count} bytes: an error, and nothing of it", (old.status, b"EXT" in old.body), (502, False))
        if count > 200_000:
            for fields in ((), ("-H", "Connection: keep-alive")):
                old = nginx.curl(f"/o/tornchunked-{count}/{name}", "--http1.0", *fields)
                report.equal(f"HTTP/1.0, {count} bytes: a reset, once some of it has gone {fields}", (old.status, old.curl), (200, 56))
    reset = nginx.curl("/o/reset-2000/" + name)
    report.equal("a reset: not whole", reset.curl != 0, True)
    report.equal("a reset: no line is half edited", whole.startswith(reset.body[:reset.body.rfind(b"\n") + 1]), True)


def request(path, *fields):
    return "\r\n".join([f"GET {path} HTTP/1.1", "Host: a", "Connection: close", *fields, "", ""]).encode()


def read_slowly(nginx, path, pause):
    connection = nginx.connect(request(path), buffer=4096)
    text = bytearray()
    with connection:
        while (part := connection.recv(16384)):
            text += part
            if len(text) < 300_000:
                time.sleep(pause)
    return body_of(bytes(text))


WAYS_OF_READERS = (
    "/static/", "/small/", "/nosendfile/", "/o/length/", "/o/chunked/", "/smallproxy/chunked/", "/unbuffered/chunked/")


def check_slow_readers(report, nginx, library, folder, count, ways=WAYS_OF_READERS):
    """The client takes less than there is: all buffers are busy, and the input waits."""
    expected = library.master(folder / "made/huge.m3u8")
    with concurrent.futures.ThreadPoolExecutor(count) as pool:
        jobs = [(way, pool.submit(read_slowly, nginx, way + "made/huge.m3u8", 0.005)) for way in (ways * 7)[:max(count, len(ways))]]
        for way, job in jobs:
            report.equal(f"a slow reader of {way}", job.result() == expected, True)


def check_resets(report, nginx, library, folder, count, ways=("/static/", "/o/chunked/", "/small/", "/o/slow/", "/o/untyped/")):
    """Clients that leave in the middle, and origins that do."""
    for number in range(count):
        path = ways[number % len(ways)] + "made/large.m3u8"
        connection = nginx.connect(request(path), buffer=4096)
        if number % 2 and "slow" not in path:
            connection.recv(3000 * (number % 7 + 1))
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
        if number % 4 == 0:
            nginx.curl(f"/o/reset-{number * 300 + 1}/made/large.m3u8")
    response = nginx.curl("/o/chunked/made/large.m3u8")
    report.equal("after resets", response.body == library.master(folder / "made/large.m3u8"), True)


def ask_many(nginx, jobs):
    """Asks over one connection, and returns the paths whose answers are wrong."""
    wrong = []
    with nginx.connect(b"") as connection:
        file = connection.makefile("rb")
        for path, expected in jobs:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
            if read_response(file) != expected:
                wrong.append(path)
    return wrong


def read_response(file):
    length = None
    status = file.readline()
    while (line := file.readline().strip()):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    if b" 200 " not in status:
        return None
    if length is not None:
        return file.read(length)
    body = b""
    while (size := int(file.readline(), 16)):
        body += file.read(size)
        file.readline()
    file.readline()
    return body


WAYS_OF_MANY = ("/static/", "/o/length/", "/o/chunked/", "/nosendfile/", "/small/", "/o/untyped/", "/cached/length/")


def check_many(report, nginx, library, folder, count, ways=WAYS_OF_MANY):
    names = ("sample/master.m3u8", "made/small.m3u8", "made/held.m3u8", "made/noend.m3u8", "made/open.m3u8", "made/beyond.m3u8")
    expected = {name: library.master(folder / name) for name in names}
    jobs = [(ways[i % len(ways)] + names[i // 7 % len(names)], expected[names[i // 7 % len(names)]]) for i in range(count)]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        wrong = sum(pool.map(lambda part: ask_many(nginx, part), [jobs[start::8] for start in range(8)]), [])
    report.equal(f"{count} requests over 8 connections", wrong, [])
