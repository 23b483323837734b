"""A file server on the loopback interface that logs what was requested."""

import functools
import http.server
import threading


class _Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {
        ".m3u8": "application/vnd.apple.mpegurl",
        ".ts": "video/mp2t",
        ".mp4": "video/mp4",
        ".m4s": "video/mp4",
        ".vtt": "text/vtt",
        "": "application/octet-stream",
    }

    def end_headers(self):
        self.send_header("Access-Control-Allow-Origin", "*")  # pages of other ports load the streams
        super().end_headers()

    def log_request(self, code="-", size="-"):
        self.server.requests.append((self.path, int(code)))

    def log_message(self, format, *arguments):
        pass


class _Server(http.server.ThreadingHTTPServer):
    def __init__(self, folder):
        self.requests = []
        super().__init__(("127.0.0.1", 0), functools.partial(_Handler, directory=str(folder)))

    def handle_error(self, request, client_address):
        pass  # a player that has seen enough hangs up


class FileServer:
    """Serves a folder on a free port until the `with` block ends."""

    def __init__(self, folder):
        self._server = _Server(folder)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def url(self, path):
        return f"http://127.0.0.1:{self._server.server_port}/{path}"

    @property
    def requests(self):
        """(path, status) of every request so far."""
        return tuple(self._server.requests)
