"""surtitle_cache: playlists of files, kept as they go out."""

import concurrent.futures
import gzip
import os
import pathlib
import time

import memory
from playlists import master
from pressure import read_response
from server import body_of

ASKED = 12  # times, so that each worker has been
SETTLED_AFTER = 3  # seconds after which a file that has not changed is kept
NAMES = [f"made/one-{number}.m3u8" for number in range(6)]  # more than there is room for


def check(report, nginx, library, folder):
    check_few(report, nginx, library, folder)
    memory.check_growth(report, nginx, "no room for all", ["/fewkept/" + name for name in NAMES])


def check_few(report, nginx, library, folder):
    """For a slow nginx."""
    check_changes(report, nginx, library, folder)
    check_evictions(report, nginx, library, folder)
    check_order(report, nginx, library, folder)
    check_short_files(report, nginx, folder)
    check_sizes(report, nginx, library, folder)
    check_filters(report, nginx, library, folder)
    check_descriptors(report, nginx, library, folder)


def is_kept(response):
    """Only of a playlist that is kept is the length known though it is longer than what is held."""
    return response["content-length"] is not None


def check_changes(report, nginx, library, folder):
    """A changed file is another at once, even if it has the size and the time of the one before."""
    path = folder / "made/changing.m3u8"
    path.write_text(master(1400))
    fresh = nginx.curl("/static/made/changing.m3u8")
    report.equal("a fresh file is not kept", (is_kept(fresh), fresh.body), (False, library.master(path)))
    time.sleep(SETTLED_AFTER)
    before = int(nginx.curl("/totals").body.split()[0])
    for _ in range(ASKED):
        kept = nginx.curl("/static/made/changing.m3u8")
        report.equal("a settled file is kept", (is_kept(kept), kept.body), (True, library.master(path)))
        report.equal("not where nothing is kept", is_kept(nginx.curl("/nocache/made/changing.m3u8")), False)
    report.equal("those that were kept count too", int(nginx.curl("/totals").body.split()[0]) - before, 2 * ASKED)
    report.equal("and are logged", nginx.access("/static/made/changing.m3u8").split()[2:5], ["stream", "playlist-type", "multivariant"])
    film = nginx.curl("/filmstatic/made/changing.m3u8")
    report.equal("of other tracks another is kept", b"film.m3u8" in film.body and b"en.m3u8" not in film.body, True)

    times = path.stat()
    path.write_text(path.read_text().replace("RESOLUTION=1920x1080", "RESOLUTION=1280x0720"))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    changed = nginx.curl("/static/made/changing.m3u8")
    report.equal("of the same size and time", changed.body == library.master(path) and b"1280x0720" in changed.body, True)
    time.sleep(SETTLED_AFTER)
    for _ in range(ASKED):
        kept = nginx.curl("/static/made/changing.m3u8")
        report.equal("kept again", (is_kept(kept), kept.body), (True, library.master(path)))


def check_evictions(report, nginx, library, folder):
    """Playlists that have no room are made anew, also while slow clients are being sent one that has been forgotten."""
    for number, name in enumerate(NAMES):
        (folder / name).write_text(master(600 + number))
    time.sleep(SETTLED_AFTER)
    expected = {name: library.master(folder / name) for name in NAMES}
    huge = "made/huge.m3u8"  # more than the system takes of what nobody reads
    slow = [nginx.connect(f"GET /hugekept/{huge} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode(), buffer=4096) for _ in range(8)]
    whole = library.master(folder / huge)
    time.sleep(0.5)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        jobs = [(name, pool.submit(nginx.curl, "/fewkept/" + name)) for name in NAMES * 5]
        report.equal("no room for all", [name for name, job in jobs if job.result().body != expected[name]], [])
    for connection in slow:
        text = bytearray()
        with connection:
            while (part := connection.recv(1 << 16)):
                text += part
        report.equal("a slow client's, forgotten meanwhile", body_of(bytes(text)) == whole, True)
    report.equal("what is forgotten is closed", wait_for(lambda: not files_in_memory(nginx, len(whole))), True)


def files_in_memory(nginx, size=None, worker=None):
    """The files with what is kept that workers have open, or one of them: of `size` bytes, if that is given."""
    found = []
    for worker in nginx.workers() if worker is None else [worker]:
        for file in pathlib.Path(f"/proc/{worker}/fd").iterdir():
            if "memfd:surtitle" in os.readlink(file) and size in (None, file.stat().st_size):
                found.append(file.stat().st_ino)
    return found


def wait_for(condition):
    end = time.monotonic() + 5
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    return condition()


def check_order(report, nginx, library, folder):
    """One worker, asked over one connection, keeps two of these: those that were asked for last."""
    names = NAMES[:3]
    whole = {name: library.master(folder / name) for name in names}
    found = []
    with nginx.connect(b"") as connection:
        file = connection.makefile("rb")
        for number in (0, 1, 0, 2, 0, 1, 2, 1):
            before = files_in_memory(nginx)
            connection.sendall(f"GET /fewkept/{names[number]} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
            if read_response(file) != whole[names[number]]:
                report.equal("in order", number, None)
            found.append(len(set(files_in_memory(nginx)) - set(before)))
        report.equal("which are made anew", found[2:], [0, 1, 0, 1, 1, 0])
        for path in ("/fewkept/made/small.m3u8", "/static/made/media.m3u8"):
            before = files_in_memory(nginx)
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
            read_response(file)
            report.equal(f"no file for {path}, which is small or not edited", set(files_in_memory(nginx)) - set(before), set())


def check_sizes(report, nginx, library, folder):
    """What becomes longer than is thought at first, is more than a limit allows, or is as long as all that is kept."""
    made = folder / "made"
    (made / "grown.m3u8").write_text("#EXTM3U\n" + "#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n" * 6000)
    (made / "limited.m3u8").write_text((made / "small.m3u8").read_text() + (made / "declared.m3u8").read_text() + ("#" * 99 + "\n") * 700)
    text = master(27_000)
    for name, size in (("most", 4 << 20), ("toomuch", (4 << 20) + 1)):
        rest = size - len(text)
        (made / f"{name}.m3u8").write_text(text + ("#" * 999 + "\n") * (rest // 1000) + "#" * (rest % 1000 - 1) + "\n")
    time.sleep(SETTLED_AFTER)
    for name in ("grown", "limited", "most", "toomuch"):
        ways = ("/limitedkept/", "/levels/held/length/") if name == "limited" else ("/static/", "/nocache/")
        response, apart = [nginx.curl(f"{way}made/{name}.m3u8") for way in ways]
        report.equal(f"{name}: kept", (is_kept(response), response.body == apart.body, is_kept(apart)), (name != "toomuch", True, False))
    report.equal("grown: edited", nginx.curl("/static/made/grown.m3u8").body == library.master(made / "grown.m3u8"), True)


def check_short_files(report, nginx, folder):
    """The module reads files that may be kept: media playlists and what is no playlist too."""
    for way, expected in (("/exactkept/", True), ("/justnotkept/", False), ("/nocache/", False)):
        report.equal(f"65,537 bytes, {way}", is_kept(nginx.curl(way + "made/over.m3u8")), expected)
    for name in ("made/media.m3u8", "made/text.m3u8", "made/short.m3u8"):
        response = nginx.curl("/static/" + name)
        report.equal(f"{name} as it is", (response.body, response["content-length"]),
                     ((folder / name).read_bytes(), str((folder / name).stat().st_size)))


def check_filters(report, nginx, library, folder):
    """Filters that read bodies get them, though what is kept is sent as a file."""
    for name in ("made/media.m3u8", "made/large.m3u8", "sample/master.m3u8"):
        expected = (folder / name).read_bytes() if name == "made/media.m3u8" else library.master(folder / name)
        for way in ("/keptzip/", "/keptsub/"):
            for _ in range(3):
                response = nginx.curl(way + name, "-H", "Accept-Encoding: gzip")
                body = gzip.decompress(response.body) if response["content-encoding"] == "gzip" else response.body
                report.equal(f"{way}{name}", (response.status, body == expected), (200, True))


def check_descriptors(report, nginx, library, folder):
    """However many are kept, clients need descriptors too: a worker keeps no more files than an eighth of its 512 connections."""
    text = master(130)
    names = [f"made/many-{number}.m3u8" for number in range(300)]
    for name in names:
        (folder / name).write_text(text)
    expected = library.master(folder / names[0])
    time.sleep(SETTLED_AFTER)
    report.equal("bodies", {nginx.curl("/manykept/" + name).body == expected for name in names}, {True})
    counts = [len(files_in_memory(nginx, worker=worker)) for worker in nginx.workers()]
    report.equal(f"files in memory, {counts}", max(counts), 64)
