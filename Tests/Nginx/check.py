#!/usr/bin/env python3
"""Checks the nginx module in an nginx of its own: check.py --module FILE --surtitle COMMAND

run.sh builds both. Each line says what holds or does not; the last one how many did not, and the seconds.
"""

import argparse
import pathlib
import re
import shutil
import signal
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Servers"))

import bodies
import headers
import kept
import live
import maps
import memory
import neighbours
import pressure
import serving
import settings
from instance import Nginx
from library import Library, Report, make_files
from origin import Origin

SERVERS = """
    surtitle_track uri=subs/en.m3u8 language=en name=English default file=@prefix@/files/sample/en.vtt;
    surtitle_track uri=subs/sv.m3u8 language=sv name=Svenska file=@prefix@/files/sample/sv.vtt map=900000;
    surtitle_tracks film {
        surtitle_track uri=film.m3u8 language=fr name=Français default;
        surtitle_replace_default on;
    }
    surtitle_tracks beside {
        surtitle_track uri=film.m3u8 language=fr name=Français default;
        surtitle_replace_default off;
    }
    surtitle_tracks one { surtitle_track uri=film.m3u8 language=fr name=Français default; surtitle_replace_default ON; }
    surtitle_tracks fr { surtitle_track uri=film.m3u8 language=fr name=Français default; surtitle_replace_default on; }
    surtitle_tracks 1 { surtitle_track uri=film.m3u8 language=fr name=Français default; surtitle_replace_default on; }
    map $cookie_subs$arg_subs$http_x_subs $chosen { film film; on on; wrong nobody; none ""; zero 0; one one; fr fr; digit 1; default off; }
    server {
        listen 127.0.0.1:@port@;
        listen 127.0.0.1:@port2@ http2;
        listen 127.0.0.1:@port3@ ssl;
        ssl_certificate @prefix@/cert.pem;
        ssl_certificate_key @prefix@/key.pem;
        surtitle on;
        sendfile on;
        root @prefix@/files;
        gzip_types application/vnd.apple.mpegurl;
        gzip_min_length 1;
        gzip_http_version 1.0;

        location /static/ { alias @prefix@/files/; }
        location /nosendfile/ { alias @prefix@/files/; sendfile off; output_buffers 1 4k; }
        location /sendfile/ { alias @prefix@/files/; sendfile on; tcp_nopush on; surtitle_cache 0; }
        location /nocache/ { alias @prefix@/files/; surtitle_cache 0; }
        location /fewkept/ { alias @prefix@/files/; surtitle_cache 300k; }
        location /exactkept/ { alias @prefix@/files/; surtitle_cache 65537; }
        location /justnotkept/ { alias @prefix@/files/; surtitle_cache 65536; }
        location /hugekept/ { alias @prefix@/files/; surtitle_cache 12m; }
        location /manykept/ { alias @prefix@/files/; surtitle_cache 64m; }
        location /limitedkept/ { alias @prefix@/files/; surtitle_limits held_renditions=1; }
        location /keptzip/ { alias @prefix@/files/; gzip on; }
        location /keptsub/ { alias @prefix@/files/; sub_filter nothing NOTHING; sub_filter_types *; }
        location /filmstatic/ { alias @prefix@/files/; surtitle film; }
        location /untyped/ { alias @prefix@/files/; sendfile on; types { } }
        location /threads/ { alias @prefix@/files/; sendfile on; aio threads; surtitle_cache 0; }
        location /small/ { alias @prefix@/files/; surtitle_buffers 2 1k; surtitle_hold_size 0; surtitle_cache 0; }
        location /o/ { proxy_pass http://origin/; surtitle_serve on; }
        location /unbuffered/ { proxy_pass http://origin/; proxy_buffering off; }
        location /smallproxy/ { proxy_pass http://origin/; surtitle_buffers 2 1k; proxy_buffers 4 4k; proxy_busy_buffers_size 8k; }
        location /cached/ { proxy_pass http://origin/; proxy_cache cache; proxy_cache_valid 200 1m; }
        location /gzip/ { proxy_pass http://origin/; gzip on; gzip_vary on; }
        location /gzipstatic/ { alias @prefix@/files/; gzip on; gzip_static on; }
        location /any/ { proxy_pass http://origin/; surtitle_paths *; }
        location /gateway/ { proxy_pass http://origin/; surtitle_ignore_no_transform on; }
        location /json/ { proxy_pass http://origin/; surtitle_config @prefix@/tracks.json; }
        location /chosen/ { proxy_pass http://origin/; surtitle $chosen; }
        location /film/ { proxy_pass http://origin/; surtitle film; }
        location /beside/ { proxy_pass http://origin/; surtitle beside; }
        location /off/ { proxy_pass http://origin/; surtitle off; }
        location /offzero/ { proxy_pass http://origin/; surtitle 0; }
        location /offempty/ { proxy_pass http://origin/; surtitle ""; }
        location /limited/ { proxy_pass http://origin/; surtitle_limits longest_line=64; }
        location /page/ { alias @prefix@/files/; ssi on; surtitle off; }
        location /auth/ { auth_request /permission; proxy_pass http://origin/; }
        location = /permission {
            internal;
            if ($http_x_refuse) { return 403; }
            proxy_pass http://origin/length/made/small.m3u8;
        }
        location /mirror/ { mirror /mirrored; proxy_pass http://origin/; }
        location = /mirrored { internal; proxy_pass http://origin/length/made/small.m3u8; }
        location /slice/ {
            slice 1k;
            proxy_pass http://origin/;
            proxy_set_header Range $slice_range;
            proxy_cache cache;
            proxy_cache_key $uri$slice_range;
            proxy_cache_valid 200 206 1m;
        }
        location /paged/ { proxy_pass http://origin/; error_page 502 = /o/length/made/small.m3u8; }
        location /namedpage/ { proxy_pass http://origin/; error_page 502 = @chunked; }
        location /filepage/ { proxy_pass http://origin/; error_page 502 /static/made/text.m3u8; }
        location /tornpage/ { proxy_pass http://origin/; error_page 502 = /o/tornchunked-1000/made/held.m3u8; }
        location @chunked { rewrite ^ /chunked/made/small.m3u8 break; proxy_pass http://origin; }
        location /refused/ { }
        location /serve/ {
            surtitle_serve on;
            surtitle_track uri=/serve/subs/film.m3u8 language=en name=Film file=@prefix@/files/made/film.srt;
            surtitle_track uri=/serve/subs/shifted.m3u8 language=sv file=@prefix@/files/made/film.srt shift=-1.4;
            surtitle_track uri=/serve/subs/wide.m3u8 language=de file=@prefix@/files/made/wide.srt;
            surtitle_track uri=/serve/subs/later.m3u8 language=fr file=@prefix@/files/sample/en.vtt shift=2m;
            surtitle_track uri=//cdn.example/serve/subs/far.m3u8 language=it file=@prefix@/files/made/film.srt;
            surtitle_track uri=HTTPS://cdn.example/serve/subs/wider.m3u8?a=/#b language=nl file=@prefix@/files/made/film.srt;
            surtitle_track uri=/serve/subs/big.m3u8 language=fi file=@prefix@/files/made/big.srt;
            surtitle_track uri=/serve/subs/bom.m3u8 language=da file=@prefix@/files/made/bom.vtt shift=+2;
            surtitle_track uri=/serve/subs/gone.m3u8 language=pl file=@prefix@/files/made/gone.vtt;
        }
        @maps@
        @levels@
        location /try/ { try_files /nothing/$uri @origin; }
        location @origin { rewrite ^/try/(.*)$ /length/$1 break; proxy_pass http://origin; }
        location /totals {
            return 200 "$surtitle_multivariant_total $surtitle_uneditable_lines_total $surtitle_bailouts_total $surtitle_abandoned_total";
        }
    }
""".replace("        @maps@\n", maps.LOCATIONS).replace("        @levels@\n", settings.locations() + serving.LOCATIONS) + maps.TWIN


def said(folder):
    """What valgrind says, but for undefined values in the library, whose functions have no names here: its fetches read the sign of a word
    that holds an enum's tag and else nothing (Tests/C/run.sh). The module's own functions have names."""
    known = re.compile(r"==\d+== (Conditional jump|Use of uninitialised)[^\n]*\n==\d+==    at 0x[0-9A-F]+: \?\?\? \(in [^)]*\.so\)")
    text = "".join(log.read_text() for log in folder.glob("valgrind-*.log"))
    return "".join(part for part in re.split(r"(?m)^==\d+== \n", text) if not known.match(part))


def check_valgrind(report, scratch, arguments, origin, library):
    """A part of all that again, in one process, under valgrind: no error, no leak."""
    if not shutil.which("valgrind"):
        print("skipped: valgrind is missing")
        return
    prefix = scratch / "valgrind"
    prefix.mkdir()
    (prefix / "files").symlink_to(scratch / "files")
    for name in ("tracks.json", "key.pem", "cert.pem"):
        shutil.copyfile(scratch / name, prefix / name)
    wrapper = ["valgrind", "-q", f"--log-file={prefix}/valgrind-%p.log", "--leak-check=full", "--keep-debuginfo=yes",
               "--errors-for-leak-kinds=definite,possible", f"--suppressions={HERE / 'valgrind.supp'}"]
    nginx = Nginx(str(prefix), arguments.module, origin.port, SERVERS, wrapper=wrapper, master=False)
    with nginx.running():
        headers.check(report, nginx, origin, library, scratch / "files")
        bodies.check_few(report, nginx, library, scratch / "files")
        kept.check_few(report, nginx, library, scratch / "files")
        maps.check_few(report, nginx, scratch / "files")
        pressure.check_few(report, nginx, library, scratch / "files")
        time.sleep(1)  # for what clients that left have left behind
        report.equal("nginx ends in good order under valgrind", nginx.stop(120), 0)
    live.check_few(report, prefix, arguments.module, wrapper)
    report.equal("valgrind has nothing to say", said(prefix), "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--module", required=True)
    parser.add_argument("--surtitle", required=True, help="the command to compare with")
    parser.add_argument("--without-valgrind", action="store_true")
    parser.add_argument("--keep", metavar="FOLDER", help="where the files and logs go, and stay")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that nginx ends too
    began = time.monotonic()
    report = Report()
    library = Library(str(pathlib.Path(arguments.surtitle).resolve()))
    arguments.module = str(pathlib.Path(arguments.module).resolve())
    with tempfile.TemporaryDirectory(prefix="surtitle-nginx-") as folder:
        scratch = pathlib.Path(arguments.keep or folder)
        scratch.mkdir(exist_ok=True)
        (scratch / "files").mkdir()
        names = make_files(scratch / "files")
        maps.make(scratch / "files")
        serving.make(scratch / "files")
        (scratch / "tracks.json").write_text('{"tracks": [{"uri": "j.m3u8", "language": "de", "name": "JSON"}]}')
        neighbours.make_certificate(scratch)
        origin = Origin(scratch / "files")
        nginx = Nginx(str(scratch), arguments.module, origin.port, SERVERS)
        with nginx.running():
            time.sleep(kept.SETTLED_AFTER)
            bodies.check(report, nginx, library, scratch / "files", names)
            report.done("playlists in all ways", began)
            headers.check(report, nginx, origin, library, scratch / "files")
            headers.check_http2(report, nginx, library, scratch / "files")
            report.done("header fields", began)
            kept.check(report, nginx, library, scratch / "files")
            report.done("playlists that are kept", began)
            serving.check(report, nginx, library, scratch / "files")
            report.done("files of tracks", began)
            maps.check(report, nginx, origin, library, scratch / "files")
            report.done("maps of videos", began)
            neighbours.check(report, nginx, origin, library, scratch / "files")
            report.done("other modules", began)
            memory.check(report, nginx)
            report.done("memory", began)
            pressure.check(report, nginx, library, scratch / "files")
            report.done("broken, slow and many", began)
            settings.check(report, nginx, library, scratch / "files", SERVERS)
            report.done("tracks and directives", began)
            report.equal("nginx ends in good order", nginx.stop(), 0)
        live.check(report, scratch / "live", arguments.module)
        report.done("beside live streams", began)
        report.equal("nothing wrong in the log", nginx.wrong_lines(), [])
        if not arguments.without_valgrind:
            check_valgrind(report, scratch, arguments, origin, library)
            report.done("valgrind", began)
        origin.stop()
    print(f"{report.failures} of {report.checks} checks failed, {time.monotonic() - began:.0f} s")
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
