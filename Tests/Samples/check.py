#!/usr/bin/env python3
"""Compiles every Swift sample of README.md, of the guides and of the doc comments in Sources, as it stands there.

A sample becomes a function of a client package, a file each, under strict memory safety and MemberImportVisibility, where warnings are
errors. What it takes from the program around it is in contexts.txt: a parameter list under the sample's name. A sample without an entry
is an error, and so is an entry without a sample. Samples of what is not public are compiled in their module instead.

A block of a doc comment is one if a line of it begins as a statement does; the others are pictures and grammars. In README.md and the guides it
is what is fenced as `swift`. A manifest there is built and run beside another package, with a module of its own called WebVTT. What imports
SideloadAVFoundation is type checked against the stand-in for AVFoundation, on the main actor as an app's code of players is.

    check.py            checks
    check.py --list     prints the samples' names
"""

import re
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SCRATCH = ROOT / ".build/samples"
# Beside the package's own debug build, whose modules are the same.
CLIENT = ["--package-path", SCRATCH / "client", "--scratch-path", ROOT / ".build"]
# SwiftPM knows a package by the name of its folder, and a clone may have any.
PACKAGE_NAME = re.sub(r"\W", "_", ROOT.name.lower())
# The folder by the name that the manifest among the samples has.
PACKAGE = SCRATCH / "surtitle"

STATEMENT = re.compile(r"(let|var|for|while|if|guard|switch|do|try|await|import|func|struct|extension|return|unsafe)\b(?!\s*=)|\w+\.\w+\(|@\w+ ")
DECLARATION = re.compile(
    r"\s*((?:@\w+(?:\([^)]*\))?\s+|\w+(?:\(set\))?\s+)*)(struct|class|enum|actor|protocol|extension|func|var|let|init|typealias|case)\b"
    r"\s*([\w.]*)")


@dataclass
class Sample:
    name: str
    place: str
    text: str
    # Where it is compiled if it is of something that only its own package knows.
    inside: str | None = None
    # The module whose comment it is in.
    module: str | None = None

    @property
    def is_for_apple(self) -> bool:
        """Whether it needs AVFoundation."""
        return self.module == "SideloadAVFoundation" or "import SideloadAVFoundation" in self.text.splitlines()

    @property
    def is_manifest(self) -> bool:
        return self.text.startswith("// swift-tools-version")


def guide_samples() -> list[Sample]:
    return [sample for file in [ROOT / "README.md", *sorted((ROOT / "Sources").glob("*/*.docc/*.md"))] for sample in samples_of_guide(file)]


def samples_of_guide(file: Path) -> list[Sample]:
    samples: list[Sample] = []
    heading, block = file.stem, None
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if block is not None and line == "```":
            count = sum(sample.name.startswith(heading + ",") for sample in samples) + 1
            samples.append(Sample(f"{heading}, {count}", f"{file.relative_to(ROOT)}:{start}", "\n".join(block)))
            block = None
        elif block is not None:
            block.append(line)
        elif line == "```swift":
            block, start = [], number + 1
        elif line.startswith("#"):
            heading = f"{file.stem}: {line.strip('# `')}"
    return samples


def comment_samples() -> list[Sample]:
    samples: list[Sample] = []
    for file in sorted((ROOT / "Sources").rglob("*.swift")):
        # What the package in Sources/NIOProxy has fetched.
        if ".build" in file.parts:
            continue
        module = file.relative_to(ROOT / "Sources").parts[0]
        blocks: list[tuple[int, list[str]]] = []
        comment_before = ""
        for number, line in enumerate(file.read_text().splitlines(), 1):
            comment = re.match(r"\s*///( ?)(.*)", line)
            if not comment:
                if blocks and (declaration := DECLARATION.match(line)):
                    name = f"{module}.{declaration[3] or declaration[2]}"
                    inside = None if re.search(r"\bpublic\b", declaration[1]) else module
                    for start, block in blocks:
                        count = sum(sample.name.split(",")[0] == name for sample in samples)
                        samples.append(Sample(
                            f"{name}, {count + 1}" if count else name, f"{file.relative_to(ROOT)}:{start}",
                            "\n".join(block).rstrip(), inside, module))
                    blocks = []
                elif line.strip() and not line.strip().startswith("@"):
                    blocks = []
                comment_before = ""
                continue
            text = comment[2]
            is_code = text.startswith("    ")
            if is_code and blocks and (blocks[-1][0] + len(blocks[-1][1]) == number):
                blocks[-1][1].append(text[4:])
            elif is_code and comment_before == "":
                # After an empty line: what is indented otherwise continues an item of a list.
                blocks.append((number, [text[4:]]))
            elif text == "" and blocks and blocks[-1][0] + len(blocks[-1][1]) == number:
                blocks[-1][1].append("")
            comment_before = text
        assert not blocks, f"{file}: a comment of nothing"
    return [sample for sample in samples if any(STATEMENT.match(line.strip()) for line in sample.text.splitlines())]


def read_contexts() -> dict[str, tuple[list[str], str]]:
    """Imports and parameters, by the sample's name."""
    contexts: dict[str, tuple[list[str], str]] = {}
    name = ""
    for line in (HERE / "contexts.txt").read_text().splitlines():
        if not line.strip() or line.startswith("//"):
            continue
        if not line.startswith(" "):
            name = line
            if name in contexts:
                sys.exit(f"contexts.txt: {name} is there twice")
            contexts[name] = ([], "")
        elif line.strip().startswith("import "):
            contexts[name][0].append(line.strip())
        else:
            contexts[name] = (contexts[name][0], (contexts[name][1] + " " + line.strip()).strip())
    return contexts


def function(number: int, sample: Sample, context: tuple[list[str], str]) -> str:
    """A source file with the sample in a function. Its lines keep their numbers in what the compiler says."""
    imports, parameters = context
    lines = sample.text.splitlines()
    imports = [line for line in lines if line.startswith("import ")] + imports
    if sample.module and not sample.inside:
        imports.append(f"import {sample.module}")
    body = [line for line in lines if not line.startswith("import ")]
    place, line = sample.place.rsplit(":", 1)
    first = int(line) + lines.index(body[0])
    return "\n".join([
        *dict.fromkeys(imports), "",
        f"{'@MainActor ' if sample.is_for_apple else ''}func sample{number}({parameters}) async throws {{",
        f'#sourceLocation(file: "{place}", line: {first})', *body, "#sourceLocation()",
        # A sample need not use what it makes.
        *(f"_ = {name}" for name in re.findall(r"^let (\w+) =", sample.text, re.MULTILINE)), "}", ""])


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists() or file.read_text() != text:
        file.write_text(text)


def run(command: list, **options) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in command], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


def check_client(samples: dict[int, Sample], contexts: dict) -> list[str]:
    """Builds the client package."""
    client = SCRATCH / "client"
    sources = client / "Sources/Samples"
    wanted = {f"Sample{number}.swift" for number in samples}
    for file in sources.glob("Sample*.swift"):
        if file.name not in wanted:
            file.unlink()
    for number, sample in samples.items():
        write(sources / f"Sample{number}.swift", function(number, sample, contexts[sample.name]))
    write(sources / "StandIns.swift", (HERE / "StandIns.swift").read_text())
    products = ", ".join(f'.product(name: "{name}", package: "surtitle")' for name in library_products())
    write(client / "Package.swift", f"""// swift-tools-version: 6.3
import PackageDescription
let package = Package(
    name: "client", platforms: [.macOS(.v13)],
    dependencies: [.package(name: "surtitle", path: "{ROOT}")],
    targets: [.target(name: "Samples", dependencies: [{products}], swiftSettings: [
        .strictMemorySafety(), .enableUpcomingFeature("MemberImportVisibility"), .treatAllWarnings(as: .error),
    ])])
""")
    done = run(["swift", "build", *CLIENT])
    return [] if done.returncode == 0 else [done.stdout]


def library_products() -> list[str]:
    manifest = (ROOT / "Package.swift").read_text()
    return re.findall(r'\.library\(name: "(\w+)"', manifest)


def check_inside(samples: dict[int, Sample], contexts: dict) -> list[str]:
    """Type checks each module that has samples of its own things, with them."""
    faults = []
    bin_path = run(["swift", "build", *CLIENT, "--show-bin-path"]).stdout.strip()
    built = Path(bin_path) / "Modules"
    for module in sorted({sample.inside for sample in samples.values()}):
        files = sorted((ROOT / "Sources" / module).rglob("*.swift"))
        for number, sample in samples.items():
            if sample.inside == module:
                file = SCRATCH / f"inside/Inside{number}.swift"
                write(file, with_access(function(number, sample, contexts[sample.name])))
                files.append(file)
        stand_ins = SCRATCH / "inside/StandIns.swift"
        write(stand_ins, with_access((HERE / "StandIns.swift").read_text()))
        files.append(stand_ins)
        command = ["swiftc", "-typecheck", "-swift-version", "6", "-package-name", PACKAGE_NAME, "-module-name", module, "-I", built,
                   "-warnings-as-errors", "-strict-memory-safety"]
        command += c_modules()
        if not any(file.name == "main.swift" for file in files):
            command.append("-parse-as-library")
        done = run(command + files, cwd=ROOT)
        if done.returncode != 0:
            faults.append(done.stdout)
    return faults


def with_access(text: str) -> str:
    """A client's source as modules of ours have it, which say of each import what it is."""
    return re.sub(r"^import ", "internal import ", text, flags=re.MULTILINE)


def c_modules() -> list[str]:
    """What tells the compiler of the modules of C."""
    options = []
    for headers in ROOT.glob("Sources/*/include"):
        name = headers.parent.name
        write(SCRATCH / f"maps/{name}/module.modulemap", f'module {name} {{ umbrella "{headers}" export * }}\n')
        options += ["-Xcc", f"-fmodule-map-file={SCRATCH}/maps/{name}/module.modulemap", "-Xcc", f"-I{headers}"]
    return options


def check_apple(samples: dict[int, Sample], contexts: dict) -> list[str]:
    """Type checks what needs AVFoundation, against the stand-in."""
    package = ["--package-path", ROOT / "Tests/AppleStandIn"]
    done = run(["swift", "build", *package, "--target", "SideloadAVFoundation"])
    if done.returncode != 0:
        return [done.stdout]
    built = Path(run(["swift", "build", *package, "--show-bin-path"]).stdout.strip()) / "Modules"
    files = []
    for number, sample in samples.items():
        files.append(SCRATCH / f"apple/Apple{number}.swift")
        write(files[-1], function(number, sample, contexts[sample.name]))
    done = run([
        "swiftc", "-typecheck", "-parse-as-library", "-swift-version", "6", "-module-name", "Samples", "-I", built,
        "-enable-upcoming-feature", "MemberImportVisibility", "-warnings-as-errors", "-strict-memory-safety", *c_modules(), *files])
    return [] if done.returncode == 0 else [done.stdout]


def check_manifest(sample: Sample) -> list[str]:
    """Builds and runs a program by the README's manifest, with another module WebVTT beside ours."""
    other, program = SCRATCH / "other", SCRATCH / "program"
    write(other / "Package.swift", """// swift-tools-version: 6.3
import PackageDescription
let package = Package(
    name: "other", products: [.library(name: "OtherSubtitles", targets: ["WebVTT"])], targets: [.target(name: "WebVTT")])
""")
    write(other / "Sources/WebVTT/Cue.swift", 'public struct Cue { public init() {} ; public var origin: String { "other" } }\n')
    manifest = sample.text
    for path, folder in (("../surtitle", PACKAGE), ("../other", other)):
        if path not in manifest:
            return [f"{sample.place}: no package at {path}"]
        manifest = manifest.replace(f'"{path}"', f'"{folder}"')
    write(program / "Package.swift", manifest)
    [name] = re.findall(r'executableTarget\(\s*name: "(\w+)"', manifest)
    write(program / f"Sources/{name}/main.swift", """import SurtitleWebVTT
import WebVTT

let file = Array("WEBVTT\\n\\n00:01.000 --> 00:02.000\\nHello\\n".utf8)
let end = file.withUnsafeBytes { finalCueEnd(in: $0) }
print(end?.milliseconds ?? -1, WebVTT.Cue().origin)
""")
    done = run(["swift", "run", "--package-path", program])
    if done.returncode != 0 or done.stdout.splitlines()[-1:] != ["2000 other"]:
        return [f"{sample.place}: {done.stdout}"]
    return []


def main() -> None:
    started = time.monotonic()
    samples = guide_samples() + comment_samples()
    if "--list" in sys.argv:
        print("\n".join(f"{sample.name}\t{sample.place}" for sample in samples))
        return
    manifests = [sample for sample in samples if sample.is_manifest]
    samples = [sample for sample in samples if not sample.is_manifest]
    contexts = read_contexts()
    names = [sample.name for sample in samples]
    faults = [f"{sample.place}: contexts.txt has no entry '{sample.name}'" for sample in samples if sample.name not in contexts]
    faults += [f"contexts.txt: '{name}' is no sample any more" for name in contexts if name not in names]
    if not manifests:
        faults.append("no guide has a manifest")
    if faults:
        sys.exit("\n".join(faults))
    SCRATCH.mkdir(parents=True, exist_ok=True)
    PACKAGE.unlink(missing_ok=True)
    PACKAGE.symlink_to(ROOT)
    numbered = dict(enumerate(samples, 1))
    apple = {number: sample for number, sample in numbered.items() if sample.is_for_apple}
    outside = {number: sample for number, sample in numbered.items() if not sample.inside and not sample.is_for_apple}
    inside = {number: sample for number, sample in numbered.items() if sample.inside}
    faults += check_client(outside, contexts)
    faults += check_apple(apple, contexts) if apple else ["no guide has a sample for AVFoundation"]
    faults += check_inside(inside, contexts)
    for manifest in manifests:
        faults += check_manifest(manifest)
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(samples)} samples compile, and the guides' manifest builds and runs; {time.monotonic() - started:.0f} s")


if __name__ == "__main__":
    main()
