"""Plants faults in a copy of the tree, each behind a switch that the environment sets (SURTITLE_MUTANT=17), and builds it."""

import os
import pathlib
import re
import shutil
import subprocess

from places import MODULES, OPERATORS, ROOT, Fault

COPY = ROOT / ".build" / "mutants" / "copy"
LOGS = ROOT / ".build" / "mutants" / "logs"
KERNELS = COPY / ".build" / "kernels"
# Optimized, the tests take a fraction of the time, and faults are as wrong: an overflow traps in both.
_BUILD = ["swift", "build", "--build-tests", "-c", "release", "-Xswiftc", "-enable-testing"]

_SCAN = "Sources/CByteScan"
_HEADER = """#ifndef BYTESCAN_MUTANT_H
#define BYTESCAN_MUTANT_H
#include <stdbool.h>
extern int bytescan_mutant;
static inline bool bytescan_is_mutant(int number) { return bytescan_mutant == number; }
#define MUTANT(number) (bytescan_mutant == (number))
#endif
"""
_SWITCH = """#include "bytescan_mutant.h"
#include <stdlib.h>
int bytescan_mutant;
__attribute__((constructor)) static void set(void) {
    const char *text = getenv("SURTITLE_MUTANT");
    if (text) bytescan_mutant = atoi(text);
}
"""
# What a Swift module needs to ask the switch.
_ASKING = """import CByteScan
precedencegroup MutantPrecedence { higherThan: TernaryPrecedence lowerThan: LogicalDisjunctionPrecedence }
@usableFromInline func mutant(_ number: Int32) -> Bool { bytescan_is_mutant(number) }
@usableFromInline func mutant<T: ExpressibleByIntegerLiteral>(_ number: Int32, _ a: T, _ b: T) -> T {
    mutant(number) ? b : a
}
"""


def _sign(number: int) -> str:
    """The operator of the fault with that number: one of those that Swift allows and nobody uses."""
    return chr(0x2200 + number)


def _operator(number: int, old: str) -> str:
    """Declares an operator that is `old`, and another one while the fault is alive."""
    switch = f"mutant({number})"
    if old == "?":
        strength, signature, body = "Mutant", "(a: Bool, b: Bool) -> Bool", f"a != {switch}"
    elif old.startswith(".."):
        strength, made = "RangeFormation", "Range" if old == "..<" else "ClosedRange"
        signature, body = f"<T: FixedWidthInteger>(a: T, b: T) -> {made}<T>", f"a{old}({switch} && a < b ? b - 1 : b)"
    else:
        new, operand, strength = OPERATORS[old]
        signature = f"<T: {operand}>(a: T, b: T) -> {'Bool' if strength == 'Comparison' else 'T'}"
        body = f"{switch} ? a {new} b : a {old} b"
        if strength == "Assignment":
            signature, body = f"<T: {operand}>(a: inout T, b: T)", f"if {switch} {{ a {new} b }} else {{ a {old} b }}"
        elif strength == "BitwiseShift":
            signature = f"<T: {operand}, S: BinaryInteger>(a: T, b: S) -> T"
        elif operand == "Bool":
            signature = "(a: Bool, b: @autoclosure () throws -> Bool) rethrows -> Bool"
            body = f"try {switch} ? a {new} b() : a {old} b()"
    sign = _sign(number)
    return f"infix operator {sign}: {strength}Precedence\n@usableFromInline func {sign} {signature} {{ {body} }}\n"


def _with_faults(source: str, faults: dict[int, Fault]) -> str:
    lines = source.split("\n")
    for number, fault in faults.items():
        line = lines[fault.line - 1]
        planted = fault.planted.format(number, _sign(number))
        lines[fault.line - 1] = line[: fault.start] + planted + line[fault.end :]
    return "\n".join(lines)


def _write(path: pathlib.Path, content: bytes) -> None:
    """Writes the file unless it is that already, so that what has not changed is not built again."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def plant(faults: dict[int, Fault]) -> None:
    """Makes the copy of the tree, with these faults in it by their numbers; at most one a line."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True)
    files = {name: (ROOT / name).read_bytes() for name in listed.stdout.decode().split("\0") if (ROOT / name).is_file()}
    for file in {fault.file for fault in faults.values()}:
        own = {number: fault for number, fault in faults.items() if fault.file == file}
        head = "" if file.endswith(".swift") else '#include "bytescan_mutant.h"\n#line 1\n'
        files[file] = (head + _with_faults(files[file].decode(), own)).encode()
    files[f"{_SCAN}/include/bytescan_mutant.h"] = _HEADER.encode()
    files[f"{_SCAN}/mutant.c"] = _SWITCH.encode()
    for module in MODULES[1:]:
        own = {number: fault.operator for number, fault in faults.items() if fault.module == module}
        operators = "".join(_operator(number, operator) for number, operator in own.items() if operator)
        # Every file of a module must import another one in the same way.
        sources = [text for name, text in files.items() if name.startswith(f"Sources/{module}/")]
        is_plain = any(re.search(rb"^import CByteScan", text, re.MULTILINE) for text in sources)
        files[f"Sources/{module}/Mutants.swift"] = (("" if is_plain else "internal ") + _ASKING + operators).encode()
    for name, content in files.items():
        _write(COPY / name, content)
    for top in ("Sources", "Tests", "Fuzz"):
        for path in (COPY / top).rglob("*"):
            if path.is_file() and path.relative_to(COPY).as_posix() not in files:
                path.unlink()


def build(tests: list[str]) -> str:
    """Builds these tests of the copy, and the program of Tests/Kernels: empty, or what the compiler says."""
    LOGS.mkdir(parents=True, exist_ok=True)
    sources = sorted(path for path in (COPY / _SCAN).rglob("*") if path.is_file())
    mark, state = COPY / ".build" / "headers", repr([path.read_bytes() for path in sources]).encode()
    if not mark.exists() or mark.read_bytes() != state:
        # SwiftPM may not notice a changed C header.
        shutil.rmtree(COPY / ".build", ignore_errors=True)
    # A fault may well be worth a warning.
    environment = {**os.environ, "SURTITLE_ONLY": ",".join(tests), "SURTITLE_STRICT": ""}
    done = subprocess.run(_BUILD, cwd=COPY, capture_output=True, text=True, env=environment)
    (LOGS / "build").write_text(done.stdout + done.stderr)
    _write(mark, state)
    if done.returncode != 0:
        return done.stdout + done.stderr
    files = [COPY / "Tests/Kernels/kernels.c", *(path for path in sources if path.suffix == ".c")]
    subprocess.run(["cc", "-std=gnu11", "-O2", f"-I{COPY / _SCAN / 'include'}", *files, "-o", KERNELS], check=True)
    return ""


def culprits(output: str, faults: dict[int, Fault]) -> set[int]:
    """The faults that the compiler's errors are about: on the line that one names, or else on the nearest."""
    found: set[int] = set()
    for file, line in set(re.findall(rf"{re.escape(str(COPY))}/(Sources/\S+?):(\d+):\d+: error:", output)):
        if file.endswith("/Mutants.swift"):
            continue
        near = [(abs(fault.line - int(line)), number) for number, fault in faults.items() if fault.file == file]
        found |= {number for distance, number in near if distance == min(near)[0]}
    return found
