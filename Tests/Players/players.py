"""What the players say about a stream, as values to compare."""

import html
import os
import pathlib
import re
import signal
import subprocess
import tempfile
from typing import NamedTuple

from stream import parse_webvtt

ENVIRONMENT = pathlib.Path(__file__).resolve().parents[2] / ".build" / "players" / "bin"


class PlayerFailure(Exception):
    """A player failed; the message is what it printed."""


def run(arguments, timeout, **options):
    """Runs a player to its end: (standard output, standard error), or PlayerFailure."""
    name = pathlib.Path(arguments[0]).name
    try:
        done = subprocess.run(arguments, timeout=timeout, capture_output=True, stdin=subprocess.DEVNULL, **options)
    except subprocess.TimeoutExpired as expired:
        raise PlayerFailure(f"{name} was still running after {timeout} s\n{_tail(expired.output)}") from None
    if done.returncode != 0:
        raise PlayerFailure(f"{name} ended with status {done.returncode}\n{_tail(done.stdout)}{_tail(done.stderr)}")
    return done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def _tail(output):
    lines = (line for line in (output or b"").decode(errors="replace").splitlines() if "buffering..." not in line)
    return "".join(f"    {line}\n" for line in list(lines)[-15:])


class Subtitle(NamedTuple):
    """A subtitle stream as a player lists it."""

    language: str
    name: str
    is_default: bool


class Ffmpeg:
    """A current ffmpeg: lists subtitle streams, extracts their cues, ignores X-TIMESTAMP-MAP."""

    def __init__(self, path):
        self.path = path

    def subtitles(self, url):
        """The subtitle streams, in order."""
        one_picture = ["-map", "0:v:0", "-frames:v", "1", "-f", "null", "-"]  # without an output, ffmpeg fails
        _, log = run([self.path, "-nostdin", "-hide_banner", "-i", url, *one_picture], 60)
        streams = {}
        stream = re.compile(r"^ *Stream #0:(\d+)(?:\[\w+\])?(?:\((\w+)\))?: Subtitle: webvtt(.*)\n"
                            r"(?: +Metadata:\n(?: {6}.*\n)*? {6}comment +: (.*)\n)?", re.MULTILINE)
        for index, language, rest, name in stream.findall(log):
            streams[int(index)] = Subtitle(language, name, "(default)" in rest)  # listed once for each variant
        return [streams[index] for index in sorted(streams)]

    def cues(self, url, language, *options):
        """The cues of a language, with the times they have in the file (`-copyts`: not moved by the media's start)."""
        text, log = run([self.path, "-nostdin", "-v", "warning", *options, "-copyts", "-i", url,
                         "-map", f"0:m:language:{language}", "-f", "webvtt", "-"], 60)
        if log.strip():
            raise PlayerFailure(f"ffmpeg warned about {language}\n{_tail(log.encode())}")
        return parse_webvtt(text)


class Playback(NamedTuple):
    """What GStreamer showed: cues in stream time, the number of pictures, and whether it reached the end."""

    cues: tuple
    pictures: int
    reached_end: bool
    errors: tuple


def _gstreamer(url, video, audio="false"):
    """The command that plays a stream in a folder: its text becomes a file there, with times that count from the beginning."""
    return ["gst-launch-1.0", "-e", "playbin3", f"uri={url}", "flags=0x7", f"audio-sink=fakesink sync={audio}", f"video-sink={video}",
            "text-sink=identity single-segment=true ! webvttenc ! filesink location=text buffer-mode=unbuffered"]


def _gstreamer_environment():
    return dict(os.environ, GST_PLUGIN_FEATURE_RANK="hlsdemux2:MAX,hlsdemux:NONE")


def _gstreamer_cues(folder):
    return parse_webvtt(html.unescape(_read(folder, "text").decode(errors="replace")))  # it is Pango markup inside


class LiveGstreamer:
    """Plays a live stream until it is stopped: the cues it had, whose times count from wherever it began."""

    def __init__(self, url):
        self.folder = tempfile.TemporaryDirectory()
        self.log = open(os.path.join(self.folder.name, "log"), "w+")
        self.process = subprocess.Popen(
            _gstreamer(url, "fakesink sync=true", "true"), env=_gstreamer_environment(), cwd=self.folder.name,
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT)

    def stop(self):
        """What it has shown, as a Playback without pictures."""
        was_playing = self.process.poll() is None
        if was_playing:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.seek(0)
        errors = re.findall(r"^.*(?:ERROR|CRITICAL).*$", self.log.read(), re.MULTILINE)
        playback = Playback(_gstreamer_cues(self.folder.name), 0, not was_playing, tuple(errors))
        self.log.close()
        self.folder.cleanup()
        return playback


def play_with_gstreamer(url):
    """Plays a stream with the subtitle stream the player itself selects."""
    # Pictures come out as 16 by 16 pixels, text as WebVTT. Files have all that was shown; the lines that `-v` prints of a sink are sometimes doubled.
    picture = 16 * 16 * 3 // 2
    thumbnails = "videoscale ! videoconvert ! video/x-raw,format=I420,width=16,height=16 ! filesink location=pictures"
    with tempfile.TemporaryDirectory() as folder:
        output, log = run(_gstreamer(url, thumbnails), 60, env=_gstreamer_environment(), cwd=folder)
        cues = _gstreamer_cues(folder)
        pictures = len(_read(folder, "pictures")) / picture
    errors = re.findall(r"^.*(?:ERROR|CRITICAL).*$", output + log, re.MULTILINE)
    return Playback(cues, pictures, "Got EOS from" in output, tuple(errors))


def _read(folder, name):
    file = pathlib.Path(folder) / name
    return file.read_bytes() if file.exists() else b""


def download_subtitles(url):
    """What yt-dlp saves of the subtitles: {language: bytes}."""
    with tempfile.TemporaryDirectory() as folder:
        run([str(ENVIRONMENT / "yt-dlp"), "--no-config", "--no-cache-dir", "--quiet", "--write-subs",
             "--sub-langs", "all", "--skip-download", "-o", "subtitles", url], 90, cwd=folder)
        return {file.name.split(".")[1]: file.read_bytes() for file in pathlib.Path(folder).glob("subtitles.*.vtt")}
