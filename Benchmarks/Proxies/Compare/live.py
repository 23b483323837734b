#!/usr/bin/env python3
"""What a subtitle playlist and a segment beside a live stream cost, beside passing the video's playlist: live.py [--module FILE] [--proxy FILE]

nginx with one process before another nginx, and surtitle-proxy with one thread before it. In each round each way is loaded by wrk for some seconds, in
turn, every other round backward, and the CPU time of the process is divided by the requests it answered. The video's playlist is asked for every 3 s
meanwhile, as beside any stream.

Needs nginx and wrk.
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile

from load import load
from servers import ORIGIN, start_nginx, start_nio

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Tests" / "Servers"))

from live_origin import BEGIN, MASTER, Origin, date, write_cues  # noqa: E402

FRONT = """
    proxy_cache_path {folder}/cache keys_zone=video:1m;
    surtitle_live_zone channels:1m;
    upstream origin {{ server 127.0.0.1:{origin}; keepalive 64; }}
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    server {{
        listen 127.0.0.1:{port};
        surtitle_track uri=en.m3u8 language=en file={folder}/en.vtt live=v.m3u8 at={at};
        location /pass/ {{ proxy_pass http://origin/files/; }}
        location /cached/ {{ proxy_pass http://origin/files/; proxy_cache video; proxy_cache_valid 200 1s; }}
        location /live/ {{ proxy_pass http://origin/files/; surtitle on; surtitle_serve on; }}
    }}
}}
"""

PASSING = "the video's playlist"


def make_files(folder, count):
    """A window of so many segments, which stands still; its length in bytes."""
    files = folder / "files"
    files.mkdir()
    origin = Origin(target=6, window=count)
    origin.server.server_close()
    origin.count = count
    for number in range(count):
        (files / f"s{number}.aac").write_bytes(origin.answer(f"/s{number}.aac", {})[1])
    (files / "v.m3u8").write_bytes(origin.playlist())
    (files / "master.m3u8").write_bytes(MASTER)
    write_cues(folder / "en.vtt", until=7200)
    return len(origin.playlist())


def start(scratch, arguments, origin, count, running):
    """Starts the servers into `running`; what is measured of each: {(server, what): path}."""
    ways = {}
    if arguments.module:
        module = pathlib.Path(arguments.module).resolve()
        running["nginx"] = start_nginx(scratch, "nginx", FRONT, load_module=f"load_module {module};", origin=origin.port, at=date(BEGIN))
        ways |= {
            ("nginx", PASSING): "/pass/v.m3u8", ("nginx", "the same, kept for a second"): "/cached/v.m3u8",
            ("nginx", "subtitle playlist"): "/live/en.m3u8", ("nginx", "segment"): f"/live/en/{count - 2}.vtt"}
    if arguments.proxy:
        track = f"language=en,file={scratch}/en.vtt,at={date(BEGIN)}"
        running["passing"] = start_nio(scratch, "passing", arguments.proxy, origin, "--pass")
        running["surtitle-proxy"] = start_nio(scratch, "surtitle-proxy", arguments.proxy, origin, "--track", track)
        below = "/.surtitle/%2Ffiles%2Fmaster.m3u8/track/en"
        ways |= {
            ("passing", PASSING): "/files/v.m3u8", ("surtitle-proxy", PASSING): "/files/v.m3u8",
            ("surtitle-proxy", "subtitle playlist"): f"{below}.m3u8", ("surtitle-proxy", "segment"): f"{below}/{count - 2}.vtt"}
    return ways


def measure(count, arguments):
    """Prints the medians for a window of `count` segments."""
    with tempfile.TemporaryDirectory(prefix="surtitle-live-") as scratch:
        os.chmod(scratch, 0o755)
        length = make_files(pathlib.Path(scratch), count)
        running = {"origin": start_nginx(scratch, "origin", ORIGIN.replace("root {folder}/files", "root {folder}"))}
        try:
            ways = start(scratch, arguments, running["origin"], count, running)
            for (server, what), path in ways.items():
                text = running[server].get(path)
                if ("cue " if what == "segment" else "#EXTINF:") not in text:
                    sys.exit(f"{server}, {what}: {text[:500]}")
            found = {way: [] for way in ways}
            for number in range(arguments.rounds):
                for way, path in list(ways.items())[::1 if number % 2 == 0 else -1]:
                    found[way].append(load(running[way[0]], path, arguments)["cpu"])
        finally:
            for server in running.values():
                server.stop()
    for (server, what), costs in found.items():
        passing = found["nginx" if server == "nginx" else "passing", PASSING]
        ratio = statistics.median(cost / other for cost, other in zip(costs, passing))
        print(f"| {length} bytes, {server}, {what} | {statistics.median(costs):.1f} | {ratio:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--module", help="ngx_http_surtitle_module.so")
    parser.add_argument("--proxy", help="surtitle-proxy")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=1)
    parser.add_argument("--connections", type=int, default=8)
    arguments = parser.parse_args()
    print("| | CPU time a request, µs | to passing |\n|---|--:|--:|")
    for count in (30, 1200):
        measure(count, arguments)


if __name__ == "__main__":
    main()
