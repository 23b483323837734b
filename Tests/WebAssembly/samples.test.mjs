// The JavaScript of README.md and of the guide to live streams, as it stands there: each sample is run, with what it takes from the program around
// it, and then checked. A sample without an entry below is an error, and so is an entry without a sample.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, test } from "node:test";
import { built, edited, load, masters, surtitle, tracks } from "./setup.mjs";
import { live, packedAudio } from "./live-setup.mjs";

const sources = new URL("../../Sources/", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "surtitle-"));
const { fetch } = globalThis;
after(() => {
  rmSync(folder, { recursive: true });
  globalThis.fetch = fetch;
});

const VIDEO = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:16\n#EXT-X-PROGRAM-DATE-TIME:2026-11-23T20:01:36Z\n#EXTINF:6,\na.aac\n#EXTINF:6,\nb.aac\n";
const CUES = "WEBVTT\n\n00:01:43.000 --> 00:01:44.000\nHello\n";
/** What the origins of the samples have. */
globalThis.fetch = async (input) => {
  const { pathname } = new URL(input.url ?? input);
  const bodies = { "/live/video.m3u8": VIDEO, "/master.m3u8": VIDEO, "/film/master.m3u8": masters[0].playlist, "/subs/en.vtt": CUES };
  const body = pathname.endsWith(".aac") ? packedAudio(900000) : bodies[pathname];
  return new Response(body ?? null, { status: body ? 200 : 404, headers: pathname.endsWith(".m3u8") ? { "content-type": "application/vnd.apple.mpegurl" } : {} });
};
/** A file beside the samples. */
const fetchFile = async (url) => new Response(readFileSync(join(built, basename(new URL(url).pathname))));
const playlist = () => new Response(masters[0].playlist, { headers: { "content-type": "application/vnd.apple.mpegurl" } });
const configuration = () => surtitle.configure({ tracks });
const listeners = {};

/** What each sample is given, and what is true behind it. */
const contexts = {
  "README: Playlists": {
    given: { fetch: fetchFile, bytes: masters[0].playlist, response: playlist() },
    check: "assert.equal(configuration.report.verdict, 'multivariant')",
  },
  // A module as it stands.
  "README: Workers": {
    check: "const made = await worker.fetch(new Request('https://e.example/film/master.m3u8')); assert.match(await made.text(), /subs.en.m3u8/)",
  },
  "README: Workers, 2": {
    given: { fetch: fetchFile, load, TRACKS: tracks, addEventListener: (name, listener) => (listeners[name] = listener) },
    check:
      "let made; listeners.fetch({ request: new Request('https://e.example/film/master.m3u8'), respondWith: (promise) => (made = promise) });" +
      "assert.match(await (await made).text(), /subs.en.m3u8/)",
  },
  "README: The two questions of a proxy": {
    given: { surtitle, configuration: configuration(), request: new Request("https://e.example/a.m3u8"), fetch: playlist, edited, count: 17 },
    check: "assert.equal(decision.action, 'hold')",
  },
  "README: In sync with a video": {
    given: { surtitle, file: CUES, fetch: fetchFile },
    check: "assert.deepEqual(map, { mpegts: 900000, local: 0 })",
  },
  "README: Live streams": {
    given: { fetch: fetchFile, store: { get: async () => undefined, put: async () => {} } },
    check: "assert.match(await (await serveTracks(new Request('https://e.example/en/17.vtt'))).text(), /MPEGTS[^]*Hello/)",
  },
  "README: Live streams, 2": {
    given: { live, video: "https://e.example/live/video.m3u8", firstTimeStamp: async () => 900000 },
    check: "assert.deepEqual([span.place, growing.held.cues], ['span', 1])",
  },
  "Live: On an edge network": {
    given: { live, cache: new Map(), request: new Request("https://e.example/en.m3u8") },
    check: "assert.match(await response.text(), /en.17.vtt/); assert.equal(cache.size, 1)",
  },
};

/** The blocks of JavaScript of a guide, each by the heading above it. */
function samplesOf(name, path) {
  const samples = [];
  let heading = "";
  for (const [, title, block] of readFileSync(join(sources, path), "utf8").matchAll(/^#+ (.*)$|^```js\n([^]*?)^```$/gm)) {
    if (title) heading = `${name}: ${title}`;
    else {
      const count = samples.filter((sample) => sample.heading === heading).length;
      samples.push({ heading, name: count > 0 ? `${heading}, ${count + 1}` : heading, block });
    }
  }
  return samples;
}
const samples = [...samplesOf("README", "WebAssembly/README.md"), ...samplesOf("Live", "Delivery/Delivery.docc/Live.md")];

test("each sample has an entry, and each entry is a sample's", () => {
  assert.deepEqual(samples.map(({ name }) => name).sort(), Object.keys(contexts).sort());
});

for (const [index, { name, block }] of samples.entries()) {
  test(`sample: ${name}`, async () => {
    const { given = {}, check } = contexts[name];
    globalThis.sampleModule = new WebAssembly.Module(readFileSync(join(built, "surtitle.wasm")));
    const whole = block
      .replace('import module from "./surtitle.wasm";', "const module = globalThis.sampleModule;")
      .replaceAll(/"\.\/(\w+\.mjs)"/g, (_, file) => JSON.stringify(join(built, file)));
    const imports = whole.match(/^import .*$/gm) ?? [];
    const isModule = /^export default /m.test(whole);
    const body = isModule ? "" : whole.replaceAll(/^import .*$/gm, "");
    const names = [...Object.keys(given), "assert", "listeners", "worker"].join(", ");
    const source = `${isModule ? whole : imports.join("\n")}\nexport async function run({ ${names} }) {\n${body}\n${check}\n}\n`;
    const file = join(folder, `${index}.mjs`);
    writeFileSync(file, source);
    const module = await import(file);
    await module.run({ ...given, assert, listeners, worker: module.default });
  });
}
