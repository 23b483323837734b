"""Medians, and tables of them in Markdown."""

import statistics

LATENCIES = ("p50", "p99", "p99.9", "half p99")


def summarise(found):
    """A row for each way and size: medians, and medians of the ratios to passing through in the same round."""
    rows = []
    for (way, size), rounds in found.items():
        bases = {base.name: other for (base, of), other in found.items()
                 if (base.group, of) == (way.group, size) and base.name.startswith("passing") and not base.is_noise}
        passing = bases.pop("passing")
        row = {"group": way.group, "name": way.name, "size": size, "is_noise": way.is_noise}
        # The other ways to pass: sendfile is the dearest one for a small file, and the cheapest one for a large one.
        row["other cpu ratios"] = {
            name: statistics.median(figures["cpu"] / base["cpu"] for figures, base in zip(rounds, other)) for name, other in bases.items()
        }
        for key in ("rate", "cpu", *LATENCIES):
            row[key] = statistics.median(figures[key] for figures in rounds)
            ratios = [figures[key] / base[key] for figures, base in zip(rounds, passing)]
            row[key + " ratio"] = statistics.median(ratios)
            row[key + " ratios"] = sorted(ratios)
        rows.append(row)
    order = list(dict.fromkeys((row["size"], row["group"]) for row in rows))
    return sorted(rows, key=lambda row: order.index((row["size"], row["group"])))


def write(header, lines):
    rule = ["---"] * 2 + ["--:"] * (len(header) - 2)
    return "\n".join("| " + " | ".join(line) + " |" for line in [header, rule, *lines]) + "\n"


def number(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def in_short(rows):
    """CPU time a request, as a ratio to passing through; one line for each way."""
    sizes = list(dict.fromkeys(row["size"] for row in rows))
    ways = list(dict.fromkeys((row["group"], row["name"]) for row in rows if row["name"] != "passing"))
    cells = {(row["group"], row["name"], row["size"]): row for row in rows}
    lines = [[group, name, *(ratios(cells.get((group, name, size))) for size in sizes)] for group, name in ways]
    return write(["", "CPU time, passing = 1", *sizes], lines)


def ratios(row):
    """`0.77`, or `0.77 / 1.09` where there are two ways to pass."""
    if row is None:
        return ""
    return " / ".join(f"{ratio:.2f}" for ratio in (row["cpu ratio"], *row["other cpu ratios"].values()))


def in_full(rows):
    header = ["", "", "requests/s", "p50 µs", "p99 µs", "p99.9 µs", "p99 µs at half load", "CPU µs a request"]
    tables = []
    for size in dict.fromkeys(row["size"] for row in rows):
        lines = []
        for row in rows:
            if row["size"] != size:
                continue
            lines.append([
                row["group"], row["name"], f"{number(row['rate'])} ({row['rate ratio']:.2f})",
                *(number(row[key]) for key in LATENCIES[:-1]), f"{number(row['half p99'])} ({row['half p99 ratio']:.2f})", f"{number(row['cpu'])} ({ratios(row)})",
            ])
        tables.append(f"{size}:\n\n" + write(header, lines))
    return "\n".join(tables)


def of_memory(memories):
    header = ["", "", "KB of the process for an idle connection", "for one whose client has stopped reading"]
    return write(header, [[way.group, way.name, number(idle / 1000), number(stalled / 1000)] for way, (idle, stalled) in memories.items()])


def gains(rows):
    """How many times the module's CPU time sub_filter takes."""
    cells = {(row["group"], row["name"], row["size"]): row["cpu"] for row in rows}
    return [
        f"{group}, {size}: sub_filter takes {cells[group, 'sub_filter', size] / cpu:.2f} times the module's CPU time"
        for (group, name, size), cpu in cells.items() if name == "module" and (group, "sub_filter", size) in cells
    ]
