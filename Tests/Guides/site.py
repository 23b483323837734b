#!/usr/bin/env python3
"""Builds the documentation as a static site: the guides, and the API of each public module.

It takes the modules from a debug build (`swift build`), and that of AVPlayer's adapter from the build of the tests over the stand-in; a module that is not
built is an error. Links between guides, which are those of plain Markdown, become links of the site. A warning of DocC is an error, and so
is a public type that no topic names.

    site.py OUT [--wasm FOLDER]   FOLDER is what Sources/WebAssembly/build.sh made: the page to try a playlist is put into the site
"""

import argparse
import json
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / ".build/debug"
STAND_IN = ROOT / "Tests/AppleStandIn/.build/debug"
MODULES = {"ByteScan": BUILD, "M3U8": BUILD, "WebVTT": BUILD, "Encodings": BUILD, "Sideload": BUILD, "Delivery": BUILD,
           "SideloadAVFoundation": STAND_IN}
# Guides that stand beside what they are about, by the names they have in the catalog of Sideload.
BESIDE = {"Nginx": "Sources/NginxModule/README.md", "SwiftNIO": "Sources/NIOProxy/README.md", "C": "Sources/CSurtitle/README.md",
          "ServersInC": "Sources/CSurtitle/examples/README.md", "WebAssembly": "Sources/WebAssembly/README.md",
          "Python": "Sources/Python/README.md"}
COMMAND = ["Command", "Reference", "Configuration", "Troubleshooting", "Messages"]


# The page at the top, in place of DocC's, which there shows that nothing was found.
TOP = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Surtitle</title>
<style>
  :root {{ color-scheme: light dark; }}
  body {{ max-width: 40rem; margin: 3rem auto; padding: 0 1rem; font: 1.1rem/1.5 system-ui, sans-serif; }}
</style>
<h1>Surtitle</h1>
<p>{}</p>
<ul>
<li><a href="documentation/">Guides and API</a> of each module
<li><a href="documentation/command/">The command</a>
{}</ul>
</html>
"""
TRY = '<li><a href="try/page/">Try it</a> with a playlist and subtitles, in this browser\n'


def run(words: list) -> str:
    done = subprocess.run([str(word) for word in words], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words[:3]))} …: {done.stdout}")
    return done.stdout


def articles() -> dict[Path, tuple[str, str]]:
    """The catalog and the name of each file of Markdown that is in the site."""
    found = {file: (file.parent.stem, file.stem) for file in (ROOT / "Sources").glob("*/*.docc/*.md")}
    return found | {ROOT / path: ("Sideload", name) for name, path in BESIDE.items()}


def anchored(anchor: str, file: Path) -> str:
    """The anchor in DocC's spelling, which keeps capitals, of a heading in the spelling of plain Markdown."""
    for heading in re.findall(r"^#+ (.*)$", file.read_text(), flags=re.M):
        if re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") == anchor:
            return re.sub(r"[^\w\-]+", "-", heading).strip("-")
    return anchor


def converted(file: Path, places: dict[Path, tuple[str, str]]) -> str:
    """A file with the site's links."""

    def link(match: re.Match) -> str:
        text, target = match[1], match[2]
        if re.match(r"[a-z]+:|#", target):
            return match[0]
        path, _, anchor = target.partition("#")
        other = (file.parent / path).resolve()
        if other in places:
            catalog, name = places[other]
            fragment = f"#{anchored(anchor, other)}" if anchor else ""
            return f"[{text}](doc:{name}{fragment})" if catalog == places[file][0] else f"[{text}](/documentation/{catalog.lower()}/{name.lower()}{fragment})"
        return text

    text = re.sub(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)", link, file.read_text())
    # DocC finds an image by its name alone.
    text = re.sub(r"(!\[[^\]]*\])\((?:[^)\s]*/)?([^)\s/]+)\)", r"\1(\2)", text)
    return re.sub(r"^```(?:sh server|console)$", "```sh", text, flags=re.M)


def write_catalogs(scratch: Path) -> None:
    places = articles()
    for file, (catalog, name) in places.items():
        folder = scratch / f"{catalog}.docc"
        folder.mkdir(exist_ok=True)
        text = converted(file, places)
        if (catalog, name) == ("Sideload", "Sideload"):
            text = text.replace("### Guides\n\n", "### Guides\n\n" + "".join(f"- <doc:{beside}>\n" for beside in BESIDE))
        if (catalog, name) == ("surtitle", "Command"):
            head, _, rest = text.partition("\n")
            text = f"{head}\n\n@Metadata {{\n  @TechnologyRoot\n}}\n{rest}\n## Topics\n\n" + "".join(f"- <doc:{other}>\n" for other in COMMAND[1:])
        (folder / f"{name}.md").write_text(text)
        for image in re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", file.read_text()):
            shutil.copy(file.parent / image, folder)


def without_topic(graphs: Path) -> list[str]:
    """The public types that no topic of their module's landing page names."""
    missing = []
    for module in MODULES:
        page = (ROOT / f"Sources/{module}/{module}.docc/{module}.md").read_text()
        named = {re.sub(r"-\([^)]*\)$", "", name) for name in re.findall(r"``([^`]+)``", page)}
        graph = json.loads((graphs / module / f"{module}.symbols.json").read_text())
        for symbol in graph["symbols"]:
            path = symbol["pathComponents"]
            if len(path) == 1 and path[0] not in named:
                missing.append(f"{module}: no topic names {path[0]}")
    return missing


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("out", type=Path)
    arguments.add_argument("--wasm", type=Path)
    given = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        write_catalogs(scratch)
        for module, build in MODULES.items():
            graphs = scratch / "graphs" / module
            graphs.mkdir(parents=True)
            clang = [word for map in sorted(build.glob("*.build/module.modulemap")) for word in ["-Xcc", f"-fmodule-map-file={map}"]]
            run(["swift", "symbolgraph-extract", "-module-name", module, "-target", f"{platform.machine()}-unknown-linux-gnu", "-I",
                 build / "Modules", *clang, "-minimum-access-level", "public", "-output-dir", graphs])
        if missing := without_topic(scratch / "graphs"):
            print("\n".join(missing), file=sys.stderr)
            return 1
        archives = []
        for catalog in sorted(scratch.glob("*.docc")):
            archives.append(scratch / f"{catalog.stem}.doccarchive")
            graphs = scratch / "graphs" / catalog.stem
            run(["docc", "convert", catalog, "--output-path", archives[-1], "--warnings-as-errors", "--fallback-display-name", catalog.stem,
                 "--fallback-bundle-identifier", f"surtitle.{catalog.stem}", *(["--additional-symbol-graph-dir", graphs] if graphs.exists() else [])])
        merged = scratch / "site.doccarchive"
        run(["docc", "merge", *archives, "--synthesized-landing-page-name", "Surtitle", "--output-path", merged])
        if given.out.exists():
            shutil.rmtree(given.out)
        run(["docc", "process-archive", "transform-for-static-hosting", merged, "--output-path", given.out])
    # Pages ask for it, and Chromium tells of what is not there.
    (given.out / "theme-settings.json").write_text("{}\n")
    what = re.search(r"^Surtitle [^:]*", (ROOT / "README.md").read_text(), re.M)[0]
    (given.out / "index.html").write_text(TOP.format(f"{what}.", TRY if given.wasm else ""))
    if given.wasm:
        shutil.copytree(given.wasm, given.out / "try")
    print(f"{given.out}: {len(list(given.out.rglob('index.html')))} pages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
