#!/usr/bin/env python3
"""Plays in real players what a proxy over `Router` and `Fetch` serves.

    Tests/Players/install.sh
    swift build --package-path Sources/NIOProxy --product surtitle-proxy
    Tests/Players/check_route.py --server Sources/NIOProxy/.build/debug/surtitle-proxy

A master gets a WebVTT and a SubRip track, both without a time stamp map: the proxy takes the map from the video. So it does before a whole
origin, of segments that are encrypted (AES-128), of audio beside the video, and where a variable stands in the variant's URI (EXT-X-DEFINE). A
media playlist alone is wrapped. A track is not there (404), and each policy does its part. The video always plays, but for one thing that the proxy cannot
help: if the policy is that the request fails and the player has chosen that track, GStreamer gives up. So it is given such a track beside
a better one, while ffmpeg and hls.js get it as the default. And one request after the other, by hand: ranges, HEAD, what is unknown,
malformed, or at an origin that addresses may not name. Says "skipped" and succeeds where a player is missing, unless CI=true.
"""

import subprocess
import sys

import browser
import checking
import players
import stream
from check import close_to
from check_sync import near
from file_server import FileServer
from proxy import Proxy, free_port

ENGLISH, FRENCH = stream.TRACKS
PICTURES = stream.SECONDS * stream.PICTURES_PER_SECOND
FILES = {ENGLISH: "plain-en.vtt", FRENCH: "plain-fr.srt"}
# Where playlists are at two hosts, ffmpeg says of each that it cannot keep the connection to the other.
TWO_HOSTS = ("-http_persistent", "0")
AES, DEMUXED, DEFINE = "aes/master.m3u8", "demuxed/master.m3u8", "define.m3u8?token=7"
VARIANT = '#EXT-X-STREAM-INF:BANDWIDTH=400000,CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=640x360'
MASTERS = {
    AES: f"#EXTM3U\n{VARIANT}\nv0.m3u8\n",
    DEMUXED: '#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Sound",DEFAULT=YES,AUTOSELECT=YES,URI="v1.m3u8"\n'
             f'{VARIANT},AUDIO="a"\nv0.m3u8\n',
    DEFINE: f'#EXTM3U\n#EXT-X-VERSION:11\n#EXT-X-DEFINE:QUERYPARAM="token"\n{VARIANT}\nv0.m3u8?token={{$token}}\n',
}
SWEDISH = {"uri": "missing/sv.vtt", "language": "sv", "name": "Svenska", "default": True}


def track(one, default=False):
    """A track of the configuration, whose file is at the origin."""
    return {"uri": FILES[one], "language": one.language, "name": one.name, "default": default}


def beside(one, default=False):
    """The same for a master in a folder below."""
    return track(one, default) | {"uri": f"../{FILES[one]}"}


def make_forms(media):
    """The first variant of `media` once more: encrypted, with its audio apart, and behind a variable."""
    for name, options in {"aes": ("-hls_key_info_file", "info", "-var_stream_map", "v:0,a:0"),
                          "demuxed": ("-var_stream_map", "v:0,agroup:audio a:0,agroup:audio")}.items():
        folder = media / name
        folder.mkdir()
        (folder / "key").write_bytes(bytes(range(16)))
        (folder / "info").write_text("key\nkey\n")
        subprocess.run(
            ["ffmpeg", "-nostdin", "-v", "error", "-i", "../v0.m3u8", "-map", "0:v:0", "-map", "0:a:0", "-c", "copy", "-f", "hls",
             "-hls_time", "2", "-hls_playlist_type", "vod", *options,
             "-hls_segment_filename", "v%v_%03d.ts", "v%v.m3u8"], cwd=folder, check=True, timeout=120)
    for name, text in MASTERS.items():
        (media / name.partition("?")[0]).write_text(text)


def listed(*tracks):
    """What players list of the tracks of a configuration."""
    return [players.Subtitle(one["language"], one["name"], one.get("default", False)) for one in tracks]


def check_tracks(report, name, url, ffmpeg, tracks):
    """ffmpeg and GStreamer list and show `tracks`, of which the first is the default."""
    fields = [track(one, default=index == 0) for index, one in enumerate(tracks)]
    with report.player(f"{name}: ffmpeg lists"):
        report.equal(f"{name}: ffmpeg lists languages, names and the default", ffmpeg.subtitles(url), listed(*fields))
    for one in tracks:
        with report.player(f"{name}: ffmpeg extracts {one.language}"):
            found = close_to(ffmpeg.cues(url, one.language, *TWO_HOSTS), one.cues)
            report.equal(f"{name}: ffmpeg, which ignores the map, extracts all cues of {one.language}", found, one.cues)
    check_gstreamer(report, name, url, tracks[0].cues)


def check_gstreamer(report, name, url, cues):
    """GStreamer plays to the end, and shows `cues`, unless that is None."""
    with report.player(f"{name}: GStreamer"):
        playback = players.play_with_gstreamer(url)
        if cues is not None:
            report.equal(f"{name}: GStreamer shows every cue at its time", near(playback.cues, cues), cues)
        report.equal(f"{name}: GStreamer plays to the end without an error",
                     (playback.pictures, playback.reached_end, playback.errors), (PICTURES, True, ()))


def check_browser(report, name, loaded, fields, cues):
    """hls.js lists the tracks `fields`, shows the `cues` of the first, and has all of the video."""
    errors = ("subtitleTrackLoadError",) if name == "404, fails" else ()
    report.equal(f"{name}: hls.js lists languages, names and the default", loaded and list(loaded.tracks), listed(*fields))
    report.equal(f"{name}: hls.js shows every cue at its time", loaded and near(loaded.cues, cues), cues)
    length = loaded and round(loaded.ends - loaded.begins)
    report.equal(f"{name}: hls.js has the whole video, and no error but its due", loaded and (length, loaded.errors), (stream.SECONDS, errors))


def check_requests(report, server, origin, closed):
    """One request after the other: what it gets, and which bytes."""
    whole = server.ask("/track/en.m3u8")
    body, length = whole.body, len(whole.body)
    report.equal("a playlist has its type and length",
                 (whole.status, whole.fields.get("content-type"), whole.fields.get("content-length")),
                 (200, "application/vnd.apple.mpegurl", str(length)))
    report.equal("ranges are offered", whole.fields.get("accept-ranges"), "bytes")
    ranges = {
        "bytes=0-1": (206, f"bytes 0-1/{length}", body[:2]),  # what a player probes with
        "bytes=7-": (206, f"bytes 7-{length - 1}/{length}", body[7:]),
        "bytes=3-99999": (206, f"bytes 3-{length - 1}/{length}", body[3:]),
        "bytes=-5": (206, f"bytes {length - 5}-{length - 1}/{length}", body[-5:]),
        "bytes=-99999": (206, f"bytes 0-{length - 1}/{length}", body),
        f"bytes={length}-": (416, f"bytes */{length}", b""),
        "bytes=-0": (416, f"bytes */{length}", b""),
        "bytes=5-3": (200, None, body),
        "bytes=0-1,4-5": (200, None, body),
        "lines=0-1": (200, None, body),
    }
    for value, expected in ranges.items():
        answer = server.ask("/track/en.m3u8", Range=value)
        report.equal(f"Range: {value}", (answer.status, answer.fields.get("content-range"), answer.body), expected)
    entry = server.entry.removeprefix(server.base.rstrip("/"))
    head = server.ask(entry, "HEAD", Range="bytes=0-1")
    report.equal("HEAD has the length, no range and no body", (head.status, head.fields.get("content-length"), head.body),
                 (200, str(len(server.ask(entry).body)), b""))
    report.equal("POST is not allowed", server.ask(entry, "POST").status, 405)
    report.equal("a file that needs no change is at its own URL", f"\n{origin}{FILES[ENGLISH]}\n".encode() in body, True)
    report.equal("SubRip comes as WebVTT", server.ask("/track/fr.vtt").body[:7], b"WEBVTT\n")
    here, elsewhere = origin.removeprefix("http://"), f"127.0.0.1:{closed}/"
    statuses = {
        "/track/FR.vtt": 200, "/track/en.m3u8?any": 200, "/track/de.m3u8": 404, "/track/en.mp4": 404, "/track/": 404,
        "/favicon.ico": 404, "/key/http/": 404, "/nonsense/http/a/b": 404, "/master/ftp/a/b": 404,
        f"/segment/http/{here}v0_000.ts": 302, f"/key/http/{here}{FILES[ENGLISH]}": 200, f"/key/http/{here}none": 404,
        f"/master/http/{here}none.m3u8": 404, f"/master/http/{here}v0_000.ts": 302,
        # Whoever can reach the proxy gets nothing that only the proxy can reach.
        f"/master/http/{elsewhere}a": 403, f"/key/http/{elsewhere}a": 403, f"/segment/http/{elsewhere}a": 403,
        f"/key/https/{here}a": 403, f"/key/http/{here.rstrip('/')}@{elsewhere}a": 403, "/key/http/localhost:1/a": 403,
    }
    for path, status in statuses.items():
        report.equal(f"GET {path.replace(here, 'ORIGIN/').replace(elsewhere, 'ELSEWHERE/')}", server.ask(path).status, status)


def cases(origin):
    """Configurations by their names."""
    master = f"{origin}{stream.MASTER}"
    return {
        "master": {"master": master, "tracks": [track(ENGLISH, True), track(FRENCH)], "map": "auto"},
        "wrapped": {"master": f"{origin}v0.m3u8", "tracks": [track(FRENCH, True), track(ENGLISH)], "map": "auto"},
        "mapped": {"master": master, "tracks": [track(FRENCH, True)], "map": "auto", "variants": "mapped", "segments": "redirect"},
        "AES-128": {"master": f"{origin}{AES}", "tracks": [beside(ENGLISH, True), beside(FRENCH)], "map": "auto"},
        "audio apart": {"master": f"{origin}{DEMUXED}", "tracks": [beside(ENGLISH, True), beside(FRENCH)], "map": "auto"},
        "a variable": {"master": f"{origin}{DEFINE}", "tracks": [track(ENGLISH, True), track(FRENCH)], "map": "auto"},
        "404, left out": {"master": master, "tracks": [SWEDISH, track(ENGLISH)], "map": "auto"},
        "404, empty": {"master": master, "tracks": [SWEDISH, track(ENGLISH)], "map": "auto", "missing-track": "empty"},
        "404, fails": {"master": master, "tracks": [SWEDISH, track(ENGLISH)], "map": "auto", "missing-track": "fail"},
        "404, fails unchosen": {
            "master": master, "tracks": [track(ENGLISH, True), SWEDISH | {"default": False}], "map": "auto",
            "missing-track": "fail"},
    }


def check(report, command, ffmpeg, scratch):
    media = scratch / "media"
    media.mkdir()
    stream.make_media(media)
    make_forms(media)
    (media / FILES[ENGLISH]).write_bytes(stream.webvtt(ENGLISH.cues))
    (media / FILES[FRENCH]).write_bytes(stream.subrip(FRENCH.cues))
    with FileServer(media) as files:
        origin = files.url("")
        servers = {}
        try:
            for number, (name, configuration) in enumerate(cases(origin).items()):
                servers[name] = Proxy(command, scratch / f"{number}.json", configuration).__enter__()
            tracks = {"tracks": [track(ENGLISH, True), track(FRENCH)]}
            servers["origin"] = Proxy.before(
                command, scratch / "origin.json", f"{origin}{stream.MASTER}", tracks).__enter__()
            check_players(report, ffmpeg, servers)
            check_origin(report, files, servers)
        finally:
            for server in servers.values():
                server.__exit__()
        report.equal("SIGTERM ends the servers", [server.status for server in servers.values()], [0] * len(servers))
        with report.player("requests by hand"):
            tracks = [track(ENGLISH), track(FRENCH)]
            configuration = {"master": f"{origin}{stream.MASTER}", "tracks": tracks, "keys": "fetch"}
            with Proxy(command, scratch / "requests.json", configuration) as server:
                check_requests(report, server, origin, free_port())


def check_players(report, ffmpeg, servers):
    """All players on all streams."""
    shown = {
        "master": ([track(ENGLISH, True), track(FRENCH)], ENGLISH.cues),
        "origin": ([track(ENGLISH, True), track(FRENCH)], ENGLISH.cues),
        "wrapped": ([track(FRENCH, True), track(ENGLISH)], FRENCH.cues),
        "mapped": ([track(FRENCH, True)], FRENCH.cues),
        "AES-128": ([track(ENGLISH, True), track(FRENCH)], ENGLISH.cues),
        "audio apart": ([track(ENGLISH, True), track(FRENCH)], ENGLISH.cues),
        "a variable": ([track(ENGLISH, True), track(FRENCH)], ENGLISH.cues),
        "404, left out": ([track(ENGLISH)], ENGLISH.cues),
        "404, empty": ([SWEDISH, track(ENGLISH)], ()),
        "404, fails": ([SWEDISH, track(ENGLISH)], ()),
        "404, fails unchosen": ([track(ENGLISH, True), SWEDISH | {"default": False}], ENGLISH.cues),
    }
    with report.player("hls.js"):
        loaded = browser.load_with_hls_js([server.entry for server in servers.values()])
        for name, server in servers.items():
            check_browser(report, name, loaded.get(server.entry), *shown[name])
    check_tracks(report, "master", servers["master"].entry, ffmpeg, (ENGLISH, FRENCH))
    check_tracks(report, "origin", servers["origin"].entry, ffmpeg, (ENGLISH, FRENCH))
    check_tracks(report, "wrapped", servers["wrapped"].entry, ffmpeg, (FRENCH, ENGLISH))
    check_tracks(report, "mapped", servers["mapped"].entry, ffmpeg, (FRENCH,))
    for name in ("AES-128", "audio apart", "a variable"):
        check_tracks(report, name, servers[name].entry, ffmpeg, (ENGLISH, FRENCH))
    for name in ("404, left out", "404, empty", "404, fails"):
        with report.player(f"{name}: ffmpeg"):
            found = [subtitle.language for subtitle in ffmpeg.subtitles(servers[name].entry)]
            expected = {"404, left out": ["en"], "404, empty": ["sv", "en"], "404, fails": ["en"]}[name]
            report.equal(f"{name}: ffmpeg plays, and lists what is there", found, expected)
    check_gstreamer(report, "404, left out", servers["404, left out"].entry, None)
    check_gstreamer(report, "404, empty", servers["404, empty"].entry, ())
    check_gstreamer(report, "404, fails unchosen", servers["404, fails unchosen"].entry, ENGLISH.cues)
    with report.player("404, empty: ffmpeg extracts sv"):
        quiet = (*TWO_HOSTS, "-v", "error")  # it warns that there is nothing
        report.equal("404, empty: ffmpeg finds no cue of sv", ffmpeg.cues(servers["404, empty"].entry, "sv", *quiet), ())


def check_origin(report, files, servers):
    """Nothing is missing at the origin but what is meant to be."""
    failed = {path for path, status in files.requests if status >= 400}
    report.equal("nothing is missing at the origin but one track", failed, {f"/{SWEDISH['uri']}"})
    redirected = [line for line in servers["mapped"].plans.splitlines() if "/segment/" in line and "redirect to" in line]
    report.equal("mapped: segments were asked for at the proxy, and redirected", len(redirected) >= 5, True)


if __name__ == "__main__":
    sys.exit(checking.main(
        check, "Plays in real players what a proxy over the router serves.", "all players agree", browser.missing, "server"))
