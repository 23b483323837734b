"""The small real stream that the players play: media, masters of three spellings, two subtitle files."""

import pathlib
import re
import subprocess
from typing import NamedTuple

SECONDS = 10
PICTURES_PER_SECOND = 25
MASTER = "master.m3u8"


class Cue(NamedTuple):
    """One cue; times in milliseconds."""

    start: int
    end: int
    text: str


class Track(NamedTuple):
    """One subtitle track; `uri` is relative to the master."""

    language: str
    name: str
    uri: str
    cues: tuple

    def spec(self, file, default):
        """The SPEC of the command line for this track, read from `file`."""
        return f"uri={self.uri},language={self.language},name={self.name},file={file}" + (",default" if default else "")


# No cue starts before 3.5 s. ffmpeg reads the first segment of the video (1.4 s to 3.4 s) before it opens the
# subtitles, and drops all cues that start before that position, whoever made the stream.
# One track is beside the master, the other in a folder, so that URIs have to be resolved and not only copied.
TRACKS = (
    Track("en", "English", "en.vtt", (
        Cue(3500, 4250, "Raise the curtain."),
        Cue(4500, 6000, "Two lines,\none above the other."),
        Cue(6123, 7456, "A third cue"),
        Cue(8000, 9750, "The end."),
    )),
    Track("fr", "Français", "subs/fr.vtt", (
        Cue(3600, 4800, "Levez le rideau."),
        Cue(5000, 6900, "Deux lignes,\nl’une sous l’autre, à côté."),
        Cue(7001, 9500, "Fin."),
    )),
)


def repeated(cues, step):
    """The cues in segments of `step` milliseconds: each once in every segment in which it is shown."""
    return tuple(cue for start in range(0, SECONDS * 1000, step) for cue in cues
                 if cue.start < start + step and cue.end > start)


def timestamp(milliseconds):
    """HH:MM:SS.mmm."""
    seconds, milliseconds = divmod(milliseconds, 1000)
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.{milliseconds:03}"


def webvtt(cues, first_tick=None):
    """The bytes of a WebVTT file whose time 0 is the media's tick `first_tick` (90 kHz), if one is given."""
    head = "WEBVTT\n"
    if first_tick is not None:
        head += f"X-TIMESTAMP-MAP=MPEGTS:{first_tick},LOCAL:00:00:00.000\n"
    body = (f"\n{number}\n{timestamp(cue.start)} --> {timestamp(cue.end)}\n{cue.text}\n"
            for number, cue in enumerate(cues, 1))
    return (head + "".join(body)).encode()


def subrip(cues):
    """The bytes of a SubRip file."""
    blocks = (f"{number}\r\n{timestamp(cue.start)} --> {timestamp(cue.end)}\r\n{cue.text}\r\n\r\n"
              for number, cue in enumerate(cues, 1))
    return re.sub(r"(:\d\d)\.(\d{3})", r"\1,\2", "".join(blocks)).encode()


def parse_webvtt(text):
    """The cues of a well-formed WebVTT text, in file order."""
    time = r"(?:(\d+):)?(\d\d):(\d\d)\.(\d\d\d)"
    cues = []
    for block in re.split(r"\n{2,}", text.replace("\r\n", "\n")):
        timing = re.search(rf"^{time} --> {time}.*$", block, re.MULTILINE)
        if timing:
            fields = [int(field or 0) for field in timing.groups()]
            start, end = (((h * 60 + m) * 60 + s) * 1000 + ms for h, m, s, ms in (fields[:4], fields[4:]))
            cues.append(Cue(start, end, block[timing.end():].strip("\n")))
    return tuple(cues)


def make_media(folder):
    """Encodes a two-variant stream with its master into `folder`."""
    split = "[0:v]split=2[a][b];[a]scale=640:360[v0];[b]scale=320:180[v1]"
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error",
         "-f", "lavfi", "-i", f"testsrc=size=640x360:rate={PICTURES_PER_SECOND}", "-f", "lavfi", "-i", "sine=440",
         "-t", str(SECONDS), "-filter_complex", split, "-map", "[v0]", "-map", "1:a", "-map", "[v1]", "-map", "1:a",
         "-c:v", "libx264", "-bf", "0", "-g", "50", "-pix_fmt", "yuv420p", "-c:a", "aac",
         "-f", "hls", "-hls_time", "2", "-hls_playlist_type", "vod", "-var_stream_map", "v:0,a:0 v:1,a:1",
         "-master_pl_name", MASTER, "-hls_segment_filename", "v%v_%03d.ts", "v%v.m3u8"],
        cwd=folder, check=True, timeout=120)


def first_tick(folder):
    """The first video PTS of the media in `folder`, in ticks of 90 kHz."""
    probe = subprocess.run(
        ["ffprobe", "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=start_pts", "-of", "csv=p=0",
         "v0_000.ts"],
        cwd=folder, check=True, timeout=60, capture_output=True, text=True)
    return int(probe.stdout.split()[0].strip(","))


def masters(original):
    """The master in the spellings that matter to a rewriter: (name, bytes)."""
    lines = original.rstrip(b"\n")
    return (
        ("LF", lines + b"\n"),
        ("CRLF", (lines + b"\n").replace(b"\n", b"\r\n")),
        ("no final newline", lines),
    )


def link_media(source, target):
    """Puts the media of `source`, without its master, into `target`."""
    for file in pathlib.Path(source).iterdir():
        if file.name != MASTER:
            (pathlib.Path(target) / file.name).hardlink_to(file)
