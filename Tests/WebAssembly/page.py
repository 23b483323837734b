#!/usr/bin/env python3
"""Opens the page of Sources/WebAssembly in Chromium and uses it, by its DOM, by keys and by dropped files.

With --screenshots FOLDER it leaves pictures there, at 400 and 1400 pixels, light and dark.
"""

import argparse
import json
import pathlib

from chromium import Chromium
from server import serve

WIDTHS = (400, 1400)

# The playlist that is shown, as a text.
SHOWN = "[...document.querySelectorAll('#master .line')].map(line => line.textContent).join('\\n')"

# What the library itself makes of what is typed, with the track of the page.
EXPECTED = """(async () => {
  const { load } = await import(new URL("../surtitle.mjs", location).href);
  const surtitle = await load(fetch("../surtitle.wasm"));
  const value = id => document.getElementById(id).value, checked = id => document.getElementById(id).checked;
  const track = { uri: value("uri"), name: value("name"), language: value("language"), default: checked("default"), forced: checked("forced"),
    sdh: checked("sdh"), autoselect: checked("autoselect") };
  const configuration = surtitle.configure({ tracks: [track], "replace-default": checked("replace-default") });
  return new TextDecoder().decode(configuration.sideload(value("playlist")));
})()"""

# Drops a file onto a card.
DROP = """(target, name, bytes) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([new Uint8Array(bytes)], name));
  const card = document.querySelector(`.drop[data-target=${target}]`);
  for (const kind of ["dragover", "drop"]) card.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
}"""

SUBRIP = b"1\r\n00:00:01,500 --> 00:00:03,000\r\nOne\r\n\r\n2\r\n00:00:07,000 --> 00:00:08,250\r\nTwo\r\n"

# What is typed in place of a field's value, the field whose error it is, and some of its words.
MISTAKES = (
    ("playlist", "#EXTM3U\n#EXTINF:4,\na.ts\n", "playlist", "media playlist"),
    ("playlist", "a page", "playlist", "first line must be #EXTM3U"),
    ("playlist", '#EXTM3U\n#EXT-X-STREAM-INF:CODECS="a\nv\n', "playlist", "line 2"),
    ("language", "not a tag", "language", ""),
    ("uri", "", "uri", ""),
    ("name", "", "name", ""),
    ("subtitles", "a page", "subtitles", "first line of WebVTT"),
    ("subtitles", "WEBVTT\n", "subtitles", "no cue"),
    ("step", "0", "step", "above 0"),
    ("mpegts", "-1", "mpegts", "whole number"),
)


def expect(condition, words):
    if not condition:
        raise SystemExit(f"FAILED: {words}")


class Page:
    def __init__(self, browser):
        self.browser = browser

    def run(self, script):
        return self.browser.run(script)

    def fill(self, field, value):
        """Sets a field at once, as pasting does."""
        self.run(f"""(() => {{ const field = document.getElementById({json.dumps(field)}); field.value = {json.dumps(value)};
            field.dispatchEvent(new Event("input", {{ bubbles: true }})); }})()""")

    def value(self, field):
        return self.run(f"document.getElementById({json.dumps(field)}).value")

    def errors(self):
        return self.run("Object.fromEntries([...document.querySelectorAll('.error:not([hidden])')].map(e => [e.id, e.textContent]))")

    def drop(self, target, name, content):
        self.run(f"({DROP})({json.dumps(target)}, {json.dumps(name)}, {list(content)})")

    def is_as_the_library_has_it(self, when):
        expect(self.run(SHOWN) == self.run(EXPECTED), f"{when}, another playlist is shown than the library makes")


def check_outputs(page):
    page.is_as_the_library_has_it("at first")
    marks = page.run("[...document.querySelectorAll('#master mark')].map(mark => mark.textContent)")
    expect(marks == [',SUBTITLES="subs"'] * 2, f"marked in the playlist is {marks}")
    added = page.run("[...document.querySelectorAll('#master .new')].map(line => line.textContent)")
    expect(len(added) == 1 and added[0].startswith("#EXT-X-MEDIA:TYPE=SUBTITLES"), f"new in the playlist is {added}")
    names = page.run("[...document.querySelectorAll('#segments .file')].map(file => file.textContent)")
    listed = page.run("[...document.querySelectorAll('#track .line')].map(line => line.textContent).filter(line => !line.startsWith('#'))")
    expect(names == listed == ["en-0.vtt", "en-1.vtt", "en-2.vtt"], f"the segments are {names}, and listed are {listed}")
    page.run("document.querySelector('#segments summary').click()")
    page.browser.wait_for("document.querySelector('#segments details pre')?.textContent.includes('house lights')")
    page.fill("mpegts", "900000")
    page.browser.wait_for("document.querySelector('#segments details pre')?.textContent.includes('X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000')")
    page.fill("mpegts", "")
    page.fill("step", "")
    listed = page.run("[...document.querySelectorAll('#track .line')].map(line => line.textContent).filter(line => !line.startsWith('#'))")
    expect(listed == ["en.vtt"], f"without a length the files are {listed}")
    page.fill("step", "6")


def check_typing(page):
    page.run("document.getElementById('name').focus(); document.getElementById('name').select()")
    page.browser.type("Svenska")
    expect('NAME="Svenska"' in page.run(SHOWN), "what is typed does not come out")
    for box in ("default", "forced", "sdh", "autoselect", "replace-default"):
        # An SDH or default track must be chosen by language.
        page.run("for (const id of ['default', 'sdh']) document.getElementById(id).checked = false; "
                 f"document.getElementById('autoselect').checked = true; document.getElementById('{box}').focus()")
        page.browser.press(" ", " ")
        expect(page.errors() == {}, f"{box}: {page.errors()}")
        page.is_as_the_library_has_it(box)
    page.run("for (const id of ['default', 'autoselect']) document.getElementById(id).checked = true; "
             "for (const id of ['forced', 'sdh', 'replace-default']) document.getElementById(id).checked = false")
    page.fill("name", "English")


def check_mistakes(page):
    for field, typed, place, words in MISTAKES:
        before = page.value(field)
        page.fill(field, typed)
        errors = page.errors()
        expect(list(errors) == [f"{place}-error"] and words in errors[f"{place}-error"], f"{field} {typed!r}: {errors}")
        expect(page.run(f"document.getElementById('{place}').getAttribute('aria-invalid')") == "true", f"{place} does not look wrong")
        page.fill(field, before)
        expect(page.errors() == {}, f"{field}: the error stays")


def check_drops(page):
    before = page.value("subtitles")
    page.drop("subtitles", "film.srt", SUBRIP)
    page.browser.wait_for("document.getElementById('subtitles').value.includes('00:00:01,500')")
    expect(page.errors() == {}, f"SubRip: {page.errors()}")
    expect(page.run("document.querySelectorAll('#segments details').length") == 2, "SubRip has not become two segments")
    page.drop("subtitles", "latin.srt", b"1\n00:00:01,000 --> 00:00:02,000\n\xe9\n")
    page.browser.wait_for("document.getElementById('subtitles-error').textContent === 'latin.srt is not UTF-8.'")
    page.fill("subtitles", before)
    is_left = page.run("document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, cancelable: true }))")
    expect(not is_left, "a file that misses its place takes the page away")
    playlist = page.value("playlist")
    page.drop("playlist", "a.m3u8", b"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n")
    page.browser.wait_for("document.getElementById('playlist').value.includes('BANDWIDTH=1\\n')")
    page.is_as_the_library_has_it("dropped")
    page.fill("playlist", playlist)


def check_keyboard(page):
    page.run("document.activeElement.blur(); scrollTo(0, 0)")
    reached = []
    for _ in range(40):
        page.browser.press("Tab")
        reached.append(page.run("(({ id, dataset, className }) => id || (dataset.target ? `${dataset.target}-file` : className))(document.activeElement)"))
    wanted = ["playlist", "playlist-file", "subtitles", "subtitles-file", "uri", "name", "language", "default", "autoselect", "forced", "sdh",
              "replace-default", "step", "mpegts", "tab-master", "button copy"]
    missing = [each for each in wanted if each not in reached]
    expect(not missing, f"the Tab key does not lead to {missing}")
    page.run("document.getElementById('tab-master').focus()")
    for key, panel in (("ArrowRight", "track"), ("ArrowRight", "segments"), ("ArrowRight", "master"), ("ArrowLeft", "segments"), ("ArrowRight", "master")):
        page.browser.press(key)
        shown = page.run("[...document.querySelectorAll('[role=tabpanel]:not([hidden])')].map(panel => panel.id)")
        expect(shown == [panel] and page.run("document.activeElement.id") == f"tab-{panel}", f"{key} leads to {shown}")


def check_privacy(page, origin):
    for leak in ("fetch('http://127.0.0.1:9/')", "fetch('https://example.com/', { mode: 'no-cors' })", "import('data:text/javascript,0')"):
        expect(page.run(f"{leak}.then(() => 'went', () => 'blocked')") == "blocked", f"{leak} goes out")
    blocked = page.run("""new Promise(resolve => {
        document.addEventListener("securitypolicyviolation", event => resolve(event.effectiveDirective), { once: true });
        navigator.sendBeacon("http://127.0.0.1:9/", "a");
        setTimeout(() => resolve("went"), 2000);
    })""")
    expect(blocked == "connect-src", f"sendBeacon: {blocked}")
    requests = [event["params"] for event in page.browser.events if event.get("method") == "Network.requestWillBeSent"]
    expect(len(requests) > 5, "no requests were seen")
    refused = {event["params"]["requestId"] for event in page.browser.events if event.get("method") == "Network.loadingFailed"}
    elsewhere = [request["request"]["url"] for request in requests if request["requestId"] not in refused
                 and not request["request"]["url"].startswith((origin, "data:", "about:"))]
    expect(not elsewhere, f"requests went to {elsewhere}")


def check_appearance(page, screenshots):
    for width in WIDTHS:
        for scheme in ("light", "dark"):
            page.browser.appear(width, scheme=scheme)
            page.run("document.activeElement.blur(); scrollTo(0, 0)")
            for state, prepare in (("", lambda: None), ("-segments", lambda: page.run("document.getElementById('tab-segments').click()")),
                                   ("-errors", lambda: (page.run("document.getElementById('tab-master').click()"), page.fill("language", "not a tag"), page.fill("subtitles", "a page")))):
                before = page.value("subtitles")
                prepare()
                expect(page.run("document.documentElement.scrollWidth <= innerWidth"), f"{width} pixels{state}: it is wider than the window")
                if screenshots:
                    page.browser.screenshot(screenshots / f"{width}-{scheme}{state}.png")
                if state == "-errors":
                    page.fill("subtitles", before)
                    page.fill("language", "en")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--built", type=pathlib.Path, required=True, help="where build.sh has put what it builds")
    parser.add_argument("--screenshots", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.screenshots:
        arguments.screenshots.mkdir(parents=True, exist_ok=True)
    with serve(arguments.built) as origin, Chromium() as browser:
        browser.appear(1400)
        browser.open(origin + "page/index.html")
        browser.wait_for("document.documentElement?.dataset.ready === 'true' || document.getElementById('failure')?.hidden === false")
        page = Page(browser)
        expect(page.errors() == {}, f"it begins with {page.errors()}")
        check_outputs(page)
        check_typing(page)
        check_mistakes(page)
        check_drops(page)
        check_keyboard(page)
        check_appearance(page, arguments.screenshots)
        complaints = [event["params"]["entry"]["text"] for event in browser.events
                      if event.get("method") == "Log.entryAdded" and event["params"]["entry"]["level"] == "error"]
        thrown = [event["params"] for event in browser.events if event.get("method") == "Runtime.exceptionThrown"]
        expect(not complaints and not thrown, f"Chromium complains: {complaints} {thrown}")
        check_privacy(page, origin)
    print("the page: done")


if __name__ == "__main__":
    main()
