"""Subtitles beside an HLS stream: puts tracks into multivariant playlists, and makes what they refer to.

    configuration = surtitle.Configuration({"tracks": [{"uri": "en.m3u8", "language": "en", "name": "English", "default": True}]})
    configuration.sideload(playlist)            # a whole playlist
    configuration.stream(chunks)                # while its bytes pass by

Times are in seconds, files are bytes. It is the C library, called by ctypes.
"""

from ._library import Bytes, Status, SurtitleError, version
from ._playlists import Configuration, Entry, Report, Rewriter, subtitle_playlist
from ._subtitles import (
    Cue,
    Cutting,
    Segment,
    TimestampMap,
    cues,
    final_cue_end,
    latest_cue_end,
    media_start,
    segments,
    stream_cues,
    stream_segments,
    to_webvtt,
    with_timestamp_map,
)
from ._times import Seconds

__version__ = version()

__all__ = [
    "Bytes", "Configuration", "Cue", "Cutting", "Entry", "Report", "Rewriter", "Seconds", "Segment", "Status", "SurtitleError", "TimestampMap",
    "cues", "final_cue_end", "latest_cue_end", "media_start", "segments", "stream_cues", "stream_segments", "subtitle_playlist", "to_webvtt",
    "version", "with_timestamp_map",
]
