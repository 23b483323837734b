#!/usr/bin/env python3
"""Plays live streams to `surtitle live`, a version after the other, and keeps what it writes: live.py --surtitle FILE OUT

OUT/NAME/stream.txt    the stream in the form of Tests/Fixtures/live: each segment's name with its first time stamp, and the versions
OUT/NAME/N.m3u8        the track's playlist beside version N
OUT/NAME/N-S.vtt       its segment S, if that is new then, or another: S is the number, with that of the part
OUT/cues.vtt           the cues
"""

import argparse
import datetime
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import time

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "Fixtures/live"
BEGIN = datetime.datetime(2026, 11, 25, 2, 38, tzinfo=datetime.timezone.utc)
PATIENCE = 30


def recorded(name: str) -> tuple[dict[str, int], list[str]]:
    """A stream that ffmpeg wrote, until it ended for the first time."""
    head, *versions = (FIXTURES / f"{name}.txt").read_text().split("=\n#EXTM3U")
    ticks = {name: int(number) for _, name, number in (line.split() for line in head.splitlines())}
    kept = []
    for version in versions:
        kept.append("#EXTM3U" + version)
        if "#EXT-X-ENDLIST" in version:
            break
    return ticks, kept


def made() -> tuple[dict[str, int], list[str]]:
    """A window of segments of 2 s in parts, which loses some versions, begins anew with numbers that there have been, and ends."""
    ticks: dict[str, int] = {}
    versions = []

    def date(seconds: float) -> str:
        return (BEGIN + datetime.timedelta(seconds=seconds)).isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def version(life: str, first: int, end: int, open_parts: int, start: float, clock: int, has_ended: bool = False) -> None:
        lines = ["#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:2", f"#EXT-X-MEDIA-SEQUENCE:{first}",
                 "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.5", "#EXT-X-PART-INF:PART-TARGET=0.5"]
        for number in range(first, end + (open_parts > 0)):
            lines.append(f"#EXT-X-PROGRAM-DATE-TIME:{date(start + 2 * number)}")
            if number >= end - 2:
                lines += [f'#EXT-X-PART:DURATION=0.5,URI="{life}{number}.{part}.aac"' for part in range(4 if number < end else open_parts)]
            if number < end:
                ticks[f"{life}{number}.aac"] = (clock + 180_000 * number) % 2**33
                lines += ["#EXTINF:2.000,", f"{life}{number}.aac"]
        lines.append("#EXT-X-ENDLIST" if has_ended else f'#EXT-X-PRELOAD-HINT:TYPE=PART,URI="{life}{end}.{open_parts}.aac"')
        versions.append("\n".join(lines) + "\n")

    for end in [4, 5, 9]:
        for parts in [0, 1, 3]:
            version("a", end - 4, end, parts, 60, 2**33 - 900_000)
    for end in [8, 9, 10]:
        version("b", end - 4, end, 2, 90, 4_500_000)
    version("b", 7, 11, 0, 90, 4_500_000, has_ended=True)
    return ticks, versions


def segment(ticks: int) -> bytes:
    """Packed audio that begins with its time stamp."""
    frame = b"com.apple.streaming.transportStreamTimestamp\0" + struct.pack(">Q", ticks)
    tag = b"PRIV" + struct.pack(">I", len(frame)) + b"\0\0" + frame
    return b"ID3\4\0\0" + bytes([0, 0, len(tag) >> 7, len(tag) & 127]) + tag + b"\xff\xf1\x50\x80\x02\x1f\xfc" * 40


def cues() -> str:
    def clock(tenths: int) -> str:
        return f"{tenths // 36000:02}:{tenths // 600 % 60:02}:{tenths // 10 % 60:02}.{tenths % 10}00"

    texts = [f"{f'id {tenths}' + chr(10) if tenths % 3 == 0 else ''}{clock(tenths)} --> {clock(tenths + 25)} line:1\ncue {tenths} – ü"
             for tenths in range(0, 4000, 7)]
    return "WEBVTT\n\nSTYLE\n::cue { color: red }\n\n" + "\n\n".join(texts) + "\n"


def write(file: pathlib.Path, data: bytes) -> None:
    """Writes a file whole."""
    new = file.with_suffix(".new")
    new.write_bytes(data)
    os.replace(new, file)


def play(surtitle: str, name: str, stream: tuple[dict[str, int], list[str]], out: pathlib.Path) -> None:
    ticks, versions = stream
    kept = out / name
    kept.mkdir(parents=True)
    (kept / "stream.txt").write_text("".join(f"# {file} {number}\n" for file, number in ticks.items()) + "".join(f"=\n{v}" for v in versions))
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for file, number in ticks.items():
            (folder / file).write_bytes(segment(number))
        (folder / "master.m3u8").write_text("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n")
        (folder / "en.vtt").write_text((out / "cues.vtt").read_text())
        write(folder / "v.m3u8", versions[0].encode())
        command = [surtitle, "live", folder / "master.m3u8", "-o", folder / "out", "--base-uri", "http://a.example/", "--track",
                   f"file={folder / 'en.vtt'},language=en,at={BEGIN.isoformat().replace('+00:00', 'Z')}"]
        log = open(folder / "log", "w+")
        running = subprocess.Popen([str(word) for word in command], stdout=log, stderr=log)
        seen, written = b"", {}
        for number, version in enumerate(versions):
            if number > 0:
                write(folder / "v.m3u8", version.encode())
            playlist = folder / "out/en.m3u8"
            end = time.monotonic() + PATIENCE
            while not playlist.exists() or playlist.read_bytes() == seen:
                if time.monotonic() > end or running.poll() not in (None, 0):
                    running.kill()
                    log.seek(0)
                    sys.exit(f"{name}: nothing comes of version {number}: {log.read()}")
                time.sleep(0.005)
            seen = playlist.read_bytes()
            (kept / f"{number}.m3u8").write_bytes(seen)
            for which in sorted(set(re.findall(r'en-([\d.]+)\.vtt', seen.decode()))):
                file = folder / f"out/en-{which}.vtt"
                # What is not there yet is what PRELOAD-HINT tells of.
                text = file.read_bytes() if file.exists() else None
                if text is not None and written.get(which) != text:
                    (kept / f"{number}-{which}.vtt").write_bytes(text)
                    written[which] = text
        running.terminate()
        running.wait(PATIENCE)


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--surtitle", required=True)
    arguments.add_argument("out", type=pathlib.Path)
    given = arguments.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "cues.vtt").write_text(cues())
    streams = {name: recorded(name) for name in ("ffmpeg-sliding", "ffmpeg-event", "ffmpeg-append-list")}
    for name, stream in {**streams, "made": made()}.items():
        play(given.surtitle, name, stream, given.out)


if __name__ == "__main__":
    main()
