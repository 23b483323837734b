"""surtitle-proxy of Sources/NIOProxy, on a free port of the loopback interface."""

import selectors
import signal
import subprocess
import time
import urllib.parse

from server import Server


class SurtitleProxy(Server):
    """The proxy before an origin, until the `with` block ends. Requests may have any Host, unless `url` is none or another."""

    def __init__(self, command, log, *arguments, listen="127.0.0.1:0", url="host", files=None):
        """`files` is how many descriptors it has at most."""
        self.log_path = log
        self.files = files
        self.port = int(listen.rpartition(":")[2])
        self.arguments = [command, "--listen", listen, *(("--url", url) if url else ()), *arguments]

    def __enter__(self):
        with open(self.log_path, "wb") as log:
            limit = ("prlimit", f"--nofile={self.files}") if self.files else ()
            self.process = subprocess.Popen([*limit, *self.arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log)
        with selectors.DefaultSelector() as ready:
            ready.register(self.process.stdout, selectors.EVENT_READ)
            line = self.process.stdout.readline() if ready.select(20) else b""
        self.entry = line.decode().strip()
        self.port = self.port or urllib.parse.urlsplit(self.entry).port
        if not self.entry:
            self.__exit__()
            raise RuntimeError("the proxy does not serve:\n" + self.log())
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()
        self.process.stdout.close()

    def stop(self, timeout=60):
        """Ends the proxy in good order; its status."""
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None

    def log(self):
        return self.log_path.read_text(errors="replace")

    def line(self, path):
        """The last line of the log for that path, which is written a while later."""
        return self.wait_for(lambda: [line for line in self.log().splitlines() if line.split(" ")[1:2] == [path]])[-1]

    def metric(self, name):
        """A value of the metrics."""
        lines = self.curl("/.surtitle/metrics").body.decode().splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(f"surtitle_{name} "))

    def wait_for(self, found, seconds=10):
        """What `found` gives, once it gives something."""
        end = time.monotonic() + seconds
        while not (what := found()):
            if time.monotonic() > end:
                raise RuntimeError("in vain")
            time.sleep(0.05)
        return what
