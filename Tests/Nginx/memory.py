"""What a request takes of a worker, memory and descriptors, it gives back: rewriters, exchanges, buffers, fetches, playlists that are forgotten."""

import concurrent.futures
import pathlib
import re

from pressure import ask_many

# Each takes something else; what a worker keeps for later requests it has after the first few.
WAYS = (
    "/static/made/held.m3u8", "/nocache/made/held.m3u8", "/o/length/made/small.m3u8", "/o/chunked/made/held.m3u8", "/o/untyped/made/small.m3u8",
    "/o/length/made/media.m3u8", "/small/made/small.m3u8", "/maps/video/subs/en.vtt", "/maps/nothing/subs/en.vtt", "/serve/subs/film.vtt",
    "/try/made/small.m3u8", "/untyped/made/twelve.m3u8")
FEW, MANY = 400, 2000
MOST_BYTES, MOST_DESCRIPTORS = 1 << 20, 16  # 524 bytes a request


def check(report, nginx):
    for path in WAYS:
        check_growth(report, nginx, path, [path])


def check_growth(report, nginx, name, paths):
    """Asks for these again and again."""
    jobs = [(path, nginx.curl(path).body) for path in paths]
    report.equal(f"{name}: a few times", ask(nginx, jobs, FEW), [])
    before = use(nginx)
    report.equal(f"{name}: many times", ask(nginx, jobs, MANY), [])
    grown = [after - before for before, after in zip(before, use(nginx))]
    report.equal(f"{name}: {grown} bytes and descriptors for {MANY} requests", grown[0] <= MOST_BYTES and grown[1] <= MOST_DESCRIPTORS, True)


def ask(nginx, jobs, count):
    part = (jobs * (count // len(jobs)))[:count // 4]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        return sum(pool.map(lambda _: ask_many(nginx, part), range(4)), [])


def use(nginx):
    """How many bytes the workers have, their own and shared, and how many descriptors."""
    folders = [pathlib.Path(f"/proc/{worker}") for worker in nginx.workers()]
    sizes = [int(size) for folder in folders for size in re.findall(r"^Rss(?:Anon|Shmem):\s+(\d+) kB", (folder / "status").read_text(), re.M)]
    return sum(sizes) << 10, sum(len(list((folder / "fd").iterdir())) for folder in folders)
