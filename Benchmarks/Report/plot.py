#!/usr/bin/env python3
"""Plots of how what jobs take grows with a size, as SVG that is readable in light and dark: plot.py GROWTH.tsv FOLDER

GROWTH.tsv is what `Ratios --growth` prints. Each plot becomes FOLDER/TITLE.svg, in small letters, and a table in Markdown on standard output.
Both axes are logarithmic. Files and chunks are shown as GB/s, tracks and groups as microseconds.

    GB/s ┆      ╭─●──●
         ┆   ●─╯            one line for each job, whose name stands at its right end
         ┆●─╯   ▲──▲──▲
         └───────────── bytes a chunk
"""

import math
import sys
from collections import defaultdict
from pathlib import Path
from xml.sax.saxutils import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, FOOT = 760, 380, 70, 190, 44, 52

STYLE = """
    .text { font: 13px system-ui, sans-serif; fill: #24292f; }
    .small { font: 11px system-ui, sans-serif; fill: #57606a; }
    .group { font-weight: 600; }
    .end { text-anchor: end; }
    .middle { text-anchor: middle; }
    .grid { stroke: #d0d7de; stroke-width: 1; }
    polyline { fill: none; stroke-width: 1.8; }
    .s0 { fill: #0969da; stroke: #0969da; }
    .s1 { fill: #1a7f37; stroke: #1a7f37; }
    .s2 { fill: #bc4c00; stroke: #bc4c00; }
    .s3 { fill: #8250df; stroke: #8250df; }
    polyline.s0, polyline.s1, polyline.s2, polyline.s3 { fill: none; }
    text.label { stroke: none; font: 12px system-ui, sans-serif; }
    @media (prefers-color-scheme: dark) {
        .text { fill: #e6edf3; }
        .small { fill: #9198a1; }
        .grid { stroke: #3d444d; }
        .s0 { fill: #4493f8; stroke: #4493f8; }
        .s1 { fill: #3fb950; stroke: #3fb950; }
        .s2 { fill: #f0883e; stroke: #f0883e; }
        .s3 { fill: #ab7df8; stroke: #ab7df8; }
        polyline.s0, polyline.s1, polyline.s2, polyline.s3 { fill: none; }
    }
"""


def text(x: float, y: float, what: str, kind: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}">{escape(what)}</text>'


def mark(index: int, x: float, y: float) -> str:
    """A dot, a square, a triangle or a diamond: lines are told apart without colours too."""
    shapes = [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.6"', f'<rect x="{x - 3.3:.1f}" y="{y - 3.3:.1f}" width="6.6" height="6.6"',
              f'<path d="M{x:.1f} {y - 4.4:.1f} l4.4 7.8 h-8.8 z"', f'<path d="M{x:.1f} {y - 4.8:.1f} l4.8 4.8 l-4.8 4.8 l-4.8 -4.8 z"']
    return f'{shapes[index % 4]} class="s{index % 4}"/>'


class Axis:
    """A logarithmic scale from the least to the greatest of `values`, between two places."""

    def __init__(self, values: list[float], start: float, end: float) -> None:
        self.low, self.high, self.start, self.end = math.log10(min(values)), math.log10(max(values)), start, end
        if self.high - self.low < 1e-9:
            self.high += 1

    def __call__(self, value: float) -> float:
        return self.start + (math.log10(value) - self.low) / (self.high - self.low) * (self.end - self.start)

    def ticks(self) -> list[float]:
        """Powers of ten, and 2 and 5 times them where there are few of those."""
        steps = (1,) if self.high - self.low >= 3 else (1, 2, 5)
        tried = [step * 10.0**power for power in range(math.floor(self.low), math.ceil(self.high) + 1) for step in steps]
        return [value for value in tried if self.low - 1e-9 <= math.log10(value) <= self.high + 1e-9]


def number(value: float) -> str:
    """A size or a figure, short: 64 K, 1 G, 0.25."""
    for factor, letter in ((1 << 30, " G"), (1 << 20, " M"), (1 << 10, " K")):
        if value >= factor and value % factor == 0:
            return f"{value / factor:g}{letter}"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def spread(places: list[tuple[float, int]], least: float = 15) -> dict[int, float]:
    """Heights for labels near their lines' ends, none closer than `least` to the next."""
    answer, last = {}, -1e9
    for place, index in sorted(places):
        last = max(place, last + least)
        answer[index] = last
    return answer


def plot(title: str, unit: str, figure: str, lines: dict[str, list[tuple[int, float]]]) -> str:
    sizes = sorted({size for points in lines.values() for size, _ in points})
    figures = [value for points in lines.values() for _, value in points]
    across = Axis(sizes, LEFT, WIDTH - RIGHT)
    up = Axis([min(figures) / 1.15, max(figures) * 1.15], HEIGHT - FOOT, TOP)
    parts = [text(12, 20, f"{title}: {figure}, by {unit}", "text group")]
    for tick in up.ticks():
        y = up(tick)
        parts += [f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" class="grid"/>',
                  text(LEFT - 8, y + 4, number(tick), "small end")]
    for size in sizes:
        x = across(size)
        parts += [f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{HEIGHT - FOOT}" class="grid"/>',
                  text(x, HEIGHT - FOOT + 17, number(size), "small middle")]
    parts.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 14, unit, "small middle"))
    labels = spread([(up(points[-1][1]), index) for index, points in enumerate(lines.values())])
    for index, (name, points) in enumerate(lines.items()):
        places = [(across(size), up(value)) for size, value in points]
        parts.append(f'<polyline points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}" class="s{index % 4}"/>')
        parts += [mark(index, x, y) for x, y in places]
        parts.append(text(places[-1][0] + 12, labels[index] + 4, name, f"s{index % 4} label"))
    body = "\n".join(parts)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img">\n'
            f"<title>{escape(title)}: {figure}, by {escape(unit)}</title>\n<style>{STYLE}</style>\n{body}\n</svg>\n")


def table(unit: str, figure: str, lines: dict[str, list[tuple[int, float]]]) -> str:
    sizes = sorted({size for points in lines.values() for size, _ in points})
    rows = [f"| {figure}, by {unit} | {' | '.join(map(number, sizes))} |", f"|---|{'--:|' * len(sizes)}"]
    for name, points in lines.items():
        values = dict(points)
        rows.append(f"| {name} | {' | '.join(f'{values[size]:.3g}' if size in values else '–' for size in sizes)} |")
    return "\n".join(rows)


def main() -> int:
    plots: dict[str, dict] = defaultdict(lambda: defaultdict(list))
    units = {}
    for line in Path(sys.argv[1]).read_text().splitlines():
        title, name, unit, size, byte_count, nanoseconds = line.split("\t")
        rate = float(byte_count) / float(nanoseconds) if title in ("Chunks", "Files") else float(nanoseconds) / 1e3
        units[title] = unit, "GB/s" if title in ("Chunks", "Files") else "µs"
        plots[title][name].append((int(size), rate))
    for title, lines in plots.items():
        unit, figure = units[title]
        (Path(sys.argv[2]) / f"{title.lower()}.svg").write_text(plot(title, unit, figure, lines))
        print(f"![{title}]({title.lower()}.svg)\n\n{table(unit, figure, lines)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
