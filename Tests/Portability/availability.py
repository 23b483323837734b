#!/usr/bin/env python3
"""Does every module compile for the oldest systems that Package.swift names?

The compiler itself is asked. The toolchain for Linux ships the standard library's interfaces as text, and in them when each
declaration came to Apple's systems. Compiled anew for such a system, without function bodies, they are what the sources are type
checked against: so the compiler says what is too new, as it does on a Mac, implied uses and conformances included.

Below the command line every module is checked for all platforms, and the command line for macOS alone. The headers of C are those of
Linux. Not seen: the inside of `#if canImport(Darwin)` and `canImport(AVFoundation)`, and what the C library of a system came with.

    availability.py           checks the sources, then that the check finds what is planted
"""

import json
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from modules import ROOT, Module, read_package

SCRATCH = ROOT / ".build/portability"
INTERFACES = ["Swift", "SwiftOnoneSupport", "_Concurrency", "_StringProcessing", "Synchronization", "Glibc"]
# The names that the compiler has for the systems. A simulator's, where the device has no 64-bit Int.
TRIPLES = {
    "macos": "arm64-apple-macos{}",
    "ios": "arm64-apple-ios{}",
    "tvos": "arm64-apple-tvos{}",
    "visionos": "arm64-apple-xros{}",
    "watchos": "arm64-apple-watchos{}-simulator",
}

# What must be found when it is planted in a module: code, what the compiler says is too new, and in which macOS it came.
TOO_NEW = [
    ("func f() -> Int { let a: [2 of UInt8] = [1, 2]; return Int(a[0]) }", "'InlineArray'", 26),
    ("func f(_ a: [UInt8]) -> Int { a.span.count }", "'span'", 26),
    ("func f(_ a: Int128) -> Int128 { a + 1 }", "'Int128'", 15),
    ("import Synchronization\nlet a = Mutex(1)", "'Mutex'", 15),
    # What no name in the source tells: a conformance.
    ("import Synchronization\nfunc f(_ a: Int) -> any AtomicRepresentable { a }", "'Int' to 'AtomicRepresentable'", 15),
]
# What must not be found: as old as the platforms, brought to them by the compiler, or asked for at run time.
OLD_ENOUGH = [
    "func f(_ a: UnsafeRawBufferPointer) -> Int { unsafe a.bytes.byteCount }",
    "func f(_ a: ArraySlice<UInt8>) -> Int { a.span.count }",
    "func f() async throws { try await Task.sleep(for: Duration.seconds(1)) }",
    "func f(_ a: [Int]) -> Int { if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) { a.span.count } else { 0 } }",
]
# The versions of the other systems that came with a version of macOS.
SAME_YEAR = {
    15: {"macos": 15, "ios": 18, "tvos": 18, "visionos": 2, "watchos": 11},
    26: {"macos": 26, "ios": 26, "tvos": 26, "visionos": 26, "watchos": 26},
}
# As Apple's SDK has it: what came with a version of iOS is in visionOS too, if nothing else is said.
VISION_SDK = {
    "CanonicalName": "xros26.0", "Version": "26.0", "MaximumDeploymentTarget": "26.0.99",
    "VersionMap": {"iOS_visionOS": {"17.0": "1.0", "18.0": "2.0", "26.0": "26.0"}},
}


@dataclass
class Toolchain:
    """The toolchain's own modules, compiled anew for Apple's systems."""

    resources: Path
    host: str
    folder: Path

    @staticmethod
    def prepare() -> "Toolchain":
        info = json.loads(subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True, text=True).stdout)
        resources = Path(info["paths"]["runtimeResourcePath"])
        host = info["target"]["unversionedTriple"]
        toolchain = Toolchain(resources, host, SCRATCH / "interfaces")
        glibc = toolchain.folder / "glibc"
        glibc.mkdir(parents=True, exist_ok=True)
        [headers] = (resources / "linux").glob("*/SwiftGlibc.h")
        write(glibc / "SwiftGlibc.h", headers.read_text())
        # assert.h is a textual header that the compiler finds through its driver alone. Nothing of Swift's needs it.
        module_map = "".join(
            line for line in (headers.parent / "glibc.modulemap").open() if "assert.h" not in line)
        write(glibc / "module.modulemap", module_map)
        return toolchain

    def vision_sdk(self) -> Path:
        """The folder of an SDK with nothing in it but its settings, and the C of Linux."""
        folder = self.folder / "visionos.sdk"
        write(folder / "SDKSettings.json", json.dumps(VISION_SDK))
        (folder / "usr").unlink(missing_ok=True)
        (folder / "usr").symlink_to("/usr")
        return folder

    def interfaces(self, triple: str) -> Path:
        """Writes the interfaces for `triple`, and returns their folder."""
        folder = self.folder / triple
        unversioned = re.sub(r"[0-9.]+", "", triple.removeprefix("arm64"))
        for name in INTERFACES:
            text = (self.resources / f"linux/{name}.swiftmodule/{self.host}.swiftinterface").read_text()
            # Without bodies nothing can be deployed to older systems; @available says of it what counts.
            text = re.sub(r"@backDeployed\([^)]*\)", "", text).replace(" -static ", " ").replace(
                f"-target {self.host}", f"-target {triple} -disable-availability-checking -experimental-skip-all-function-bodies")
            write(folder / f"{name}.swiftmodule/arm64{unversioned}.swiftinterface", text)
        return folder


def write(file: Path, text: str) -> None:
    """Writes a file if it differs: what was made of it stays good otherwise."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


class Platform:
    """A system, the modules compiled for it, and what the compiler said."""

    def __init__(self, name: str, version: str, toolchain: Toolchain):
        self.name = name
        triple = TRIPLES[name].format(version)
        self.modules = SCRATCH / "modules" / triple
        self.modules.mkdir(parents=True, exist_ok=True)
        # C is that of Linux: Apple's headers are not here.
        self.frontend = [
            "swiftc", "-frontend", "-target", triple, "-clang-target", toolchain.host, "-disable-objc-interop",
            "-resource-dir", toolchain.resources, "-module-cache-path", SCRATCH / "cache" / triple,
            "-I", toolchain.interfaces(triple), "-I", toolchain.folder / "glibc", "-I", self.modules,
            "-swift-version", "6", "-package-name", "surtitle", "-suppress-warnings", "-diagnostic-style", "llvm",
        ]
        if name == "visionos":
            self.frontend += ["-sdk", toolchain.vision_sdk()]

    def errors(self, module: Module, extra: list[Path] = []) -> list[str]:
        """What the compiler has against the module. Makes it ready for import, if nothing is planted."""
        if module.is_c:
            write(self.modules / module.name / "module.modulemap", module.module_map)
            self.frontend += ["-I", self.modules / module.name]
            return []
        files = module.files(".swift")
        command = self.frontend + ["-module-name", module.name] + files + extra
        if not any(file.name == "main.swift" for file in files):
            command.append("-parse-as-library")
        errors = run(command + ["-typecheck"])
        if not extra:
            output = self.modules / (module.name + ".swiftmodule")
            run(command + ["-emit-module", "-experimental-skip-all-function-bodies", "-o", output])
        return errors


def run(command: list) -> list[str]:
    done = subprocess.run([str(word) for word in command], cwd=ROOT, capture_output=True, text=True)
    errors = [line for line in done.stderr.splitlines() if " error: " in line]
    # A crash, or what cannot be read as an error, is one too.
    return errors or ([f"status {done.returncode}: error: {done.stderr[-2000:]}"] if done.returncode else [])


def check_planted(platform: Platform, module: Module) -> list[str]:
    """What the check gets wrong about files planted beside those of `module`."""
    faults = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        new = [folder / f"New{number}.swift" for number in range(len(TOO_NEW))]
        old = [folder / f"Old{number}.swift" for number in range(len(OLD_ENOUGH))]
        # Private, so that each may be called f.
        for file, code in zip(new + old, [code for code, _, _ in TOO_NEW] + OLD_ENOUGH):
            file.write_text(re.sub("^(func|let)", r"private \1", code, flags=re.MULTILINE))
        errors = platform.errors(module, new + old)
        for file, (_, what, version) in zip(new, TOO_NEW):
            wanted = rf"{file}:.*{re.escape(what)} is only available in \w+ {SAME_YEAR[version][platform.name]}[. ]"
            if not any(re.match(wanted, error) for error in errors):
                faults.append(f"{platform.name}: planted {what} is not found: {errors}")
        strange = [error for error in errors if not error.startswith(f"{folder}/New")]
        faults += [f"{platform.name}: what is old enough is refused: {error}" for error in strange]
    return faults


def main() -> None:
    started = time.monotonic()
    package = read_package()
    toolchain = Toolchain.prepare()
    if missing := set(TRIPLES) - set(package.platforms):
        sys.exit(f"Package.swift names no version of {', '.join(sorted(missing))}")
    platforms = [Platform(name, version, toolchain) for name, version in package.platforms.items()]

    def check(platform: Platform) -> list[str]:
        modules = [module for module in package.modules if platform.name == "macos" or not module.is_of_command]
        errors = [f"{platform.name}: {error}" for module in modules for error in platform.errors(module)]
        top = [module for module in modules if not module.is_of_command][-1]
        # One system by its own versions, one by those of another.
        planted = platform.name in ("macos", "visionos") and not errors
        return errors + (check_planted(platform, top) if planted else [])

    with ThreadPoolExecutor(2) as pool:
        faults = [fault for found in pool.map(check, platforms) for fault in found]
    for fault in faults:
        print(fault, file=sys.stderr)
    names = ", ".join(f"{name} {version}" for name, version in package.platforms.items())
    print(f"{len(package.modules)} modules for {names}: {len(faults)} errors, {time.monotonic() - started:.0f} s")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
