"""Playlists: multivariant ones get tracks while their bytes pass by, and subtitle playlists are made."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterable, Iterator, Mapping
from ctypes import byref, c_size_t, c_uint64
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, Optional, Union

from . import _library
from ._library import TOO_SMALL, Array, Bytes, Handle, Status, given
from ._times import Seconds, nanoseconds

_VERDICTS = ("undecided", "multivariant", "media", "mixed", "no-playlist")
_LIMITS = {1: "longest-line", 2: "held-renditions", 3: "longest-group-id", 4: "appended-tags", 5: "held-variables", 6: "longest-uri", 255: "other"}
_TYPES = {"VOD": 0, "EVENT": 2, None: 4}
_OMITS_COMMA = 1


def _position(number: int) -> Optional[int]:
    return None if number < 0 else number


@dataclass(frozen=True)
class Report:
    """What there is to say of a playlist. Positions are in bytes."""

    verdict: str
    """`undecided`, `multivariant`, `media`, `mixed` or `no-playlist`."""
    verdict_position: Optional[int]
    is_settled: bool
    """Whether all that is still to come passes through unchanged."""
    held_bytes: int
    added_bytes: int
    """Of tags, which the end of the playlist got; 0 if all tracks were there already."""
    uneditable_lines: int
    first_uneditable_line: Optional[int]
    mapped_uris: int
    dropped_variants: int
    exceeded_limit: Optional[str]
    limit_position: Optional[int]


class Configuration(Handle):
    """What is done to playlists, checked once; any number of threads use it.

    `source` has the keys of the command's configuration files, as a dictionary or as JSON: `tracks`, `replace-default`, `edits`, `map-uri`,
    `scheme`, `host`, `append-query`, `keep-variants`, `limits`. Tracks name subtitle playlists. A SurtitleError says which value is refused.
    """

    def __init__(self, source: Union[Mapping[str, Any], str, bytes]) -> None:
        text = source if isinstance(source, (str, bytes)) else json.dumps(dict(source) if isinstance(source, Mapping) else source)
        super().__init__("configuration", *given(text.encode() if isinstance(text, str) else text), is_telling=True, creator="create_json")

    @property
    def fingerprint(self) -> int:
        """Another number if the output may be another: for ETag and cache keys."""
        number = c_uint64()
        _library.check("configuration_fingerprint", self.address, byref(number))
        return number.value

    def rewriter(self) -> Rewriter:
        """A rewriter for one playlist after the other. It lives on when the configuration is closed."""
        return Rewriter(self)

    def sideload(self, playlist: Bytes) -> bytes:
        """Rewrites a whole playlist. What is no playlist comes back as it is."""
        with self.rewriter() as rewriter:
            return rewriter.write(playlist) + rewriter.finish()

    def stream(self, chunks: Iterable[Bytes]) -> Iterator[bytes]:
        """Rewrites a playlist while its chunks come. If their source raises, what was held goes out unedited before the error does."""
        source = iter(chunks)
        with self.rewriter() as rewriter:
            while True:
                try:
                    chunk = next(source)
                except StopIteration:
                    break
                except BaseException:
                    if held := rewriter.abandon():
                        yield held
                    raise
                if output := rewriter.write(chunk):
                    yield output
            if rest := rewriter.finish():
                yield rest


class Rewriter(Handle):
    """Rewrites one playlist after the other, each while its bytes pass by. For one thread at a time."""

    def __init__(self, configuration: Configuration) -> None:
        super().__init__("rewriter", configuration.address, None)

    def write(self, chunk: Bytes) -> bytes:
        """Takes the next chunk, of any size, and returns what is decided."""
        return self._output("write", *given(chunk))

    def finish(self) -> bytes:
        """Ends the playlist, and returns the rest."""
        return self._output("finish")

    def abandon(self) -> bytes:
        """Ends a playlist whose source broke off: returns what was held, unedited."""
        return self._output("abandon")

    def reset(self) -> None:
        """Makes ready for the next playlist."""
        _library.check("rewriter_reset", self.address)

    @property
    def report(self) -> Report:
        """What there is to say of the playlist so far."""
        told = _library.Report(size=ctypes.sizeof(_library.Report))
        _library.check("rewriter_report", self.address, byref(told))
        return Report(
            _VERDICTS[told.verdict], _position(told.verdict_position), told.is_settled == 1, told.held_bytes, told.added_bytes, told.uneditable_lines,
            _position(told.first_uneditable_line), told.mapped_uris, told.dropped_variants, _LIMITS.get(told.exceeded_limit),
            _position(told.limit_position))

    def _output(self, name: str, *arguments: Any) -> bytes:
        pieces = Array(_library.Piece)
        status = _library.call(f"rewriter_{name}", self.address, *arguments, *pieces.place)
        if status < Status.NULL_ARGUMENT:
            return pieces.joined()
        error = _library.failure(status)
        if status == Status.LIMIT_EXCEEDED:
            error.output = pieces.joined()
        raise error


class Entry(NamedTuple):
    """A WebVTT file in a subtitle playlist."""

    uri: str
    duration: Seconds
    is_discontinuous: bool = False
    """Whether EXT-X-DISCONTINUITY stands before it."""


def subtitle_playlist(entries: Iterable[Entry], *, type: Optional[Literal["VOD", "EVENT"]] = "VOD", comma: bool = True) -> bytes:
    """The media playlist of a subtitle track: one segment for each file, and EXT-X-ENDLIST.

    `type` is that of EXT-X-PLAYLIST-TYPE, which None leaves out; without `comma` EXTINF goes without its comma.
    """
    if type not in _TYPES:
        raise ValueError("type: neither VOD nor EVENT nor None")
    texts = [(entry.uri.encode(), nanoseconds(entry.duration, f"entries[{index}].duration"), entry.is_discontinuous)
             for index, entry in enumerate(entries)]
    array = (_library.PlaylistEntry * len(texts))(*(
        _library.PlaylistEntry(ctypes.sizeof(_library.PlaylistEntry), uri, len(uri), duration, is_discontinuous)
        for uri, duration, is_discontinuous in texts))
    return written("subtitle_playlist", array, len(texts), _TYPES[type] | (0 if comma else _OMITS_COMMA), room=512 + 128 * len(texts))


def written(name: str, *arguments: Any, room: int) -> bytes:
    """Calls a function that writes into memory, and once more with enough of it if it was too small."""
    while True:
        memory, count = ctypes.create_string_buffer(room), c_size_t()
        if _library.check_telling(name, *arguments, memory, room, byref(count)) != TOO_SMALL:
            return memory.raw[:count.value]
        room = count.value
