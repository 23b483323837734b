#!/usr/bin/env python3
"""Holds every place that tells the version to the C header, and the changelog's first release to it."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def found(path: str, pattern: str) -> list[str]:
    return re.findall(pattern, (ROOT / path).read_text(), re.M)


def main() -> None:
    version = ".".join(found("Sources/CSurtitle/include/surtitle.h", r"^#define SURTITLE_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)$"))
    places = {
        "Sources/SurtitleC/Calls/Status.swift": r'start\(of: "(\d+\.\d+\.\d+)"\)',
        "Sources/CSurtitle/include/surtitle.h": r'library that runs, "(\d+\.\d+\.\d+)"',
        "Sources/surtitle/Commands/Surtitle.swift": r'static let version = "(.*)"',
        "Sources/Python/pyproject.toml": r'^version = "(.*)"',
        "Sources/WebAssembly/javascript/package.json": r'^  "version": "(.*)"',
        "CHANGELOG.md": r"^(?:To become |## \[)(\d+\.\d+\.\d+)",
    }
    faults = [f"{path} says {found(path, pattern)}, surtitle.h {version}" for path, pattern in places.items() if found(path, pattern)[:1] != [version]]
    sections = re.findall(r"^## .*$|^### .*$", (ROOT / "CHANGELOG.md").read_text(), re.M)
    # What was never released has not been changed or fixed.
    if sum(line.startswith("## ") for line in sections) == 1 and sections[1:] != ["### Added"]:
        faults.append(f"CHANGELOG.md: nothing is released, and yet there are {sections[2:]}")
    print("\n".join(faults) or version, file=sys.stderr if faults else sys.stdout)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
