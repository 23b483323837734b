"""Plants faults in a copy of the tree, each behind a switch that the environment sets (SURTITLE_MUTANT=17), and builds it."""

import hashlib
import os
import pathlib
import posixpath
import re
import signal
import subprocess
import sys
import time

from places import MODULES, OPERATORS, ROOT, Fault, is_source, listed_files, target_of

COPY = ROOT / ".build" / "mutants" / "copy"
LOGS = ROOT / ".build" / "mutants" / "logs"
BUILD = COPY / ".build"
KERNELS = BUILD / "kernels"
INSTALLED = BUILD / "installed"
NGINX_MODULE = BUILD / "module.so"
# Optimized, the tests take a fraction of the time, and faults are as wrong: an overflow traps in both.
_SWIFT_BUILD = ["swift", "build", "-c", "release", "-Xswiftc", "-enable-testing", "--build-tests"]
# The modules of the library for C, and those over it.
LIBRARY = ("ByteScan", "M3U8", "WebVTT", "Sideload", "Delivery", "SurtitleC")
OVER_C = ("SurtitleC", "CSurtitle", "NginxModule")

_SCAN = "Sources/CByteScan"
_HEADER = """#ifndef BYTESCAN_MUTANT_H
#define BYTESCAN_MUTANT_H
#include <stdbool.h>
extern int bytescan_mutant;
static inline bool bytescan_is_mutant(int number) { return bytescan_mutant == number; }
#define MUTANT(number) (bytescan_mutant == (number))
#endif
"""
# In a file of C that everything links.
_SWITCH = """
#include "bytescan_mutant.h"
#include <stdlib.h>
int bytescan_mutant;
__attribute__((constructor)) static void bytescan_set_mutant(void) {
    const char *text = getenv("SURTITLE_MUTANT");
    if (text) bytescan_mutant = atoi(text);
}
"""
# The module for nginx has a switch in each file: that of the library is not seen there. Nothing is included, because nginx says first
# which system it wants to see.
_NGINX_HEADER = """#ifndef MUTANT
extern char *getenv(const char *);
extern int atoi(const char *);
static int surtitle_mutant;
__attribute__((constructor)) static void surtitle_set_mutant(void) {
    const char *text = getenv("SURTITLE_MUTANT");
    if (text) surtitle_mutant = atoi(text);
}
#define MUTANT(number) (surtitle_mutant == (number))
#endif
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
            is_or = switch if old == "&&" else f"!{switch}"
            body = f"let isOr = {is_or}; return try a == isOr ? isOr : b()"
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
    names = listed_files()
    links = {name: os.readlink(ROOT / name) for name in names if (ROOT / name).is_symlink()}
    files = {name: (ROOT / name).read_bytes() for name in names if name not in links}
    for file in {fault.file for fault in faults.values()}:
        own = {number: fault for number, fault in faults.items() if fault.file == file}
        header = "ngx_http_surtitle_mutant.h" if file.startswith("Sources/NginxModule/") else "bytescan_mutant.h"
        head = "" if file.endswith(".swift") else f'#include "{header}"\n#line 1\n'
        files[file] = (head + _with_faults(files[file].decode(), own)).encode()
    files[f"{_SCAN}/include/bytescan_mutant.h"] = _HEADER.encode()
    files[f"{_SCAN}/dispatch.c"] += _SWITCH.encode()
    files["Sources/NginxModule/ngx_http_surtitle_mutant.h"] = _NGINX_HEADER.encode()
    # A fault may well be worth a warning.
    stand_in = "Tests/AppleStandIn/Package.swift"
    files[stand_in] = files[stand_in].replace(b"Warnings(as: .error)", b"Warnings(as: .warning)")
    # The library for C may be larger by faults, and ask the environment.
    files["Tests/C/run.sh"] = re.sub(rb"within \d+", b"within 9999999", files["Tests/C/run.sh"])
    files["Tests/C/libc-symbols.txt"] += b"getenv\natoi\nstrtol\n__isoc23_strtol\n"
    # SwiftPM may not notice that a C header has changed, but a Swift file it does; that of a test too, which has inlined it.
    headers = {name: text for name, text in sorted(files.items()) if name.startswith(_SCAN) and name.endswith(".h")}
    mark = f"// {hashlib.sha256(b''.join(headers.values())).hexdigest()}\n"
    if any((COPY / name).exists() and (COPY / name).read_bytes() != text for name, text in headers.items()):
        for path in (COPY / "Tests").rglob("*.swift"):
            path.touch()
    for target in {target_of(name) for name in files if name.endswith(".swift") and is_source(name)}:
        own = {number: fault.operator for number, fault in faults.items() if fault.target == target}
        operators = "".join(_operator(number, operator) for number, operator in own.items() if operator)
        # Every file of a module must import another one in the same way.
        sources = [text for name, text in files.items() if name.startswith(f"{target}/")]
        is_plain = any(re.search(rb"^import CByteScan", text, re.MULTILINE) for text in sources)
        files[f"{target}/Mutants.swift"] = (mark + ("" if is_plain else "internal ") + _ASKING + operators).encode()
    for name, content in files.items():
        _write(COPY / name, content)
        if os.access(ROOT / name, os.X_OK):
            (COPY / name).chmod(0o755)
    for name, target in links.items():
        if not (COPY / name).is_symlink():
            (COPY / name).parent.mkdir(parents=True, exist_ok=True)
            (COPY / name).symlink_to(target)
    for top in ("Sources", "Tests", "Fuzz"):
        for path in (COPY / top).rglob("*"):
            name = path.relative_to(COPY).as_posix()
            if path.is_file() and name not in files and "/.build/" not in name and path.name != "Package.resolved":
                if not any(part.is_symlink() for part in (path, *path.parents)):
                    path.unlink()


class Building:
    """Builds what the tests of some modules need; what the compilers say of faults is collected."""

    def __init__(self, modules: set[str], tests: list[str], end: float) -> None:
        self._modules = modules
        # The command is what other faces are compared with.
        self._only = [*tests, "SurtitleMain"] if modules & {*OVER_C, "NIOProxy"} else tests
        self._end = end
        self.errors = ""

    def run(self) -> str:
        """Empty, or what the compilers say."""
        LOGS.mkdir(parents=True, exist_ok=True)
        (LOGS / "build").write_text("")
        self.errors = ""
        self._check_types()
        if self.errors:
            return self.errors
        if self._only:
            self._call(*_SWIFT_BUILD, SURTITLE_ONLY=",".join(self._only))
        if "CByteScan" in self._modules:
            sources = sorted((COPY / _SCAN).rglob("*.c"))
            self._call("cc", "-std=gnu11", "-O2", f"-I{COPY / _SCAN / 'include'}", COPY / "Tests/Kernels/kernels.c", *sources, "-o", KERNELS)
        if "NIOProxy" in self._modules:
            # In the same folder, so that the library is not built twice.
            self._call(*_SWIFT_BUILD, "--package-path", "Sources/NIOProxy", "--scratch-path", BUILD)
        if "SideloadAVFoundation" in self._modules:
            self._call(*_SWIFT_BUILD, "--package-path", "Tests/AppleStandIn", "--scratch-path", BUILD / "stand-in")
        if self._modules & {*OVER_C}:
            self._install()
        return self.errors

    def _check_types(self) -> None:
        """What does not compile at all is found before anything is optimized, in all modules at once."""
        folder = BUILD / "types"
        flags = ["-swift-version", "6", "-package-name", "surtitle", "-enable-testing", "-parse-as-library", "-I", folder]
        for module in ("CByteScan", "CSurtitle"):
            path = folder / module / "module.modulemap"
            _write(path, f'module {module} {{ umbrella "{COPY}/Sources/{module}/include" export * }}\n'.encode())
            flags += ["-Xcc", f"-I{COPY}/Sources/{module}/include", "-Xcc", f"-fmodule-map-file={path}"]
        for module in [name for name in MODULES if name in {*LIBRARY, "Encodings", "surtitle"}]:
            sources = sorted((COPY / "Sources" / module).rglob("*.swift"))
            text, mark = b"".join(map(pathlib.Path.read_bytes, sources)), folder / f"{module}.checked"
            if not sources or (mark.exists() and mark.read_bytes() == hashlib.sha256(text).digest()):
                continue
            before = self.errors
            # Whoever imports it needs no bodies.
            self._call(
                "swiftc", *flags, "-module-name", module, "-emit-module", "-emit-module-path", folder / f"{module}.swiftmodule",
                "-Xfrontend", "-experimental-skip-all-function-bodies", *sources)
            self._call("swiftc", *flags, "-module-name", module, "-wmo", "-emit-sil", "-o", os.devnull, *sources)
            if self.errors == before:
                _write(mark, hashlib.sha256(text).digest())

    def _install(self) -> None:
        """The library for C, and the module for nginx, unless they are as they were."""
        folders = [f"Sources/{module}" for module in (*LIBRARY, "CByteScan", "CSurtitle")]
        before = self.errors
        for mark, names, command in (
            (BUILD / "installed.mark", folders, ["Sources/CSurtitle/install.sh", INSTALLED]),
            (BUILD / "module.mark", [*folders, "Sources/NginxModule"], ["Sources/NginxModule/build.sh", INSTALLED, NGINX_MODULE]),
        ):
            if self.errors != before or (command[0].startswith("Sources/NginxModule") and "NginxModule" not in self._modules):
                continue
            paths = sorted(path for name in names for path in (COPY / name).rglob("*") if path.is_file())
            state = hashlib.sha256(b"".join(map(pathlib.Path.read_bytes, paths))).digest()
            if mark.exists() and mark.read_bytes() == state:
                continue
            mark.unlink(missing_ok=True)
            if self._call(*command, SCRATCH=str(BUILD / "c"), CFLAGS="-Wno-error", SWIFTFLAGS=""):
                _write(mark, state)

    def _call(self, *command: object, **environment: str) -> bool:
        """Whether the command succeeds; if not, what it says is an error. Past the end of the time the build ends, and all with it."""
        environment = {**os.environ, "SURTITLE_STRICT": "", **environment}
        process = subprocess.Popen(
            [str(word) for word in command], cwd=COPY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment,
            errors="replace", start_new_session=True)
        try:
            output, _ = process.communicate(timeout=min(max(self._end - time.monotonic(), 1), 1e6))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            print("nothing is tried: the time is over before all is built")
            sys.exit(0)
        with (LOGS / "build").open("a") as log:
            log.write(f"{command[0]} … {command[-1]}: {process.returncode}\n{output}")
        if process.returncode != 0:
            self.errors += output
        return process.returncode == 0


def culprits(output: str, faults: dict[int, Fault]) -> set[int]:
    """The faults that the compiler's errors are about: on the line that one names, or else on the nearest."""
    found: set[int] = set()
    place = rf"(?:{re.escape(str(COPY))}/|(?<![\w/.]))(?:Tests/AppleStandIn/)?(Sources/\S+?):(\d+):\d+: (?:fatal )?error:"
    for file, line in set(re.findall(place, output)):
        file = posixpath.normpath(file)
        if file.endswith("/Mutants.swift"):
            continue
        near = [(abs(fault.line - int(line)), number) for number, fault in faults.items() if fault.file == file]
        found |= {number for distance, number in near if distance == min(near)[0]}
    return found
