#!/usr/bin/env python3
"""A stream that plays from its origin plays through the router, whatever variables its addresses hold (EXT-X-DEFINE).

    Tests/Players/install.sh
    swift build --package-path Sources/NIOProxy --product surtitle-proxy
    Tests/Players/check_variables.py --server Sources/NIOProxy/.build/debug/surtitle-proxy

Variables of QUERYPARAM, IMPORT and VALUE stand in the multivariant playlist and in media playlists, in URIs of variants, segments, keys and
EXT-X-MAP: behind a literal beginning, and at the very beginning. Each stream is played from its origin and through a proxy over `Router`, which
makes URIs absolute, maps media playlists, or gives keys and segments addresses too. hls.js, which knows variables, must play it to the end and
ask the origin for the same files as without a router. ffmpeg and GStreamer, which do not know them, must play through the router what they
play from the origin.
Says "skipped" and succeeds where a player is missing, unless CI=true.
"""

import contextlib
import os
import re
import subprocess
import sys

import browser
import checking
import players
import stream
from file_server import FileServer
from proxy import Proxy

ENGLISH = stream.TRACKS[0]
QUERY = "?t=7&dir=ts"
ROOT_DEFINITIONS = """#EXTM3U
#EXT-X-VERSION:11
#EXT-X-DEFINE:QUERYPARAM="t"
#EXT-X-DEFINE:QUERYPARAM="dir"
#EXT-X-DEFINE:NAME="base",VALUE="{root}"
#EXT-X-DEFINE:NAME="beside",VALUE="../mp4"
"""
VARIANT = '#EXT-X-STREAM-INF:BANDWIDTH=400000,CODECS="avc1.64000d,mp4a.40.2",RESOLUTION=320x180\n'
IMPORTS = '#EXT-X-DEFINE:IMPORT="t"\n#EXT-X-DEFINE:IMPORT="dir"\n#EXT-X-DEFINE:IMPORT="base"\n#EXT-X-DEFINE:IMPORT="beside"\n'
POLICIES = {
    "absolute": {}, "mapped": {"variants": "mapped"}, "addresses": {"keys": "fetch", "segments": "redirect"},
}


class Case:
    """A stream: the URI of its variant, or None if the media playlist is alone; what its media playlist defines; and how the URIs
    of key, map and segments become others."""

    def __init__(self, variant, media, definitions, *changes):
        self.variant, self.media, self.definitions, self.changes = variant, media, definitions, changes

    def write(self, folder, root):
        """Writes the playlists for a copy of the media at `root`."""
        text = (folder / self.media / "plain.m3u8").read_text()
        for pattern, replacement in self.changes:
            text, count = re.subn(pattern, replacement, text, flags=re.MULTILINE)
            assert count > 0, pattern
        definitions = self.definitions.format(root=root)
        text = re.sub(r"^#EXTM3U\n#EXT-X-VERSION:\d+\n", lambda _: definitions, text)
        if self.variant is None:
            (folder / stream.MASTER).write_text(text)
        else:
            (folder / self.media / "video.m3u8").write_text(text)
            (folder / stream.MASTER).write_text(ROOT_DEFINITIONS.format(root=root) + VARIANT + self.variant + "\n")


IN_MEDIA = "#EXTM3U\n#EXT-X-VERSION:11\n"
CASES = {
    "QUERYPARAM": Case(
        "ts/video.m3u8?token={$t}", "ts", IN_MEDIA + '#EXT-X-DEFINE:QUERYPARAM="token"\n',
        (r"^(seg\d)\.ts", r"\1.ts?token={$token}"), (r'URI="key"', 'URI="key?token={$token}"')),
    "QUERYPARAM at the beginning": Case(
        "{$dir}/video.m3u8?dir={$dir}", "ts", IN_MEDIA + '#EXT-X-DEFINE:QUERYPARAM="dir"\n',
        (r"^(seg\d)\.ts", r"../{$dir}/\1.ts"), (r'URI="key"', 'URI="../{$dir}/key"')),
    "IMPORT": Case(
        "ts/video.m3u8", "ts", IN_MEDIA + IMPORTS,
        (r"^(seg\d)\.ts", r"{$base}/{$dir}/\1.ts?{$t}"), (r'URI="key"', 'URI="{$base}/{$dir}/key"')),
    "IMPORT at the beginning": Case(
        "mp4/video.m3u8?{$t}", "mp4", IN_MEDIA + IMPORTS,
        (r"^(seg\d)\.m4s", r"{$beside}/\1.m4s"), (r'URI="init.mp4"', 'URI="{$beside}/init.mp4"')),
    "VALUE": Case(
        "{$base}/mp4/video.m3u8", "mp4", IN_MEDIA + IMPORTS + '#EXT-X-DEFINE:NAME="name",VALUE="seg"\n',
        (r"^seg(\d)\.m4s", r"{$name}\1.m4s?t={$t}"), (r'URI="init.mp4"', 'URI="init.mp4?t={$t}"')),
    "a media playlist alone": Case(
        None, "ts", ROOT_DEFINITIONS, (r"^(seg\d)\.ts", r"{$dir}/\1.ts?t={$t}"), (r'URI="key"', 'URI="{$base}/ts/key"')),
}


def make_media(folder):
    """One video as encrypted transport stream and as fragmented MP4, each with its playlist `plain.m3u8`."""
    for name in ("ts", "mp4"):
        (folder / name).mkdir()
    (folder / "ts" / "key").write_bytes(bytes(range(16)))
    (folder / "ts" / "info").write_text("key\nkey\n")
    video = ["-f", "lavfi", "-i", f"testsrc=size=320x180:rate={stream.PICTURES_PER_SECOND}", "-f", "lavfi", "-i", "sine=440",
             "-t", str(stream.SECONDS), "-c:v", "libx264", "-bf", "0", "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac",
             "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod"]
    forms = {"ts": ["-hls_key_info_file", "info", "-hls_segment_filename", "seg%d.ts"],
             "mp4": ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4", "-hls_segment_filename", "seg%d.m4s"]}
    for name, form in forms.items():
        subprocess.run(["ffmpeg", "-nostdin", "-v", "error", *video, *form, "plain.m3u8"], cwd=folder / name, check=True, timeout=120)


def copy_media(media, target):
    """The media without playlists, by links."""
    for file in media.rglob("*"):
        if file.is_file():
            place = target / file.relative_to(media)
            place.parent.mkdir(parents=True, exist_ok=True)
            os.link(file, place)


def play(player, *arguments):
    """What a player has come to, as a value to compare: its own, or that it fails."""
    try:
        return player(*arguments)
    except players.PlayerFailure:
        return "fails"


def count_pictures(ffmpeg, url):
    """How many pictures ffmpeg reads."""
    _, log = players.run([ffmpeg.path, "-nostdin", "-hide_banner", "-allowed_extensions", "ALL", "-i", url, "-map", "0:v:0", "-f", "null", "-"], 60)
    return int(re.findall(r"frame= *(\d+)", log)[-1])


def show_pictures(url):
    """How many pictures GStreamer shows, and whether it reaches the end."""
    playback = players.play_with_gstreamer(url)
    return playback.pictures, playback.reached_end


def check(report, command, ffmpeg, scratch):
    media, served = scratch / "media", scratch / "served"
    media.mkdir()
    served.mkdir()
    make_media(media)
    with FileServer(served) as files, contextlib.ExitStack() as proxies:
        streams = {}
        for number, (name, case) in enumerate(CASES.items()):
            for mode in ("origin", *POLICIES):
                path = f"{number}-{mode}"
                folder = served / path
                copy_media(media, folder)
                case.write(folder, files.url(path))
                (folder / "en.vtt").write_bytes(stream.webvtt(ENGLISH.cues))
                url = files.url(f"{path}/{stream.MASTER}{QUERY}")
                if mode in POLICIES:
                    track = {"uri": "en.vtt", "language": "en", "name": "English", "default": True}
                    configuration = {"master": url, "tracks": [track], **POLICIES[mode]}
                    url = proxies.enter_context(Proxy(command, scratch / f"{path}.json", configuration)).entry
                streams[name, mode] = path, url
        check_browser(report, files, streams)
        for name in CASES:
            for player, run in (("ffmpeg", lambda url: count_pictures(ffmpeg, url)), ("GStreamer", show_pictures)):
                expected = play(run, streams[name, "origin"][1])
                if expected == "fails":
                    print(f"        {name}: {player} plays it from the origin neither", flush=True)
                    continue
                for mode in POLICIES:
                    report.equal(f"{name}, {mode}: {player} does as from the origin", play(run, streams[name, mode][1]), expected)


def check_browser(report, files, streams):
    """hls.js plays each to its end, shows the track, and has asked the origin for what it asks for without a router."""
    with report.player("hls.js"):
        loaded = browser.load_with_hls_js([url for _, url in streams.values()])
        asked = {}
        for path, status in files.requests:
            place, _, rest = path.lstrip("/").partition("/")
            if not rest.endswith(".vtt"):
                asked.setdefault(place, set()).add((rest, status))
        for (name, mode), (path, url) in streams.items():
            one = loaded.get(url)
            length = one and round(one.ends - one.begins)
            report.equal(f"{name}, {mode}: hls.js has the whole video", one and (length, one.errors), (stream.SECONDS, ()))
            if mode in POLICIES:
                report.equal(f"{name}, {mode}: hls.js shows every cue", one and len(one.cues), len(ENGLISH.cues))
                report.equal(f"{name}, {mode}: the origin is asked for the same files", sorted(asked.get(path, ())),
                             sorted(asked.get(streams[name, "origin"][0], ())))


if __name__ == "__main__":
    sys.exit(checking.main(
        check, "Plays streams with variables in their addresses, from their origin and through the router.",
        "what plays from its origin plays through the router", browser.missing, "server"))
