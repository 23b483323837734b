#!/usr/bin/env python3
"""Plays what `surtitle sideload` makes in real players, over HTTP on the loopback interface.

    Tests/Players/install.sh
    Tests/Players/check.py --surtitle .build/release/surtitle

For masters with LF, with CRLF and without a final newline, each with the first or the second track as the default:
the players list both languages and the default, every cue that went in comes out with its text and times, and the
video plays to its end. The same with the subtitles cut into segments, by `sideload --segment` and by `segment`: then every
cue comes out once for each segment in which it shows. A media playlist alone, wrapped by `--wrap`. Then what has no
timestamp map, and gets one from `--map`, whole and in segments. Says "skipped" and succeeds where a player is missing,
unless CI=true.
"""

import sys

import checking
import players
import stream
from file_server import FileServer

TOLERANCE = 2  # milliseconds, for players that count in ticks of 90 kHz


def close_to(found, expected):
    """`expected` if the cues are equal within the tolerance, else `found`."""
    same = len(found) == len(expected) and all(
        one.text == other.text and abs(one.start - other.start) <= TOLERANCE and abs(one.end - other.end) <= TOLERANCE
        for one, other in zip(found, expected))
    return expected if same else found


def surtitle(command, *arguments):
    """Runs the command; what it wrote on standard error is a failure too."""
    _, said = players.run([command, *map(str, arguments)], 60)
    if said:
        raise players.PlayerFailure(f"{arguments[0]} succeeded but said: {said}")


def sideload(command, master, files, default, folder, *options):
    """Runs `surtitle sideload` with all tracks."""
    tracks = [argument for track in stream.TRACKS
              for argument in ("--track", track.spec(files[track], track.language == default))]
    surtitle(command, "sideload", master, *tracks, "-o", folder, *options)


def check_players(report, name, folder, files, default, ffmpeg, step=None):
    """Plays the stream in `folder` in all players; its subtitles are the `files` or else segments of `step` milliseconds."""
    cues = {track: stream.repeated(track.cues, step) if step else track.cues for track in stream.TRACKS}
    with FileServer(folder) as server:
        url = server.url(stream.MASTER)

        with report.player(f"{name}: ffmpeg lists"):
            expected = [players.Subtitle(track.language, track.name, track.language == default)
                        for track in stream.TRACKS]
            report.equal(f"{name}: ffmpeg lists languages, names and the default", ffmpeg.subtitles(url), expected)
        for track in stream.TRACKS:
            with report.player(f"{name}: ffmpeg extracts {track.language}"):
                found = close_to(ffmpeg.cues(url, track.language), cues[track])
                report.equal(f"{name}: ffmpeg extracts all cues of {track.language}", found, cues[track])

        with report.player(f"{name}: the distribution's ffmpeg"):
            everything = ["-map", "0:v", "-map", "0:a", "-f", "null", "-"]
            _, said = players.run(["ffmpeg", "-nostdin", "-v", "error", "-i", url, *everything], 60)
            report.equal(f"{name}: the distribution's ffmpeg plays every variant", said, "")

        with report.player(f"{name}: GStreamer"):
            shown = next(track for track in stream.TRACKS if track.language == default)
            playback = players.play_with_gstreamer(url)
            report.equal(f"{name}: GStreamer shows {default}, text and times",
                         close_to(playback.cues, cues[shown]), cues[shown])
            pictures = stream.SECONDS * stream.PICTURES_PER_SECOND
            report.equal(f"{name}: GStreamer plays to the end without an error",
                         (playback.pictures, playback.reached_end, playback.errors), (pictures, True, ()))

        with report.player(f"{name}: yt-dlp"):
            found = players.download_subtitles(url)
            if step:
                expected = {track.language: track.cues for track in stream.TRACKS}
                found = {language: stream.parse_webvtt(text.decode()) for language, text in found.items()}
                report.equal(f"{name}: yt-dlp puts the segments together again", found, expected)
            else:
                expected = {track.language: files[track].read_bytes() for track in stream.TRACKS}
                report.equal(f"{name}: yt-dlp saves the very files", found, expected)

        failed = [f"{path}: {status}" for path, status in server.requests if status >= 400]
        report.equal(f"{name}: nothing asked for was missing", failed, [])


def check_map(report, command, scratch, media, tick):
    """`sideload --map` on files without a timestamp map, one of them SubRip, in the player that obeys one.

    Each is put there whole, and in segments of 3 s. The video begins at 1.4 s or so: without a map the cues come that
    much too early.
    """
    files = {}
    for track, suffix, data in zip(stream.TRACKS, ("vtt", "srt"), (stream.webvtt, stream.subrip)):
        files[track] = scratch / f"unmapped {track.language}.{suffix}"
        files[track].write_bytes(data(track.cues))
    for track in stream.TRACKS:
        check_map_of(report, command, scratch, media, tick, files, track)
        check_map_of(report, command, scratch, media, tick, files, track, step=3000)


def check_map_of(report, command, scratch, media, tick, files, track, step=None):
    """Checks the map if `track` is the default, whose file is whole or in segments of `step` milliseconds."""
    name = f"--map {tick}, {files[track].suffix}"
    options, first, cues = ["--map", tick], track.uri, track.cues
    if step:
        name += " in segments"
        options += ["--segment", "--target", step / 1000]
        first = track.uri.replace(".vtt", "-00000.vtt")
        cues = stream.repeated(track.cues, step)
    folder = scratch / name
    folder.mkdir()
    stream.link_media(media, folder)
    with report.player(name):
        sideload(command, media / stream.MASTER, files, track.language, folder, *options)
        head = f"WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:{tick}\n".encode()
        report.equal(f"{name}: the map stands in the file", (folder / first).read_bytes()[:len(head)], head)
        with FileServer(folder) as server:
            playback = players.play_with_gstreamer(server.url(stream.MASTER))
        report.equal(f"{name}: GStreamer shows {track.language} at the right times",
                     close_to(playback.cues, cues), cues)


def check(report, command, ffmpeg, scratch):
    """Plays every master in every player, in `scratch`."""
    media = scratch / "media"
    media.mkdir()
    stream.make_media(media)
    tick = stream.first_tick(media)
    print(f"made    {stream.SECONDS} s of video in two variants, first PTS {tick / 90_000:.3f} s", flush=True)

    files = {}
    for track in stream.TRACKS:
        files[track] = scratch / f"{track.language}.vtt"
        files[track].write_bytes(stream.webvtt(track.cues, tick))

    for spelling, master in stream.masters((media / stream.MASTER).read_bytes()):
        # Each language is the default once or twice: players that show one track only would never show the other.
        default = "fr" if spelling == "CRLF" else "en"
        source, folder = scratch / f"{spelling} source", scratch / spelling
        source.mkdir()
        folder.mkdir()
        (source / stream.MASTER).write_bytes(master)
        stream.link_media(media, source)
        stream.link_media(media, folder)
        try:
            sideload(command, source / stream.MASTER, files, default, folder)
        except players.PlayerFailure as failure:
            report.fail(f"{spelling}: sideload", str(failure))
            continue
        check_players(report, spelling, folder, files, default, ffmpeg)

    check_segments(report, command, ffmpeg, scratch, media, files, tick)
    check_wrapped(report, command, ffmpeg, scratch, media, files)
    check_map(report, command, scratch, media, tick)


def check_wrapped(report, command, ffmpeg, scratch, media, files):
    """A media playlist alone, a single rendition, becomes the one variant of a multivariant playlist with subtitles."""
    name, folder = "wrapped", scratch / "wrapped"
    folder.mkdir()
    stream.link_media(media, folder)
    with report.player(f"{name}: sideload --wrap"):
        sideload(command, folder / "v0.m3u8", files, "en", folder, "--wrap", "--name", stream.MASTER)
        check_players(report, name, folder, files, "en", ffmpeg)


def check_segments(report, command, ffmpeg, scratch, media, files, tick):
    """Subtitles in segments as long as the video's, 2 s, with their own map, and of 3 s with a map from the command line."""
    name, folder = "segments", scratch / "segments"
    folder.mkdir()
    stream.link_media(media, folder)
    with report.player(f"{name}: sideload --segment"):
        sideload(command, media / stream.MASTER, files, "fr", folder, "--segment", "--media", media / "v0.m3u8")
        check_players(report, name, folder, files, "fr", ffmpeg, step=2000)

    name, folder = "segments of 3 s", scratch / "segments of 3 s"
    folder.mkdir()
    stream.link_media(media, folder)
    with report.player(f"{name}: segment"):
        tracks = []
        for track in stream.TRACKS:
            file = scratch / f"{track.language}-without-map.vtt"
            file.write_bytes(stream.webvtt(track.cues))
            surtitle(command, "segment", file, "--target", 3, "--map", tick, "-o", folder / track.language)
            default = ",default" if track.language == "en" else ""
            uri = f"{track.language}/{file.stem}.m3u8"
            tracks += ["--track", f"uri={uri},language={track.language},name={track.name}{default}"]
        surtitle(command, "sideload", media / stream.MASTER, *tracks, "-o", folder)
        check_players(report, name, folder, files, "en", ffmpeg, step=3000)


if __name__ == "__main__":
    sys.exit(checking.main(check, "Plays what `surtitle sideload` makes in real players.", "all players agree"))
