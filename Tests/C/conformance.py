"""Holds the C interface to files whose answers are known: conformance.py LIBRARY FOLDER

FOLDER has WebVTT files with their cues and segments, and playlists that must come through edits of a tag they do not have as they are.
Every file is handed over in chunks of several sizes, each in memory of its own.
"""
import base64
import ctypes
import json
import pathlib
import sys

from example import Error

OK, NOT_FOUND, NOT_WEBVTT = 0, 1, 49
BEGAN, BYTES = 0, 1
CHUNKS = 1, 7, 4096


def structure(*fields):
    return type("Struct", (ctypes.Structure,), {"_fields_": list(fields)})


address, size, i32, i64, u64 = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int32, ctypes.c_int64, ctypes.c_uint64
Cue = structure(("start", i64), ("end", i64), ("position", u64), ("identifier", address), ("identifier_count", size),
                ("settings", address), ("settings_count", size), ("text", address), ("text_count", size))
Piece = structure(("bytes", address), ("count", size), ("chunk_offset", i64))
Settings = structure(("size", size), ("step", u64), ("end", u64), ("durations", ctypes.POINTER(u64)), ("duration_count", size),
                     ("has_map", i32), ("cues_once", i32), ("mpegts", u64), ("local", i64))
Segment = structure(("bytes", address), ("count", size), ("start", u64), ("duration", u64), ("cue_count", u64))
Event = structure(("kind", i32), ("reserved", i32), ("index", u64), ("bytes", address), ("count", size), ("chunk_offset", i64),
                  ("start", u64), ("duration", u64), ("cue_count", u64))

library = ctypes.CDLL(sys.argv[1])
library.surtitle_status_text.restype = ctypes.c_char_p


def call(name, *arguments, allowed=(OK,)):
    status = getattr(library, "surtitle_" + name)(*arguments)
    if status not in allowed:
        raise AssertionError(f"{name}: {library.surtitle_status_text(status).decode()}")
    return status


class Handle:
    """A handle, and its calls of `write` and `finish` that hand out an array of `element`."""

    def __init__(self, kind, element, *arguments):
        self.kind, self.element, self.pointer = kind, element, ctypes.c_void_p()
        call(kind + "_create", *arguments, ctypes.byref(self.pointer))

    def array(self, name, *arguments, allowed=(OK,)):
        start, count = ctypes.POINTER(self.element)(), size()
        places = [ctypes.byref(start), ctypes.byref(count)]
        if self.kind == "segmenter":
            places.append(None)
        status = call(f"{self.kind}_{name}", self.pointer, *arguments, *places, allowed=allowed)
        return status, start[:count.value]

    def stream(self, data, chunk, note, allowed=(OK,)):
        """Hands over `data` in chunks, ends it, and tells the last status."""
        for offset in range(0, len(data), chunk):
            part = ctypes.create_string_buffer(data[offset:offset + chunk], len(data[offset:offset + chunk]))
            status, elements = self.array("write", part, size(len(part)), allowed=allowed)
            for element in elements:
                note(element)
        status, elements = self.array("finish", allowed=allowed)
        for element in elements:
            note(element)
        call(self.kind + "_reset", self.pointer)
        return status

    def close(self):
        getattr(library, f"surtitle_{self.kind}_destroy")(self.pointer)


def text(start, count):
    """Bytes as the W3C algorithm reads them: NUL is U+FFFD, and so is what is not UTF-8."""
    value = ctypes.string_at(start, count).replace(b"\0", "\ufffd".encode()).decode("utf-8", "replace")
    return value.replace("\r\n", "\n").replace("\r", "\n")


def cues(scanner, data, chunk):
    found = []
    status = scanner.stream(
        data, chunk, lambda cue: found.append(
            [cue.start, cue.end, text(cue.identifier, cue.identifier_count), text(cue.settings, cue.settings_count),
             text(cue.text, cue.text_count)]), allowed=(OK, NOT_WEBVTT))
    return status == OK, found


def end(name, data):
    time = i64(-1)
    status = call(name, data, size(len(data)), ctypes.byref(time), allowed=(OK, NOT_FOUND))
    return time.value if status == OK else None


def check(what, value, expected):
    if value != expected:
        raise AssertionError(f"{what}: {value!r}, not {expected!r}")


def check_cues(scanner, name, data, is_valid, expected, latest):
    for chunk in CHUNKS:
        check(f"{name} in chunks of {chunk}", cues(scanner, data, chunk), (is_valid, expected))
    check(f"{name}: final cue", end("final_cue_end", data), expected[-1][1] if expected else None)
    check(f"{name}: latest end", end("latest_cue_end", data), latest)


def check_segments(scanner, name, data, boundaries, indices, expected):
    durations = [1_000_000 * (later - start) for start, later in zip(boundaries, boundaries[1:])]
    settings = Settings(size=ctypes.sizeof(Settings), durations=(u64 * len(durations))(*durations), duration_count=len(durations))
    segmenter = Handle("segmenter", Segment, ctypes.byref(settings))
    _, cut = segmenter.array("cut", data, size(len(data)))
    whole = [ctypes.string_at(segment.bytes, segment.count) for segment in cut]
    check(name, [cues(scanner, segment, 4096)[1] for segment in whole], [[expected[i] for i in segment] for segment in indices])
    segmenter.element = Event
    for chunk in CHUNKS:
        parts = []

        def note(event):
            if event.kind == BEGAN:
                check(name, event.index, len(parts))
                parts.append(b"")
            elif event.kind == BYTES:
                parts[-1] += ctypes.string_at(event.bytes, event.count)

        segmenter.stream(data, chunk, note)
        check(f"{name} in chunks of {chunk}", parts, whole)
    segmenter.close()


def check_playlist(rewriter, name, data):
    for chunk in CHUNKS:
        parts = []
        rewriter.stream(data, chunk, lambda piece: parts.append(ctypes.string_at(piece.bytes, piece.count)))
        check(f"{name} in chunks of {chunk}", b"".join(parts), data)


def listed(cue):
    return [cue["start_ms"], cue["end_ms"], cue["id"], cue["settings"], cue["text"]]


def main():
    folder = pathlib.Path(sys.argv[2])
    scanner = Handle("cue_scanner", Cue, size(0))
    counts = {"files": 0, "generated": 0, "cut": 0, "playlists": 0}
    for path in sorted(folder.glob("webvtt/*/*.vtt")):
        data, known = path.read_bytes(), json.loads(path.with_suffix(".json").read_text())
        if "boundaries_ms" in known:
            check_segments(scanner, path.name, data, known["boundaries_ms"], known["segments"], known["cues"])
            counts["cut"] += 1
        else:
            check_cues(scanner, path.name, data, known["signature_ok"], [listed(cue) for cue in known["cues"]], known["max_end_ms"])
            counts["files"] += 1
    for number, line in enumerate((folder / "webvtt/fuzz/corpus.jsonl").read_text().splitlines()):
        known = json.loads(line)
        latest = max((cue[1] for cue in known["cues"]), default=None)
        check_cues(scanner, f"generated file {number}", base64.b64decode(known["b64"]), known["signature_ok"], known["cues"], latest)
        counts["generated"] += 1
    scanner.close()

    configuration, error = ctypes.c_void_p(), Error(size=ctypes.sizeof(Error))
    edits = json.dumps({"edits": [{"drop": "EXT-X-NOBODY-HAS-IT"}, {"remove": "EXT-X-STREAM-INF:NOBODY-HAS-IT"}]}).encode()
    call("configuration_create_json", edits, size(len(edits)), ctypes.byref(configuration), ctypes.byref(error))
    rewriter = Handle("rewriter", Piece, configuration, None)
    for path in sorted(folder.glob("m3u8/**/*.m3u8")):
        check_playlist(rewriter, path.name, path.read_bytes())
        counts["playlists"] += 1
    rewriter.close()
    library.surtitle_configuration_destroy(configuration)
    if not all(counts.values()):
        sys.exit(f"there was nothing to check: {counts}")
    print(", ".join(f"{count} {what}" for what, count in counts.items()))


if __name__ == "__main__":
    main()
