"""The C library, by ctypes: its structs and functions, what it refuses, and what it holds.

Structs and functions are those of surtitle.h, which says what each takes, gives and refuses. What comes out is copied, so that nobody sees
memory that the library may use for something else.
"""

from __future__ import annotations

import ctypes
import enum
import os
import weakref
from ctypes import POINTER, byref, c_char, c_char_p, c_int, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Optional, Type, TypeVar, Union

Bytes = Union[bytes, bytearray, memoryview]

SONAME = "libsurtitle.so.0"


class Status(enum.IntEnum):
    """Why a call failed: the statuses of surtitle.h."""

    NULL_ARGUMENT = 16
    TOO_LONG = 17
    STRUCT_SIZE = 18
    INVALID_VALUE = 19
    ENDED = 20
    OUTPUT_LEFT = 21
    BUSY = 22
    UNSUPPORTED = 23
    TOO_LATE = 24
    INVALID_UTF8 = 32
    TRACK_REFUSED = 33
    EDIT_REFUSED = 34
    URI_REFUSED = 35
    CONDITION_REFUSED = 36
    JSON_REFUSED = 37
    CONFIGURATION_REFUSED = 38
    PATTERN_REFUSED = 39
    SEGMENT_REFUSED = 40
    LIMIT_EXCEEDED = 48
    NOT_WEBVTT = 49
    NOT_PLAYLIST = 50
    FETCH_FAILED = 51
    OUT_OF_ORDER = 52
    LIVE_REFUSED = 53
    CUES_REFUSED = 54
    NOT_MEDIA = 64
    ENCRYPTED = 65
    NO_TIMESTAMP = 66
    MEDIA_TOO_LONG = 67
    NO_INIT_SEGMENT = 68
    MALFORMED_MEDIA = 69
    TOO_MANY_STREAMS = 70
    UNSYNCHRONISED_TAG = 71

    @classmethod
    def _missing_(cls, value: object) -> Optional[Status]:
        # A later library may have more.
        if not isinstance(value, int):
            return None
        status = int.__new__(cls, value)
        status._name_, status._value_ = f"STATUS_{value}", value
        return status


# Answers that are no failures.
NOT_FOUND = 1
NEEDS_MORE = 2
TOO_SMALL = 5


class SurtitleError(Exception):
    """What the library refuses.

    Its text has the field, the reason and the position. `position` is a byte of the file, and None if it is about none.
    """

    def __init__(self, status: int, reason: str, field: Optional[str] = None, index: Optional[int] = None, position: Optional[int] = None) -> None:
        super().__init__((f"{field}: " if field else "") + reason + ("" if position is None else f", at byte {position}"))
        self.status = Status(status)
        self.reason = reason
        self.field = field
        """Which value is wrong, as `tracks[2].language`."""
        self.index = index
        """Of the track, edit or segment, from 0."""
        self.position = position
        self.output: Optional[bytes] = None
        """With LIMIT_EXCEEDED of a rewriter: what came out all the same, unedited from the line on that exceeded the limit."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.status, self.reason, self.field, self.index, self.position), self.__dict__


class Error(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("status", c_int32), ("message_count", c_int32), ("index", c_int64), ("position", c_int64),
                ("field", c_char * 96), ("message", c_char * 256)]


class Piece(ctypes.Structure):
    _fields_ = [("bytes", c_void_p), ("count", c_size_t), ("chunk_offset", c_int64)]


class Report(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("verdict", c_int32), ("is_settled", c_int32), ("verdict_position", c_int64), ("held_bytes", c_uint64),
                ("output_left", c_uint64), ("added_bytes", c_uint64), ("uneditable_lines", c_uint64), ("first_uneditable_line", c_int64),
                ("mapped_uris", c_uint64), ("dropped_variants", c_uint64), ("exceeded_limit", c_int32), ("reserved", c_int32),
                ("limit_position", c_int64)]


class PlaylistEntry(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("uri", c_char_p), ("uri_count", c_size_t), ("duration_nanoseconds", c_uint64), ("is_discontinuous", c_int32),
                ("reserved", c_int32)]


class Cue(ctypes.Structure):
    _fields_ = [("start_milliseconds", c_int64), ("end_milliseconds", c_int64), ("position", c_uint64), ("identifier", c_void_p),
                ("identifier_count", c_size_t), ("settings", c_void_p), ("settings_count", c_size_t), ("text", c_void_p), ("text_count", c_size_t)]


class SegmentSettings(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("step", c_uint64), ("end", c_uint64), ("durations", POINTER(c_uint64)), ("duration_count", c_size_t),
                ("has_map", c_int32), ("cues_once", c_int32), ("mpegts", c_uint64), ("local_milliseconds", c_int64)]


class Segment(ctypes.Structure):
    _fields_ = [("bytes", c_void_p), ("count", c_size_t), ("start_nanoseconds", c_uint64), ("duration_nanoseconds", c_uint64),
                ("cue_count", c_uint64)]


class SegmentEvent(ctypes.Structure):
    _fields_ = [("kind", c_int32), ("reserved", c_int32), ("index", c_uint64), ("bytes", c_void_p), ("count", c_size_t), ("chunk_offset", c_int64),
                ("start_nanoseconds", c_uint64), ("duration_nanoseconds", c_uint64), ("cue_count", c_uint64)]


def _open() -> ctypes.CDLL:
    """The library that SURTITLE_LIBRARY names, or the one that came with the wheel, or the system's."""
    beside = Path(__file__).with_name(SONAME)
    named = os.environ.get("SURTITLE_LIBRARY")
    try:
        return ctypes.CDLL(named or (str(beside) if beside.exists() else SONAME))
    except OSError as error:
        raise ImportError(f"{error}; install libsurtitle, or name it in SURTITLE_LIBRARY") from error


library = _open()

_bytes_in = (c_char_p, c_size_t)
_array_out = (c_void_p, POINTER(c_size_t))
_SIGNATURES: dict[str, tuple[Any, ...]] = {
    "configuration_create_json": (*_bytes_in, c_void_p, POINTER(Error)),
    "configuration_fingerprint": (c_void_p, POINTER(c_uint64)),
    "rewriter_create": (c_void_p, c_void_p, c_void_p),
    "rewriter_write": (c_void_p, *_bytes_in, *_array_out),
    "rewriter_finish": (c_void_p, *_array_out),
    "rewriter_abandon": (c_void_p, *_array_out),
    "rewriter_reset": (c_void_p,),
    "rewriter_report": (c_void_p, POINTER(Report)),
    "final_cue_end": (*_bytes_in, POINTER(c_int64)),
    "latest_cue_end": (*_bytes_in, POINTER(c_int64)),
    "cue_scanner_create": (c_size_t, c_void_p),
    "cue_scanner_write": (c_void_p, *_bytes_in, *_array_out),
    "cue_scanner_finish": (c_void_p, *_array_out),
    "subtitle_playlist": (POINTER(PlaylistEntry), c_size_t, c_uint32, c_void_p, c_size_t, POINTER(c_size_t), POINTER(Error)),
    "format_of": (*_bytes_in, POINTER(c_int32)),
    "to_webvtt": (c_int32, *_bytes_in, c_void_p, c_size_t, POINTER(c_size_t), POINTER(Error)),
    "timestamp_mapper_create": (c_uint64, c_int64, c_void_p),
    "timestamp_mapper_write": (c_void_p, *_bytes_in, *_array_out),
    "timestamp_mapper_finish": (c_void_p, *_array_out),
    "segmenter_create": (POINTER(SegmentSettings), c_void_p),
    "segmenter_cut": (c_void_p, *_bytes_in, *_array_out, POINTER(Error)),
    "segmenter_write": (c_void_p, *_bytes_in, *_array_out, POINTER(Error)),
    "segmenter_finish": (c_void_p, *_array_out, POINTER(Error)),
    "media_scanner_create": (c_void_p,),
    "media_scanner_write": (c_void_p, *_bytes_in, POINTER(c_uint64)),
    "media_scanner_finish": (c_void_p, POINTER(c_uint64)),
}
for _name, _arguments in _SIGNATURES.items():
    getattr(library, f"surtitle_{_name}").argtypes = _arguments
for _name in "configuration", "rewriter", "cue_scanner", "timestamp_mapper", "segmenter", "media_scanner":
    _destroy = getattr(library, f"surtitle_{_name}_destroy")
    _destroy.argtypes, _destroy.restype = (c_void_p,), None
library.surtitle_status_text.argtypes, library.surtitle_status_text.restype = (c_int,), c_char_p
library.surtitle_version_text.restype = c_char_p


def version() -> str:
    return str(library.surtitle_version_text().decode())


def failure(status: int, error: Optional[Error] = None) -> SurtitleError:
    # A failure of misuse is told by its status alone.
    if error is None or error.status != status:
        return SurtitleError(status, library.surtitle_status_text(status).decode())
    return SurtitleError(status, error.message.decode(errors="replace"), error.field.decode(errors="replace") or None,
                         None if error.index < 0 else error.index, None if error.position < 0 else error.position)


def call(name: str, *arguments: Any) -> int:
    """Calls a function, and returns its status, failures too."""
    return int(getattr(library, f"surtitle_{name}")(*arguments))


def check(name: str, *arguments: Any) -> int:
    """Calls a function, and returns its status if that is no failure."""
    status = call(name, *arguments)
    if status >= Status.NULL_ARGUMENT:
        raise failure(status)
    return status


def check_telling(name: str, *arguments: Any) -> int:
    """The same for a function whose last argument is a surtitle_error."""
    error = Error(size=ctypes.sizeof(Error))
    status = call(name, *arguments, byref(error))
    if status >= Status.NULL_ARGUMENT:
        raise failure(status, error)
    return status


def given(value: Bytes) -> tuple[bytes, int]:
    """The pointer and the count of bytes that go in."""
    if not isinstance(value, bytes):
        value = bytes(memoryview(value))  # bytes() alone makes zeros of a number
    return value, len(value)


def copied(address: Optional[int], count: int) -> bytes:
    """What is there."""
    return ctypes.string_at(address, count) if address and count else b""


Element = TypeVar("Element", bound=ctypes.Structure)


class Array:
    """A place for an array that a call hands out."""

    def __init__(self, element: Type[ctypes.Structure]) -> None:
        self._start, self._count = POINTER(element)(), c_size_t()

    @property
    def place(self) -> tuple[Any, Any]:
        return byref(self._start), byref(self._count)

    def elements(self) -> list[Any]:
        return self._start[:self._count.value]

    def joined(self) -> bytes:
        """The bytes of all pieces."""
        return b"".join(copied(piece.bytes, piece.count) for piece in self.elements())


Self = TypeVar("Self", bound="Handle")


class Handle:
    """Something of the library's: destroyed by `close()`, at the end of a `with`, or when nobody has it any more."""

    def __init__(self, kind: str, *arguments: Any, is_telling: bool = False, creator: str = "create") -> None:
        place = c_void_p()
        (check_telling if is_telling else check)(f"{kind}_{creator}", *arguments, byref(place))
        self._address = place.value
        self._destroyed = weakref.finalize(self, getattr(library, f"surtitle_{kind}_destroy"), place.value)
        # At the end of the process daemon threads may still be in a call.
        self._destroyed.atexit = False

    @property
    def address(self) -> int:
        if self._address is None:
            raise ValueError(f"this {type(self).__name__} has been closed")
        return self._address

    def close(self) -> None:
        """Gives back what it holds; a second time nothing happens. No call on it may be running in another thread."""
        self._address = None
        self._destroyed()

    def __reduce__(self) -> NoReturn:
        # The address would go along, and to another process.
        raise TypeError(f"a {type(self).__name__} can be neither copied nor pickled; make another")

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]) -> None:
        self.close()
