#!/usr/bin/env python3
"""What the kernels' loops take on arm64, by llvm-mca's models: neon.py [--processor NAME]…

The kernels' form for NEON is compiled by clang. Of each kernel the innermost loop that loads 64 bytes is taken, and modelled for 100 turns as if
it went straight through: a turn's cycles and instructions for each byte. Prints Markdown. Needs Swift's clang, gcc's headers for arm64, and
llvm-mca.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "Sources/CByteScan"
TARGET = "aarch64-linux-gnu"


def assembly(folder: Path) -> str:
    out = folder / "base.s"
    subprocess.run(["clang", f"--target={TARGET}", "-O2", "-std=gnu11", f"-I{SOURCE}/include", "-fno-asynchronous-unwind-tables", "-S",
                    str(SOURCE / "forms/base.c"), "-o", str(out)], check=True)
    return out.read_text()


def functions(text: str) -> dict[str, list[str]]:
    found, name = {}, None
    for line in text.splitlines():
        if match := re.match(r"bytescan_base_(\w+):", line):
            name = match[1]
            found[name] = []
        elif line.startswith("\t.size") or line.startswith(".Lfunc_end"):
            name = None
        elif name and line.strip() and not re.match(r"\s*(//|\.(?!LBB))", line):
            found[name].append(line.split("//")[0].rstrip())
    return found


def loop(lines: list[str]) -> list[str] | None:
    """The shortest loop that loads 64 bytes: from a label to a branch back to it."""
    labels = {line[:-1]: index for index, line in enumerate(lines) if re.match(r"\.LBB\w+:$", line)}
    loops = []
    for index, line in enumerate(lines):
        branch = re.match(r"\s*(?:b\S*|cb\S*|tb\S*)\s.*?(\.LBB\w+)$", line)
        start = labels.get(branch[1]) if branch else None
        if start is not None and start < index:
            body = [entry for entry in lines[start:index + 1] if not entry.endswith(":")]
            registers = sum(2 if re.match(r"\s*ldp\s+q", entry) else 4 if re.match(r"\s*ld1\s+\{ v\d+\.16b, v\d+\.16b, v\d+", entry) else 1
                            for entry in body if re.match(r"\s*(ldp\s+q|ldr\s+q|ldur\s+q|ld1\s)", entry))
            if registers >= 4:
                loops.append(body)
    return min(loops, key=len, default=None)


def modelled(body: list[str], processor: str) -> float:
    """Cycles of a turn."""
    straight = "\n".join(re.sub(r"\.LBB\w+$", "1f", line) for line in body) + "\n1:\n"
    run = subprocess.run(["llvm-mca", f"-mtriple={TARGET}", f"-mcpu={processor}", "-iterations=100"], input=straight, capture_output=True, text=True)
    cycles = re.search(r"Total Cycles:\s+(\d+)", run.stdout)
    if not cycles:
        raise SystemExit(f"neon.py: {run.stderr[:500]}")
    return int(cycles[1]) / 100


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--processor", action="append")
    processors = arguments.parse_args().processor or ["apple-m1", "neoverse-n1"]
    print(f"| Kernel, NEON | Instructions a byte | {' | '.join(f'{name}, cycles a byte' for name in processors)} |")
    print(f"|---|--:|{'--:|' * len(processors)}")
    with tempfile.TemporaryDirectory() as folder:
        for name, lines in functions(assembly(Path(folder))).items():
            body = loop(lines)
            if body:
                cycles = [f"{modelled(body, processor) / 64:.3f}" for processor in processors]
                print(f"| {name} | {len(body) / 64:.3f} | {' | '.join(cycles)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
