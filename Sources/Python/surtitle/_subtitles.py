"""Files of cues: when they end, what they hold, and the segments and the map that players need of them."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Sequence
from ctypes import byref, c_int32, c_int64, c_uint64
from typing import Any, NamedTuple, Optional

from . import _library
from ._library import NEEDS_MORE, NOT_FOUND, Array, Bytes, Handle, Status, copied, given
from ._playlists import written
from ._times import Seconds, milliseconds, nanoseconds, ticks

_BEGAN, _BYTES, _ENDED = 0, 1, 2
_UNKNOWN_FORMAT = -1


class TimestampMap(NamedTuple):
    """An X-TIMESTAMP-MAP: the time stamp of the video, in ticks of 1/90000 s, and the cue time that it stands for."""

    mpegts: int
    local: Seconds = 0


class Cue(NamedTuple):
    """A cue as it stands in the file; bytes that are no UTF-8 are U+FFFD."""

    start: float
    end: float
    identifier: str
    settings: str
    text: str
    position: int
    """Of the cue's first byte in the file."""


class Segment(NamedTuple):
    """A segment of a WebVTT file."""

    data: bytes
    start: float
    duration: float
    cue_count: int


def _cue_end(name: str, file: Bytes) -> Optional[float]:
    time = c_int64()
    status = _library.check(name, *given(file), byref(time))
    return None if status == NOT_FOUND else time.value / 1_000


def final_cue_end(file: Bytes) -> Optional[float]:
    """When the last cue in a WebVTT file ends; None if it has none. Only the first bytes and the tail are looked at."""
    return _cue_end("final_cue_end", file)


def latest_cue_end(file: Bytes) -> Optional[float]:
    """The latest time at which a cue ends; None if the file has none."""
    return _cue_end("latest_cue_end", file)


def cues(file: Bytes) -> list[Cue]:
    """The cues of a whole WebVTT file. SurtitleError with NOT_WEBVTT if it is none."""
    return list(stream_cues([file]))


def stream_cues(chunks: Iterable[Bytes]) -> Iterator[Cue]:
    """The cues of a WebVTT file whose chunks come, each as soon as it is whole."""
    with Handle("cue_scanner", 0) as scanner:
        for chunk in chunks:
            yield from _scanned("write", scanner, *given(chunk))
        yield from _scanned("finish", scanner)


def _scanned(name: str, scanner: Handle, *arguments: Any) -> list[Cue]:
    def text(start: int, count: int) -> str:
        return copied(start, count).decode(errors="replace")

    found = Array(_library.Cue)
    _library.check(f"cue_scanner_{name}", scanner.address, *arguments, *found.place)
    return [Cue(cue.start_milliseconds / 1_000, cue.end_milliseconds / 1_000, text(cue.identifier, cue.identifier_count),
                text(cue.settings, cue.settings_count), text(cue.text, cue.text_count), cue.position) for cue in found.elements()]


class Cutting:
    """How a WebVTT file is cut: at a fixed `step`, or as the `durations` of the video's segments say; one of both is needed.

    `end` is where the last segment ends, which is where the cues do unless it is given. `map` becomes that of every segment, in place of the file's
    own. With `cues_once` a cue is only in the segment that it starts in.
    """

    def __init__(self, *, step: Optional[Seconds] = None, durations: Optional[Sequence[Seconds]] = None, end: Optional[Seconds] = None,
                 map: Optional[TimestampMap] = None, cues_once: bool = False) -> None:
        settings = _library.SegmentSettings(size=ctypes.sizeof(_library.SegmentSettings), cues_once=cues_once)
        if step is not None:
            settings.step = nanoseconds(step, "step")
        if durations is not None:
            self._durations = (c_uint64 * len(durations))(*(nanoseconds(each, f"durations[{index}]") for index, each in enumerate(durations)))
            settings.durations, settings.duration_count = self._durations, len(durations)
        if end is not None:
            settings.end = nanoseconds(end, "end")
        if map is not None:
            settings.has_map, settings.mpegts, settings.local_milliseconds = 1, ticks(map.mpegts), milliseconds(map.local, "map.local")
        self._settings = settings

    def segmenter(self) -> Handle:
        return Handle("segmenter", byref(self._settings))


def segments(file: Bytes, cutting: Cutting) -> list[Segment]:
    """Cuts a whole WebVTT file, whose cues may stand in any order."""
    with cutting.segmenter() as segmenter:
        found = Array(_library.Segment)
        _library.check_telling("segmenter_cut", segmenter.address, *given(file), *found.place)
        return [Segment(copied(each.bytes, each.count), each.start_nanoseconds / 1e9, each.duration_nanoseconds / 1e9, each.cue_count)
                for each in found.elements()]


def stream_segments(chunks: Iterable[Bytes], cutting: Cutting) -> Iterator[Segment]:
    """Cuts a WebVTT file whose chunks come, and hands out each segment once it has ended.

    Its cues must come in the order of the segments they start in: SurtitleError with OUT_OF_ORDER otherwise.
    """
    with cutting.segmenter() as segmenter:
        parts: list[bytes] = []
        for chunk in chunks:
            yield from _ended("write", segmenter, parts, *given(chunk))
        yield from _ended("finish", segmenter, parts)


def _ended(name: str, segmenter: Handle, parts: list[bytes], *arguments: Any) -> Iterator[Segment]:
    """The segments that a call ends. `parts` is what has come of the one that has begun."""
    found = Array(_library.SegmentEvent)
    _library.check_telling(f"segmenter_{name}", segmenter.address, *arguments, *found.place)
    ended = []
    for event in found.elements():
        if event.kind == _BEGAN:
            parts.clear()
        elif event.kind == _BYTES:
            parts.append(copied(event.bytes, event.count))
        elif event.kind == _ENDED:
            ended.append(Segment(b"".join(parts), event.start_nanoseconds / 1e9, event.duration_nanoseconds / 1e9, event.cue_count))
    return iter(ended)


def with_timestamp_map(file: Bytes, map: TimestampMap) -> bytes:
    """The WebVTT file with that X-TIMESTAMP-MAP, in place of one that it has. What is no WebVTT comes back as it is."""
    with Handle("timestamp_mapper", ticks(map.mpegts), milliseconds(map.local, "map.local")) as mapper:
        pieces = Array(_library.Piece)
        data, count = given(file)  # which pieces point into
        _library.check("timestamp_mapper_write", mapper.address, data, count, *pieces.place)
        first = pieces.joined()
        _library.check("timestamp_mapper_finish", mapper.address, *pieces.place)
        return first + pieces.joined()


def media_start(chunks: Iterable[Bytes]) -> int:
    """The first time stamp of a video's segment, in ticks of 1/90000 s: what `TimestampMap.mpegts` must be for cues in sync with it.

    `chunks` are the segment's, of MPEG-TS, fragmented MP4 (the init segment first) or packed audio; no more are taken than are needed. A
    SurtitleError says why there is none, as ENCRYPTED does.
    """
    with Handle("media_scanner") as scanner:
        ticks = c_uint64()
        for chunk in chunks:
            if _library.check("media_scanner_write", scanner.address, *given(chunk), byref(ticks)) != NEEDS_MORE:
                return ticks.value
        _library.check("media_scanner_finish", scanner.address, byref(ticks))
        return ticks.value


def to_webvtt(file: Bytes, name: str = "") -> bytes:
    """WebVTT of a file of any format. `name` tells which: `film.srt`, `srt` or its media type; otherwise its first bytes do."""
    kind = c_int32(_UNKNOWN_FORMAT)
    _library.check("format_of", *given(name.encode()), byref(kind))
    data, count = given(file)
    return written("to_webvtt", kind.value, data, count, room=count + count // 4 + 512)
