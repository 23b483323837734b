"""A server on loopback for files, and for answers that are made up."""

import contextlib
import functools
import http.server
import threading


class _Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {".html": "text/html", ".mjs": "text/javascript", ".css": "text/css", ".wasm": "application/wasm"}

    def __init__(self, *arguments, answers, **options):
        self.answers = answers
        super().__init__(*arguments, **options)

    def do_GET(self):
        if self.path not in self.answers:
            return super().do_GET()
        status, fields, body = self.answers[self.path]
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **fields}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *arguments):
        pass


@contextlib.contextmanager
def serve(folder, answers=()):
    """Serves a folder, and by path the answers, each a status, fields and a body: its origin, with a slash at the end."""
    handler = functools.partial(_Handler, answers=dict(answers), directory=folder)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=functools.partial(server.serve_forever, poll_interval=0.05), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
