"""Holds the library, by its Python module, to files whose answers are known: conformance.py FOLDER

FOLDER has WebVTT files with their cues and segments, and playlists that must come through edits of a tag they do not have as they are.
Every file is handed over in chunks of several sizes, each in memory of its own.
"""

import base64
import json
import pathlib
import sys
from fractions import Fraction

import surtitle

CHUNKS = 1, 7, 4096


def chunks_of(data, size):
    return (bytes(bytearray(data[start:start + size])) for start in range(0, len(data), size))


def text(value):
    """Text as the W3C algorithm reads it: NUL is U+FFFD."""
    return value.replace("\0", "\ufffd").replace("\r\n", "\n").replace("\r", "\n")


def milliseconds(seconds):
    return None if seconds is None else round(1000 * seconds)


def cues(data, size):
    """Whether the file has a signature, and its cues."""
    found = []
    try:
        for cue in surtitle.stream_cues(chunks_of(data, size)):
            found.append([milliseconds(cue.start), milliseconds(cue.end), text(cue.identifier), text(cue.settings), text(cue.text)])
    except surtitle.SurtitleError as error:
        if error.status != surtitle.Status.NOT_WEBVTT:
            raise
        return False, found
    return True, found


def check(what, value, expected):
    if value != expected:
        raise AssertionError(f"{what}: {value!r}, not {expected!r}")


def check_cues(name, data, is_valid, expected, latest):
    for size in CHUNKS:
        check(f"{name} in chunks of {size}", cues(data, size), (is_valid, expected))
    check(f"{name}: final cue", milliseconds(surtitle.final_cue_end(data)), expected[-1][1] if expected else None)
    check(f"{name}: latest end", milliseconds(surtitle.latest_cue_end(data)), latest)


def check_segments(name, data, boundaries, indices, expected):
    cutting = surtitle.Cutting(durations=[Fraction(later - start, 1000) for start, later in zip(boundaries, boundaries[1:])])
    whole = surtitle.segments(data, cutting)
    check(name, [cues(segment.data, 4096)[1] for segment in whole], [[expected[i] for i in segment] for segment in indices])
    for size in CHUNKS:
        check(f"{name} in chunks of {size}", list(surtitle.stream_segments(chunks_of(data, size), cutting)), whole)


def listed(cue):
    return [cue["start_ms"], cue["end_ms"], cue["id"], cue["settings"], cue["text"]]


def main():
    folder = pathlib.Path(sys.argv[1])
    counts = {"files": 0, "generated": 0, "cut": 0, "playlists": 0}
    for path in sorted(folder.glob("webvtt/*/*.vtt")):
        data, known = path.read_bytes(), json.loads(path.with_suffix(".json").read_text())
        if "boundaries_ms" in known:
            check_segments(path.name, data, known["boundaries_ms"], known["segments"], known["cues"])
            counts["cut"] += 1
        else:
            check_cues(path.name, data, known["signature_ok"], [listed(cue) for cue in known["cues"]], known["max_end_ms"])
            counts["files"] += 1
    for number, line in enumerate((folder / "webvtt/fuzz/corpus.jsonl").read_text().splitlines()):
        known = json.loads(line)
        latest = max((cue[1] for cue in known["cues"]), default=None)
        check_cues(f"generated file {number}", base64.b64decode(known["b64"]), known["signature_ok"], known["cues"], latest)
        counts["generated"] += 1

    configuration = surtitle.Configuration({"edits": [{"drop": "EXT-X-NOBODY-HAS-IT"}, {"remove": "EXT-X-STREAM-INF:NOBODY-HAS-IT"}]})
    for path in sorted(folder.glob("m3u8/**/*.m3u8")):
        data = path.read_bytes()
        for size in CHUNKS:
            check(f"{path.name} in chunks of {size}", b"".join(configuration.stream(chunks_of(data, size))), data)
        counts["playlists"] += 1
    if not all(counts.values()):
        sys.exit(f"there was nothing to check: {counts}")
    print(", ".join(f"{count} {what}" for what, count in counts.items()))


if __name__ == "__main__":
    main()
