#!/usr/bin/env python3
"""Opens pages of the site that site.py builds in Chromium, at 400 and 1400 pixels, light and dark.

A page has to show its title and the beginning of its text, and be no wider than the window; an error in Chromium's log is one here.

    pages.py --built SITE [--screenshots FOLDER]
"""

import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "WebAssembly"))
from chromium import Chromium, Failure  # noqa: E402
from server import serve  # noqa: E402

WIDTHS = (400, 1400)
# A page, its title, and words of it.
PAGES = [
    ("", "Surtitle", "Guides and API"),
    ("documentation", "Surtitle", "Sideload"),
    ("documentation/sideload", "Sideload", "SubtitleTracks"),
    ("documentation/sideload/sync", "Subtitles in sync", "X-TIMESTAMP-MAP"),
    ("documentation/sideload/comparison", "Beside the others", "shaka-packager"),
    ("documentation/command", "The command", "movie.sv.srt"),
    ("documentation/sideload/subtitletracks", "SubtitleTracks", "init"),
    ("documentation/surtitle/reference", "The command’s reference", "surtitle sideload"),
    ("documentation/delivery/headers", "Proxies: what happens to the headers", "If-None-Match"),
    ("documentation/sideloadavfoundation/avplayer", "Subtitles for AVPlayer", "SubtitleLoader"),
]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--built", type=pathlib.Path, required=True)
    arguments.add_argument("--screenshots", type=pathlib.Path)
    given = arguments.parse_args()
    if given.screenshots:
        given.screenshots.mkdir(parents=True, exist_ok=True)
    faults = []
    with serve(given.built) as origin, Chromium() as browser:
        for path, title, words in PAGES:
            for width in WIDTHS:
                # Opened anew, as a reader does: DocC lays its bars out once.
                browser.appear(width, scheme="light")
                browser.open(f"{origin}{path}/" if path else origin)
                try:
                    heading = f"document.querySelector('h1')?.innerText.includes({json.dumps(title)})"
                    browser.wait_for(f"location.pathname.startsWith('/{path}') && {heading}")
                    browser.wait_for(f"document.body.innerText.includes({json.dumps(words)})")
                except Failure as failure:
                    faults.append(f"{path}: {failure}")
                    continue
                for scheme in ("light", "dark"):
                    browser.appear(width, scheme=scheme)
                    if not browser.run("document.documentElement.scrollWidth <= innerWidth"):
                        faults.append(f"{path}, {width}: it is wider than the window")
                    if given.screenshots:
                        browser.screenshot(given.screenshots / f"{path.replace('/', '-') or 'index'}-{width}-{scheme}.png")
        faults += [event["params"]["entry"]["text"] for event in browser.events
                   if event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error"]
    if faults:
        sys.exit("\n".join(faults))
    print(f"{len(PAGES)} pages of the site, in {len(WIDTHS)} widths, light and dark: done")


if __name__ == "__main__":
    main()
