#!/usr/bin/env python3
"""Compares Surtitle with what people do the same jobs with: right or wrong on small playlists, and processor time on the same files.

    python3 -m venv peers && peers/bin/pip install m3u8==6.0.0 webvtt-py==0.6.0 pysubs2==1.8.1
    peers/bin/python Benchmarks/Peers/compare.py --surtitle FILE [--rewrite FILE] [--check]

FILE of --surtitle is the command in a release build, that of --rewrite is Benchmarks/C/rewrite.c over the C library. It prints Markdown. Times are
processor time, user and system, the least of five runs, since another process can only make one longer: of a process all of it, its start included;
of a Python package that of the call. Every answer is compared with the right one. A way whose tool is missing is left out. --check measures
nothing, and fails if Surtitle is wrong anywhere, or if the table of cases in the guide is another.
"""

import argparse
import datetime
import functools
import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Callable

import inputs
import ways
from cases import CASES, is_sideloaded

GUIDE = inputs.ROOT / "Sources/Sideload/Sideload.docc/Comparison.md"
RUNS = 5


def of_process(words: list, given: Path | None = None) -> tuple[float, bytes]:
    """Milliseconds of processor time, and what was printed."""
    with open(given or os.devnull, "rb") as file, tempfile.TemporaryFile() as printed:
        process = subprocess.Popen([str(word) for word in words], stdin=file, stdout=printed, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        printed.seek(0)
        if process.returncode != 0:
            raise RuntimeError(f"{words}: status {process.returncode}")
        return (used.ru_utime + used.ru_stime) * 1e3, printed.read()


class Table:
    """What one job takes by each way."""

    def __init__(self, job: str) -> None:
        self.job = job
        self.rows: list[tuple[str, str]] = []

    def command(self, name: str, words: list, is_right: Callable[[bytes], bool], given: Path | None = None) -> None:
        if shutil.which(str(words[0])) is None:
            print(f"left out, {words[0]} is missing: {name}", file=sys.stderr)
            return
        runs = [of_process(words, given) for _ in range(RUNS)]
        mark = "" if is_right(runs[0][1]) else ", wrong"
        print(f"{self.job}: {name}", file=sys.stderr, flush=True)
        self.rows.append((name, f"{spent(min(run[0] for run in runs))}{mark}"))

    def call(self, name: str, run: Callable, is_right: Callable) -> None:
        answer, least = run(), float("inf")
        for _ in range(RUNS):
            began = time.process_time()
            answer = run()
            least = min(least, time.process_time() - began)
            if least > 2:
                break
        print(f"{self.job}: {name}", file=sys.stderr, flush=True)
        self.rows.append((name, f"{spent(least * 1e3)}{'' if is_right(answer) else ', wrong'}"))

    def __str__(self) -> str:
        lines = [f"| {name} | {taken} |" for name, taken in self.rows]
        return "\n".join([f"| {self.job} | |", "|---|--:|", *lines]) + "\n"


def spent(milliseconds: float) -> str:
    value, unit = (milliseconds, "ms") if milliseconds >= 1 else (milliseconds * 1e3, "µs")
    return f"{value:,.0f} {unit}" if value >= 10 else f"{value:.2g} {unit}"


def table_of_cases(command: Path) -> tuple[str, list[str]]:
    """The table, and in which cases the command is wrong."""
    columns = {"Surtitle": ways.surtitle(command), "sed": ways.sed, "text recipe": ways.text_recipe, "sub_filter": ways.sub_filter}
    if "m3u8" in versions():
        columns["m3u8"] = ways.with_m3u8
    lines, wrong, sums = [], [], dict.fromkeys(columns, 0)
    for case in CASES:
        marks = []
        for name, run in columns.items():
            try:
                is_right = case.check(case.text, run(case.text))
            except Exception:  # noqa: BLE001: whatever a way raises, it has not done the job.
                is_right = False
            marks.append("yes" if is_right else "no")
            sums[name] += is_right
            if name == "Surtitle" and not is_right:
                wrong.append(case.name)
        lines.append(f"| {case.name} | {' | '.join(marks)} |")
    head = [f"| | {' | '.join(columns)} |", f"|---|{'---|' * len(columns)}"]
    return "\n".join([*head, *lines, f"| of {len(CASES)} | {' | '.join(str(count) for count in sums.values())} |"]) + "\n", wrong


@functools.cache
def versions() -> dict[str, str]:
    found = {}
    for name in ("m3u8", "webvtt-py", "pysubs2"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            print(f"left out, {name} is not installed", file=sys.stderr)
    return found


def tables(command: Path, rewrite: Path | None, folder: Path) -> list[Table]:
    ends = inputs.write(folder)
    there, made = versions(), []
    for size in ("2.8 KB", "1 MB"):
        path = folder / f"master {size}.m3u8"
        text = path.read_bytes()
        table = Table(f"two tracks into a multivariant playlist of {size}")

        def is_right(after: bytes) -> bool:
            return is_sideloaded(text, after)

        if rewrite:
            printed = of_process([rewrite, "whole", "20000" if len(text) < 10000 else "1001", path])[1].decode()
            nanoseconds = int(re.search(r"(\d+) ns", printed)[1])
            table.rows.append(("`surtitle.h`, a call in C", f"{spent(nanoseconds / 1e6)}"))
        table.call("Python, the text recipe", lambda: ways.text_recipe(text), is_right)
        if "m3u8" in there:
            table.call("Python, m3u8", lambda: ways.with_m3u8(text), is_right)
        table.command("`surtitle master`", ways.surtitle(command).words, is_right, path)
        table.command("`sed`", ways.SED, is_right, path)
        made.append(table)

    long = folder / "10 MB.vtt"
    table = Table("when the last cue of 10 MB of WebVTT ends")

    def seconds(printed: bytes) -> bool:
        return abs(float(re.search(rb"[\d.]+", printed.splitlines()[-1] if printed else b"0")[0]) - ends[long.name] / 1e3) < 0.002

    table.command("`surtitle duration`", [command, "duration", long], seconds)
    table.command("`tac FILE \\| grep -m1 -e '-->'`", ["sh", "-c", f"tac '{long}' | grep -m1 -e '-->'"],
                  lambda printed: printed.split()[-1].decode() == inputs.clock(ends[long.name], "."))
    packets = "ffprobe -v error -show_entries packet=pts_time,duration_time -of csv=p=0"
    table.command("`ffprobe`, the last packet", ["sh", "-c", f"{packets} '{long}' | tail -n 1"],
                  lambda printed: abs(sum(map(float, printed.decode().strip().strip(",").split(",")[:2])) - ends[long.name] / 1e3) < 0.002)
    if "webvtt-py" in there:
        table.call("Python, webvtt-py", lambda: ways.webvtt_end(long), lambda end: end == ends[long.name])
    if "pysubs2" in there:
        table.call("Python, pysubs2", lambda: ways.pysubs2_end(long), lambda end: end == ends[long.name])
    made.append(table)

    srt = folder / "1 MB.srt"
    wanted = ways.times(re.sub(r"(\d),(\d{3})", r"\1.\2", srt.read_text()))
    table = Table("WebVTT of 1 MB of SubRip")
    out = folder / "converted"
    words = [command, "sideload", folder / "video.m3u8", "--track", f"{srt},language=fr,uri=fr.vtt", "-o", out, "--force", "--map", "none"]
    words += ["--base-uri", "relative"]
    table.command("`surtitle sideload`, with the playlists", words, lambda _: ways.times((out / "fr.vtt").read_text()) == wanted)
    converting = ["ffmpeg", "-v", "error", "-y", "-i", srt, folder / "f.vtt"]
    table.command("`ffmpeg`", converting, lambda _: ways.times((folder / "f.vtt").read_text()) == wanted)
    if "pysubs2" in there:
        table.call("Python, pysubs2", lambda: ways.pysubs2_from_srt(srt), lambda text: ways.times(text) == wanted)
    if "webvtt-py" in there:
        table.call("Python, webvtt-py", lambda: ways.webvtt_from_srt(srt), lambda text: ways.times(text) == wanted)
    made.append(table)

    short = folder / "1 MB.vtt"
    wanted = ways.times(short.read_text())
    table = Table("1 MB of WebVTT in segments of 6 s")

    def milliseconds(clock: str) -> int:
        hours, minutes, seconds = clock.split(":")
        return round(((int(hours) * 60 + int(minutes)) * 60 + float(seconds)) * 1000)

    def shown(place: Path) -> bool:
        """Each cue is in each segment in which it shows, by the segments' order; where it ends it may be in the next one too."""
        files = sorted(place.glob("*vtt"), key=lambda path: int(re.findall(r"\d+", path.stem)[-1]))
        found = [{pair for pair in ways.times(file.read_text()) if milliseconds(pair[1]) > index * 6000} for index, file in enumerate(files)]
        expected: list[set] = []
        for pair in wanted:
            first, last = milliseconds(pair[0]) // 6000, -(-milliseconds(pair[1]) // 6000)
            expected += [set() for _ in range(last - len(expected))]
            for index in range(first, last):
                expected[index].add(pair)
        return found == expected

    parts = folder / "segments"
    cutting = [command, "segment", short, "--target", "6", "-o", parts, "--force", "--map", "126000"]
    table.command("`surtitle segment`", cutting, lambda _: shown(parts))
    if "webvtt-py" in there:
        table.call("Python, webvtt-py", lambda: ways.webvtt_segments(short, folder / "w"), lambda _: shown(folder / "w"))
    (folder / "f").mkdir()
    cutting = ["ffmpeg", "-v", "error", "-y", "-i", short, "-map", "0:s", "-c:s", "webvtt", "-f", "segment", "-segment_time", "6"]
    table.command("`ffmpeg -f segment`", [*cutting, "-segment_format", "webvtt", folder / "f/f-%05d.vtt"], lambda _: shown(folder / "f"))
    made.append(table)
    return made


def machine() -> str:
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    tools = [f"Python {sys.version.split()[0]}", *(f"{name} {version}" for name, version in versions().items())]
    if shutil.which("ffmpeg"):
        tools.append(" ".join(subprocess.run(["ffmpeg", "-version"], capture_output=True, text=True).stdout.split()[:3:2]))
    return f"{datetime.date.today()}; {model}, {os.cpu_count()} cores; {', '.join(tools)}"


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--surtitle", type=lambda path: Path(path).resolve(), required=True)
    arguments.add_argument("--rewrite", type=lambda path: Path(path).resolve())
    arguments.add_argument("--check", action="store_true")
    given = arguments.parse_args()
    cases, wrong = table_of_cases(given.surtitle)
    for name in wrong:
        print(f"Surtitle is wrong: {name}", file=sys.stderr)
    if given.check:
        # Without the packages of others their columns cannot be told.
        if len(versions()) == 3 and cases not in GUIDE.read_text():
            print(f"{GUIDE.name} has another table of cases:\n{cases}", file=sys.stderr)
            return 1
        return 1 if wrong else 0
    with tempfile.TemporaryDirectory() as folder:
        print("\n".join([machine(), "", cases, *map(str, tables(given.surtitle, given.rewrite, Path(folder)))]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
