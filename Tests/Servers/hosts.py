"""Varnish and Apache httpd with the examples in them: temporary folders, ports of the loopback interface."""

import contextlib
import os
import pathlib
import socket
import subprocess
import time

from server import Server, free_port

VCL = """
vcl 4.1;
import surtitle from "@module@";

backend origin { .host = "127.0.0.1"; .port = "@origin@"; }

sub vcl_init {
    new tracks = surtitle.tracks("@folder@/tracks.json");
}
sub vcl_recv {
    tracks.request();
}
sub vcl_backend_response {
    if (beresp.http.Content-Type ~ "(?i)mpegurl") { set beresp.do_gunzip = true; }
}
sub vcl_deliver {
    if (tracks.response()) { set resp.filters = "surtitle"; }
}
"""

HTTPD = """
ServerRoot @folder@
ServerName localhost
Listen 127.0.0.1:@port@
PidFile @folder@/httpd.pid
ErrorLog @folder@/error.log
LogLevel warn
Mutex file:@folder@ default
@user@
LoadModule mpm_event_module @modules@/mod_mpm_event.so
LoadModule authz_core_module @modules@/mod_authz_core.so
LoadModule alias_module @modules@/mod_alias.so
LoadModule mime_module @modules@/mod_mime.so
LoadModule filter_module @modules@/mod_filter.so
LoadModule deflate_module @modules@/mod_deflate.so
LoadModule proxy_module @modules@/mod_proxy.so
LoadModule proxy_http_module @modules@/mod_proxy_http.so
LoadModule surtitle_module @module@

TypesConfig /dev/null
AddType application/vnd.apple.mpegurl .m3u8
DocumentRoot @files@
KeepAlive On
MaxKeepAliveRequests 0

Alias /static/ @files@/
ProxyPass /gzip/ http://127.0.0.1:@origin@/
ProxyPass /off/ http://127.0.0.1:@origin@/
ProxyPass /static/ !
ProxyPass / http://127.0.0.1:@origin@/

<Location />
    SurtitleTracks @folder@/tracks.json
</Location>
<Location /gzip/>
    AddOutputFilterByType DEFLATE application/vnd.apple.mpegurl
</Location>
<Directory @files@>
    Require all granted
</Directory>
"""

TRACKS = """{
    "tracks": [
        {"uri": "subs/en.m3u8", "language": "en", "name": "English", "default": true},
        {"uri": "subs/sv.m3u8", "language": "sv", "name": "Svenska"}
    ]
}
"""


class Host(Server):
    """A server in a folder of its own."""

    def __init__(self, folder, module, origin, files):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir()
        self.port = free_port()
        (self.folder / "tracks.json").write_text(TRACKS)
        self.values = {
            "module": module, "origin": origin.port, "files": files, "folder": folder, "port": self.port,
            "user": "User www-data\nGroup www-data" if os.geteuid() == 0 else "", "modules": "/usr/lib/apache2/modules",
        }

    def write(self, name, text):
        for key, value in self.values.items():
            text = text.replace(f"@{key}@", str(value))
        (self.folder / name).write_text(text)
        return str(self.folder / name)

    @contextlib.contextmanager
    def running(self):
        output = self.folder / "output"
        with open(output, "w") as file:
            process = subprocess.Popen(self.command(), stdout=file, stderr=file)
        try:
            self.wait(process, output)
            yield self
        finally:
            process.terminate()
            self.status = process.wait(60)

    def wait(self, process, output, timeout=60):
        """Waits until it listens; `output` is the file with what it says."""
        end = time.monotonic() + timeout
        while time.monotonic() < end and process.poll() is None:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise RuntimeError(f"{self.name} does not serve:\n" + output.read_text(errors="replace"))


class Varnish(Host):
    name = "Varnish"
    crash = "Panic"

    def command(self):
        return ["varnishd", "-F", "-a", f"127.0.0.1:{self.port}", "-T", "none", "-n", str(self.folder / "work"), "-s", "malloc,256m",
                "-f", self.write("default.vcl", VCL)]

    def log(self):
        return (self.folder / "output").read_text(errors="replace")


class Apache(Host):
    name = "Apache"
    crash = "exit signal"

    def command(self):
        return ["apache2", "-D", "FOREGROUND", "-f", self.write("httpd.conf", HTTPD)]

    def log(self):
        return self.log_of("output") + self.log_of("error.log")

    def log_of(self, name):
        return (self.folder / name).read_text(errors="replace") if (self.folder / name).exists() else ""
