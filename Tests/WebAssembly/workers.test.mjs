// The workers of the examples, run with an origin that is a function.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { built, expected, masters, moduleBytes, text } from "./setup.mjs";

const folder = mkdtempSync(join(tmpdir(), "surtitle-"));
const { fetch } = globalThis;
after(() => {
  rmSync(folder, { recursive: true });
  globalThis.fetch = fetch;
});

const ORIGIN = {
  "/film/master.m3u8": () => new Response(masters[0].playlist, { headers: { "content-type": "application/vnd.apple.mpegurl", etag: '"a"' } }),
  "/subs/en.vtt": () => new Response(expected("en.vtt"), { headers: { "content-type": "text/vtt" } }),
  "/1.ts": () => new Response("media"),
};

/** The example, whose import of a module an edge understands and node does not. */
async function edgeWorker() {
  globalThis.fetch = async (input) => {
    const { hostname, pathname } = new URL(input.url ?? input);
    assert.equal(hostname, "origin.example.com");
    return ORIGIN[pathname]?.() ?? new Response(null, { status: 404 });
  };
  globalThis.surtitleModule = new WebAssembly.Module(moduleBytes);
  const source = readFileSync(join(built, "edge-worker.mjs"), "utf8")
    .replace('import module from "./surtitle.wasm";', "const module = globalThis.surtitleModule;")
    .replace("./surtitle.mjs", join(built, "surtitle.mjs"));
  writeFileSync(join(folder, "edge-worker.mjs"), source);
  return (await import(join(folder, "edge-worker.mjs"))).default;
}

test("the edge worker puts a track into playlists, and makes the track's", async () => {
  const worker = await edgeWorker();
  const ask = (path) => worker.fetch(new Request(`https://edge.example.com${path}`));

  const master = await ask("/film/master.m3u8?a=1");
  const body = await master.text();
  assert.match(body, /#EXT-X-MEDIA:TYPE=SUBTITLES,.*URI="\/subs\/en\.m3u8"/);
  assert.equal(master.headers.get("content-length"), String(Buffer.byteLength(body)));
  assert.match(master.headers.get("etag"), /^"a-surtitle-[0-9a-f]{16}"$/);

  const end = Number(text(expected("en.vtt.ends")).split("\n")[1]);
  const playlist = await (await ask("/subs/en.m3u8")).text();
  assert.ok(playlist.includes(`#EXTINF:${end.toFixed(3)},\nen.vtt\n`));
  assert.equal(await (await ask("/1.ts")).text(), "media");
  assert.equal((await ask("/nothing.ts")).status, 404);
  delete ORIGIN["/subs/en.vtt"];
  assert.equal((await ask("/subs/en.m3u8")).status, 404);
});

test("under a service worker whose module does not come pages get what there is", async () => {
  const listeners = {};
  globalThis.addEventListener = (name, listener) => (listeners[name] = listener);
  globalThis.fetch = async (input) => (input instanceof Request ? new Response("page") : Promise.reject(new TypeError("offline")));
  await import(join(built, "service-worker.mjs"));
  delete globalThis.addEventListener;
  let answer;
  listeners.fetch({ request: new Request("https://example.com/"), respondWith: (promise) => (answer = promise) });
  assert.equal(await (await answer).text(), "page");
});
