"""How people do the same by other means: each a function of a file."""

import re
import subprocess
from pathlib import Path

TRACKS = (("en", "English", "en.m3u8", True), ("sv", "Svenska", "sv.m3u8", False))
TAGS = "".join(
    f'#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="{name}",LANGUAGE="{language}",DEFAULT={"YES" if default else "NO"},AUTOSELECT=YES,'
    f'URI="{uri}"\n' for language, name, uri, default in TRACKS)
SED = ["sed", "-e", 's/^#EXT-X-STREAM-INF:.*$/&,SUBTITLES="subs"/', "-e", "$a\\\n" + TAGS.rstrip("\n").replace("\n", "\\\n")]


def text_recipe(text: bytes) -> bytes:
    """What published recipes do: lines, a suffix for each variant, tags at the end."""
    lines = text.decode().split("\n")
    lines = [f'{line},SUBTITLES="subs"' if line.startswith("#EXT-X-STREAM-INF") else line for line in lines]
    return ("\n".join(lines) + TAGS).encode()


def sub_filter(text: bytes) -> bytes:
    """What two directives sub_filter of nginx make (Benchmarks/Proxies has nginx itself)."""
    text = text.replace(b"#EXT-X-STREAM-INF:", b'#EXT-X-STREAM-INF:SUBTITLES="subs",')
    return text.replace(b"#EXTM3U", b"#EXTM3U\n" + TAGS.rstrip("\n").encode())


def sed(text: bytes) -> bytes:
    return subprocess.run(SED, input=text, stdout=subprocess.PIPE, check=True).stdout


def with_m3u8(text: bytes) -> bytes:
    """The package m3u8 of PyPI: the playlist as objects, written anew."""
    import m3u8

    playlist = m3u8.loads(text.decode())
    groups = sorted({variant.stream_info.subtitles for variant in playlist.playlists} - {None} or {"subs"})
    made = [m3u8.Media(uri=uri, type="SUBTITLES", group_id=group, language=language, name=name, default="YES" if default else "NO", autoselect="YES")
            for group in groups for language, name, uri, default in TRACKS]
    for media in made:
        playlist.add_media(media)
    for variant in playlist.playlists:
        # Which groups a variant names is written from its media.
        if variant.stream_info.subtitles is None:
            variant.media.append(made[0])
    return playlist.dumps().encode()


def surtitle(command: Path):
    """`surtitle master`."""
    tracks = [f"--track=uri={uri},language={language},name={name}{',default' if default else ''}" for language, name, uri, default in TRACKS]

    def run(text: bytes) -> bytes:
        return subprocess.run([command, "master", "-", *tracks], input=text, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout or text

    run.words = [command, "master", "-", *tracks]
    return run


# ---- Cues -----------------------------------------------------------------------------------------------------------------------


def webvtt_end(path: Path) -> int:
    import webvtt

    last = webvtt.read(str(path))[-1].end_time
    return round(((last.hours * 60 + last.minutes) * 60 + last.seconds) * 1000 + last.milliseconds)


def pysubs2_end(path: Path) -> int:
    import pysubs2

    return max(event.end for event in pysubs2.load(str(path)))


def webvtt_from_srt(path: Path) -> str:
    import webvtt

    return webvtt.from_srt(str(path)).content


def pysubs2_from_srt(path: Path) -> str:
    import pysubs2

    return pysubs2.load(str(path)).to_string("vtt")


def webvtt_segments(path: Path, folder: Path) -> None:
    from webvtt import segmenter

    segmenter.segment(str(path), str(folder), seconds=6, mpegts=126_000)


def times(text: str) -> list[tuple[str, str]]:
    """The timing lines of WebVTT, hours always written."""
    found = re.findall(r"^((?:\d+:)?\d\d:\d\d\.\d{3}) --> ((?:\d+:)?\d\d:\d\d\.\d{3})", text, re.M)
    return [tuple(time if time.count(":") == 2 else f"00:{time}" for time in pair) for pair in found]
