#!/usr/bin/env python3
"""Runs the commands of README.md and of the guides, as they stand there, and follows their links.

Each public type stands in an article of a catalog, each subcommand and option of the command in one of its own, and the other names that the sources
give in the guides that names.py says. Messages.md has the messages of the sources, and the proxy's guide its help.

A block that is fenced as `sh` is run by bash, the blocks of one guide one after the other in one new folder. One that is fenced as `sh server`
serves http on port 8000 until the guide's end; here the port is a free one. What is fenced as `text` right behind a block of commands is what
they print, standard error too. `console` is for what belongs to the reader's own machine, and is not run.

A guide begins in a folder with what `begin` puts there: a stream that ffmpeg makes, and files of subtitles.

    check.py --surtitle FILE           checks
    check.py --surtitle FILE --write   puts what is printed into the blocks of text in place of what is there
                                        and writes what is made from the sources
    check.py --links                   follows the links, and looks for messages, types and names, alone
    check.py --surtitle FILE --commands           runs the commands alone, where only what they are about is there
"""

import argparse
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import messages
import names

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "Tests/Fixtures/sample"
SUBRIP = "1\n00:00:01,000 --> 00:00:04,000\n{}\n\n2\n00:00:05,500 --> 00:00:08,000\n{}\n"
STREAM = ["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x180:rate=25", "-f", "lavfi", "-i", "sine=440", "-t", "6", "-c:v",
          "libx264", "-pix_fmt", "yuv420p", "-g", "50", "-c:a", "aac", "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod",
          "-master_pl_name", "master.m3u8", "stream/video.m3u8"]


def guides() -> list[Path]:
    """README.md, and every article of a catalog."""
    return [ROOT / "README.md", *sorted((ROOT / "Sources").glob("*/*.docc/*.md"))]


@dataclass
class Block:
    kind: str
    # Of the first line inside, and of the line that ends it; from 0.
    start: int
    end: int
    text: str
    # What it prints, if the guide says.
    printed: "Block | None" = None


def blocks(text: str) -> list[Block]:
    found: list[Block] = []
    lines = text.splitlines()
    kind, start = None, 0
    for number, line in enumerate(lines):
        if kind is None and line.startswith("```"):
            kind, start = line[3:].strip(), number + 1
        elif kind is not None and line == "```":
            block = Block(kind, start, number, "\n".join(lines[start:number]))
            is_answer = kind == "text" and found and all(not between.strip() for between in lines[found[-1].end + 1:start - 1])
            if is_answer and found[-1].kind == "sh":
                found[-1].printed = block
            else:
                found.append(block)
            kind = None
    return found


def begin(folder: Path, stream: Path) -> None:
    """What a guide begins with."""
    shutil.copytree(SAMPLE, folder / "Tests/Fixtures/sample")
    shutil.copytree(stream, folder / "stream")
    for name in ["en.vtt", "sv.vtt"]:
        shutil.copy(SAMPLE / name, folder)
    shutil.copy(SAMPLE / "en.vtt", folder / "movie.en.sdh.vtt")
    shutil.copy(SAMPLE / "sv.vtt", folder / "movie.sv.forced.vtt")
    (folder / "movie.sv.srt").write_text(SUBRIP.format("God morgon", "Vi ses"))
    (folder / "french.srt").write_bytes(SUBRIP.format("Déjà vu", "À bientôt").encode("windows-1252"))


class Server:
    """What a block of a server has started, until it is ended by its process id."""

    def __init__(self, text: str, folder: Path, environment: dict[str, str]) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.process = subprocess.Popen(["bash", "-euc", re.sub(r"\b8000\b", str(self.port), text)], cwd=folder, env=environment,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)

    def fault(self, paths: list[str]) -> str | None:
        """Why a path is not served, if one is not."""
        for path in paths:
            for _ in range(100):
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
                        answer.read()
                    break
                except urllib.error.HTTPError as error:
                    return f"{path}: {error.code}"
                except OSError:
                    time.sleep(0.1)
            else:
                return f"{path}: nothing answers"
        return None

    def end(self) -> None:
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()


def run(guide: Path, surtitle: Path, stream: Path, write: bool) -> tuple[int, list[str]]:
    """How many blocks of a guide were run, and what was wrong."""
    text = guide.read_text()
    place = guide.relative_to(ROOT)
    faults: list[str] = []
    servers: list[Server] = []
    count = 0
    answers: list[tuple[Block, list[str]]] = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "bin").mkdir()
        (folder / "bin/surtitle").symlink_to(surtitle)
        begin(folder, stream)
        if guide.name == "README.md":
            shutil.rmtree(folder / "stream")
        environment = {"PATH": f"{folder}/bin:{os.environ['PATH']}", "HOME": scratch, "LC_ALL": "C.UTF-8", "TMPDIR": scratch}
        try:
            for block in blocks(text):
                if block.kind == "sh server":
                    servers.append(Server(block.text, folder, environment))
                    paths = re.findall(r"http://127\.0\.0\.1:8000(/[\w./-]*)", text)
                    if fault := servers[-1].fault(paths or ["/"]):
                        faults.append(f"{place}:{block.start + 1}: {fault}")
                elif block.kind == "sh":
                    ran = subprocess.run(["bash", "-euo", "pipefail", "-c", block.text], cwd=folder, env=environment, text=True,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
                    if ran.returncode != 0:
                        faults.append(f"{place}:{block.start + 1}: status {ran.returncode}: {ran.stdout}")
                    elif block.printed is None:
                        pass
                    elif write:
                        answers.append((block.printed, ran.stdout.rstrip("\n").split("\n")))
                    elif ran.stdout.rstrip("\n") != block.printed.text:
                        faults.append(f"{place}:{block.printed.start + 1}: printed is\n{ran.stdout}")
                else:
                    continue
                count += 1
        finally:
            for server in servers:
                server.end()
    if answers:
        lines = text.splitlines()
        for block, printed in reversed(answers):
            lines[block.start:block.end] = printed
        guide.write_text("\n".join(lines) + "\n")
    return count, faults


def anchors(text: str) -> set[str]:
    """The anchors that a file's headings have."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def broken_links() -> list[str]:
    """The relative links, in any Markdown file of the project, that lead to no file or no heading."""
    faults = []
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md"], cwd=ROOT, text=True, stdout=subprocess.PIPE, check=True)
    for name in listed.stdout.splitlines():
        file = ROOT / name
        text = re.sub(r"^```.*?^```", "", file.read_text(), flags=re.M | re.S)
        for target in re.findall(r"\]\(([^)\s]+)\)", text):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            other = (file.parent / path).resolve() if path else file
            if not other.exists():
                faults.append(f"{name}: {target} leads nowhere")
            elif anchor and other.suffix == ".md" and anchor not in anchors(other.read_text()):
                faults.append(f"{name}: {target}: there is no such heading")
    return faults


def unknown_messages() -> list[str]:
    """The messages in Troubleshooting.md that the command does not have: each part of one between `…` has to stand in its sources."""
    sources = "".join(file.read_text() for folder in ["surtitle", "Sideload", "WebVTT", "ByteScan", "Delivery"]
                      for file in sorted((ROOT / "Sources" / folder).rglob("*.swift")))
    # A literal may go on in the next line.
    sources = re.sub(r'"\s*\n?\s*\+\s*"', "", sources).replace('\\"', '"')
    guide = ROOT / "Sources/surtitle/surtitle.docc/Troubleshooting.md"
    messages = [row[1] for row in re.finditer(r"^\| `([^`]+)` \| (?:[12])? ?\|", guide.read_text(), flags=re.M)]
    if not messages:
        return [f"{guide.name} has no message"]
    parts = [(message, part.strip()) for message in messages for part in message.split("…")]
    return [f"{guide.name}: nothing says {part!r}" for message, part in parts if len(part) > 6 and part not in sources]


def not_as_made(write: bool) -> list[str]:
    """The files of which a part is made from the sources, and is another; written if asked for."""
    guide, proxy = ROOT / "Sources/surtitle/surtitle.docc/Messages.md", ROOT / "Sources/NIOProxy/README.md"
    told = proxy.read_text()
    block = re.search(r"(<!-- surtitle-proxy --help -->\n```text\n).*?(\n```)", told, re.S)
    if block is None:
        return [f"{proxy.relative_to(ROOT)} has no place for the help"]
    wanted = {guide: messages.guide(), proxy: told[:block.end(1)] + messages.proxy_help() + told[block.start(2):]}
    faults = []
    for file, text in wanted.items():
        if file.exists() and file.read_text() == text:
            continue
        if write:
            file.write_text(text)
        else:
            faults.append(f"{file.relative_to(ROOT)} is not what the sources say; check.py --write writes it")
    return faults


def untold_types() -> list[str]:
    """The public types of the library's modules that no article of a catalog names. SurtitleC's are in surtitle.h."""
    articles = "".join(file.read_text() for file in sorted((ROOT / "Sources").glob("*/*.docc/**/*.md")))
    told = set(re.findall(r"\w+", articles))
    declaration = re.compile(r"^(?:@[\w()]+ )*public (?:final |indirect )?(?:struct|enum|class|protocol|actor|typealias) (\w+)", re.M)
    types = {(name, file.parent.relative_to(ROOT)) for file in (ROOT / "Sources").rglob("*.swift") if not {"NIOProxy", "SurtitleC"} & {*file.parts}
             for name in declaration.findall(file.read_text())}
    if not types:
        return ["no public type was found"]
    return [f"{folder}: no article names the public type {name}" for name, folder in sorted(types) if name not in told]


def undocumented_modules() -> list[str]:
    """Where .spi.yml, which says of what the Swift Package Index builds documentation, and the modules with a catalog differ."""
    told = re.findall(r"\w+", re.findall(r"documentation_targets: \[(.*)\]", (ROOT / ".spi.yml").read_text())[0])
    products = re.findall(r'\.library\(name: "(\w+)", targets', (ROOT / "Package.swift").read_text())
    catalogs = [name for name in products if (ROOT / f"Sources/{name}/{name}.docc").exists()]
    return [f".spi.yml: {name}" for name in sorted(set(told) ^ set(catalogs))]


def untold_options(surtitle: Path) -> list[str]:
    """The command's subcommands and options, as its help lists them, that no article of its catalog names."""
    def listed(pattern: str, *words: str) -> list[str]:
        return re.findall(pattern, subprocess.run([surtitle, *words, "--help"], capture_output=True, text=True, check=True).stdout, re.M)

    articles = "".join(file.read_text() for file in sorted((ROOT / "Sources/surtitle/surtitle.docc").rglob("*.md")))
    faults = []
    subcommands = re.findall(r"^  ([a-z]+) ", "\n".join(listed(r"^SUBCOMMAND is one of[^\n]*((?:\n  .*)+)")), re.M)
    if not subcommands:
        return ["the command's help lists no subcommand"]
    for subcommand in subcommands:
        if f"surtitle {subcommand}" not in articles:
            faults.append(f"no article names surtitle {subcommand}")
        options = sorted(set(listed(r"^ +(?:-\w, )?(--[a-z-]+)", subcommand)))
        if not options:
            faults.append(f"the help of surtitle {subcommand} lists no option")
        faults += [f"no article names {option} of surtitle {subcommand}" for option in options
                   if not re.search(re.escape(option) + r"(?![\w-])", articles)]
    return faults


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--surtitle", type=lambda path: Path(path).resolve())
    arguments.add_argument("--write", action="store_true")
    arguments.add_argument("--links", action="store_true")
    arguments.add_argument("--commands", action="store_true")
    given = arguments.parse_args()
    faults = [] if given.commands else (
        not_as_made(given.write) + broken_links() + unknown_messages() + untold_types() + names.untold() + undocumented_modules())
    count = 0
    if not given.links:
        if given.surtitle is None:
            arguments.error("--surtitle is missing")
        faults += [] if given.commands else untold_options(given.surtitle)
        if shutil.which("ffmpeg") is None:
            print("skipped: the guides' commands, for there is no ffmpeg")
        else:
            with tempfile.TemporaryDirectory() as scratch:
                (Path(scratch) / "stream").mkdir()
                subprocess.run(STREAM, cwd=scratch, check=True)
                for guide in guides():
                    ran, found = run(guide, given.surtitle, Path(scratch) / "stream", given.write)
                    count += ran
                    faults += found
            if count == 0:
                faults.append("no guide has a command")
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(guides())} guides: {count} blocks of commands ran, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
