"""When the first byte of a media playlist comes that its origin sends little by little: with tracks not later than in passing."""

import http.client
import socket
import threading
import time

from servers import PROXY, start_nginx, start_nio, tracks_options

# How many bytes there are at each stage, and seconds between two.
STAGES, PAUSE = (600, 2_000, 6_000, 20_000, 70_000), 0.15


class StagedOrigin:
    """Answers every request with one playlist, stage by stage."""

    def __init__(self, text):
        self.data = text.encode()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

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
            request = connection.makefile("rb")
            while request.readline().strip():
                while request.readline().strip():
                    pass
                head = f"HTTP/1.1 200 OK\r\nContent-Type: application/vnd.apple.mpegurl\r\nContent-Length: {len(self.data)}\r\n\r\n"
                connection.sendall(head.encode())
                begin = 0
                for end in (*STAGES, len(self.data)):
                    connection.sendall(self.data[begin:end])
                    begin = end
                    if end < len(self.data):
                        time.sleep(PAUSE)


def stage(server, path):
    """At which stage the first byte of the body has come."""
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    connection.request("GET", path)
    response = connection.getresponse()
    response.read(1)
    passed = time.monotonic() - began
    response.read()
    connection.close()
    return int(passed / PAUSE)


def check(folder, module, proxy, text):
    """What is wrong: where the first byte comes at a later stage than in passing."""
    origin = StagedOrigin(text)
    running = []
    try:
        nginx = start_nginx(folder, "staged-nginx", PROXY, load_module=f"load_module {module};", origin=origin.port)
        running.append(nginx)
        pairs = [(f"nginx, {kind}", (nginx, f"/{kind}/pass/media.m3u8"), (nginx, f"/{kind}/module/media.m3u8")) for kind in ("proxied", "tuned")]
        if proxy:
            passing = start_nio(folder, "staged-pass", proxy, origin, "--pass")
            running.append(passing)
            edited = start_nio(folder, "staged-nio", proxy, origin, *tracks_options())
            running.append(edited)
            pairs.append(("SwiftNIO", (passing, "/media.m3u8"), (edited, "/media.m3u8")))
        wrong = []
        for name, passing, edited in pairs:
            # A busy machine makes a stage late at times, and never early.
            stages = [min(stage(*way) for _ in range(3)) for way in (passing, edited)]
            print(f"{name}: a media playlist's first byte at stage {stages[1]}, in passing {stages[0]}")
            if stages[1] > stages[0]:
                wrong.append(f"{name}: a media playlist's first byte comes later than in passing")
        return wrong
    finally:
        for server in (*running, origin):
            server.stop()
