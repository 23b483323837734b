#!/usr/bin/env python3
"""What the nginx module costs: nginx passing through, with the module, and with sub_filter.

    nginx.py --module ngx_http_surtitle_module.so [--rounds 5] [--seconds 2] [--json FILE]

One nginx process answers everything in turn, static files and what it gets from a second nginx, for playlists of 2.8 KB, 100 KB and 1 MB.
In each round every way is loaded by wrk for some seconds, and the CPU time of the process is divided by the requests it answered. A table of
medians; behind each the median of its ratios to passing through in the same round, and the ratio of the least of all rounds, which a busy
machine disturbs less. The last column but one is passing through once more, which is the noise.

Needs nginx and wrk (Debian's packages). sub_filter runs with sendfile off: with it on it would be slower than it has to be.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

SIZES = {"2.8 KB": 2_750, "100 KB": 100_000, "1 MB": 1 << 20}
WAYS = ("pass", "module", "uncached", "sub_filter", "pass again")

CONFIGURATION = """
load_module {module};
daemon off;
master_process off;
pid {prefix}/{name}.pid;
error_log {prefix}/{name}.log warn;
events {{ worker_connections 512; }}
http {{
    types {{ application/vnd.apple.mpegurl m3u8; }}
    access_log off;
    sendfile on;
    keepalive_requests 100000000;
    client_body_temp_path {prefix}/{name}-body;
    proxy_temp_path {prefix}/{name}-proxy;
    fastcgi_temp_path {prefix}/{name}-fastcgi;
    uwsgi_temp_path {prefix}/{name}-uwsgi;
    scgi_temp_path {prefix}/{name}-scgi;
{servers}
}}
"""

ORIGIN = """
    server {{ listen 127.0.0.1:{origin}; root {prefix}/files; }}
"""

PROXY = """
    surtitle_track uri=/subs/en.m3u8 language=en name=English default;
    surtitle_track uri=/subs/sv.m3u8 language=sv name=Svenska;
    upstream origin {{ server 127.0.0.1:{origin}; keepalive 64; }}
    server {{
        listen 127.0.0.1:{proxy};
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        location /static/pass/ {{ alias {prefix}/files/; }}
        location /static/module/ {{ alias {prefix}/files/; surtitle on; }}
        location /static/uncached/ {{ alias {prefix}/files/; surtitle on; surtitle_cache 0; }}
        location /static/sub_filter/ {{ alias {prefix}/files/; sendfile off; {sub_filter} }}
        location /proxied/pass/ {{ proxy_pass http://origin/; }}
        location /proxied/module/ {{ proxy_pass http://origin/; surtitle on; }}
        location /proxied/uncached/ {{ proxy_pass http://origin/; surtitle on; surtitle_cache 0; }}
        location /proxied/sub_filter/ {{ proxy_pass http://origin/; sendfile off; {sub_filter} }}
    }}
"""

# What comes nearest to what the module does: an attribute in each line, and the tags once, after the first line.
SUB_FILTER = (
    "sub_filter_types application/vnd.apple.mpegurl; sub_filter_once off; "
    "sub_filter '#EXT-X-STREAM-INF:' '#EXT-X-STREAM-INF:SUBTITLES=\"subs\",'; "
    "sub_filter '#EXTM3U' '#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subs\",NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,"
    "AUTOSELECT=YES,URI=\"/subs/en.m3u8\"\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subs\",NAME=\"Svenska\",LANGUAGE=\"sv\","
    "AUTOSELECT=YES,URI=\"/subs/sv.m3u8\"';"
)


def master(size):
    """A multivariant playlist of at least that many bytes."""
    lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-INDEPENDENT-SEGMENTS"]
    number = 0
    while number * 144 < size - 60:
        lines.append(
            f"#EXT-X-STREAM-INF:BANDWIDTH={1_000_000 + number},AVERAGE-BANDWIDTH={900_000 + number},"
            'CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1920x1080,FRAME-RATE=29.970')
        lines.append(f"video/{number:05}/index.m3u8")
        number += 1
    return "\n".join(lines) + "\n"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process):
    for _ in range(200):
        if process.poll() is not None:
            sys.exit("nginx has ended; see its output above")
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    sys.exit("nginx does not answer")


def cpu_seconds(pid):
    """The CPU time of a process of one thread: by the scheduler's nanoseconds, or by the clock's ticks where it keeps none."""
    try:
        return int(pathlib.Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except (OSError, ValueError, IndexError):
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def load(pid, url, arguments):
    """CPU microseconds of the process for each request, and requests a second."""
    before = cpu_seconds(pid)
    text = subprocess.run(
        ["wrk", "-t1", f"-c{arguments.connections}", f"-d{arguments.seconds}s", url],
        capture_output=True, text=True, check=True).stdout
    spent = cpu_seconds(pid) - before
    requests = int(re.search(r"(\d+) requests in", text)[1])
    if requests == 0 or "Non-2xx" in text or "Socket errors" in text:
        sys.exit(f"{url}:\n{text}")
    return spent / requests * 1e6, float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])


def measure(pid, port, arguments):
    """{(kind, size, way): [(CPU, requests a second) of each round]}"""
    found = {}
    for number in range(arguments.rounds):
        for kind in ("static", "proxied"):
            for size in arguments.sizes:
                for way in WAYS if number % 2 == 0 else WAYS[::-1]:
                    path = way.removesuffix(" again")
                    url = f"http://127.0.0.1:{port}/{kind}/{path}/{SIZES[size]}.m3u8"
                    found.setdefault((kind, size, way), []).append(load(pid, url, arguments))
        print(f"round {number + 1} of {arguments.rounds}, load {os.getloadavg()[0]:.1f}", file=sys.stderr)
    return found


def summary(found):
    rows = []
    for kind, size in dict.fromkeys(key[:2] for key in found):
        row = {"kind": kind, "size": size}
        base = [cpu for cpu, _ in found[kind, size, "pass"]]
        for way in WAYS:
            cpus = [cpu for cpu, _ in found[kind, size, way]]
            row[way] = {
                "cpu_us": statistics.median(cpus),
                "cpu_ratio": statistics.median(cpu / b for cpu, b in zip(cpus, base)),
                "least_cpu_ratio": min(cpus) / min(base),
                "requests_per_second": statistics.median(rate for _, rate in found[kind, size, way]),
            }
        rows.append(row)
    return rows


def print_table(rows):
    print("| CPU of the process, µs a request | " + " | ".join(WAYS) + " | sub_filter / module |")
    print("|---|" + "--:|" * (len(WAYS) + 1))
    for row in rows:
        cells = ["{cpu_us:.1f} ({cpu_ratio:.2f}; {least_cpu_ratio:.2f})".format(**row[way]) for way in WAYS]
        gain = row["sub_filter"]["cpu_us"] / row["module"]["cpu_us"]
        print(f"| {row['size']} {row['kind']} | " + " | ".join(cells) + f" | {gain:.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--module", required=True, help="ngx_http_surtitle_module.so")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2, help="of load, for each way in each round")
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--sizes", nargs="+", choices=SIZES, default=list(SIZES))
    parser.add_argument("--json", help="writes the medians into this file")
    arguments = parser.parse_args()
    for tool in ("nginx", "wrk"):
        if not shutil.which(tool):
            sys.exit(f"{tool} is missing")

    with tempfile.TemporaryDirectory() as prefix:
        os.chmod(prefix, 0o755)
        files = pathlib.Path(prefix, "files")
        files.mkdir()
        for size in SIZES.values():
            (files / f"{size}.m3u8").write_text(master(size))
        values = {
            "module": pathlib.Path(arguments.module).resolve(), "prefix": prefix, "origin": free_port(),
            "proxy": free_port(), "sub_filter": SUB_FILTER,
        }
        processes = []
        try:
            for name, servers, port in (("origin", ORIGIN, "origin"), ("proxy", PROXY, "proxy")):
                text = CONFIGURATION.format(name=name, servers=servers.format(**values), **values)
                path = pathlib.Path(prefix, f"{name}.conf")
                path.write_text(text)
                processes.append(subprocess.Popen(["nginx", "-p", prefix, "-c", str(path), "-e", f"{prefix}/{name}.start"]))
                wait_for(values[port], processes[-1])
            rows = summary(measure(processes[1].pid, values["proxy"], arguments))
        finally:
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait()
    print_table(rows)
    if arguments.json:
        pathlib.Path(arguments.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
