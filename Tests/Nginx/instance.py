"""An nginx of its own: a temporary prefix, ports of the loopback interface, and the module."""

import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

from server import Server, free_port

HEAD = """
load_module {module};
daemon off;
master_process {master};
worker_processes 2;
pid {prefix}/nginx.pid;
error_log {prefix}/error.log info;
{user}
events {{ worker_connections 512; }}
http {{
    types {{ application/vnd.apple.mpegurl m3u8; text/vtt vtt; text/html html; video/mp2t ts; }}
    default_type application/octet-stream;
    log_format check '$request_uri $status $surtitle_action $surtitle_reason $surtitle_verdict '
                     '$surtitle_uneditable_lines $surtitle_added_bytes "$http_range" "$http_accept_encoding"';
    access_log {prefix}/access.log check;
    client_body_temp_path {prefix}/body;
    proxy_temp_path {prefix}/proxy;
    fastcgi_temp_path {prefix}/fastcgi;
    uwsgi_temp_path {prefix}/uwsgi;
    scgi_temp_path {prefix}/scgi;
    proxy_cache_path {prefix}/cache keys_zone=cache:1m;
    proxy_http_version 1.1;
    proxy_set_header Connection "";
    keepalive_requests 100000;
    upstream origin {{ server 127.0.0.1:{origin}; keepalive 32; }}
"""

USER = "user root;" if os.geteuid() == 0 else ""


class Nginx(Server):
    def __init__(self, prefix, module, origin_port, servers, *, wrapper=(), master=True):
        self.prefix = pathlib.Path(prefix)
        self.port, self.port2, self.port3 = free_port(), free_port(), free_port()
        self.values = {
            "module": module, "prefix": prefix, "origin": origin_port, "user": USER, "port": self.port, "port2": self.port2, "port3": self.port3,
            "master": "on" if master else "off",
        }
        self.wrapper = wrapper
        self.process = None
        self.write(servers)

    @property
    def path(self):
        return self.prefix / "nginx.conf"

    def write(self, servers):
        """Writes the configuration: what is inside `http`, with its ports and paths by name, as @port@."""
        for name, value in self.values.items():
            servers = servers.replace(f"@{name}@", str(value))
        self.path.write_text(HEAD.format(**self.values) + servers + "}\n")

    def command(self, *arguments, path=None):
        return ["nginx", "-p", str(self.prefix), "-c", str(path or self.path), "-e", str(self.prefix / "error.log"), *arguments]

    def complaint(self, path=None):
        """What `nginx -t` says of the configuration, or of the one in another file; empty if it is fine."""
        run = subprocess.run(self.command("-t", path=path), capture_output=True, text=True, timeout=60)
        return "" if run.returncode == 0 else run.stderr

    def start(self, timeout=60):
        with open(self.prefix / "output", "w") as output:
            self.process = subprocess.Popen([*self.wrapper, *self.command()], stdout=output, stderr=output)
        self.wait(timeout)
        return self

    def wait(self, timeout=60):
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError("nginx has ended:\n" + (self.prefix / "output").read_text())
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError("nginx does not answer")

    def reload(self):
        """Makes the master read the configuration again, and waits for the workers that have it."""
        def counts():
            log = self.log()
            return [len(re.findall(r"start worker process \d", log)), log.count("gracefully shutting down")]

        end = time.monotonic() + 20
        while counts()[0] < 2 and time.monotonic() < end:
            time.sleep(0.05)
        wanted = [count + 2 for count in counts()]
        self.process.send_signal(signal.SIGHUP)
        while any(count < least for count, least in zip(counts(), wanted)):
            if time.monotonic() > end:
                raise RuntimeError("nginx does not reload:\n" + self.log()[-2000:])
            time.sleep(0.05)

    def workers(self):
        """The numbers of its processes that answer: without a master itself."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children")
        return children.read_text().split() or [str(self.process.pid)]

    def stop(self, timeout=60):
        """Ends nginx in good order; its status."""
        self.process.send_signal(signal.SIGQUIT)
        try:
            return self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None

    @contextlib.contextmanager
    def running(self):
        self.start()
        try:
            yield self
        finally:
            if self.process.poll() is None:
                self.stop()

    def log(self):
        return (self.prefix / "error.log").read_text(errors="replace") if (self.prefix / "error.log").exists() else ""

    def raw(self, line, *fields, body=b""):
        """All bytes that come for a request."""
        head = "\r\n".join([line, "Host: a", "Connection: close", *fields, "", ""])
        text = bytearray()
        with self.connect(head.encode() + body) as connection:
            while (part := connection.recv(1 << 16)):
                text += part
        return bytes(text)

    def wrong_lines(self, *more):
        """What no log may have: crashes, a call of the system's that has failed where none has been made, and what else has these words."""
        words = ("[alert]", "exited on signal", "(1: Operation not permitted)", *more)
        return [line for line in self.log().splitlines() if any(word in line for word in words)]

    def access(self, path):
        """The last line of the access log for that path, which is written after the response has gone."""
        for _ in range(100):
            lines = [line for line in (self.prefix / "access.log").read_text().splitlines() if line.split(" ")[0] == path]
            if lines:
                return lines[-1]
            time.sleep(0.02)
        return ""
