#!/usr/bin/env python3
"""The modules of Sources, as Package.swift has them, each after those it depends on.

Run by itself, it prints the names of those below the command line that Embedded Swift is for. A folder of Sources with Swift or C in
it that is no target of Package.swift is an error: it would be compiled nowhere.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Modules of the library that need a system beside the standard library, so that Embedded Swift has no use for them: iconv.
HOSTED = {"Encodings"}

# Folders of Sources that others build: nginx, a package of their own, and a script of their own.
BUILT_ELSEWHERE = {"NginxModule", "NIOProxy", "WebAssembly"}


@dataclass
class Module:
    name: str
    folder: Path
    # Whether no library of the package has it.
    is_of_command: bool
    dependencies: list[str]

    def files(self, suffix: str) -> list[Path]:
        return sorted(self.folder.rglob("*" + suffix))

    @property
    def is_c(self) -> bool:
        return not self.files(".swift")

    @property
    def module_map(self) -> str:
        """What clang calls the headers of a C module, as SwiftPM has it for a folder `include` without a module map."""
        return f'module {self.name} {{ umbrella "{self.folder}/include" export * }}\n'


@dataclass
class Package:
    modules: list[Module]
    # The oldest version of each system, by its name in Package.swift in lower case: {"macos": "13.0"}.
    platforms: dict[str, str]


def read_package() -> Package:
    dump = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    manifest = json.loads(dump)
    found = {}
    libraries = {name for product in manifest["products"] if "library" in product["type"] for name in product["targets"]}
    # A target of the manifest comes after those that it depends on.
    for target in reversed(manifest["targets"]):
        if target["name"] in libraries:
            libraries |= {(item.get("byName") or item.get("target"))[0] for item in target["dependencies"]}
    for target in manifest["targets"]:
        folder = ROOT / (target.get("path") or f"Sources/{target['name']}")
        if target["type"] == "test" or folder.parent != ROOT / "Sources":
            continue
        dependencies = [(item.get("byName") or item.get("target"))[0] for item in target["dependencies"]]
        found[target["name"]] = Module(target["name"], folder, target["name"] not in libraries, dependencies)
    for folder in sorted((ROOT / "Sources").iterdir()):
        code = [file for suffix in ("swift", "c") for file in folder.rglob("*." + suffix)]
        if code and folder.name not in BUILT_ELSEWHERE and folder not in [module.folder for module in found.values()]:
            sys.exit(f"{folder.relative_to(ROOT)} has sources and is no target of Package.swift")
    ordered: dict[str, Module] = {}

    def add(module: Module) -> None:
        for name in module.dependencies:
            add(found[name])
        ordered.setdefault(module.name, module)

    for module in found.values():
        add(module)
    return Package(list(ordered.values()), {item["platformName"]: item["version"] for item in manifest["platforms"]})


if __name__ == "__main__":
    embedded = [module for module in read_package().modules if not module.is_of_command and module.name not in HOSTED]
    print("\n".join(module.name for module in embedded))
