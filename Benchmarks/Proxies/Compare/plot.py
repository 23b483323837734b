"""A plot of the CPU time a request, as an SVG that is readable in light and dark.

    passing = 1 ┆
    module      ┆●  ■ ▲            one line for each way, one mark for each size, on a logarithmic scale
    sub_filter  ┆ ●     ■      ▲

The grey band is what passing through differs from itself. The figure is the median; a thin line goes from the first to the third quartile.
"""

import math
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT, TOP, LANE, GROUP_GAP, FOOT = 760, 190, 30, 54, 59, 30, 40

STYLE = """
    .text { font: 13px system-ui, sans-serif; fill: #24292f; }
    .small { font: 11px system-ui, sans-serif; fill: #57606a; }
    .group { font-weight: 600; }
    .end { text-anchor: end; }
    .middle { text-anchor: middle; }
    .grid { stroke: #d0d7de; stroke-width: 1; }
    .one { stroke: #57606a; stroke-width: 1.5; }
    .noise { fill: #8c959f; fill-opacity: 0.25; }
    .s0 { fill: #0969da; stroke: #0969da; }
    .s1 { fill: #1a7f37; stroke: #1a7f37; }
    .s2 { fill: #bc4c00; stroke: #bc4c00; }
    .s3 { fill: #8250df; stroke: #8250df; }
    text.label { stroke: none; font: 11px system-ui, sans-serif; }
    @media (prefers-color-scheme: dark) {
        .text { fill: #e6edf3; }
        .small { fill: #9198a1; }
        .grid { stroke: #3d444d; }
        .one { stroke: #9198a1; }
        .s0 { fill: #4493f8; stroke: #4493f8; }
        .s1 { fill: #3fb950; stroke: #3fb950; }
        .s2 { fill: #f0883e; stroke: #f0883e; }
        .s3 { fill: #ab7df8; stroke: #ab7df8; }
    }
"""


class Scale:
    """A logarithmic scale over what the plot shows, in whole powers of two."""

    def __init__(self, ratios):
        self.low = math.floor(math.log2(min(*ratios, 0.9)))
        self.high = math.ceil(math.log2(max(*ratios, 2)))

    def __call__(self, ratio):
        at = min(max((math.log2(ratio) - self.low) / (self.high - self.low), 0), 1)
        return round(LEFT + at * (WIDTH - LEFT - RIGHT), 1)

    @property
    def ticks(self):
        return [2.0 ** power for power in range(self.low, self.high + 1)]


def quartiles(ratios):
    last = len(ratios) - 1
    return ratios[round(last / 4)], ratios[round(last * 3 / 4)]


def text(x, y, what, kind):
    return f'<text x="{x}" y="{y}" class="{kind}">{escape(what)}</text>'


def mark(index, x, y):
    """A dot, a square, a triangle or a diamond: sizes are told apart without colours too."""
    if index == 0:
        return f'<circle cx="{x}" cy="{y}" r="4" class="s0"/>'
    if index == 1:
        return f'<rect x="{x - 3.7}" y="{y - 3.7}" width="7.4" height="7.4" class="s1"/>'
    if index == 2:
        return f'<path d="M{x} {y - 4.8} l4.8 8.6 h-9.6 z" class="s2"/>'
    return f'<path d="M{x} {y - 5} l5 5 l-5 5 l-5 -5 z" class="s3"/>'


def lane(rows, sizes, scale, y):
    """One way: a mark and its figure for each size, one below the other."""
    parts = []
    for index, size in enumerate(sizes):
        row = next((row for row in rows if row["size"] == size), None)
        if row is None:
            continue
        at = y - 20 + index * 13
        x = scale(row["cpu ratio"])
        first, third = map(scale, quartiles(row["cpu ratios"]))
        parts.append(f'<line x1="{first}" y1="{at}" x2="{third}" y2="{at}" class="s{index}"/>')
        parts.append(mark(index, x, at))
        is_far = x > WIDTH - RIGHT - 45
        label = min(x, first) - 9 if is_far else max(x, third) + 9
        parts.append(text(label, at + 4, f"{row['cpu ratio']:.2f}", f"s{index} label" + (" end" if is_far else "")))
    return parts


def legend(sizes):
    parts = []
    for index, size in enumerate(sizes):
        x = LEFT + index * 100
        parts += [mark(index, x, 36), text(x + 10, 40, size, "small")]
    x = LEFT + len(sizes) * 100
    return [*parts, f'<rect x="{x - 8}" y="30" width="16" height="12" class="noise"/>',
            text(x + 14, 40, "passing through, measured again", "small")]


def plot(rows):
    sizes = list(dict.fromkeys(row["size"] for row in rows))
    shown = [row for row in rows if not row["name"].startswith("passing")]
    scale = Scale([row["cpu ratio"] for row in shown])
    noise = [ratio for row in rows if row["is_noise"] for ratio in quartiles(row["cpu ratios"])]
    lanes, y = [], TOP
    for group in dict.fromkeys(row["group"] for row in shown):
        y += GROUP_GAP
        lanes.append(text(12, y - 6, group, "text group"))
        for name in dict.fromkeys(row["name"] for row in shown if row["group"] == group):
            y += LANE
            lanes.append(text(LEFT - 14, y - LANE / 2 + 4, name, "text end"))
            lanes += lane([row for row in shown if (row["group"], row["name"]) == (group, name)], sizes, scale, y - LANE / 2)
    height = y + FOOT
    frame = [text(12, 20, "CPU time of a request, as a multiple of passing through by the same server", "text group"), *legend(sizes)]
    if noise:
        left, right = scale(min(noise)), scale(max(noise))
        frame.append(f'<rect x="{left}" y="{TOP}" width="{round(right - left, 1)}" height="{y - TOP}" class="noise"/>')
    for tick in scale.ticks:
        x = scale(tick)
        frame.append(f'<line x1="{x}" y1="{TOP}" x2="{x}" y2="{y}" class="{"one" if tick == 1 else "grid"}"/>')
        frame.append(text(x, y + 18, f"{tick:g}", "small middle"))
    body = "\n".join([*frame, *lanes])
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">\n'
            f"<title>CPU time of a request, as a multiple of passing through</title>\n<style>{STYLE}</style>\n{body}\n</svg>\n")
