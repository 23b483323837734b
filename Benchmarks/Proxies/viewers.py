#!/usr/bin/env python3
"""What a million viewers cost, of requests, processor time and memory, computed from measured microseconds a request.

    viewers.py                                                      prints the tables from viewers.json
    viewers.py --check                                              fails if the guide has others
    viewers.py --measure --module FILE --proxy FILE --c NS --wasm US --nginx-live US US    measures, and writes viewers.json

Measured are, by wrk and the scheduler's clock as in Compare/compare.py, the multivariant playlist, the subtitle playlist and the file of a film, and
playlist and segment beside a live stream. What the library takes by itself is given: --c is what `C/rewrite whole` prints, in nanoseconds, --wasm
what Tests/WebAssembly/speed.mjs prints for "copied in and out", in microseconds. So is what Compare/live.py measures of a playlist and a segment
beside a live stream in nginx. Memory is what an idle connection takes of the process.
"""

import argparse
import contextlib
import datetime
import json
import os
import pathlib
import statistics
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
FIGURES = HERE / "viewers.json"
GUIDE = HERE.parents[1] / "Sources/Sideload/Sideload.docc/Comparison.md"
sys.path[:0] = [str(HERE / "Compare"), str(HERE.parents[1] / "Tests/Servers")]

# ---- What is assumed --------------------------------------------------------------------------------------------------------------

VIEWERS = 1_000_000
# All come within this time, for a film; or watch that long, of a live stream.
HOUR = 3600
# Tracks that are offered, of which each viewer has chosen one all the time.
TRACKS = 2
TARGET = 6
# A player keeps its connection between two requests of a film for so long: --keep-alive of surtitle-proxy, keepalive_timeout of nginx.
KEEP_ALIVE = 75
# Servers of a content delivery network, each of which asks once for each object while that is fresh.
EDGES = 100
# surtitle-proxy says that a live playlist is fresh for half a target duration.
FRESH = TARGET // 2

FACES = ("nginx module", "surtitle-proxy", "surtitle.h in C", "WebAssembly")


def per_viewer(is_live: bool) -> dict[str, int]:
    """Requests that one viewer makes because of the tracks, or that the tracks change."""
    if is_live:
        return {"master": 1, "live playlist": HOUR // TARGET, "live segment": HOUR // TARGET}
    return {"master": 1, "playlist": 1, "file": 1}


def behind_caches(is_live: bool) -> dict[str, int]:
    """Requests that reach the server behind a content delivery network, whoever watches."""
    if is_live:
        return {"master": EDGES, "live playlist": EDGES * TRACKS * HOUR // FRESH, "live segment": EDGES * TRACKS * HOUR // TARGET}
    return {"master": EDGES, "playlist": EDGES * TRACKS, "file": EDGES * TRACKS}


def connections(is_live: bool) -> int:
    """How many are open at once without caches."""
    return VIEWERS if is_live else VIEWERS * KEEP_ALIVE // HOUR


# ---- What comes of it -------------------------------------------------------------------------------------------------------------


def amount(value: float) -> str:
    return f"{value:,.0f}" if value >= 10 else f"{value:.2g}" if value >= 0.01 else "< 0.01"


def tables(measured: dict) -> str:
    """Seconds of processor time of each face, for each way to watch; then what was measured."""
    costs = measured["microseconds"]
    lines = ["| | | requests | " + " | ".join(f"{face}, s" for face in FACES) + " | connections | nginx, MB | surtitle-proxy, MB |",
             "|---|---|--:|" + "--:|" * (len(FACES) + 3)]
    for is_live, what in ((False, "a film"), (True, "an hour live")):
        for is_cached, how in ((False, "no cache"), (True, f"{EDGES} caches")):
            counts = behind_caches(is_live) if is_cached else {kind: VIEWERS * count for kind, count in per_viewer(is_live).items()}
            serves = {face: not is_live or "live segment" in costs[face] for face in FACES}
            sums = {face: sum(count * costs[face].get(kind, 0) for kind, count in counts.items()) / 1e6 for face in FACES}
            seconds = [amount(sums[face]) if serves[face] else "–" for face in FACES]
            count = EDGES if is_cached else connections(is_live)
            memory = [amount(count * measured["bytes a connection"][face] / 1e6) if serves[face] else "–" for face in FACES[:2]]
            lines.append(f"| {what} | {how} | {sum(counts.values()):,} | {' | '.join(seconds)} | {count:,} | {' | '.join(memory)} |")
    kinds = list(dict.fromkeys(kind for face in FACES for kind in costs[face]))
    lines += ["", "| Microseconds a request | " + " | ".join(kinds) + " |", "|---|" + "--:|" * len(kinds)]
    for face in FACES:
        lines.append(f"| {face} | " + " | ".join(f"{costs[face][kind]:.3g}" if kind in costs[face] else "–" for kind in kinds) + " |")
    return "\n".join(lines) + "\n"


# ---- Measuring --------------------------------------------------------------------------------------------------------------------

NGINX = """
    server {{
        listen 127.0.0.1:{port};
        root {folder}/origin;
        location / {{
            surtitle on;
            surtitle_serve on;
            surtitle_track uri=en.m3u8 language=en name=English default file={folder}/en.vtt map=900000;
            surtitle_track uri=sv.m3u8 language=sv name=Svenska file={folder}/sv.vtt map=900000;
        }}
    }}
}}
"""
ORIGIN = "    server {{ listen 127.0.0.1:{port}; root {folder}/origin; }}\n}}\n"
ROUNDS, SECONDS, IDLE = 5, 1, 400


def write_files(folder: pathlib.Path) -> None:
    from playlists import master

    sys.path.insert(0, str(HERE.parent / "Peers"))
    from inputs import cues

    frame = b"com.apple.streaming.transportStreamTimestamp\0" + (900_000).to_bytes(8, "big")
    tag = b"PRIV" + len(frame).to_bytes(4, "big") + b"\0\0" + frame
    segment = b"ID3\4\0\0" + bytes([0, 0, len(tag) >> 7, len(tag) & 127]) + tag + b"\xff\xf1\x50\x80\x02\x1f\xfc" * 40
    segments = "".join(f"#EXTINF:{TARGET},\n{number}.aac\n" for number in range(100))
    head = f"#EXTM3U\n#EXT-X-TARGETDURATION:{TARGET}\n"
    for name, begin, end in (("film", "", "#EXT-X-ENDLIST\n"), ("live", "#EXT-X-PLAYLIST-TYPE:EVENT\n", "")):
        place = folder / "origin" / name
        place.mkdir(parents=True)
        (place / "master.m3u8").write_text(master(19).replace("video/00000/index.m3u8", "video.m3u8"))
        (place / "video.m3u8").write_text(head + begin + segments + end)
        for number in range(100):
            (place / f"{number}.aac").write_bytes(segment)
    for language in ("en", "sv"):
        (folder / f"{language}.vtt").write_text(cues(100_000, " --> ", ".", "WEBVTT\n\n", False)[0])
    time.sleep(3)


def measure(given: argparse.Namespace) -> dict:
    from load import load
    from servers import resident_bytes, start_nginx, start_nio

    import load as loading

    options = argparse.Namespace(connections=8, seconds=SECONDS)
    tracks = [word for language, name in (("en", "English"), ("sv", "Svenska"))
              for word in ("--track", f"uri={language}.vtt,language={language},name={name},file={{}}/{language}.vtt")]
    found: dict[tuple[str, str], list[float]] = {}
    memory: dict[str, float] = {}
    with tempfile.TemporaryDirectory(prefix="surtitle-viewers-") as scratch, contextlib.ExitStack() as stack:
        folder = pathlib.Path(scratch)
        folder.chmod(0o755)
        write_files(folder)

        def started(server):
            stack.callback(server.stop)
            return server

        origin = started(start_nginx(folder, "origin-server", ORIGIN))
        nginx = started(start_nginx(folder, "nginx", NGINX, load_module=f"load_module {given.module.resolve()};"))
        proxy = started(start_nio(folder, "nio", given.proxy, origin, *[word.format(folder) for word in tracks]))
        below = "/.surtitle/%2F{}%2Fmaster.m3u8/track/en"
        film, live = below.format("film"), below.format("live")
        ways = [
            ("nginx module", "master", nginx, "/film/master.m3u8"), ("nginx module", "playlist", nginx, "/film/en.m3u8"),
            ("nginx module", "file", nginx, "/film/en.vtt"),
            ("surtitle-proxy", "master", proxy, "/film/master.m3u8"), ("surtitle-proxy", "playlist", proxy, f"{film}.m3u8"),
            ("surtitle-proxy", "file", proxy, f"{film}.vtt"), ("surtitle-proxy", "live playlist", proxy, f"{live}.m3u8"),
            ("surtitle-proxy", "live segment", proxy, f"{live}/17.vtt"),
        ]
        for _, kind, server, path in ways:
            text = server.get(path)
            wanted = {"master": "TYPE=SUBTITLES", "file": "MPEGTS:", "live segment": "-->"}.get(kind, "#EXTINF:")
            if wanted not in text:
                sys.exit(f"{path}: no {wanted} in\n{text[:2000]}")
        # First of all, while nothing has been freed that could be used again.
        for face, server in (("nginx module", nginx), ("surtitle-proxy", proxy)):
            held = [loading.connect(server, "/film/master.m3u8", False) for _ in range(8)]
            time.sleep(1)
            before = resident_bytes(server.process.pid)
            held += [loading.connect(server, "/film/master.m3u8", False) for _ in range(IDLE)]
            time.sleep(1)
            memory[face] = max(0, resident_bytes(server.process.pid) - before) / IDLE
            for connection in held:
                connection.close()
        for _ in range(ROUNDS):
            for face, kind, server, path in ways:
                found.setdefault((face, kind), []).append(load(server, path, options)["cpu"])
    costs: dict[str, dict[str, float]] = {face: {} for face in FACES}
    for (face, kind), rounds in found.items():
        costs[face][kind] = round(statistics.median(rounds), 1)
    costs["nginx module"] |= dict(zip(("live playlist", "live segment"), given.nginx_live))
    costs["surtitle.h in C"]["master"] = given.c / 1e3
    costs["WebAssembly"]["master"] = given.wasm
    model = next((line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")), "unknown")
    return {"date": str(datetime.date.today()), "machine": f"{model}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.0f}",
            "microseconds": costs, "bytes a connection": {face: round(count) for face, count in memory.items()}}


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--measure", action="store_true")
    arguments.add_argument("--check", action="store_true")
    arguments.add_argument("--module", type=pathlib.Path)
    arguments.add_argument("--proxy")
    arguments.add_argument("--c", type=float, help="nanoseconds")
    arguments.add_argument("--wasm", type=float, help="microseconds")
    arguments.add_argument("--nginx-live", type=float, nargs=2, help="microseconds of a playlist and of a segment")
    given = arguments.parse_args()
    if given.measure:
        FIGURES.write_text(json.dumps(measure(given), indent=2) + "\n")
    text = tables(json.loads(FIGURES.read_text()))
    if given.check:
        if all(table in GUIDE.read_text() for table in text.split("\n\n")):
            return 0
        print(f"{GUIDE.name} has other tables", file=sys.stderr)
    print(text, end="")
    return 1 if given.check else 0


if __name__ == "__main__":
    sys.exit(main())
