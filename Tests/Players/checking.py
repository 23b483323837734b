"""What all checks in players share: what they need, how they report, and how they end."""

import argparse
import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

import players


class Report:
    """Prints one line a check and counts those that failed."""

    def __init__(self):
        self.failures = 0

    def equal(self, name, found, expected):
        if found == expected:
            print(f"ok      {name}", flush=True)
        else:
            self.fail(name, f"expected: {expected}\n    found:    {found}")

    def fail(self, name, why):
        self.failures += 1
        print(f"FAILED  {name}\n    {why.rstrip()}", flush=True)

    @contextlib.contextmanager
    def player(self, name):
        """Turns a player's failure into a failed check."""
        try:
            yield
        except players.PlayerFailure as failure:
            self.fail(name, str(failure))


def has_element(name):
    """Whether GStreamer has an element; the first call makes it scan its plugins, which may be slow."""
    return subprocess.run(["gst-inspect-1.0", name], capture_output=True, timeout=120).returncode == 0


def find_tools():
    """(the current ffmpeg, None), or (None, what is missing)."""
    for tool in ("ffmpeg", "ffprobe", "gst-launch-1.0", "gst-inspect-1.0"):
        if not shutil.which(tool):
            return None, tool
    for choice in (("playbin3",), ("hlsdemux2",), ("souphttpsrc",), ("subparse",), ("webvttenc",),
                   ("openh264dec", "avdec_h264"), ("faad", "avdec_aac", "fdkaacdec")):
        if not any(map(has_element, choice)):
            return None, "the GStreamer element " + " or ".join(choice)
    if not (players.ENVIRONMENT / "yt-dlp").exists():
        return None, "yt-dlp"
    ask = [str(players.ENVIRONMENT / "python"), "-c", "import imageio_ffmpeg; print(imageio_ffmpeg.get_ffmpeg_exe())"]
    try:
        return subprocess.run(ask, capture_output=True, text=True, timeout=60, check=True).stdout.strip(), None
    except (OSError, subprocess.SubprocessError):
        return None, "imageio-ffmpeg"


def main(check, description, agreement, missing=lambda: None, option="surtitle"):
    """Runs `check(report, command, ffmpeg, scratch)` and gives the exit status; `missing` names what else it needs and has not.

    The command, or whatever file is checked, is what `--surtitle PATH` names, or another option.

    Says "skipped" and succeeds where something is missing, unless CI=true.
    """
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(f"--{option}", required=True, metavar="PATH", help="what is checked")
    command = str(pathlib.Path(getattr(parser.parse_args(), option)).resolve())
    if not os.path.isfile(command):
        parser.error(f"there is no {command}")

    began = time.monotonic()
    path, tool = find_tools()
    tool = tool or missing()
    if tool:
        required = os.environ.get("CI") == "true"
        print(f"{'FAILED' if required else 'skipped'}: {tool} is missing (Tests/Players/install.sh installs it)")
        return 1 if required else 0

    report = Report()
    with tempfile.TemporaryDirectory(prefix="surtitle-players-") as scratch:
        check(report, command, players.Ffmpeg(path), pathlib.Path(scratch))
    verdict = f"{report.failures} checks failed" if report.failures else agreement
    print(f"{verdict}, {time.monotonic() - began:.0f} s")
    return 1 if report.failures else 0
