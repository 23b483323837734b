#!/usr/bin/env python3
"""Compares proxies that put tracks into playlists with the same proxies passing through: compare.py --module FILE [--proxy FILE]

nginx before files and before another nginx, with the module and with sub_filter; and surtitle-proxy, which is SwiftNIO, before that nginx. Each
has one thread. In each round every way is loaded by wrk for some seconds, in turn, and the CPU time of the process is divided by the
requests it answered. Passing through runs twice a round: what it differs from itself is the noise.

run.sh builds what is compared. Needs nginx and wrk.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import sys
import tempfile
import time

import counts
import first_byte
import plot
import table
from load import measure, measure_memory
from servers import start_all
from ways import HUGE, SIZES, WAYS

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Tests" / "Servers"))

from playlists import low_latency_media, master  # noqa: E402


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--module", required=True, help="ngx_http_surtitle_module.so")
    parser.add_argument("--proxy", help="surtitle-proxy; without it nginx is alone")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--seconds", type=int, default=2, help="of load, for each way and size in each round")
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--check-counts", action="store_true", help="no load: only what no clock decides")
    parser.add_argument("--output", default=".", metavar="FOLDER", help="where proxies.md, proxies.svg and proxies.json go")
    arguments = parser.parse_args()
    for tool in ("nginx",) if arguments.check_counts else ("nginx", "wrk"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is missing")
    return arguments


def make_files(folder):
    """{size: playlist}, each in its file, which has settled when nginx sees it."""
    folder.mkdir()
    texts = {which: low_latency_media(100_000) if which == "media" else master(round(which / 146)) for which in (*SIZES.values(), HUGE)}
    for which, text in texts.items():
        (folder / f"{which}.m3u8").write_text(text)
    time.sleep(3)
    return {size: texts[which] for size, which in SIZES.items()}


@contextlib.contextmanager
def running_servers(scratch, arguments):
    running = {}
    try:
        start_all(scratch, pathlib.Path(arguments.module).resolve(), arguments.proxy, running)
        yield running
    finally:
        for server in running.values():
            server.stop()


def describe(arguments):
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    return (f"{arguments.rounds} rounds of {arguments.seconds} s a way, {arguments.connections} connections, medians; {model}, "
            f"{os.cpu_count()} cores; load at the end {os.getloadavg()[0]:.1f}. In brackets the median ratio to passing through in the same "
            "round.\n")


def write(folder, rows, memories, arguments):
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    # First what cannot be had again.
    (folder / "proxies.json").write_text(json.dumps(rows, indent=1) + "\n")
    text = "\n".join([describe(arguments), table.in_short(rows), table.in_full(rows), *table.gains(rows), "", table.of_memory(memories)]) + "\n"
    (folder / "proxies.md").write_text(text)
    (folder / "proxies.svg").write_text(plot.plot(rows))
    print(text)


def main():
    arguments = parse()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the servers end too
    ways = [way for way in WAYS if arguments.proxy or way.group != "SwiftNIO"]
    with tempfile.TemporaryDirectory(prefix="surtitle-proxies-") as scratch:
        texts = make_files(pathlib.Path(scratch, "files"))
        with running_servers(scratch, arguments) as running:
            wrong = counts.check_bytes(ways, running, texts) + counts.check_writes(ways, running)
            wrong += first_byte.check(scratch, pathlib.Path(arguments.module).resolve(), arguments.proxy, texts["100 KB media"])
            for line in wrong:
                print("FAILED", line)
            if wrong or arguments.check_counts:
                return 1 if wrong else 0
            found = measure(ways, running, arguments)
        memories = measure_memory(ways, lambda: running_servers(scratch, arguments))
    write(arguments.output, table.summarise(found), memories, arguments)
    return 0


if __name__ == "__main__":
    sys.exit(main())
