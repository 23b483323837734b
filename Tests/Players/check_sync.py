#!/usr/bin/env python3
"""Checks in real players that cues show when they should, whatever time stamps a video has.

    Tests/Players/install.sh
    Tests/Players/check_sync.py --surtitle .build/release/surtitle

For each kind of video `surtitle sideload` finds the first time stamp by itself (--map auto), with the subtitles whole and in
segments. In GStreamer and in hls.js every cue comes within 0.1 s of its time; in ffmpeg, which ignores the map, with the
very times it has in the file, and all of them. Says "skipped" and succeeds where a player is missing, unless CI=true.
"""

import subprocess
import sys

import browser
import checking
import players
import stream
from check import close_to
from file_server import FileServer

TOLERANCE = 100  # milliseconds
TRACK = stream.TRACKS[0]
WRAP = 2 ** 33 / 90_000  # seconds at which the clock of MPEG-TS begins anew

X264 = ["-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-keyint_min", "50", "-sc_threshold", "0", "-pix_fmt", "yuv420p"]
HLS = ["-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod", "-master_pl_name", stream.MASTER]


def encode(folder, video=("-bf", "0"), audio_offset=0, output=(), streams="v:0,a:0", seconds=stream.SECONDS):
    """Encodes pictures and a tone into `folder`; the tone begins `audio_offset` seconds after the pictures."""
    folder.mkdir()
    pictures = ["-f", "lavfi", "-i", f"testsrc=size=320x180:rate={stream.PICTURES_PER_SECOND}"]
    tone = ["-f", "lavfi", "-i", "sine=440"]
    if audio_offset > 0:
        tone = ["-itsoffset", str(audio_offset), *tone]
    if audio_offset < 0:
        pictures = ["-itsoffset", str(-audio_offset), *pictures]
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", *pictures, *tone, "-t", str(seconds), "-map", "0:v", "-map", "1:a", *X264, *video,
         "-c:a", "aac", *HLS, "-var_stream_map", streams, *output, "v%v.m3u8"],
        cwd=folder, check=True, timeout=120)


def encode_two_time_lines(folder):
    """Two encodings of half the length in one media playlist: behind the first the time stamps start anew, elsewhere."""
    encode(folder, seconds=4)
    encode(folder / "b", seconds=6, output=["-output_ts_offset", "70"])
    first, second = ((folder / part / "v0.m3u8").read_text().splitlines() for part in ("", "b"))
    segments = [line if line.startswith("#") else f"b/{line}" for line in second[second.index(next(filter(is_inf, second))):]]
    (folder / "v0.m3u8").write_text("\n".join([*first[:-1], "#EXT-X-DISCONTINUITY", *segments]) + "\n")


def encode_from_second_segment(folder):
    """What is left of a longer encoding without its first segment: time stamps begin at 2 s or so."""
    encode(folder, ["-bf", "3"], output=["-hls_segment_type", "fmp4"], seconds=stream.SECONDS + 2)
    lines = (folder / "v0.m3u8").read_text().splitlines()
    first = lines.index(next(filter(is_inf, lines)))
    (folder / "v0.m3u8").write_text("\n".join(lines[:first] + lines[first + 2:]) + "\n")


def is_inf(line):
    return line.startswith("#EXTINF")


CASES = {
    "TS that begins at 1.4 s": encode,
    "TS with B-frames": lambda folder: encode(folder, ["-bf", "3", "-x264-params", "open-gop=1:b-adapt=0"]),
    "audio before video": lambda folder: encode(folder, audio_offset=-0.5),
    "audio behind video": lambda folder: encode(folder, audio_offset=0.5),
    "a clock that wraps": lambda folder: encode(folder, output=["-output_ts_offset", str(round(WRAP) - 5)]),
    "demuxed audio": lambda folder: encode(folder, streams="v:0,agroup:a a:0,agroup:a,language:de"),
    "fMP4": lambda folder: encode(folder, ["-bf", "3"], output=["-hls_segment_type", "fmp4"]),
    "fMP4 behind an empty edit": lambda folder: encode(
        folder, ["-bf", "3"], output=["-hls_segment_type", "fmp4", "-output_ts_offset", "2"]),
    "fMP4 from its second segment": encode_from_second_segment,
    "two time lines": encode_two_time_lines,
}


def near(found, expected):
    """`expected` if each cue found is one of them within the tolerance, and each of them is found, else `found`."""
    def same(one, other):
        return one.text == other.text and max(abs(one.start - other.start), abs(one.end - other.end)) <= TOLERANCE
    hits = all(any(same(one, other) for other in expected) for one in found)
    return expected if hits and all(any(same(one, other) for one in found) for other in expected) else found


def prepare(command, scratch, media, is_segmented):
    """Sideloads the track beside `media`: the folder to serve."""
    folder = scratch / f"{media.name}{' in segments' if is_segmented else ''}"
    file = scratch / "subtitles.vtt"
    file.write_bytes(stream.webvtt(TRACK.cues))
    playlist = next(path for path in (media / "v0.m3u8", media / "v_0.m3u8") if path.exists())
    options = ["--segment", "--media", playlist] if is_segmented else []
    _, said = players.run(
        [command, "sideload", str(media / stream.MASTER), "--track", TRACK.spec(file, True), "-o", str(folder), "--base-uri",
         "relative", *map(str, options)], 60)
    return folder, said


def check(report, command, ffmpeg, scratch):
    source = scratch / "media"
    source.mkdir()
    streams = {}
    for name, make in CASES.items():
        media = source / name
        make(media)
        for is_segmented in (False, True):
            if name == "two time lines" and not is_segmented:
                continue  # one file has one map
            with report.player(name):
                folder, said = prepare(command, scratch, media, is_segmented)
                report.equal(f"{folder.name}: nothing is left to say", said, "")
                streams[folder.name] = folder
    with FileServer(scratch) as server:
        urls = {name: server.url(f"{folder.name}/{stream.MASTER}".replace(" ", "%20")) for name, folder in streams.items()}
        with report.player("hls.js"):
            loaded = browser.load_with_hls_js(urls.values())
            for name, url in urls.items():
                result = loaded.get(url)
                report.equal(f"{name}: hls.js shows every cue at its time", result and near(result.cues, TRACK.cues), TRACK.cues)
                report.equal(f"{name}: hls.js plays without an error", result and result.errors, ())
        for name, url in urls.items():
            with report.player(f"{name}: GStreamer"):
                playback = players.play_with_gstreamer(url)
                report.equal(f"{name}: GStreamer shows every cue at its time", near(playback.cues, TRACK.cues), TRACK.cues)
            with report.player(f"{name}: ffmpeg"):
                step = 2000 if name.endswith("segments") else None
                expected = stream.repeated(TRACK.cues, step) if step else TRACK.cues
                report.equal(f"{name}: ffmpeg, which ignores the map, gives the cues' own times",
                             close_to(ffmpeg.cues(url, TRACK.language), expected), expected)
        failed = [f"{path}: {status}" for path, status in server.requests if status >= 400]
        report.equal("nothing asked for was missing", failed, [])


if __name__ == "__main__":
    sys.exit(checking.main(
        check, "Checks in real players that cues show when they should.", "all players are in sync", browser.missing))
