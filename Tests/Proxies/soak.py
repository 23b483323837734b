#!/usr/bin/env python3
"""Keeps surtitle-proxy under fire, on the loopback interface: soak.py --proxy FILE --surtitle COMMAND [--seconds 180] [--seed 1]

200 connections misbehave, and so do half of the origin's answers: they end at random bytes, stall, send a byte a second, and vanish in the middle
of a body. Meanwhile 16 clients ask as clients should, and each body that they get must be right to the byte. Memory must stay flat, descriptors
come back, and SIGTERM ends it in good order. How long the 16 wait is told, beside how long they do when nobody misbehaves.
"""

import argparse
import asyncio
import logging
import os
import pathlib
import random
import socket
import struct
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Servers"))

from library import TRACKS, Library, Report, make_files  # noqa: E402
from surtitle_proxy import SurtitleProxy  # noqa: E402

NORMAL, HOSTILE = 16, 200
PAUSE = 0.1


class Origin:
    """Sends files by their names. Below /bad/ it tears, stalls and trickles, as `chance` has it."""

    def __init__(self, files, chance):
        self.files, self.chance = files, chance

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, backlog=512)
        self.port = self.server.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                if not await self.answer(head, writer):
                    break
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            writer.transport.abort()

    async def answer(self, head, writer):
        path = head.split(b" ")[1].decode()
        body = self.files[path.partition("?")[0].removeprefix("/bad")]
        is_chunked = "chunked" in path
        fields = b"Transfer-Encoding: chunked" if is_chunked else b"Content-Length: %d" % len(body)
        kind = b"application/vnd.apple.mpegurl" if ".m3u8" in path else b"video/mp2t"
        text = b"HTTP/1.1 200 OK\r\nContent-Type: " + kind + b"\r\n" + fields + b"\r\n\r\n"
        text += b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body) if is_chunked else body
        if not path.startswith("/bad"):
            writer.write(text)
            await writer.drain()
            return True
        way = self.chance.choice(("tear", "reset", "stall", "trickle", "garbage"))
        writer.write(text[:self.chance.randrange(len(text))])
        await writer.drain()
        if way == "reset":
            reset_at_close(writer)
        elif way == "stall":
            await asyncio.sleep(self.chance.uniform(1, 15))
        elif way == "trickle":
            for _ in range(self.chance.randrange(15)):
                await asyncio.sleep(1)
                writer.write(b"x")
        elif way == "garbage":
            writer.write(self.chance.randbytes(200))
        return False


def reset_at_close(writer):
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


class Clients:
    """Those who ask as clients should, and those who do not."""

    def __init__(self, port, expected, chance):
        self.port, self.expected, self.chance = port, expected, chance
        self.times, self.wrong, self.tries = [], [], 0

    async def normal(self, number, end):
        """One request after the other on a connection that is kept; now and then a new one."""
        chance = random.Random(number)
        reader = writer = None
        while time.monotonic() < end:
            path = chance.choice(tuple(self.expected))
            try:
                if writer is None:
                    reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                began = time.monotonic()
                writer.write(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                body = await asyncio.wait_for(read_body(reader), 30)
                self.times.append(time.monotonic() - began)
                if body != self.expected[path]:
                    self.wrong.append((path, len(body)))
            except (OSError, ValueError, asyncio.IncompleteReadError, asyncio.TimeoutError) as error:
                self.wrong.append((path, repr(error)))
                writer = close(writer)
            if chance.random() < 0.02:
                writer = close(writer)
            await asyncio.sleep(PAUSE)
        close(writer)

    async def hostile(self, number, end):
        chance = random.Random(self.chance.random())
        while time.monotonic() < end:
            self.tries += 1
            writer = None
            try:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                await asyncio.wait_for(self.misbehave(reader, writer, chance), max(end - time.monotonic(), 0.1))
            except (OSError, asyncio.TimeoutError):
                pass
            finally:
                close(writer)
            await asyncio.sleep(chance.uniform(0, 1))

    async def misbehave(self, reader, writer, chance):
        path = chance.choice(("", "/bad")) + chance.choice(tuple(self.expected))
        method, body = ("POST", b"x" * 5000) if chance.random() < 0.2 else ("GET", b"")
        text = f"{method} {path} HTTP/1.{chance.randrange(2)}\r\nHost: a\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body
        way = chance.choice(("tear", "reset", "stall", "trickle", "vanish", "unread", "garbage", "whole"))
        if way in ("tear", "reset", "stall", "trickle"):
            writer.write(text[:chance.randrange(len(text))])
            if way == "stall":
                await asyncio.sleep(chance.uniform(1, 15))
            elif way == "trickle":
                for byte in text[:chance.randrange(15)]:
                    await asyncio.sleep(1)
                    writer.write(bytes((byte,)))
        elif way == "garbage":
            writer.write(text[:40] + chance.randbytes(300))
            await reader.read(1000)
        else:
            writer.write(text * (50 if way == "unread" else 1))
            if way == "unread":
                await asyncio.sleep(chance.uniform(1, 10))
            else:
                await reader.read(chance.randrange(1, 100_000) if way == "vanish" else 1 << 20)
        if way in ("reset", "vanish"):
            reset_at_close(writer)


def close(writer):
    if writer is not None:
        writer.transport.abort()


async def read_body(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    if not head.startswith(b"http/1.1 200"):
        raise ValueError(head.split(b"\r\n")[0])
    if b"content-length: " in head:
        return await reader.readexactly(int(head.partition(b"content-length: ")[2].split(b"\r\n")[0]))
    body = b""
    while (size := int(await reader.readuntil(b"\r\n"), 16)):
        body += await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readexactly(2)
    return body


def memory(process):
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) << 10
    return 0


def descriptors(process):
    return len(os.listdir(f"/proc/{process.pid}/fd"))


def percentile(times):
    """The time that 99 of 100 do not exceed, in milliseconds."""
    return sorted(times)[len(times) * 99 // 100] * 1000 if times else 0.0


async def soak(report, command, library, folder, scratch, arguments):
    chance = random.Random(arguments.seed)
    names = {"/sample.m3u8": "sample/master.m3u8", "/small.m3u8": "made/small.m3u8", "/chunked.m3u8": "made/held.m3u8", "/large-chunked.m3u8": "made/large.m3u8",
             "/media.m3u8": "made/media.m3u8", "/media.ts": "made/media.ts"}
    expected = {path: library.master(folder / name) if name.endswith("m3u8") else (folder / name).read_bytes() for path, name in names.items()}
    origin = Origin({path: (folder / name).read_bytes() for path, name in names.items()}, chance)
    await origin.start()
    options = [option for track in TRACKS for option in ("--track", track)] + ["--patience", "5", "--keep-alive", "5", "--upload", "5", "--total", "20", "--quiet"]
    with SurtitleProxy(command, scratch / "soak.log", "--origin", f"http://127.0.0.1:{origin.port}", *options) as proxy:
        alone = Clients(proxy.port, expected, chance)
        end = time.monotonic() + min(10, arguments.seconds / 4)
        await asyncio.gather(*(alone.normal(number, end) for number in range(NORMAL)))
        report.equal("without anybody else: bodies that are wrong", alone.wrong[:5], [])
        await asyncio.sleep(1)
        before = descriptors(proxy.process)

        clients = Clients(proxy.port, expected, chance)
        end = time.monotonic() + arguments.seconds
        memories = []

        async def watch():
            while time.monotonic() < end:
                await asyncio.sleep(arguments.seconds / 20)
                memories.append(memory(proxy.process))

        tasks = [clients.normal(number, end) for number in range(NORMAL)] + [clients.hostile(number, end) for number in range(HOSTILE)]
        await asyncio.gather(watch(), *tasks)
        # Of the first quarter, and of the last: what misbehaves is all there by then.
        early, late = max(memories[1:5]), max(memories[-5:])
        report.equal(f"bodies that are wrong, of {len(clients.times)}", clients.wrong[:5], [])
        report.equal("all asked all the time", len(clients.times) > NORMAL * arguments.seconds / PAUSE / 10, True)
        report.equal(f"memory: {early >> 20} MB, then {late >> 20} MB", late < early * 1.15 + (8 << 20) and late < 100 << 20, True)
        for _ in range(40):
            if descriptors(proxy.process) <= before:
                break
            await asyncio.sleep(1)
        report.equal(f"descriptors are back: {before}", descriptors(proxy.process) <= before, True)
        print(f"{clients.tries} connections misbehaved; p99 of {len(clients.times)} requests {percentile(clients.times):.1f} ms, "
              f"without these {percentile(alone.times):.1f} ms")

        # SIGTERM, in the middle of it all.
        last = Clients(proxy.port, expected, chance)
        end = time.monotonic() + 3
        tasks = [asyncio.create_task(last.hostile(number, end)) for number in range(HOSTILE)]
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        writer.write(b"GET /large-chunked.m3u8 HTTP/1.1\r\nHost: a\r\n\r\n")
        await asyncio.sleep(0.5)
        ending = asyncio.get_running_loop().run_in_executor(None, proxy.stop)
        report.equal("SIGTERM: a request under way is answered whole", await asyncio.wait_for(read_body(reader), 15), expected["/large-chunked.m3u8"])
        report.equal("SIGTERM: the status", await ending, 0)
        close(writer)
        await asyncio.gather(*tasks)
    origin.server.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--proxy", required=True)
    parser.add_argument("--surtitle", required=True, help="the command to compare with")
    parser.add_argument("--seconds", type=float, default=180)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    began = time.monotonic()
    # It complains of those who write to who has left, as is meant here.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)
    report = Report()
    library = Library(str(pathlib.Path(arguments.surtitle).resolve()))
    with tempfile.TemporaryDirectory(prefix="surtitle-soak-") as temporary:
        scratch = pathlib.Path(temporary)
        folder = scratch / "files"
        folder.mkdir()
        make_files(folder)
        asyncio.run(soak(report, str(pathlib.Path(arguments.proxy).resolve()), library, folder, scratch, arguments))
    print(f"{report.failures} of {report.checks} checks failed, {time.monotonic() - began:.0f} s")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
