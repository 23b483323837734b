#!/usr/bin/env python3
"""Draws a multivariant playlist before and after `surtitle master`, with what was added marked, for README.md.

    picture.py --surtitle FILE           fails if the picture in the catalog is another one
    picture.py --surtitle FILE --write   writes it there
"""

import argparse
import difflib
import subprocess
import sys
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "Sources/Sideload/Sideload.docc/Resources/before-after.svg"
MASTER = """#EXTM3U
#EXT-X-STREAM-INF:BANDWIDTH=800000,RESOLUTION=640x360,CODECS="avc1.64001e,mp4a.40.2"
360p.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=2800000,RESOLUTION=1280x720,CODECS="avc1.64001f,mp4a.40.2"
720p.m3u8
"""
TRACKS = ["uri=en.m3u8,language=en,name=English,default", "uri=sv.m3u8,language=sv,name=Svenska"]
STYLE = """
  text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; white-space: pre }
  .title { font: 600 13px system-ui, sans-serif; fill: #59636e }
  .page { fill: #f6f8fa; stroke: #d1d9e0 }
  .mark { fill: #aceebb }
  @media (prefers-color-scheme: dark) {
    text { fill: #f0f6fc } .title { fill: #9198a1 } .page { fill: #151b23; stroke: #3d444d } .mark { fill: #1a5c2e }
  }
"""
# In pixels: a character of the fixed font, a line, and around the text.
CHARACTER, LINE, MARGIN = 7.8, 20, 14


def added(old: str, new: str) -> list[tuple[int, int]]:
    """The ranges of `new` that are not in `old`."""
    operations = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(start, end) for kind, _, _, start, end in operations if kind in ("insert", "replace")]


def panel(title: str, lines: list[str], marks: list[list[tuple[int, int]]], top: int, width: float) -> tuple[list[str], int]:
    height = len(lines) * LINE + 2 * MARGIN
    drawn = [f'<text class="title" x="1" y="{top + 14}">{escape(title)}</text>',
             f'<rect class="page" x="0.5" y="{top + 24.5}" width="{width:.0f}" height="{height}" rx="6"/>']
    for number, (line, ranges) in enumerate(zip(lines, marks)):
        y = top + 24 + MARGIN + number * LINE
        for start, end in ranges:
            drawn.append(f'<rect class="mark" x="{MARGIN + start * CHARACTER:.1f}" y="{y + 1}" width="{(end - start) * CHARACTER:.1f}" '
                         f'height="{LINE - 2}" rx="3"/>')
        # A browser's own fixed font may be wider or narrower: the length holds it to the marks.
        drawn.append(f'<text x="{MARGIN}" y="{y + 14}" textLength="{len(line) * CHARACTER:.1f}" lengthAdjust="spacingAndGlyphs">{escape(line)}</text>')
    return drawn, top + 24 + height


def draw(before: list[str], after: list[str]) -> str:
    width = max(map(len, after)) * CHARACTER + 2 * MARGIN
    marks = []
    for line in after:
        origin = difflib.get_close_matches(line, before, 1, 0.7)
        marks.append(added(origin[0], line) if origin else [(0, len(line))])
    upper, bottom = panel("The multivariant playlist of the origin", before, [[] for _ in before], 0, width)
    lower, bottom = panel("The same with two tracks, as the player gets it", after, marks, bottom + 16, width)
    size = f'width="{width + 1:.0f}" height="{bottom + 1}" viewBox="0 0 {width + 1:.0f} {bottom + 1}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', f"<style>{STYLE}</style>", *upper, *lower, "</svg>", ""])


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--surtitle", required=True)
    arguments.add_argument("--write", action="store_true")
    given = arguments.parse_args()
    call = [given.surtitle, "master", "-"]
    for track in TRACKS:
        call += ["--track", track]
    after = subprocess.run(call, input=MASTER, text=True, stdout=subprocess.PIPE, check=True).stdout
    picture = draw(MASTER.splitlines(), after.splitlines())
    if given.write:
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        PICTURE.write_text(picture)
    elif PICTURE.read_text() != picture:
        print(f"{PICTURE.relative_to(ROOT)} is not what the command makes: picture.py --write", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
