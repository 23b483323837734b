"""Files that all ways get: the same on every machine."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Servers"))

from playlists import master  # noqa: E402

LINES = ["The lamps are lit, the house is full.", "- Who speaks above the stage?\n- Only the words.", "<i>They float there, letter by letter.</i>",
         "Où va-t-elle, cette phrase ?"]


def clock(milliseconds: int, point: str) -> str:
    seconds, rest = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}{point}{rest:03}"


def cues(size: int, arrow: str, point: str, head: str, number: bool) -> tuple[str, int]:
    """A file of at least `size` bytes, and when its last cue ends, in milliseconds."""
    blocks, length, start, index = [head], len(head), 1200, 0
    while length < size:
        end = start + 1500 + index % 7 * 130
        text = LINES[index % len(LINES)]
        block = f"{f'{index + 1}{chr(10)}' if number else ''}{clock(start, point)}{arrow}{clock(end, point)}\n{text}\n\n"
        blocks.append(block)
        length += len(block.encode())
        start = end + 40 + index % 5 * 20
        index += 1
    return "".join(blocks), end


def write(folder: Path) -> dict[str, int]:
    """Writes the files; the last cue's end of each file of cues."""
    for name, count in (("2.8 KB", 20), ("1 MB", 6850)):
        (folder / f"master {name}.m3u8").write_text(master(count))
    (folder / "video.m3u8").write_text("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n")
    ends = {}
    for name, size, arrow, point, head, number in (
        ("1 MB.vtt", 1 << 20, " --> ", ".", "WEBVTT\n\n", False), ("10 MB.vtt", 10 << 20, " --> ", ".", "WEBVTT\n\n", False),
        ("1 MB.srt", 1 << 20, " --> ", ",", "", True),
    ):
        text, ends[name] = cues(size, arrow, point, head, number)
        (folder / name).write_text(text, encoding="utf-8")
    return ends
