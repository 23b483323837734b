"""How checks ask a server: by curl, and by sockets."""

import re
import socket
import subprocess


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Response:
    """What curl tells of a response."""

    def __init__(self, text, status_of_curl):
        self.curl = status_of_curl
        head, _, self.body = text.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split()[1]) if head else 0
        self.fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            self.fields[name.lower()] = value.strip()

    def __getitem__(self, name):
        return self.fields.get(name.lower())


class Server:
    """Something that answers at `port`."""

    def curl(self, path, *arguments, port=None, scheme="http", stdin=None):
        command = ["curl", "-sS", "-i", "--max-time", "60", "--path-as-is", *arguments, f"{scheme}://127.0.0.1:{port or self.port}{path}"]
        run = subprocess.run(command, input=stdin, capture_output=True, timeout=90)
        return Response(run.stdout, run.returncode)

    def connect(self, request, buffer=None):
        """A socket on which these bytes have been sent."""
        connection = socket.socket()
        connection.settimeout(60)
        if buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        connection.connect(("127.0.0.1", self.port))
        connection.sendall(request)
        return connection


def body_of(text):
    """The body of a whole response in bytes; None if it is not whole."""
    head, _, rest = text.partition(b"\r\n\r\n")
    length = re.search(rb"\r\ncontent-length: (\d+)", head, re.IGNORECASE)
    if length:
        return rest if len(rest) == int(length[1]) else None
    body = b""
    while True:
        size, separator, rest = rest.partition(b"\r\n")
        if not separator:
            return None
        count = int(size, 16)
        if count == 0:
            return body
        body += rest[:count]
        if len(rest) < count + 2:
            return None
        rest = rest[count + 2:]
