"""surtitle-proxy of Sources/NIOProxy, which answers below a base by the router alone."""

import http.client
import json
import selectors
import socket
import subprocess
from typing import NamedTuple

import players


def free_port():
    """A port on loopback that nobody has at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Answer(NamedTuple):
    """What came for one request; names of fields are in lower case."""

    status: int
    fields: dict
    body: bytes


class Proxy:
    """Serves by a configuration, to which a base is added, until the `with` block ends."""

    def __init__(self, command, file, configuration):
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}/"
        # Pages of another port load the streams.
        self._arguments = [command, "--config", str(file), "--cors", "*"]
        self._log = file.with_suffix(".log")
        file.write_text(json.dumps(configuration | {"base": self.base}))

    def __enter__(self):
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(self._arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
        with selectors.DefaultSelector() as ready:
            ready.register(self._process.stdout, selectors.EVENT_READ)
            line = self._process.stdout.readline() if ready.select(20) else b""
        self.entry = line.decode().strip()
        if not self.entry.startswith(self.base):
            self.__exit__()
            raise players.PlayerFailure(f"the proxy does not serve: {self._log.read_text()}")
        return self

    def __exit__(self, *_):
        """Asks the proxy to end; `status` is how it ended."""
        self._process.terminate()
        try:
            self.status = self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self.status = self._process.wait()
        self._process.stdout.close()

    @classmethod
    def before(cls, command, file, origin, configuration):
        """One before all of an origin, `origin` being the URL of the playlist that players begin with."""
        proxy = cls(command, file, configuration)
        proxy._arguments += ["--origin", origin, "--listen", f"127.0.0.1:{proxy.port}"]
        file.write_text(json.dumps(configuration))
        return proxy

    @property
    def plans(self):
        """What it said that it planned, a line a request."""
        return self._log.read_text()

    def ask(self, path, method="GET", **fields):
        """The answer to one request, redirects not followed; `fields` are header fields."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            connection.request(method, path, headers=fields)
            response = connection.getresponse()
            body = response.read()
            return Answer(response.status, {name.lower(): value for name, value in response.getheaders()}, body)
        finally:
            connection.close()
