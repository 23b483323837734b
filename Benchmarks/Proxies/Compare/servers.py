"""The servers that are compared: nginx before files and before another nginx, and surtitle-proxy before that."""

import os
import pathlib
import socket
import subprocess
import time
import urllib.request

TRACKS = ("uri=/subs/en.m3u8,language=en,name=English,default", "uri=/subs/sv.m3u8,language=sv,name=Svenska")
# The same, as they come to stand at the end of a playlist.
TAGS = (
    '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="English",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="/subs/en.m3u8"',
    '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="Svenska",LANGUAGE="sv",DEFAULT=NO,AUTOSELECT=YES,URI="/subs/sv.m3u8"',
)
HEAD = """
{load_module}
daemon off;
master_process off;
pid {folder}/{name}.pid;
error_log {folder}/{name}.log warn;
events {{ worker_connections 4096; }}
http {{
    types {{ application/vnd.apple.mpegurl m3u8; }}
    access_log off;
    sendfile on;
    keepalive_requests 100000000;
    keepalive_timeout 1h;
    client_body_temp_path {folder}/{name}-body;
    proxy_temp_path {folder}/{name}-proxy;
    fastcgi_temp_path {folder}/{name}-fastcgi;
    uwsgi_temp_path {folder}/{name}-uwsgi;
    scgi_temp_path {folder}/{name}-scgi;
"""

ORIGIN = """
    server {{ listen 127.0.0.1:{port}; root {folder}/files; }}
}}
"""

PROXY = """
    surtitle_track uri=/subs/en.m3u8 language=en name=English default;
    surtitle_track uri=/subs/sv.m3u8 language=sv name=Svenska;
    upstream origin {{ server 127.0.0.1:{origin}; keepalive 64; }}
    server {{
        listen 127.0.0.1:{port};
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        location /files/pass/ {{ alias {folder}/files/; }}
        location /files/copied/ {{ alias {folder}/files/; sendfile off; }}
        location /files/module/ {{ alias {folder}/files/; surtitle on; }}
        location /files/uncached/ {{ alias {folder}/files/; surtitle on; surtitle_cache 0; }}
        location /files/sub_filter/ {{ alias {folder}/files/; sendfile off; {sub_filter} }}
        location /proxied/pass/ {{ proxy_pass http://origin/; }}
        location /proxied/module/ {{ proxy_pass http://origin/; surtitle on; }}
        location /proxied/sub_filter/ {{ proxy_pass http://origin/; sendfile off; {sub_filter} }}
        location /tuned/ {{
            proxy_buffer_size 64k;
            proxy_buffers 16 64k;
            proxy_busy_buffers_size 128k;
            proxy_max_temp_file_size 0;
            location /tuned/pass/ {{ proxy_pass http://origin/; }}
            location /tuned/module/ {{ proxy_pass http://origin/; surtitle on; surtitle_buffers 4 256k; }}
        }}
    }}
}}
"""

# What comes nearest to what the module does: an attribute in each line, and the tags once. With sendfile on it would be slower than it has to be.
SUB_FILTER = (
    "sub_filter_types application/vnd.apple.mpegurl; sub_filter_once off; "
    "sub_filter '#EXT-X-STREAM-INF:' '#EXT-X-STREAM-INF:SUBTITLES=\"subs\",'; "
    "sub_filter '#EXTM3U' '#EXTM3U\n" + "\n".join(TAGS) + "';"
)


def sideloaded(text):
    """The playlist with the tracks in it."""
    lines = [line + ',SUBTITLES="subs"' if line.startswith("#EXT-X-STREAM-INF:") else line for line in text.splitlines()]
    return "\n".join([*lines, *TAGS]) + "\n"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def cpu_seconds(pid):
    """The CPU time of all threads of a process, by the scheduler's nanoseconds."""
    return sum(int(path.read_text().split()[0]) for path in pathlib.Path(f"/proc/{pid}/task").glob("*/schedstat")) / 1e9


def resident_bytes(pid):
    """The memory of a process that is not another's too."""
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) * 1024
    return 0


def writes(pid):
    """How often a process has asked the system to write: write, writev, sendfile."""
    fields = dict(line.split(": ") for line in pathlib.Path(f"/proc/{pid}/io").read_text().splitlines())
    return int(fields["syscw"])


class Server:
    """A process that listens on a port of the loopback interface, until `stop`."""

    def __init__(self, folder, name):
        self.folder, self.name, self.port = pathlib.Path(folder), name, free_port()

    def start(self, command):
        with open(self.folder / f"{self.name}.out", "w") as output:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        end = time.monotonic() + 20
        while time.monotonic() < end and self.process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return self
            time.sleep(0.05)
        self.stop()
        raise RuntimeError(f"{self.name} does not serve:\n" + (self.folder / f"{self.name}.out").read_text())

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def get(self, path):
        with urllib.request.urlopen(self.url(path), timeout=60) as response:
            return response.read().decode()


def start_nginx(folder, name, body, **values):
    server = Server(folder, name)
    values = {"load_module": "", "sub_filter": SUB_FILTER, **values, "folder": folder, "name": name, "port": server.port}
    path = pathlib.Path(folder, f"{name}.conf")
    path.write_text((HEAD + body).format(**values))
    return server.start(["nginx", "-p", str(folder), "-c", str(path), "-e", f"{folder}/{name}.start"])


def start_nio(folder, name, command, origin, *arguments):
    server = Server(folder, name)
    return server.start([command, "--quiet", "--threads", "1", "--origin", origin.url(""), "--listen", f"127.0.0.1:{server.port}", *arguments])


def tracks_options():
    """The tracks as options of surtitle-proxy."""
    return [argument for track in TRACKS for argument in ("--track", track)]


def start_all(folder, module, proxy, running):
    """Starts them into `running`, by name; without surtitle-proxy if there is none."""
    os.chmod(folder, 0o755)
    running["origin"] = start_nginx(folder, "origin", ORIGIN)
    running["nginx"] = start_nginx(
        folder, "nginx", PROXY, load_module=f"load_module {module};", origin=running["origin"].port)
    if proxy:
        running["nio-pass"] = start_nio(folder, "nio-pass", proxy, running["origin"], "--pass")
        running["nio"] = start_nio(folder, "nio", proxy, running["origin"], *tracks_options())
