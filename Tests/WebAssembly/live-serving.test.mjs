// What an edge worker answers beside a live stream on loopback: one fetch for all who ask, header fields, trouble, and what instances share.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createCipheriv } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";
import { built, moduleBytes as surtitleBytes, text } from "./setup.mjs";
import { live, liveFromModule, moduleBytes, packedAudio } from "./live-setup.mjs";
import { Origin, at } from "./live-origin.mjs";
import { nothing, stream, tables } from "./transport.mjs";

const compiled = new WebAssembly.Module(moduleBytes);
let origin;
let time;
beforeEach(async () => {
  origin?.stop();
  origin = await new Origin().start();
  time = 1_000_000;
});
after(() => origin.stop());

/** What an instance answers by. */
const serving = (options) =>
  liveFromModule(compiled).serving({
    video: `${origin.url}/live/video.m3u8`,
    at,
    tracks: { en: `${origin.url}/subs/en.vtt` },
    now: () => time,
    // Workers' own refuses to be a method.
    fetch(...given) {
      assert.equal(this, undefined);
      return fetch(...given);
    },
    ...options,
  });

const requestOf = (path, init) => new Request(`https://edge.example.com/subs/${path}`, init);

/** An instance, of which what goes on behind an answer is awaited too. */
function instance(options) {
  const serve = serving(options);
  return async (path, init) => {
    const behind = [];
    const response = await serve(requestOf(path, init), (promise) => behind.push(promise));
    const body = text(new Uint8Array(await response.arrayBuffer()));
    while (behind.length > 0) await behind.shift();
    return { status: response.status, headers: response.headers, body, field: (name) => response.headers.get(name) };
  };
}

/** A store as a service has it: bytes go in and out by value. */
function storeOf(values = new Map()) {
  return {
    values,
    // A Buffer may be a part of a larger block of memory: it is not what a service gives.
    get: async (key) => (values.has(key) ? Uint8Array.from(values.get(key)).buffer : undefined),
    put: async (key, value) => values.set(key, value.slice()),
  };
}

/** A channel that has taken every version, and is never saved. */
class Follower {
  channel = live.channel({ at });
  index = live.cueIndex(origin.subtitles, { name: "en" });

  take() {
    const change = this.channel.take(origin.version());
    for (let want; (want = this.channel.next()); ) this.channel.mediaStart(want.segment, origin.ticks(Number(want.segment)));
    return change;
  }

  playlist() {
    return text(this.channel.playlist("en/"));
  }

  segment(name) {
    return text(this.index.write(this.channel.find(name)));
  }
}

/** Waits until something holds. */
async function until(holds) {
  for (let count = 0; !holds(); count++) {
    assert.ok(count < 4000, `never: ${holds}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const names = (playlist) => [...playlist.matchAll(/^en\/(.*)$/gm)].map(([, name]) => name);

test("a playlist and its segments, with their fields", async () => {
  const [ask, follower] = [instance(), new Follower()];
  follower.take();
  const playlist = await ask("en.m3u8?a=1");
  assert.equal(playlist.status, 200);
  assert.equal(playlist.body, follower.playlist());
  const fields = ["content-type", "cache-control", "content-length", "access-control-allow-origin", "last-modified", "etag"];
  const length = `${Buffer.byteLength(playlist.body)}`;
  assert.deepEqual(fields.map(playlist.field), ["application/vnd.apple.mpegurl", "max-age=1", length, "*", null, null]);
  for (const name of names(playlist.body)) {
    const segment = await ask(`en/${name}`);
    assert.equal(segment.body, follower.segment(name), name);
    assert.equal(segment.body.match(/^cue /gm).length, 2);
    assert.deepEqual(fields.slice(0, 2).map(segment.field), ["text/vtt", "max-age=10"]);
    assert.deepEqual(fields.slice(3).map(segment.field), ["*", null, null]);
  }
  const gone = await ask("en/7.vtt");
  assert.deepEqual([gone.status, gone.body.match(/^WEBVTT\nX-TIMESTAMP-MAP=.*\n\n$/) !== null], [200, true]);
  const head = await ask("en.m3u8", { method: "HEAD" });
  assert.deepEqual([head.status, head.body, head.field("content-length")], [200, "", length]);
  const posted = await ask("en.m3u8", { method: "POST", body: "a" });
  assert.deepEqual([posted.status, posted.field("allow"), posted.field("cache-control")], [405, "GET, HEAD", "no-store"]);
  assert.equal(origin.timesAsked("/subs/en.vtt"), 1);
});

test("one fetch for all who ask, and one probe of the first bytes by range", async () => {
  const ask = instance();
  const paths = ["en.m3u8", "en/102.vtt", "en/103.vtt", "en/104.vtt"];
  const answers = await Promise.all(Array.from({ length: 40 }, (_, index) => ask(paths[index % 4])));
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  for (let index = 4; index < 40; index++) assert.equal(answers[index].body, answers[index % 4].body);
  assert.deepEqual(origin.asked.toSorted(), ["/live/a101.aac bytes=0-65535", "/live/video.m3u8", "/subs/en.vtt"]);
  // Nobody asks again before half a target duration, or for what is known.
  time += 999;
  await Promise.all(paths.map((path) => ask(path)));
  assert.equal(origin.asked.length, 3);
  time += 1;
  await Promise.all(paths.map((path) => ask(path)));
  assert.equal(origin.timesAsked("/live/video.m3u8"), 2);
  assert.equal(origin.asked.length, 4);
});

test("names that no playlist has are 404, and nothing is fetched for them", async () => {
  const ask = instance();
  await ask("en.m3u8");
  const { length } = origin.asked;
  for (const name of ["-1", "0100", "1000", "9".repeat(19), "9".repeat(40), "a", "104.vtt", "104.0.0", "104.99999999999", "104.-1", ""]) {
    const answer = await ask(`en/${name}.vtt`);
    assert.deepEqual([answer.status, answer.field("cache-control")], [404, "no-store"], name);
  }
  for (const path of ["sv.m3u8", "sv/104.vtt", "en.vtt", "", "%zz.m3u8", "__proto__.m3u8"]) assert.equal((await ask(path)).status, 404, path);
  assert.equal(origin.asked.length, length);
  // One that may be in the next version costs one fetch.
  assert.equal((await ask("en/107.vtt")).status, 404);
  assert.equal(origin.asked.length, length + 1);
  origin.advance();
  assert.equal((await ask("en/106.vtt")).status, 200);
});

test("what players wait for is waited for at the origin, by one request for all", async () => {
  origin.hasParts = true;
  const [ask, follower] = [instance({ video: `${origin.url}/live/video.m3u8?token=1&Z=2&_HLS_skip=YES` }), new Follower()];
  await ask("en.m3u8");
  const waiting = Array.from({ length: 10 }, () => ask("en.m3u8?_HLS_part=0&_HLS_msn=106&_HLS_skip=YES"));
  const part = ask("en/106.0.vtt");
  const directed = "/live/video.m3u8?_HLS_msn=106&_HLS_part=0&token=1&Z=2";
  await until(() => origin.timesAsked(directed) > 0);
  origin.advance({ parts: 1 });
  follower.take();
  for (const answer of await Promise.all(waiting)) {
    assert.equal(answer.body, follower.playlist());
    assert.equal(answer.field("cache-control"), "max-age=2");
    assert.match(answer.body, /#EXT-X-PART:DURATION=0.5,INDEPENDENT=YES,URI="en\/106\.0\.vtt"/);
  }
  assert.equal((await part).body, follower.segment("106.0.vtt"));
  assert.equal(origin.asked.filter((path) => path === directed).length, 1, `${origin.asked}`);
  assert.equal((await ask("en.m3u8?_HLS_msn=105")).status, 200);
  assert.equal(origin.timesAsked("/live/video.m3u8?"), 2, "what is there already is not asked for");
  // The origin's 400 is handed on; without low latency nobody looks at the directives.
  for (const query of ["_HLS_msn=200", "_HLS_part=1"]) assert.equal((await ask(`en.m3u8?${query}`)).status, 400, query);
  assert.equal((await ask("en.m3u8?_HLS_msn=a")).status, 200);
  const [began, behind] = [Date.now(), []];
  assert.equal((await serving()(requestOf("en/106.1.vtt"), (promise) => behind.push(promise))).status, 404);
  assert.ok(Date.now() - began >= 2900, "it is waited for");
  origin.advance({ parts: 1 });
  await Promise.all(behind);
  const plain = await instance({ lowLatency: "strip" })("en.m3u8?_HLS_msn=200");
  assert.deepEqual([plain.status, plain.body.includes("PART")], [200, false]);
});

test("an origin in trouble: the last version for three target durations, then 502 or 504", async () => {
  const faults = [
    [502, (response) => response.writeHead(500).end()],
    [502, (response) => response.writeHead(404).end()],
    [504, (response, bytes, headers) => response.writeHead(200, { ...headers, "content-length": bytes.length + 1 }).write(bytes, () => response.destroy())],
    [502, (response) => response.writeHead(200).end("<html>")],
    // Without an end.
    [502, (response) => (function more() { response.write(Buffer.alloc(1 << 16, "#EXTM3U\n"), (error) => error || more()); })()],
    [504, (response) => response.destroy()],
  ];
  for (const [status, fault] of faults) {
    const ask = instance();
    origin.faults = {};
    const { body } = await ask("en.m3u8");
    origin.faults = { "video.m3u8": fault };
    origin.advance();
    time += 5999;
    origin.asked = [];
    for (let count = 0; count < 3; count++) assert.deepEqual(await ask("en.m3u8").then((answer) => [answer.status, answer.body]), [200, body], `${fault}`);
    time += 2;
    const failed = await ask("en.m3u8");
    assert.deepEqual([failed.status, failed.field("cache-control")], [status, "no-store"], `${fault}`);
    assert.equal((await ask("en/104.vtt")).status, 200, "what is known is served");
    assert.equal(origin.timesAsked("/live/video.m3u8"), 1, "others do not ask again at once");
    origin.faults = {};
    time += 1000;
    assert.notEqual((await ask("en.m3u8")).body, body);
  }
  assert.equal((await instance({ video: `${origin.url}/nothing.m3u8` })("en.m3u8")).status, 502);
});

test("time stamps that cannot be had, come late, or need the whole", async () => {
  for (const fault of [(response) => response.writeHead(404).end(), (response) => response.writeHead(200).end("<html>".repeat(100))]) {
    origin.asked = [];
    origin.faults = { ".aac": fault };
    const without = await instance()("en/104.vtt");
    assert.deepEqual([without.status, without.body], [200, "WEBVTT\n\n"]);
    assert.ok(origin.timesAsked("/live/a") <= 3, `${origin.asked}`);
  }
  let answer;
  origin.faults = { ".aac": (response, bytes, headers) => (answer = () => response.writeHead(200, headers).end(bytes)) };
  const [ask, follower, serve] = [instance(), new Follower(), serving()];
  follower.take();
  const [began, behind] = [Date.now(), []];
  const late = await serve(requestOf("en/104.vtt"), (promise) => behind.push(promise));
  assert.deepEqual([late.status, await late.text(), late.headers.get("cache-control")], [200, "WEBVTT\n\n", "max-age=1"]);
  assert.ok(Date.now() - began >= 2900, `${Date.now() - began} ms`);
  answer();
  await Promise.all(behind);
  assert.equal(await (await serve(requestOf("en/104.vtt"))).text(), follower.segment("104.vtt"));
  origin.faults = {};
  origin.servesRanges = false;
  assert.equal((await ask("en/104.vtt")).body, follower.segment("104.vtt"));
  // Nor is what is encrypted, by a key that is not there.
  origin.asked = [];
  origin.faults = { "video.m3u8": (response) => response.writeHead(200).end(origin.version().replaceAll("#EXTINF", '#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF')) };
  assert.equal((await instance()("en/104.vtt")).body, "WEBVTT\n\n");
  assert.equal(origin.timesAsked("/live/a"), 0);
  // A map that is known needs no probe.
  origin.asked = [];
  assert.match((await instance({ map: { mpegts: 900000 } })("en/104.vtt")).body, /X-TIMESTAMP-MAP/);
  assert.equal(origin.timesAsked("/live/a"), 0);
});

test("segments of METHOD=AES-128 are decrypted", async () => {
  const key = Buffer.from("0123456789abcdef");
  const sealed = (number) => {
    const vector = Buffer.alloc(16);
    vector.writeUInt32BE(number, 12);
    const cipher = createCipheriv("aes-128-cbc", key, vector);
    return Buffer.concat([cipher.update(packedAudio(origin.ticks(number), 200_000)), cipher.final()]);
  };
  origin.faults = {
    "video.m3u8": (response) => response.writeHead(200).end(origin.version().replaceAll("#EXTINF", '#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF')),
    ".aac": (response) => response.writeHead(200).end(sealed(101)),
    "/k": (response) => response.writeHead(200).end(key),
  };
  const follower = new Follower();
  follower.take();
  assert.equal((await instance()("en/104.vtt")).body, follower.segment("104.vtt"));
  assert.equal(origin.timesAsked("/live/k"), 1);
  // Without WebCrypto nobody decrypts.
  assert.equal((await instance({ crypto: {} })("en/104.vtt")).body, "WEBVTT\n\n");
});

test("a stream that ffmpeg encrypts", { skip: spawnSync("ffmpeg", ["-version"]).error && "there is no ffmpeg" }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "surtitle-sealed-"));
  writeFileSync(join(folder, "k"), "fedcba9876543210");
  writeFileSync(join(folder, "keys"), `k\n${join(folder, "k")}\n`);
  const picture = ["-f", "lavfi", "-i", "testsrc=size=320x180:rate=25", "-t", "4", "-c:v", "mpeg2video", "-qscale:v", "2", "-g", "25"];
  const format = ["-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "-hls_flags", "omit_endlist", "-hls_key_info_file", join(folder, "keys")];
  const made = spawnSync("ffmpeg", ["-nostdin", "-v", "error", ...picture, ...format, join(folder, "v.m3u8")], { encoding: "utf8" });
  assert.deepEqual([made.status, made.stderr], [0, ""]);
  assert.match(readFileSync(join(folder, "v.m3u8"), "utf8"), /METHOD=AES-128/);
  const fetch = async (url) => new Response(readFileSync(join(folder, new URL(url).pathname.slice(1))));
  const ask = instance({ fetch, video: "https://o.example/v.m3u8", at: "msn:0", tracks: { en: () => origin.subtitles } });
  for (let number = 0; number < 4; number++) {
    // ffmpeg's first time stamp is 1.4 s.
    const { body } = await ask(`en/${number}.vtt`);
    const map = /^WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:(\d+)\n/.exec(body);
    assert.ok(Math.abs(Number(map?.[1]) - 126_000) < 4500, body);
    assert.match(body, new RegExp(`^cue ${number}$`, "m"));
  }
  rmSync(folder, { recursive: true });
});

test("a time stamp in a range of a file, behind an init segment, and far behind the beginning", async () => {
  // The init segment has the tables, without which nobody can tell what the pictures are.
  const filler = Array.from({ length: 1700 }, () => nothing).flat();
  const pictures = [...filler, ...stream(777_000).subarray(tables.length), ...stream(5).subarray(tables.length)];
  const file = Uint8Array.from([...stream(5), ...tables, ...stream(6), ...pictures, ...stream(7)]);
  const [init, start] = [stream(5).length, stream(5).length + tables.length + stream(6).length];
  const version = [
    "#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:2", "#EXT-X-MEDIA-SEQUENCE:100", `#EXT-X-MAP:URI="all.ts",BYTERANGE="${tables.length}@${init}"`,
    "#EXT-X-PROGRAM-DATE-TIME:2026-11-23T20:00:00Z", "#EXTINF:2.000,", `#EXT-X-BYTERANGE:${pictures.length}@${start}`, "all.ts", "",
  ].join("\n");
  for (const servesRanges of [true, false]) {
    const asked = [];
    const fetch = async (url, { headers }) => {
      if (url === `${origin.url}/live/video.m3u8`) return Object.defineProperty(new Response(version), "url", { value: "https://cdn.example/x/v.m3u8" });
      const range = new Headers(headers).get("range");
      asked.push([url, range]);
      const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range);
      if (!servesRanges) return new Response(file);
      const part = file.slice(Number(first), Number(last) + 1);
      return new Response(part, { status: 206, headers: { "content-range": `bytes ${first}-${Number(first) + part.length - 1}/${file.length}` } });
    };
    const { body } = await instance({ fetch, tracks: { en: () => "WEBVTT\n" } })("en/100.vtt");
    assert.equal(body, "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:777000\n\n");
    const ranges = [[init, init + tables.length - 1], [start, start + pictures.length - 1]];
    const wanted = ranges.map(([first, last]) => ["https://cdn.example/x/all.ts", `bytes=${first}-${last}`]);
    assert.deepEqual(asked, wanted);
  }
});

test("cues that cannot be had: segments without them, and another try", async () => {
  let hasFile = false;
  const file = () => (hasFile ? origin.subtitles : Promise.reject(new Error("offline")));
  const ask = instance({ tracks: { en: { file, name: "x" }, sv: `${origin.url}/subs/sv.vtt` } });
  const without = await ask("en/104.vtt");
  assert.match(without.body, /^WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:0\d:\d\d\.000,MPEGTS:\d+\n\n$/);
  assert.equal(without.field("cache-control"), "max-age=1");
  assert.equal((await ask("sv/104.vtt")).body, without.body);
  hasFile = true;
  const segment = await ask("en/104.vtt");
  assert.match(segment.body, /^x\.\d+\n.*\ncue 208$/m);
  assert.equal(segment.field("cache-control"), "max-age=10");
});

test("an ended stream is looked at once a minute, for it may go on", async () => {
  const ask = instance();
  origin.isComplete = true;
  assert.match((await ask("en.m3u8")).body, /#EXT-X-ENDLIST/);
  time += 59_999;
  assert.equal((await ask("en.m3u8")).status, 200);
  assert.equal(origin.timesAsked("/live/video.m3u8"), 1);
  origin.isComplete = false;
  origin.advance();
  time += 1;
  assert.doesNotMatch((await ask("en.m3u8")).body, /#EXT-X-ENDLIST/);
});

test("instances that come and go answer as one that has seen all, over a restart too", async () => {
  const store = storeOf();
  const follower = new Follower();
  const instances = Array.from({ length: 3 }, () => instance({ store }));
  const changes = [];
  for (let step = 0; step < 40; step++) {
    time += 1000;
    if (step === 25) origin.restart();
    else if (step % 2 === 1) origin.advance();
    changes.push(follower.take());
    // Every fifth is one that nobody has asked before.
    if (step % 5 === 0) instances[step % 3] = instance({ store });
    const playlist = await instances[step % 3]("en.m3u8");
    assert.equal(playlist.body, follower.playlist(), `step ${step}`);
    const before = origin.asked.length;
    for (const [index, name] of names(playlist.body).entries()) {
      const segment = await instances[(step + index) % 3](`en/${name}`);
      assert.equal(segment.body, follower.segment(name), `step ${step}, ${name}`);
    }
    // What one of them knows the others need not ask for.
    assert.deepEqual(origin.asked.slice(before).filter((path) => !path.startsWith("/subs/")), [], `step ${step}`);
  }
  assert.ok(changes.includes("suspect") && changes.includes("restarted"), `${changes}`);
  assert.ok(origin.timesAsked("/live/a") + origin.timesAsked("/live/ab") <= 8, "few probes");
  const [record] = store.values.values();
  assert.ok(record.length < 3000, `${record.length} bytes`);
});

test("a time stamp that another instance has found is not asked for again", async () => {
  const store = storeOf();
  let answer;
  origin.faults = { ".aac": (response, bytes, headers) => (answer = () => response.writeHead(200, headers).end(bytes)) };
  const [first, second] = [instance({ store }), instance({ store })];
  const behind = first("en.m3u8");
  await until(() => answer);
  assert.equal((await second("en.m3u8")).status, 200);
  answer();
  await behind;
  assert.match((await second("en/104.vtt")).body, /X-TIMESTAMP-MAP/);
  assert.equal(origin.timesAsked("/live/"), 2, `${origin.asked}`);
});

test("what others have listed while an instance was idle is there", async () => {
  const [ask, follower] = [instance(), new Follower()];
  await ask("en.m3u8");
  for (let count = 0; count < 20; count++) origin.advance();
  follower.take();
  const name = `${origin.end - 1}.vtt`;
  assert.equal((await ask(`en/${name}`)).status, 404, "far ahead of what is fresh");
  time += 1000;
  assert.equal((await ask(`en/${name}`)).body, follower.segment(name));
});

test("a version that is older counts for nothing, and one of another life is remembered while a time stamp comes", async () => {
  const [serve, behind] = [serving(), []];
  /** The status and the first segment of the playlist, a second later. What goes on behind it is a time stamp that does not come. */
  const next = async () => {
    time += 1000;
    const response = await serve(requestOf("en.m3u8"), (promise) => behind.push(promise));
    return [response.status, names(await response.text())[0]];
  };
  let answer;
  origin.faults = { ".aac": (response, bytes, headers) => (answer = () => response.writeHead(200, headers).end(bytes)) };
  assert.deepEqual(await next(), [200, "101.vtt"]);
  await until(() => answer);
  origin.count -= 1;
  assert.deepEqual(await next(), [200, "101.vtt"]);
  origin.restart();
  assert.deepEqual(await next(), [200, "101.vtt"]);
  answer();
  await Promise.all(behind);
  origin.advance();
  assert.deepEqual(await next(), [200, "5.vtt"]);
  // What is older does not make the last version younger.
  origin.count -= 1;
  for (let count = 0; count < 6; count++) assert.deepEqual(await next(), [200, "5.vtt"]);
  assert.deepEqual(await next(), [502, undefined]);
});

test("a store that is down, slow, full of something else, or of other settings", async () => {
  const follower = new Follower();
  follower.take();
  const key = "stream";
  const stores = [
    { get: () => Promise.reject(new Error("down")), put: () => Promise.reject(new Error("down")) },
    { get: () => { throw new Error("down"); }, put: () => { throw new Error("down"); } },
    ...["", "{}", "\u0010\0\0\0{\"at\":9e9}", "\uffff".repeat(100)].map((value) => storeOf(new Map([[key, Buffer.from(value)]]))),
    storeOf(new Map([[key, Buffer.concat([Buffer.from([30, 0, 0, 0]), Buffer.from('{"at":9000000000,"count":4}   '), Buffer.from("SLIV")])]])),
  ];
  const other = storeOf();
  await instance({ store: other, key, at: "msn:0" })("en.m3u8");
  for (const store of [...stores, other]) {
    const ask = instance({ store, key });
    assert.equal((await ask("en.m3u8")).body, follower.playlist());
    assert.equal((await ask("en/104.vtt")).body, follower.segment("104.vtt"));
  }
  for (const wrong of [{ at: "yesterday" }, { lowLatency: "no" }, { map: 5 }]) assert.throws(() => instance(wrong), TypeError);
});

test("a record whose head is wrong is as none: it costs no answer", async () => {
  const key = "stream";
  const good = storeOf();
  await instance({ store: good, key })("en.m3u8");
  const record = Buffer.from(good.values.get(key));
  const behind = 4 + record.readUInt32LE(0);
  const head = JSON.parse(record.subarray(4, behind));
  assert.deepEqual(Object.keys(head).sort(), ["at", "changed", "fields", "running"]);
  const heads = [
    ...[null, 1, "a", [1], [["a"]], [["a", "b", "c"]], [["a b", "c"]], [null]].map((fields) => ({ ...head, fields })),
    ...["a", true, [], {}, Number.MAX_VALUE].map((at) => ({ ...head, at })),
    ...[null, "9e15", true, [9e15], Number.MAX_VALUE].map((changed) => ({ ...head, changed })),
    ...[undefined, null, 1, ["a"], [0.5], [null], {}].map((running) => ({ ...head, running })),
    null, 17, "head", [],
  ];
  const storeWith = (told) => {
    const text = Buffer.from(JSON.stringify(told));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(text.length);
    return storeOf(new Map([[key, Buffer.concat([length, text, record.subarray(behind)])]]));
  };
  const asked = origin.timesAsked("/live/video.m3u8");
  await instance({ store: storeWith(head), key })("en.m3u8");
  assert.equal(origin.timesAsked("/live/video.m3u8"), asked, "what is right spares the fetch");
  const answers = new Set();
  for (const wrong of heads) {
    const store = storeWith(wrong);
    const before = origin.timesAsked("/live/video.m3u8");
    const answer = await instance({ store, key })("en.m3u8");
    answers.add(`${answer.status} ${answer.body}`);
    assert.equal(origin.timesAsked("/live/video.m3u8"), before + 1, JSON.stringify(wrong));
    // What it leaves is a record again, which spares the next one the fetch.
    await instance({ store, key })("en.m3u8");
    assert.equal(origin.timesAsked("/live/video.m3u8"), before + 1, JSON.stringify(wrong));
  }
  const follower = new Follower();
  follower.take();
  assert.deepEqual([...answers], [`200 ${follower.playlist()}`]);
});

test("a record from before any version is one", async () => {
  const store = storeOf();
  origin.faults = { ".m3u8": (response) => response.writeHead(503).end() };
  assert.notEqual((await instance({ store, key: "a" })("en.m3u8")).status, 200);
  const [record] = store.values.values();
  assert.equal(JSON.parse(Buffer.from(record).subarray(4, 4 + Buffer.from(record).readUInt32LE(0))).at, null);
  origin.faults = {};
  time += 60_000;
  assert.equal((await instance({ store, key: "a" })("en.m3u8")).status, 200);
});

test("a clock that is put back, or behind that of other instances, stops nothing", async () => {
  const store = storeOf();
  const ask = instance({ store });
  await ask("en.m3u8");
  time -= 3_600_000;
  const late = instance({ store });
  await ask("en.m3u8");
  await late("en.m3u8");
  for (const each of [ask, late, ask]) {
    origin.advance();
    time += 1001;
    const follower = new Follower();
    follower.take();
    assert.equal((await each("en.m3u8")).body.match(/SEQUENCE:\d+/)[0], follower.playlist().match(/SEQUENCE:\d+/)[0]);
  }
});

test("a state that is longer than may be costs no answers", async () => {
  assert.equal((await instance({ store: storeOf(), limits: { state: 100 } })("en.m3u8")).status, 200);
});

test("fields of one's own are instead of the video's", async () => {
  const answer = await instance({ headers: { "Access-Control-Allow-Origin": "https://a.example", vary: "origin" } })("en.m3u8");
  assert.deepEqual([answer.field("access-control-allow-origin"), answer.field("vary")], ["https://a.example", "origin"]);
});

test("the worker of the examples: master, playlist, segments, and a state in the cache", async () => {
  const folder = mkdtempSync(join(tmpdir(), "surtitle-"));
  const cache = new Map();
  globalThis.caches = { default: { match: async (url) => cache.get(url)?.clone(), put: async (url, response) => cache.set(url, response) } };
  globalThis.modules = { module: new WebAssembly.Module(surtitleBytes), liveModule: compiled };
  const source = readFileSync(join(built, "live-worker.mjs"), "utf8")
    .replaceAll(/import (module|liveModule) from .*;/g, "const { $1 } = globalThis.modules;")
    .replaceAll(/"\.\/(\w+\.mjs)"/g, (_, name) => JSON.stringify(join(built, name)))
    .replace("https://origin.example.com", origin.url);
  const workers = [];
  for (const name of ["first", "second"]) {
    writeFileSync(join(folder, `${name}.mjs`), source);
    workers.push((await import(join(folder, `${name}.mjs`))).default);
  }
  const follower = new Follower();
  follower.take();
  const ask = async (worker, path) => {
    const behind = [];
    const response = await worker.fetch(new Request(`https://edge.example.com${path}`), {}, { waitUntil: (promise) => behind.push(promise) });
    const body = await response.text();
    while (behind.length > 0) await behind.shift();
    return body;
  };
  assert.match(await ask(workers[0], "/live/master.m3u8"), /TYPE=SUBTITLES,.*URI="\/subs\/en\.m3u8"/);
  assert.equal(await ask(workers[0], "/subs/en.m3u8"), follower.playlist());
  assert.equal(await ask(workers[0], "/subs/en/103.vtt"), follower.segment("103.vtt"));
  assert.equal(await ask(workers[0], "/live/video.m3u8"), origin.version());
  const { length } = origin.asked;
  assert.equal(await ask(workers[1], "/subs/en/104.vtt"), follower.segment("104.vtt"));
  assert.deepEqual(origin.asked.slice(length), ["/subs/en.vtt"]);
  rmSync(folder, { recursive: true });
  delete globalThis.caches;
});
