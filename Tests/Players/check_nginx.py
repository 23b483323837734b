#!/usr/bin/env python3
"""Plays in real players what nginx with the module serves: from files, and from an origin.

    Tests/Players/install.sh
    Sources/CSurtitle/install.sh PREFIX && Sources/NginxModule/build.sh PREFIX module.so
    Tests/Players/check_nginx.py --module module.so

A WebVTT and a SubRip track beside a master, both with the time stamp map that the video has; their playlists and files are nginx's too. Says
"skipped" and succeeds where a player is missing, unless CI=true.
"""

import pathlib
import shutil
import sys

sys.path[1:1] = [str(pathlib.Path(__file__).resolve().parent.parent / name) for name in ("Nginx", "Servers")]

import browser  # noqa: E402
import checking  # noqa: E402
import stream  # noqa: E402
from check_route import ENGLISH, FILES, FRENCH, check_browser, check_tracks, track  # noqa: E402
from file_server import FileServer  # noqa: E402
from instance import Nginx  # noqa: E402

SERVERS = """
    surtitle_track uri=subs/en.m3u8 language=en name=English default file=@prefix@/media/{english} map={tick};
    surtitle_track uri=subs/fr.m3u8 language=fr name=Français file=@prefix@/media/{french} map={tick};
    upstream files {{ server 127.0.0.1:@origin@; }}
    server {{
        listen 127.0.0.1:@port@;
        surtitle on;
        surtitle_serve on;
        sendfile on;
        add_header Access-Control-Allow-Origin *;
        location /files/ {{ alias @prefix@/media/; }}
        location /proxied/ {{ proxy_pass http://files/; proxy_hide_header Access-Control-Allow-Origin; }}
    }}
"""


def check(report, module, ffmpeg, scratch):
    scratch.chmod(0o755)
    media = scratch / "media"
    media.mkdir()
    stream.make_media(media)
    (media / FILES[ENGLISH]).write_bytes(stream.webvtt(ENGLISH.cues))
    (media / FILES[FRENCH]).write_bytes(stream.subrip(FRENCH.cues))
    servers = SERVERS.format(english=FILES[ENGLISH], french=FILES[FRENCH], tick=stream.first_tick(media))
    with FileServer(media) as origin:
        nginx = Nginx(str(scratch), module, int(origin.url("").rstrip("/").rpartition(":")[2]), servers)
        with nginx.running():
            urls = {way: f"http://127.0.0.1:{nginx.port}/{way}/{stream.MASTER}" for way in ("files", "proxied")}
            for way, url in urls.items():
                check_tracks(report, f"nginx, {way}", url, ffmpeg, (ENGLISH, FRENCH))
            with report.player("nginx: hls.js"):
                loaded = browser.load_with_hls_js(list(urls.values()))
                for way, url in urls.items():
                    check_browser(report, f"nginx, {way}", loaded.get(url), [track(ENGLISH, True), track(FRENCH)], ENGLISH.cues)
        if report.failures:
            print("".join((nginx.prefix / name).read_text() for name in ("access.log", "error.log")))


def missing():
    return browser.missing() or (None if shutil.which("nginx") else "nginx")


if __name__ == "__main__":
    sys.exit(checking.main(check, "Plays in real players what nginx with the module serves.", "all players agree", missing, "module"))
