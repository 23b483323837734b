// Live streams: versions, states, names and cues that are wrong in every way that came to mind. Each is answered or refused by the library, which
// goes on. On WebAssembly numbers have 32 bits, which the fuzzers' own runs do not see.
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SurtitleError } from "./setup.mjs";
import { cues, live, streams } from "./live-setup.mjs";

const ROUNDS = Number(process.env.SURTITLE_ROUNDS ?? 150);

const NUMBERS = [
  "0", "1", "-1", "65536", "2147483647", "2147483648", "4294967295", "4294967296", "99999999999", "9007199254740993", "4611686018427387903",
  "4611686018427387904", "9223372036854775807", "18446744073709551615", "1e9", "86400.5", "0.0000000001",
];
const LINES = [
  "#EXT-X-DISCONTINUITY", "#EXT-X-ENDLIST", "#EXT-X-GAP", "#EXT-X-PLAYLIST-TYPE:EVENT", "#EXT-X-SKIP:SKIPPED-SEGMENTS=3",
  "#EXT-X-SKIP:SKIPPED-SEGMENTS=4294967296", "#EXT-X-MEDIA-SEQUENCE:4294967297", "#EXT-X-DISCONTINUITY-SEQUENCE:18446744073709551615",
  "#EXT-X-PROGRAM-DATE-TIME:9999-12-31T23:59:59.999999999Z", "#EXT-X-PROGRAM-DATE-TIME:0001-01-01T00:00:00Z",
  "#EXT-X-BYTERANGE:4294967296@18446744073709551615", "#EXT-X-BYTERANGE:2147483648@2147483647", '#EXT-X-MAP:URI="i",BYTERANGE="9223372036854775807@1"',
  '#EXT-X-PART:DURATION=4294967296,URI="p"', '#EXT-X-PART:DURATION=0.1,URI="p"', '#EXT-X-PRELOAD-HINT:TYPE=PART,URI="x"',
  "#EXT-X-TARGETDURATION:4294967296", "#EXTINF:9223372036854775807,", "#EXTINF:2147483648.5,", '#EXT-X-KEY:METHOD=AES-128,URI="k"',
];
const ANCHORS = [
  "2026-11-25T02:38:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "media", "msn:0", "msn:4611686018427387903",
  "first-version", "automatic",
];
const MAPS = ["auto", "none", { mpegts: 2 ** 33 - 1, local: 100 }];
const SAID = ["1", "0.5", "-5", "1e9", "9007199254740993", "1e300", "9223372036854775807"];

// The same in each run (xorshift).
let seed = Number(process.env.SURTITLE_SEED ?? 1);
function random(count) {
  for (const [left, shift] of [[true, 13], [false, 17], [true, 5]]) seed = (seed ^ (left ? seed << shift : seed >>> shift)) >>> 0;
  return seed % count;
}
const one = (values) => values[random(values.length)];

/** Some lines left out, put in, or with other numbers. */
function mutated(text) {
  const lines = text.split("\n");
  for (let count = random(4); count > 0; count--) {
    const place = random(lines.length);
    const change = random(3);
    if (change === 0) lines.splice(place, 1);
    else if (change === 1) lines.splice(place, 0, one(LINES));
    else lines[place] = lines[place].replace(random(2) ? /\d+/ : /\d+(?=\D*$)/, one(NUMBERS));
  }
  return lines.join("\n");
}

/** What the library answers; undefined if it refuses. */
function answered(body) {
  try {
    return body();
  } catch (error) {
    if (error instanceof SurtitleError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function round() {
  const settings = { at: one(ANCHORS), map: one(MAPS), lowLatency: one(["mirror", "strip"]) };
  let channel = answered(() => live.channel(settings));
  if (!channel) return 0;
  const index = live.cueIndex(cues, { name: "a" });
  const growing = live.growingCues({ name: "a", latency: one([undefined, 0, 5]), late: one(["spoken", "shift", "drop"]) });
  const { versions, ticks } = one(streams);
  let [place, count] = [random(versions.length), 0];
  for (let step = 0; step < 12; step++) {
    place = random(3) ? Math.min(place + 1, versions.length - 1) : random(versions.length);
    const { version } = versions[place];
    if (answered(() => channel.take(random(2) ? version : mutated(version)))) count++;
    for (let want; random(6) && (want = channel.next()); ) {
      if (random(5)) channel.mediaStart(want.segment, random(4) ? (ticks.get(want.media.uri) ?? 0) : one([0, 2 ** 33 - 1, 2 ** 32]));
      else channel.noMediaStart(want.segment);
    }
    growing.seal(channel);
    const { firstSegment, endSegment } = channel.facts;
    const numbers = [firstSegment - 1n, firstSegment, endSegment - 1n, endSegment, `${endSegment}.0`, `${endSegment - 1n}.2`, one(NUMBERS)];
    for (const number of [...numbers, `${endSegment}.${one(NUMBERS)}`]) {
      const span = channel.find(`${number}.vtt`);
      for (const script of [index, growing]) answered(() => script.write(span));
    }
    channel.playlist("en/", { lag: random(4) });
    answered(() => growing.append(`{"start":${one(SAID)},"end":${one(SAID)},"text":"x"}\n`));
    const state = channel.save();
    if (random(3) === 0) for (let times = 1 + random(3); times > 0; times--) state[random(state.length)] = random(256);
    const restored = answered(() => live.restore(state, settings));
    if (restored) channel.free();
    channel = restored ?? channel;
  }
  for (const each of [channel, index, growing]) each.free();
  return count;
}

test("whatever versions, states and cues come, in any order", () => {
  let count = 0;
  for (let number = 0; number < ROUNDS; number++) count += round();
  assert.ok(count > ROUNDS * 5, `${count} versions were taken`);
});

test("numbers that 32 bits have not", () => {
  const channel = live.channel({ at: "first-version", map: "none" });
  const version = (first) => `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:${first}\n#EXTINF:6,\na${first}.ts\n`;
  assert.equal(channel.take(version(1)), "first");
  for (const first of [2n ** 31n, 2n ** 33n, 2n ** 61n]) {
    assert.equal(channel.take(version(first)), "missed");
    assert.equal(channel.facts.firstSegment, first);
    assert.equal(channel.find(`${first}.vtt`).segment, first);
  }
});

const fuzz = new URL("../../Fuzz/", import.meta.url).pathname;
const inputs = ["Corpus", "Regressions"].flatMap((kind) =>
  ["FuzzLive", "FuzzGrowing", "FuzzMediaStart", "FuzzSegmenter", "FuzzSideload", "FuzzSubRip", "FuzzJSON"].flatMap((target) => {
    const folder = join(fuzz, kind, target);
    const names = existsSync(folder) ? readdirSync(folder) : [];
    return names.map((name) => new Uint8Array(readFileSync(join(folder, name))));
  }),
);

test("what the fuzzers have found, through every function that takes bytes: chunks give what the whole gives", () => {
  assert.ok(inputs.length > 500);
  const version = streams[0].versions[0].version;
  const channel = live.channel({ at: "msn:0", map: "none" });
  channel.take(version);
  const span = channel.find("0.vtt");
  const scanned = (input, size) => {
    const scanner = live.mediaScanner();
    const found = answered(() => {
      for (let start = 0; start < input.length; start += size) {
        const time = scanner.write(input.subarray(start, start + size));
        if (time !== undefined) return time;
      }
      return scanner.finish();
    });
    scanner.free();
    return found;
  };
  const said = (input, size, format) => {
    const growing = live.growingCues({ name: "a", format });
    for (let start = 0; start < input.length; start += size) if (answered(() => growing.append(input.subarray(start, start + size)) ?? true) !== true) break;
    answered(() => growing.finish());
    growing.seal(channel);
    const { cues, leftOut } = growing.held;
    const written = [cues, leftOut, String.fromCharCode(...growing.write(span))];
    growing.free();
    return written;
  };
  for (const input of inputs) {
    answered(() => live.channel().take(input));
    answered(() => live.restore(input));
    answered(() => live.cueIndex(input, { name: "a" }).write(span));
    assert.equal(scanned(input, 7), scanned(input, input.length || 1));
    for (const format of ["jsonl", "vtt", "srt"]) assert.deepEqual(said(input, 7, format), said(input, input.length || 1, format));
  }
});
