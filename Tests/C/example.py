"""Puts subtitle tracks into a multivariant playlist, from Python: example.py LIBRARY PLAYLIST > OUTPUT

A call from Python costs more than the rewriting, so there is one for the whole playlist.
"""
import ctypes
import json
import sys


class Error(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t), ("status", ctypes.c_int32), ("message_count", ctypes.c_int32), ("index", ctypes.c_int64),
        ("position", ctypes.c_int64), ("field", ctypes.c_char * 96), ("message", ctypes.c_char * 256),
    ]


class Surtitle:
    """The tracks of one configuration, and a rewriter for them. For one thread at a time."""

    TOO_SMALL = 5

    def __init__(self, path, configuration):
        self._library = ctypes.CDLL(path)
        self._library.surtitle_status_text.restype = ctypes.c_char_p
        for name in "surtitle_configuration_destroy", "surtitle_rewriter_destroy":
            getattr(self._library, name).restype = None
        self._configuration = ctypes.c_void_p()
        self._rewriter = ctypes.c_void_p()
        text = json.dumps(configuration).encode()
        error = Error(size=ctypes.sizeof(Error))
        if self._library.surtitle_configuration_create_json(
            text, ctypes.c_size_t(len(text)), ctypes.byref(self._configuration), ctypes.byref(error)
        ):
            raise ValueError(f"{error.field.decode()}: {error.message.decode()}")
        self._check(self._library.surtitle_rewriter_create(self._configuration, None, ctypes.byref(self._rewriter)))

    def rewrite(self, playlist):
        """The bytes of a playlist with the tracks in it."""
        capacity = 2 * len(playlist) + 4096
        while True:
            memory = ctypes.create_string_buffer(capacity)
            count = ctypes.c_size_t()
            status = self._library.surtitle_rewriter_whole(
                self._rewriter, playlist, ctypes.c_size_t(len(playlist)), memory, ctypes.c_size_t(capacity),
                ctypes.byref(count))
            if status != self.TOO_SMALL:
                self._check(status)
                return memory.raw[:count.value]
            capacity = count.value

    def close(self):
        self._library.surtitle_rewriter_destroy(self._rewriter)
        self._library.surtitle_configuration_destroy(self._configuration)

    def _check(self, status):
        if status:
            raise RuntimeError(self._library.surtitle_status_text(status).decode())


if __name__ == "__main__":
    surtitle = Surtitle(sys.argv[1], {
        "tracks": [
            {"uri": "subs/en.m3u8", "language": "en", "name": "English", "default": True},
            {"uri": "subs/sv.m3u8", "language": "sv", "name": "Svenska"},
        ],
    })
    with open(sys.argv[2], "rb") as file:
        sys.stdout.buffer.write(surtitle.rewrite(file.read()))
    surtitle.close()
    try:
        Surtitle(sys.argv[1], {"tracks": [{"uri": "a.m3u8", "name": "A", "language": "not one"}]})
        sys.exit("a track with a wrong language was not refused")
    except ValueError as error:
        if "tracks[0].language" not in str(error):
            raise
