#!/usr/bin/env python3
"""What a subtitle playlist and a segment beside a live stream cost nginx, beside passing the video's playlist: live.py --module FILE

nginx with one process before another nginx. In each round each way is loaded by wrk for some seconds, in turn, and the CPU time of the process is
divided by the requests it answered. The video's playlist is asked for every 3 s meanwhile, as beside any stream.

Needs nginx and wrk.
"""

import argparse
import os
import pathlib
import statistics
import sys
import tempfile

from load import load
from servers import ORIGIN, start_nginx

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "Tests" / "Servers"))

from live_origin import BEGIN, Origin, date, write_cues  # noqa: E402

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

WAYS = {"the video's playlist": "/pass/v.m3u8", "the same, kept for a second": "/cached/v.m3u8", "subtitle playlist": "/live/en.m3u8"}


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
    write_cues(folder / "en.vtt")
    return len(origin.playlist())


def measure(module, count, arguments):
    """Prints the medians for a window of `count` segments."""
    ways = {**WAYS, "segment": f"/live/en/{count - 2}.vtt"}
    with tempfile.TemporaryDirectory(prefix="surtitle-live-") as scratch:
        os.chmod(scratch, 0o755)
        length = make_files(pathlib.Path(scratch), count)
        origin = start_nginx(scratch, "origin", ORIGIN.replace("root {folder}/files", "root {folder}"))
        nginx = None
        try:
            nginx = start_nginx(scratch, "nginx", FRONT, load_module=f"load_module {module};", origin=origin.port, at=date(BEGIN))
            for path in ways.values():
                nginx.get(path)
            found = {way: [] for way in ways}
            for _ in range(arguments.rounds):
                for way, path in ways.items():
                    found[way].append(load(nginx, path, arguments)["cpu"])
        finally:
            for server in (nginx, origin):
                if server:
                    server.stop()
    passing, kept = list(found.values())[:2]
    for way, costs in found.items():
        ratios = [statistics.median(cost / other for cost, other in zip(costs, others)) for others in (passing, kept)]
        print(f"| {length} bytes, {way} | {statistics.median(costs):.1f} | {ratios[0]:.2f} | {ratios[1]:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--module", required=True, help="ngx_http_surtitle_module.so")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=int, default=1)
    parser.add_argument("--connections", type=int, default=8)
    arguments = parser.parse_args()
    print("| | CPU time a request, µs | to passing | to what is kept |\n|---|--:|--:|--:|")
    for count in (30, 1200):
        measure(pathlib.Path(arguments.module).resolve(), count, arguments)


if __name__ == "__main__":
    main()
