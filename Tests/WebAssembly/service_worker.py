#!/usr/bin/env python3
"""Runs the service worker of the examples in Chromium: what its page fetches has the track."""

import argparse
import pathlib

from chromium import Chromium
from server import serve

PLAYLIST = b"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nvideo.m3u8\n"
TYPE = {"Content-Type": "application/vnd.apple.mpegurl"}
ANSWERS = {
    "/start": (200, {"Content-Type": "text/html"}, b"<!doctype html><title>start</title>"),
    "/start?again": (200, {"Content-Type": "text/html"}, b"<!doctype html><title>start</title>"),
    "/film/master.m3u8": (200, TYPE, PLAYLIST),
    "/moved.m3u8": (302, {"Location": "/film/master.m3u8"}, b""),
    # Less comes than is announced: the origin breaks off.
    "/torn.m3u8": (200, {**TYPE, "Content-Length": "1000"}, PLAYLIST),
    "/1.ts": (200, {"Content-Type": "video/mp2t"}, b"media"),
}

REGISTER = """navigator.serviceWorker.register("/service-worker.mjs", { type: "module" })
  .then(() => navigator.serviceWorker.controller || new Promise(done => navigator.serviceWorker.addEventListener("controllerchange", done)))
  .then(() => true)"""

# What a fetch of the page gets: status, address and text, or that it broke off.
FETCH = """fetch("%s").then(async response => [response.status, new URL(response.url).pathname,
  await response.text().catch(() => "broke off")])"""


def expect(condition, words):
    if not condition:
        raise SystemExit(f"FAILED: {words}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--built", type=pathlib.Path, required=True, help="where build.sh has put what it builds")
    arguments = parser.parse_args()
    with serve(arguments.built, ANSWERS) as origin, Chromium() as browser:
        browser.open(origin + "start")
        browser.wait_for("document.title === 'start'")
        expect(browser.run(REGISTER), "it cannot be registered")
        for path in ("/film/master.m3u8", "/moved.m3u8"):
            status, address, text = browser.run(FETCH % path)
            expect((status, address) == (200, "/film/master.m3u8"), f"{path}: {status} from {address}")
            expect('URI="/subs/en.m3u8"' in text and ',SUBTITLES="subs"' in text, f"{path}: {text}")
        expect(browser.run(FETCH % "/torn.m3u8")[2] == "broke off", "a torn playlist looks whole")
        expect(browser.run(FETCH % "/1.ts") == [200, "/1.ts", "media"], "media is not as it was")
        expect(browser.run(FETCH % "/nothing.ts")[0] == 404, "what is not there is there")
        browser.open(origin + "start?again")
        browser.wait_for("location.search === '?again' && document.title === 'start' && !!navigator.serviceWorker.controller")
    print("the service worker: done")


if __name__ == "__main__":
    main()
