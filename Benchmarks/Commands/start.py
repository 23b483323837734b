#!/usr/bin/env python3
"""How long the command takes as whole processes, from its start to its end: start.py --surtitle FILE [--runs N]

FILE is the command as packages have it (.ci/packages/binary.sh). Prints Markdown: processor time, user and system, and time by the clock, in
milliseconds: the least of N runs, since another process can only make one longer, and the median; how many calls of the system, if there is strace;
and how many addresses are relocated before it begins, if there is readelf. What comes out is compared with the right answer first.

Each run writes into a folder of its own, and none is removed before the last: for seconds after files have been removed, ext4 takes ten times as
long to make one. TMPDIR says where; a file system in memory shows what the command does and not the disk.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "Peers"))

import inputs  # noqa: E402
import ways  # noqa: E402
from cases import is_sideloaded, rest  # noqa: E402

# So many segments of 6 s.
SEGMENTS = 900


def run(words: list, given: bytes = b"") -> tuple[float, float, bytes]:
    """Milliseconds of the processor and by the clock, and what was printed."""
    with tempfile.TemporaryFile() as entered, tempfile.TemporaryFile() as printed:
        entered.write(given)
        entered.seek(0)
        began = time.perf_counter()
        process = subprocess.Popen([str(word) for word in words], stdin=entered, stdout=printed, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        elapsed = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"start.py: {words}: status {process.returncode}")
        printed.seek(0)
        return (used.ru_utime + used.ru_stime) * 1e3, elapsed * 1e3, printed.read()


def relocations(command: Path) -> str:
    """How many addresses of the command the loader writes."""
    if shutil.which("readelf") is None:
        return "–"
    listed = subprocess.run(["readelf", "-rW", str(command)], capture_output=True, text=True).stdout
    return f"{len(re.findall(r' R_', listed)):,}"


def calls(words: list, given: bytes) -> str:
    """How many calls of the system it takes."""
    if shutil.which("strace") is None:
        return "–"
    traced = subprocess.run(["strace", "-f", "-c", *map(str, words)], input=given, capture_output=True)
    total = re.search(rb"^\s*100\.00.*?(\d+)\s+(?:\d+\s+)?total$", traced.stderr, re.M)
    return total[1].decode() if total else "–"


def film(path: Path) -> int:
    """A file of cues that lasts for the segments; how many cues it has."""
    count = 0
    with path.open("w") as file:
        file.write("WEBVTT\n\n")
        for start in range(0, SEGMENTS * 6_000, 3_000):
            file.write(f"{inputs.clock(start + 200, '.')} --> {inputs.clock(start + 2_700, '.')}\n{inputs.LINES[count % 4]}\n\n")
            count += 1
    return count


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--surtitle", type=lambda path: Path(path).resolve(), required=True)
    arguments.add_argument("--runs", type=int, default=20)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        inputs.write(folder)
        master = (folder / "master 2.8 KB.m3u8").read_bytes()
        cues = film(folder / "film.vtt")
        parts = iter(folder / f"parts {number}" for number in range(given.runs + 1))

        def sideloaded(printed: bytes) -> bool:
            return is_sideloaded(master, printed) and rest(master) == rest(printed)

        def segmented(_: bytes) -> bool:
            files = list((folder / "parts 0").glob("*.vtt"))
            return len(files) == SEGMENTS and sum(len(ways.times(file.read_text())) for file in files) == cues

        def segment() -> list:
            return [given.surtitle, "segment", folder / "film.vtt", "--target", "6", "-o", next(parts), "--map", "126000"]

        rows = [("`surtitle --version`", lambda: [given.surtitle, "--version"], b"", bool),
                ("`surtitle master`, 2.8 KB", lambda: ways.surtitle(given.surtitle).words, master, sideloaded),
                (f"`surtitle segment`, {SEGMENTS} segments", segment, b"", segmented)]
        print("| Command | Processor, ms: least | median | Clock, ms: least | median | Calls of the system | Relocations |")
        print("|---|--:|--:|--:|--:|--:|--:|")
        for title, words, entered, is_right in rows:
            runs = [run(words(), entered) for _ in range(given.runs)]
            if not is_right(runs[0][2]):
                print(f"start.py: {title}: the answer is wrong", file=sys.stderr)
                return 1
            middle = len(runs) // 2
            cells = [f"{value:.1f}" for kind in (0, 1) for times in [sorted(run[kind] for run in runs)] for value in (times[0], times[middle])]
            print(f"| {title} | {' | '.join(cells)} | {calls(words(), entered)} | {relocations(given.surtitle)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
