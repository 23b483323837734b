"""An origin that answers as it is told: in chunks, a byte at a time, broken off, encoded.

    /HOW/FILE      the file of the folder, sent in one of the ways of `WAYS`; /o before it is what a proxy has not taken off

A tag and a time are those of the file, and If-None-Match, If-Match and Range are honoured as RFC 9110 says. What was asked is noted.
"""

import email.utils
import gzip
import hashlib
import pathlib
import random
import socket
import struct
import threading
import urllib.parse

TYPES = {".m3u8": "application/vnd.apple.mpegurl", ".vtt": "text/vtt", ".ts": "video/mp2t", ".html": "text/html"}

# How a file is sent. The number behind `torn` and `reset` is how many bytes come, that behind `fields` how many fields more.
WAYS = ("fields", "length", "chunked", "close", "slow", "typed", "untyped", "encoded", "notransform", "digest", "tornlength", "tornchunked", "reset")


class Origin:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.requests = []  # (path, {name: value}) in order
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def last(self, path):
        """The header fields of the last request for that path."""
        return next(fields for asked, fields in reversed(self.requests) if asked.partition("?")[0] == path)

    def stop(self):
        self.listener.close()

    def _accept(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        with connection:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            try:
                file = connection.makefile("rb")
                while self._answer(file, connection):
                    pass
            except OSError:
                pass

    def _answer(self, file, connection):
        """Answers a request; whether another may come."""
        line = file.readline().split()
        if len(line) != 3:
            return False
        fields = {}
        while (field := file.readline().strip()):
            name, _, value = field.decode("latin-1").partition(":")
            fields[name.lower()] = value.strip()
        target = urllib.parse.unquote(line[1].decode()).removeprefix("/o")
        self.requests.append((target, fields))
        how, _, name = target.partition("?")[0].lstrip("/").partition("/")
        return Answer(connection, line[0].decode(), how, self.folder / name, fields).send()


class Answer:
    """One response."""

    def __init__(self, connection, method, how, path, fields):
        self.connection, self.method, self.path, self.fields = connection, method, path, fields
        self.how, _, number = how.partition("-")
        self.limit = int(number) if number else None

    def send(self):
        if not self.path.is_file():
            return self.head("404 Not Found", {"Content-Length": "4"}) and self.body(b"none")
        data = self.path.read_bytes()
        tag = '"' + hashlib.sha256(data).hexdigest()[:16] + '"'
        fields = {
            "Content-Type": TYPES.get(self.path.suffix, "application/octet-stream"), "ETag": tag,
            "Last-Modified": email.utils.formatdate(self.path.stat().st_mtime, usegmt=True), "Accept-Ranges": "bytes",
        }
        if self.how == "typed":
            fields["Content-Type"] = "Audio/MPEGURL; charset=utf-8"
        if self.how == "untyped":
            fields["Content-Type"] = "application/octet-stream"
        if self.how == "fields":
            fields |= {f"X-{number}": "y" for number in range(self.limit)}
        if self.how == "notransform":
            fields["Cache-Control"] = "no-transform, max-age=1"
        if self.how == "digest":
            fields |= {"Repr-Digest": "sha-256=:AAAA:", "Content-MD5": "AAAA", "Vary": "Origin"}
        if "if-match" in self.fields and self.fields["if-match"] not in ("*", tag):
            return self.head("412 Precondition Failed", {"Content-Length": "0"})
        known = [known.strip().removeprefix("W/") for known in self.fields.get("if-none-match", "").split(",")]
        if tag in known or "*" in known:
            return self.head("304 Not Modified", {"ETag": tag, "Content-Type": fields["Content-Type"]})
        if self.how == "encoded":
            data = gzip.compress(data)
            fields["Content-Encoding"] = "gzip"
        status = "200 OK"
        if self.fields.get("range", "").startswith("bytes=") and self.how != "encoded":
            first, _, last = self.fields["range"][6:].partition("-")
            last = min(int(last), len(data) - 1)
            fields["Content-Range"] = f"bytes {first}-{last}/{len(data)}"
            data, status = data[int(first):last + 1], "206 Partial Content"
        return self.send_body(status, fields, data)

    def send_body(self, status, fields, data):
        if self.how == "close":
            self.head(status, fields, "HTTP/1.0")
            self.body(data)
            return False
        if self.how in ("chunked", "slow", "tornchunked", "reset"):
            self.head(status, fields | {"Transfer-Encoding": "chunked"})
            return self.chunks(data)
        self.head(status, fields | {"Content-Length": str(len(data))})
        if self.how == "tornlength":
            self.body(data[:self.limit])
            return False
        return self.body(data)

    def head(self, status, fields, version="HTTP/1.1"):
        lines = [f"{version} {status}", *(f"{name}: {value}" for name, value in fields.items())]
        self.connection.sendall("\r\n".join(lines).encode() + b"\r\n\r\n")
        return True

    def body(self, data):
        if self.method != "HEAD":
            self.connection.sendall(data)
        return True

    def chunks(self, data):
        if self.method == "HEAD":
            return True
        chance = random.Random(len(data))
        data = data[:self.limit]
        at = 0
        while at < len(data):
            count = 1 if self.how == "slow" else chance.choice((1, 7, 100, 3000, 20_000))
            part = data[at:at + count]
            self.connection.sendall(b"%x\r\n%s\r\n" % (len(part), part))
            at += count
        if self.how == "tornchunked":
            return False
        if self.how == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return False
        self.connection.sendall(b"0\r\n\r\n")
        return True
