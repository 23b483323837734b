"""What checks of proxies share: a report, what the library makes of files, and the files."""

import os
import pathlib
import shutil
import subprocess
import sys
import time

from playlists import master

FIXTURES = pathlib.Path(__file__).resolve().parent.parent / "Fixtures"
TRACKS = ("uri=subs/en.m3u8,language=en,name=English,default", "uri=subs/sv.m3u8,language=sv,name=Svenska")


class Report:
    """Prints one line a check that fails, counts all, and tells how many held of each kind."""

    def __init__(self):
        self.checks = self.failures = 0

    def equal(self, name, found, expected):
        self.checks += 1
        if found == expected:
            return
        self.failures += 1
        print(f"FAILED  {name}\n    expected: {expected!r:.500}\n    found:    {found!r:.500}", flush=True)

    def done(self, name, began):
        print(f"{name}: {self.checks} checks so far, {time.monotonic() - began:.0f} s", flush=True)


class Library:
    """What the command makes of files, which is what the module must."""

    def __init__(self, command):
        self.command = command

    def master(self, path, *arguments, tracks=TRACKS):
        options = [option for track in tracks for option in ("--track", track)]
        run = subprocess.run([self.command, "master", str(path), *options, *arguments], capture_output=True)
        if run.returncode not in (0, 1):  # 1: something could not be edited, and went through as it was
            sys.exit(run.stderr.decode())
        return run.stdout

    def run(self, *arguments):
        return subprocess.run([self.command, *map(str, arguments)], capture_output=True, check=True).stdout


def make_files(folder):
    """The playlists that are served: fixtures, those of SURTITLE_CONFORMANCE, and some of sizes that matter."""
    shutil.copytree(FIXTURES / "sample", folder / "sample")
    conformance = os.environ.get("SURTITLE_CONFORMANCE")
    if conformance:
        for path in sorted(pathlib.Path(conformance, "m3u8").rglob("*.m3u8")):
            target = folder / "conformance" / path.parent.name / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    made = folder / "made"
    made.mkdir()
    for name, count in (("small", 20), ("held", 400), ("beyond", 520), ("large", 7_000), ("huge", 40_000)):
        (made / f"{name}.m3u8").write_text(master(count))
    for name, length in (("exact", 65_536), ("over", 65_537)):  # what is held at most, and a byte more
        text = master(400)
        (made / f"{name}.m3u8").write_text(text + "#" * (length - len(text) - 1) + "\n")
    (made / "media.m3u8").write_text("#EXTM3U\n#EXT-X-TARGETDURATION:4\n" + "#EXTINF:4,\nsegment-number.ts\n" * 12_000)
    (made / "open.m3u8").write_text('#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="a\na.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nb.m3u8\n')
    (made / "noend.m3u8").write_text("#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=1\r\na.m3u8")
    (made / "declared.m3u8").write_text(
        '#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="own",NAME="Suomi",LANGUAGE="fi",URI="fi.m3u8"\n'
        '#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="own"\na.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nb.m3u8\n')
    (made / "mixed.m3u8").write_text("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n#EXTINF:4,\na.ts\n")
    (made / "text.m3u8").write_text("This is no playlist at all, though it is called so.\n" * 100)
    (made / "short.m3u8").write_text("#EXTM3U")
    for name, length in (("one", 1), ("twelve", 12), ("thirteen", 13)):  # what is looked at at most, and a byte more
        (made / f"{name}.m3u8").write_text("#EXTM3V"[:length].ljust(length, "x"))
    (made / "empty.m3u8").write_text("")
    cues = "".join(f"{i}\r\n00:00:{i:02},500 --> 00:00:{i + 2:02},000\r\n<i>Cue {i}</i>\r\n\r\n" for i in range(1, 50))
    (made / "film.srt").write_text(cues)
    shutil.copyfile(folder / "sample/en.vtt", made / "gone.vtt")
    (made / "wide.srt").write_text(cues, "utf-16")
    (made / "big.srt").write_bytes(b"\xfe\xff" + cues.encode("utf-16-be"))
    (made / "bom.vtt").write_text("\ufeffWEBVTT\n\n00:01.000 --> 00:02.500\na\n")
    (made / "latin.srt").write_bytes(b"1\n00:00:01,000 --> 00:00:02,000\n\xe9t\xe9\n")
    (made / "media.ts").write_bytes(bytes(range(256)) * 4000)
    shutil.copyfile(made / "small.m3u8", made / "play")
    (made / "page.html").write_text('<p><!--#include virtual="/static/made/small.m3u8" --></p><!--#include virtual="/o/chunked/made/small.m3u8" -->')
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.m3u8"))
