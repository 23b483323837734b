// The map of a video, read from its first segment: in the clear and by AES-128, decrypted by WebCrypto.
import assert from "node:assert/strict";
import { createCipheriv, createDecipheriv, randomBytes, webcrypto } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { built, bytes, surtitle, text } from "./setup.mjs";
import { stream } from "./transport.mjs";

const { decrypt, loadMedia } = await import(join(built, "media.mjs"));
const moduleBytes = readFileSync(join(built, "surtitle-media.wasm"));
const media = await loadMedia(moduleBytes);
const crypto = webcrypto;

// MARK: An origin

const key = Uint8Array.from({ length: 16 }, (_, index) => index);
const sealed = (bytes, vector) => {
  const cipher = createCipheriv("aes-128-cbc", key, vector);
  return new Uint8Array([...cipher.update(bytes), ...cipher.final()]);
};
const sequence = Uint8Array.from({ length: 16 }, (_, index) => (index === 15 ? 7 : 0));
const playlist = (tag) => bytes(`#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:7\n${tag}#EXTINF:4,\ns.ts\n#EXT-X-ENDLIST\n`);

const files = {
  "https://o.example/m": bytes("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv/list\n"),
  "https://o.example/v/list": playlist('#EXT-X-KEY:METHOD=AES-128,URI="../k"\n'),
  "https://o.example/v/s.ts": sealed(stream(126000), sequence),
  "https://o.example/k": key,
  "https://o.example/clear/list": playlist(""),
  "https://o.example/clear/s.ts": stream(900000),
  "https://o.example/stated/list": playlist('#EXT-X-KEY:METHOD=AES-128,URI="../k",IV=0x000102030405060708090A0B0C0D0E0F\n'),
  "https://o.example/stated/s.ts": sealed(stream(2 ** 33 - 1), key),
  "https://o.example/gone/list": playlist('#EXT-X-KEY:METHOD=AES-128,URI="none"\n'),
  "https://o.example/gone/s.ts": stream(0),
  "https://o.example/system/list": playlist('#EXT-X-KEY:METHOD=AES-128,URI="skd://k",KEYFORMAT="com.example"\n'),
};

/** Answers like a server, with ranges or without. */
function origin(asked, { servesRanges = true } = {}) {
  return async (url, { headers }) => {
    asked.push(url);
    const file = files[url];
    if (!file) return new Response("", { status: 404 });
    const range = servesRanges && /^bytes=(\d+)-(\d+)$/.exec(new Headers(headers).get("range") ?? "");
    if (!range) return new Response(file);
    const [first, end] = [Number(range[1]), Math.min(Number(range[2]) + 1, file.length)];
    return new Response(file.slice(first, end), { status: 206, headers: { "content-range": `bytes ${first}-${end - 1}/${file.length}` } });
  };
}

for (const servesRanges of [true, false]) {
  test(`what the first segment begins with, ranges: ${servesRanges}`, async () => {
    for (const [url, mpegts] of [["m", 126000], ["v/list", 126000], ["clear/list", 900000], ["stated/list", 2 ** 33 - 1]]) {
      const asked = [];
      const map = await media.timestampMap(`https://o.example/${url}`, { fetch: origin(asked, { servesRanges }), crypto });
      assert.deepEqual(map, { mpegts, local: 0 }, url);
      assert.equal(asked.includes("https://o.example/k"), url !== "clear/list");
      const file = text(surtitle.withTimestampMap("WEBVTT\n\n00:00.000 --> 00:01.000\na\n", map));
      assert.ok(file.startsWith(`WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:${mpegts}\n`));
    }
  });
}

test("why there is none", async () => {
  const fetch = origin([]);
  const refused = (url, reason, options) =>
    assert.rejects(media.timestampMap(`https://o.example/${url}`, { fetch, crypto, ...options }), (error) => {
      assert.match(error.message, reason);
      return error.status === "fetch-failed";
    });
  await refused("gone/list", /none: .*404/);
  await refused("system/list", /key system/);
  await refused("v/list", /decrypt/, { crypto: { subtle: { importKey: async () => assert.fail("no key") } } });
  await refused("v/list", /decrypt/, { crypto: null });
  await refused("none", /404/);
  await refused("none", /404/, { fetch: async () => new Response(new ReadableStream({ start: (controller) => controller.error(new Error("reset")) }), { status: 404 }) });
  await refused("m", /no answer|broke off/, { fetch: () => Promise.reject(new TypeError("offline")) });
});

test("it stops when it is aborted", async () => {
  const controller = new AbortController();
  const fetch = async () => {
    controller.abort();
    throw controller.signal.reason;
  };
  await assert.rejects(media.timestampMap("https://o.example/m", { fetch, signal: controller.signal }), { name: "AbortError" });
});

// OpenSSL is the oracle: AES-CBC without padding.
test("whole blocks are decrypted, whatever they end with", async () => {
  for (let count = 1; count <= 20; count++) {
    const [vector, blocks] = [randomBytes(16), randomBytes(16 * count)];
    const cipher = createDecipheriv("aes-128-cbc", key, vector).setAutoPadding(false);
    const expected = Buffer.concat([cipher.update(blocks), cipher.final()]);
    assert.deepEqual(Buffer.from(await decrypt({ key, vector, bytes: new Uint8Array(blocks) }, crypto)), expected);
  }
});

test("the module has no imports, exports what is listed, and holds nothing afterwards", async () => {
  const module = new WebAssembly.Module(moduleBytes);
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  const listed = readFileSync(process.env.SURTITLE_EXPORTS.replace("exports", "media-exports"), "utf8").trim().split("\n");
  assert.deepEqual(WebAssembly.Module.exports(module).map(({ name }) => name).sort(), ["memory", ...listed].sort());
  assert.ok(moduleBytes.length < 250_000, `${moduleBytes.length} bytes`);
  const other = await loadMedia(new Response(moduleBytes));
  const ask = () => other.timestampMap("https://o.example/m", { fetch: origin([]), crypto });
  await ask();
  const before = other.memoryBytes;
  for (let count = 0; count < 300; count++) await ask();
  assert.equal(other.memoryBytes, before);
});
