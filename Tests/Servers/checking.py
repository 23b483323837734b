"""Counts what holds, and knows what the library makes of files."""

import subprocess
import sys
import time

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
