"""hls.js in headless Chromium: what it makes of streams' subtitles, as values to compare."""

import functools
import http.server
import json
import pathlib
import shutil
import subprocess
import tempfile
import threading
from typing import NamedTuple

import players
from stream import Cue

LIBRARY = players.ENVIRONMENT.parent / "hls.mjs"
PATIENCE = 40  # seconds for one stream

# Loads one stream after the other. A stream is done when all of it is buffered and its cues have been the same for a
# second; what is then there is posted, and the next stream is asked for.
PAGE = """<!doctype html><meta charset="utf-8"><script>
window.onerror = message => fetch("/result", { method: "POST", body: JSON.stringify({ failure: message }) });
</script><script type="module">
import { Hls } from "/hls.mjs";
const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
const cuesOf = video => Array.from(video.textTracks).flatMap(track => Array.from(track.cues || [])
  .map(cue => ({ start: cue.startTime, end: cue.endTime, text: cue.text, language: track.language })));
async function load(url) {
  const errors = [];
  const video = document.body.appendChild(Object.assign(document.createElement("video"), { muted: true }));
  const hls = new Hls({ maxBufferLength: 60, enableWorker: false });
  hls.on(Hls.Events.ERROR, (_, data) => { if (data.fatal) errors.push(data.details); });
  hls.on(Hls.Events.SUBTITLE_TRACKS_UPDATED, () => { hls.subtitleDisplay = true; hls.subtitleTrack = 0; });
  hls.loadSource(url);
  hls.attachMedia(video);
  let quiet = 0, before = "";
  const ranges = () => Array.from({ length: video.buffered.length }, (_, i) => [video.buffered.start(i), video.buffered.end(i)]);
  for (let rounds = 0; rounds < 150 && quiet < 10 && !errors.length; rounds++) {
    await wait(100);
    const now = JSON.stringify(cuesOf(video));
    const last = ranges().at(-1);
    const isWhole = last && video.duration && last[1] > video.duration - 0.5;
    quiet = isWhole && now !== "[]" && now === before ? quiet + 1 : 0;
    before = now;
  }
  const tracks = hls.subtitleTracks.map(track => ({ language: track.lang || "", name: track.name, default: track.default }));
  const result = { url, cues: cuesOf(video), tracks, buffered: ranges(), errors, version: Hls.version };
  hls.destroy();
  video.remove();
  return result;
}
for (;;) {
  const url = await (await fetch("/next")).text();
  if (!url) break;
  await fetch("/result", { method: "POST", body: JSON.stringify(await load(url)) });
}
await fetch("/result", { method: "POST", body: "null" });
</script>"""

# Plays all streams side by side, each with its first track of subtitles, for as many seconds as there are in the page's address. What is posted
# of each are its cues, once a distinct one, with the date at which the video shows what the cue starts with.
LIVE_PAGE = """<!doctype html><meta charset="utf-8"><script>
window.onerror = message => fetch("/result", { method: "POST", body: JSON.stringify({ failure: message }) });
</script><script type="module">
import { Hls } from "/hls.mjs";
const wait = milliseconds => new Promise(resolve => setTimeout(resolve, milliseconds));
async function watch(url, until) {
  const errors = [], cues = {};
  const video = document.body.appendChild(Object.assign(document.createElement("video"), { muted: true, autoplay: true }));
  const hls = new Hls({ enableWorker: false });
  hls.on(Hls.Events.ERROR, (_, data) => { if (data.fatal) errors.push(data.details); });
  hls.on(Hls.Events.SUBTITLE_TRACKS_UPDATED, () => { hls.subtitleDisplay = true; hls.subtitleTrack = 0; });
  hls.loadSource(url);
  hls.attachMedia(video);
  const dateOf = time => {
    const fragments = hls.levels[hls.currentLevel]?.details?.fragments || [];
    const index = fragments.findIndex(one => one.start <= time && time < one.start + one.duration);
    // The start of the first after a discontinuity is that of its audio, which may be ahead of the picture; those behind it are exact.
    const next = fragments[index + 1];
    const fragment = next?.cc === fragments[index]?.cc ? next : fragments[index];
    return fragment?.programDateTime ? fragment.programDateTime + (time - fragment.start) * 1000 : null;
  };
  let first = null, last = null;
  while (performance.now() < until && !errors.length) {
    await wait(100);
    for (const cue of Array.from(video.textTracks).flatMap(track => Array.from(track.cues || []))) {
      const key = [cue.startTime.toFixed(3), cue.endTime.toFixed(3), cue.text].join();
      // Where the video is placed is known best once it is there.
      const date = dateOf(cue.startTime) ?? cues[key]?.date ?? null;
      cues[key] = { text: cue.text, date, length: cue.endTime - cue.startTime };
    }
    if (!video.paused && hls.playingDate) { last = hls.playingDate.getTime(); first ??= last; }
  }
  hls.destroy();
  video.remove();
  return { url, cues: Object.values(cues), errors, first, last };
}
const urls = [];
for (;;) {
  const url = await (await fetch("/next")).text();
  if (!url) break;
  urls.push(url);
}
const until = performance.now() + 1000 * Number(new URLSearchParams(location.search).get("seconds"));
for (const result of await Promise.all(urls.map(url => watch(url, until))))
  await fetch("/result", { method: "POST", body: JSON.stringify(result) });
await fetch("/result", { method: "POST", body: "null" });
</script>"""


class Watched(NamedTuple):
    """What hls.js showed of a live stream: (text, date, length) of its cues, from which date to which it played, all in milliseconds, and
    fatal errors."""

    cues: tuple
    first: float
    last: float
    errors: tuple


class Loaded(NamedTuple):
    """What hls.js made of a stream: the cues of the first track in the media's time, in milliseconds, where the media begins and
    ends, in seconds, fatal errors, and all subtitle tracks."""

    cues: tuple
    begins: float
    ends: float
    errors: tuple
    tracks: tuple


def missing():
    """What hls.js needs and is not here, or None."""
    if not shutil.which("chromium"):
        return "chromium"
    return None if LIBRARY.exists() else "hls.js"


class _Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/hls.mjs":
            self._answer(LIBRARY.read_bytes(), "text/javascript")
        elif self.path == "/next":
            self._answer((self.server.urls.pop(0) if self.server.urls else "").encode(), "text/plain")
        else:
            self._answer(self.server.page.encode(), "text/html")

    def do_POST(self):
        result = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if result is None or "failure" in result:
            self.server.failure = result and result["failure"]
            self.server.done.set()
        else:
            self.server.results[result["url"]] = result
        self._answer(b"", "text/plain")

    def _answer(self, body, kind):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *arguments):
        pass


def load_with_hls_js(urls):
    """Loads every stream of `urls`, whose server must allow all origins: {url: Loaded}."""
    results = _browse(PAGE, urls, "", PATIENCE * len(urls) + 60)
    return {url: _loaded(result) for url, result in results.items()}


def watch_with_hls_js(urls, seconds):
    """Plays the live streams of `urls` side by side for so long: {url: Watched}."""
    results = _browse(LIVE_PAGE, urls, f"?seconds={seconds}", seconds + 60)
    return {url: Watched(tuple((cue["text"], cue["date"], cue["length"] * 1000) for cue in result["cues"]),
                         result["first"], result["last"], tuple(result["errors"])) for url, result in results.items()}


def _browse(page, urls, query, patience):
    """What the page posts of every stream."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.page, server.urls, server.results, server.done, server.failure = page, list(urls), {}, threading.Event(), None
    threading.Thread(target=functools.partial(server.serve_forever, poll_interval=0.05), daemon=True).start()
    with tempfile.TemporaryDirectory() as profile:
        browser = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--autoplay-policy=no-user-gesture-required", f"--user-data-dir={profile}",
             f"http://127.0.0.1:{server.server_port}/{query}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            if not server.done.wait(patience):
                raise players.PlayerFailure(f"hls.js was done with {len(server.results)} of {len(urls)} streams only")
            if server.failure:
                raise players.PlayerFailure(f"the page failed: {server.failure}")
        finally:
            browser.terminate()
            try:
                browser.wait(10)
            except subprocess.TimeoutExpired:
                browser.kill()
                browser.wait()
            server.shutdown()
            server.server_close()
            # Its children write there until they see that it has gone.
            shutil.rmtree(pathlib.Path(profile), ignore_errors=True)
            pathlib.Path(profile).mkdir(exist_ok=True)
    return server.results


def _loaded(result):
    cues = sorted(Cue(round(cue["start"] * 1000), round(cue["end"] * 1000), cue["text"]) for cue in result["cues"])
    begins, ends = (result["buffered"][0][0], result["buffered"][-1][1]) if result["buffered"] else (-1, -1)
    tracks = tuple(players.Subtitle(track["language"], track["name"], track["default"]) for track in result["tracks"])
    return Loaded(tuple(cues), begins, ends, tuple(result["errors"]), tracks)
