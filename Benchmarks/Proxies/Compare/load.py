"""Loads servers by wrk, and measures what that costs them."""

import json
import os
import pathlib
import socket
import subprocess
import sys
import time

from servers import cpu_seconds, resident_bytes
from ways import HUGE, SIZES

REPORT = pathlib.Path(__file__).resolve().parent / "report.lua"
PACE = REPORT.with_name("pace.lua")
# Milliseconds between a response and the next request on its connection, where a server has half the load.
PAUSE = 10


def load(server, path, arguments, rate=None):
    """What one way costs for some seconds: requests a second, latencies and CPU time of the process a request, in microseconds.

    With as many requests as it takes; or about `rate` a second.
    """
    connections = arguments.connections if rate is None else min(max(round(rate * PAUSE / 1000), 1), 512)
    script = REPORT if rate is None else PACE
    command = ["wrk", "-t1", f"-c{connections}", f"-d{arguments.seconds}s", "--timeout", "30s", "-s", str(script), server.url(path)]
    before = cpu_seconds(server.process.pid)
    environment = {**os.environ, "REPORT": str(REPORT), "PAUSE": str(PAUSE)}
    run = subprocess.run(command, capture_output=True, text=True, timeout=arguments.seconds + 120, env=environment)
    spent = cpu_seconds(server.process.pid) - before
    try:
        counted = json.loads(run.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        raise RuntimeError(f"wrk {path}:\n{run.stdout}{run.stderr}") from None
    if counted["requests"] == 0 or counted["failed"]:
        raise RuntimeError(f"{path}: {counted}")
    return {
        "rate": counted["requests"] / counted["microseconds"] * 1e6, "cpu": spent / counted["requests"] * 1e6,
        "p50": counted["p50"], "p99": counted["p99"], "p99.9": counted["p99.9"],
    }


def measure(ways, running, arguments):
    """{(way, size): [figures of each round]}; ways in turn, every other round backward. Each is loaded as much as it takes, and then half as much as
    passing took in the first round."""
    found, rates = {}, {}
    for number in range(arguments.rounds):
        began = time.monotonic()
        for size in arguments.sizes:
            for way in (way for way in (ways if number % 2 == 0 else ways[::-1]) if way.takes(size)):
                figures = load(running[way.server], way.url(SIZES[size]), arguments)
                if way.name == "passing":
                    rates.setdefault((way.group, size), figures["rate"])
                half = load(running[way.server], way.url(SIZES[size]), arguments, rate=rates[way.group, size] / 2)
                figures["half p99"] = half["p99"]
                found.setdefault((way, size), []).append(figures)
        print(f"round {number + 1} of {arguments.rounds}: {time.monotonic() - began:.0f} s, load {os.getloadavg()[0]:.1f}",
              file=sys.stderr, flush=True)
    return found


# ---- Memory -------------------------------------------------------------------------------------------------------------------

IDLE, STALLED = 400, 40  # connections


def connect(server, path, is_stalled):
    """A connection on which a response has come; or has begun to, and its client has stopped reading."""
    connection = socket.socket()
    if is_stalled:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.settimeout(60)
    connection.connect(("127.0.0.1", server.port))
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n".encode())
    if not connection.recv(1 if is_stalled else 1 << 20).startswith(b"H" if is_stalled else b"HTTP/1.1 200"):
        raise RuntimeError(f"{path} is refused")
    return connection


def memory(way, start, count, is_stalled):
    """Bytes of a fresh process for each connection."""
    path = way.url(HUGE if is_stalled else SIZES["2.8 KB"])
    with start() as running:
        server = running[way.server]
        connections = [connect(server, path, is_stalled) for _ in range(8)]
        time.sleep(0.5)
        few = resident_bytes(server.process.pid)
        connections += [connect(server, path, is_stalled) for _ in range(count)]
        time.sleep(1)
        many = resident_bytes(server.process.pid)
        for connection in connections:
            connection.close()
    return max(0, many - few) / count


def measure_memory(ways, start):
    """{way: (bytes for each idle connection, for each stalled one)}"""
    print("memory of open connections", file=sys.stderr, flush=True)
    return {
        way: (memory(way, start, IDLE, False), memory(way, start, STALLED, True)) for way in ways if not way.is_noise
    }
