"""Origins that no file server is: one that says nothing, one that counts, one behind TLS."""

import contextlib
import re
import socket
import ssl
import subprocess
import threading
import time


class Listener:
    """Calls `serve(connection)` in a thread for each connection, until the `with` block ends."""

    def __init__(self, serve, context=None):
        self.serve, self.context = serve, context
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.socket.getsockname()[1]

    def __enter__(self):
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _accept(self):
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                threading.Thread(target=self._run, args=(connection,), daemon=True).start()

    def _run(self, connection):
        with contextlib.suppress(OSError):
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            with connection:
                self.serve(connection)


def read_head(file):
    """The lines of a request's head; none at the end of the connection."""
    lines = []
    while (line := file.readline().strip()):
        lines.append(line.decode("latin-1"))
    return lines


class Silent(Listener):
    """Takes requests and never answers; `gone` is set once a client has left."""

    def __init__(self):
        self.asked, self.gone = threading.Event(), threading.Event()
        super().__init__(self._wait)

    def _wait(self, connection):
        file = connection.makefile("rb")
        read_head(file)
        self.asked.set()
        with contextlib.suppress(OSError):
            file.read(1)
        self.gone.set()


class Slow(Listener):
    """Sends so many bytes, a part at a time, and notes how many have left."""

    def __init__(self, count, pause=0.0):
        self.count, self.pause, self.sent = count, pause, 0
        self.gone = threading.Event()
        super().__init__(self._send)

    def _send(self, connection):
        read_head(connection.makefile("rb"))
        connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: video/mp2t\r\nContent-Length: {self.count}\r\n\r\n".encode())
        try:
            while self.sent < self.count:
                connection.sendall(b"x" * min(10_000, self.count - self.sent))
                self.sent += min(10_000, self.count - self.sent)
                time.sleep(self.pause)
        finally:
            self.gone.set()


class Echo(Listener):
    """Answers with the lines of the head, and how many bytes of a body came; each request is noted, and on which connection."""

    def __init__(self, context=None, close_after=None):
        self.requests, self.close_after = [], close_after
        super().__init__(self._answer, context)

    def _answer(self, connection):
        file = connection.makefile("rb")
        count = 0
        while (head := read_head(file)):
            count += 1
            fields = dict(line.lower().split(": ", 1) for line in head[1:])
            self.requests.append((id(connection), head))
            if "expect" in fields:
                return
            length = len(file.read(int(fields["content-length"]))) if "content-length" in fields else self._chunks(file, fields)
            body = "\n".join(head).encode() + b"\n%d" % length
            connection.sendall(
                b"HTTP/1.1 200 OK\r\nConnection: keep-alive, X-Hop\r\nKeep-Alive: 5\r\nX-Hop: a\r\nX-End: b\r\n"
                b"Proxy-Authenticate: c\r\nVia: 1.0 before\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
            if count == self.close_after:
                return

    @staticmethod
    def _chunks(file, fields):
        if "transfer-encoding" not in fields:
            return 0
        length = 0
        while (size := int(file.readline(), 16)):
            length += len(file.read(size))
            file.readline()
        file.readline()
        return length


class Scripted(Listener):
    """Answers each path with the bytes that are written for it, and pauses where a number stands. The connection stays open."""

    def __init__(self, answers):
        self.answers = answers
        super().__init__(self._answer)

    def _answer(self, connection):
        file = connection.makefile("rb")
        while (head := read_head(file)):
            for step in self.answers[head[0].split(" ")[1]]:
                if isinstance(step, bytes):
                    connection.sendall(step)
                else:
                    time.sleep(step)


def certificate(folder):
    """A context for a server on 127.0.0.1, and the file of who has signed its certificate."""
    key, file = folder / "key.pem", folder / "certificate.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", file, "-days", "2", "-subj", "/CN=origin",
         "-addext", "subjectAltName=IP:127.0.0.1"], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file, key)
    return context, file


def status_of(text):
    """The status of a response in bytes; 0 if there is none."""
    found = re.match(rb"HTTP/1\.[01] (\d+)", text)
    return int(found[1]) if found else 0
