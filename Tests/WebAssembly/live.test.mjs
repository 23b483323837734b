// Live streams: what the command makes of the same versions, byte for byte; states; cues that come; what is refused.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { chunksOf, joined, same, text } from "./setup.mjs";
import { at, cues, live, liveFromModule, loadLive, moduleBytes, packedAudio, streams, tell } from "./live-setup.mjs";

const status = (wanted) => ({ status }) => status === wanted;

test("the module has no imports, exports what is listed, and has less than 275 KB", () => {
  const module = new WebAssembly.Module(moduleBytes);
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  const listed = readFileSync(process.env.SURTITLE_EXPORTS.replace("exports", "live-exports"), "utf8").trim().split("\n");
  assert.deepEqual(WebAssembly.Module.exports(module).map(({ name }) => name).sort(), ["memory", ...listed].sort());
  assert.ok(moduleBytes.length < 275_000, `${moduleBytes.length} bytes`);
});

test("it comes from a module, from bytes and from a response", async () => {
  for (const each of [liveFromModule(new WebAssembly.Module(moduleBytes)), await loadLive(moduleBytes), await loadLive(new Response(moduleBytes))]) {
    assert.equal(each.channel().facts.hasBegun, false);
  }
  await assert.rejects(loadLive(new Response("", { status: 404 })), /404/);
});

test("there are streams, with versions and segments", () => {
  assert.equal(streams.length, 4);
  for (const { name, versions } of streams) assert.ok(versions.length > 4 && versions.every(({ segments }) => segments.length > 0), name);
});

for (const { name, ticks, versions } of streams) {
  test(`${name}: playlists and segments are the command's`, () => {
    const channel = live.channel({ at });
    const index = live.cueIndex(cues, { name: "en" });
    for (const [number, { version, playlist, segments }] of versions.entries()) {
      const change = channel.take(version);
      assert.ok(["first", "advanced", "missed", "restarted", "ended"].includes(change), change);
      tell(channel, ticks);
      assert.equal(text(channel.playlist("en-")), text(playlist), `version ${number}`);
      for (const [file, bytes] of segments) {
        const span = channel.find(file);
        assert.equal(span.place, "span");
        assert.equal(text(index.write(span)), text(bytes), `version ${number}, ${file}`);
      }
    }
    assert.ok(channel.facts.hasEnded);
    index.free();
    channel.free();
  });

  // Where instances come and go, each step is another channel's. What is wanted is told again by the same version.
  test(`${name}: saved and restored anywhere it answers the same`, () => {
    const whole = live.channel({ at });
    let state = live.channel({ at }).save();
    const step = (body) => {
      const channel = live.restore(state, { at });
      const answer = body(channel);
      state = channel.save();
      channel.free();
      return answer;
    };
    for (const [number, { version, segments }] of versions.entries()) {
      // A stale one, one that is broken off, and one of another stream are between them.
      const others = [versions[Math.max(number - 1, 0)].version, version.slice(0, -9), "#EXTM3U\n", version.replaceAll(/\d+(?=\.(ts|aac))/g, "9$&")];
      for (const other of number % 2 ? [version] : [version, ...others, version]) {
        const take = (channel) => {
          try {
            return channel.take(other);
          } catch (error) {
            return error.message;
          }
        };
        assert.equal(step(take), take(whole));
        for (let count = 0; count < 9; count++) {
          const want = whole.next();
          const again = live.restore(state, { at });
          if (take(again) === "unchanged") assert.deepEqual(again.next(), want);
          again.free();
          if (!want) break;
          const told = (channel) => channel.mediaStart(want.segment, ticks.get(want.media.uri) ?? 0);
          told(whole);
          step(told);
        }
        const answers = (channel) => [
          text(channel.playlist("en-")),
          channel.facts.notes,
          segments.map(([file]) => {
            const { place, segment, part, start, end, map } = channel.find(file);
            return { place, segment, part, start, end, map };
          }),
        ];
        assert.deepEqual(step(answers), answers(whole), `version ${number}`);
      }
    }
    assert.ok(state.length <= 1024 + 16 * 40, `${state.length} bytes`);
  });
}

/** The version of a playlist with the segments from `first` to before `end`, of 6 s, with dates. */
function version(first, end, rest = "") {
  const lines = Array.from({ length: end - first }, (_, index) => {
    const date = new Date(Date.UTC(2026, 0, 1, 0, 0, (first + index) * 6)).toISOString();
    return `#EXT-X-PROGRAM-DATE-TIME:${date}\n#EXTINF:6.000,\nv${first + index}.ts\n`;
  });
  return `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:${first}\n${lines.join("")}${rest}`;
}
const begin = "2026-01-01T00:00:00Z";

test("what is known of a stream, and what names stand for", () => {
  const channel = live.channel({ at: new Date(begin) });
  assert.equal(channel.playlist("en/"), undefined);
  assert.equal(channel.next(), undefined);
  assert.equal(channel.find("3.vtt").place, "wait");
  assert.equal(channel.take(version(3, 6)), "first");
  assert.equal(channel.take(version(3, 6)), "unchanged");
  const { heldBytes, ...facts } = channel.facts;
  assert.ok(heldBytes > 0);
  const known = { hasBegun: true, hasEnded: false, targetDuration: 6, firstSegment: 3n, endSegment: 6n, openParts: 0, notes: [] };
  assert.deepEqual(facts, known);
  assert.deepEqual(channel.next(), { segment: 3n, media: { uri: "v3.ts", range: undefined }, init: undefined, isEncrypted: false });
  const waiting = channel.find("4.vtt");
  assert.deepEqual([waiting.place, waiting.isKnown, waiting.start, waiting.end, waiting.map], ["media-start", false, undefined, undefined, undefined]);
  channel.mediaStart(3, 126000);
  const { place, segment, part, isKnown, start, end, map } = channel.find("4.vtt");
  assert.deepEqual([place, segment, part, isKnown, start, end], ["span", 4n, undefined, true, 24, 30]);
  assert.equal(Math.round(map.mpegts - map.local * 90000), 126000 - 18 * 90000);
  const places = { "2.vtt": "gone", "6.vtt": "wait", "6.1.vtt": "wait", "900.vtt": "not-ours", "-1.vtt": "not-ours", "a": "not-ours", "": "not-ours" };
  for (const [name, place] of Object.entries(places)) assert.equal(channel.find(name).place, place, name);
  assert.equal(text(channel.playlist("a b/", { lag: 2 })).match(/^a b\/.*$/gm).join(), "a b/3.vtt");
  assert.equal(channel.take(version(4, 7, "#EXT-X-ENDLIST\n")), "ended");
  assert.ok(channel.facts.hasEnded && text(channel.playlist("")).endsWith("#EXT-X-ENDLIST\n"));
});

test("parts, byte ranges, init segments, keys, and numbers that no double has", () => {
  const first = 2n ** 61n + 1n;
  const playlist = [
    "#EXTM3U", "#EXT-X-VERSION:6", "#EXT-X-TARGETDURATION:4", `#EXT-X-MEDIA-SEQUENCE:${first}`, "#EXT-X-PART-INF:PART-TARGET=1",
    '#EXT-X-MAP:URI="init.mp4",BYTERANGE="100@7"', "#EXTINF:4.000,", "#EXT-X-BYTERANGE:5000@900", "all.mp4",
    '#EXT-X-PART:DURATION=1,URI="p0.mp4"', "",
  ].join("\n");
  const channel = live.channel({ at: "first-version", limits: { segments: 2 } });
  channel.take(playlist);
  const range = (offset, count) => ({ offset, count });
  const wanted = { segment: first, media: { uri: "all.mp4", range: range(900, 5000) }, init: { uri: "init.mp4", range: range(7, 100) }, isEncrypted: false };
  assert.deepEqual(channel.next(), wanted);
  channel.mediaStart(first, 900000);
  assert.equal(channel.next(), undefined);
  assert.deepEqual([channel.facts.openParts, channel.facts.firstSegment, channel.facts.endSegment], [1, first, first + 1n]);
  const part = channel.find(`${first + 1n}.0.vtt`);
  assert.deepEqual([part.place, part.segment, part.part, part.start, part.end], ["span", first + 1n, 0, 4, 5]);
  assert.match(text(channel.playlist("en/")), new RegExp(`#EXT-X-PART:DURATION=1,INDEPENDENT=YES,URI="en/${first + 1n}.0.vtt"`));
  const plain = live.channel({ at: "first-version", lowLatency: "strip" });
  plain.take(playlist);
  assert.ok(!text(plain.playlist("en/")).includes("PART"));
  plain.take(playlist.replace("#EXTINF", '#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXTINF').replace(first, first + 1n));
  assert.equal(plain.next()?.isEncrypted, true);
  plain.noMediaStart(plain.next().segment);
});

test("what cue time 0 is", () => {
  const startOf = (at, playlist = version(3, 6)) => {
    const channel = live.channel({ at, map: "none" });
    channel.take(playlist);
    const { start } = channel.find("5.vtt");
    return start;
  };
  assert.equal(startOf("2026-01-01T00:00:00Z"), 30);
  assert.equal(startOf("2026-01-01T00:00:00"), 30);
  assert.equal(startOf("2026-01-01T02:00:10.5+02:00"), 19.5);
  assert.equal(startOf("2026-01-01t02:00:10.123456789+0200"), 19.876543211);
  assert.equal(startOf(new Date(begin)), 30);
  assert.equal(startOf("msn:4"), 6);
  assert.equal(startOf("first-version"), 12);
  assert.equal(startOf(undefined), undefined);
  assert.equal(startOf("automatic", version(0, 6).replace("#EXTINF", "#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF")), 30);
  for (const wrong of ["yesterday", "", "msn:", "msn:-1", "segment", 17]) assert.throws(() => startOf(wrong), TypeError, `${wrong}`);
  for (const wrong of ["2026-13-01T00:00:00Z", new Date(NaN)]) assert.throws(() => startOf(wrong), RangeError);
  assert.throws(() => startOf("msn:9999999999999999999"), status("invalid-value"));
});

test("which map segments get", () => {
  const mapOf = (map) => {
    const channel = live.channel({ at: begin, map });
    channel.take(version(3, 6));
    assert.equal(channel.next(), undefined);
    return channel.find("4.vtt").map;
  };
  assert.equal(mapOf("none"), undefined);
  assert.deepEqual(mapOf({ mpegts: 900000 }), { mpegts: 900000, local: 0 });
  assert.deepEqual(mapOf({ mpegts: 900000, local: 1.5 }), { mpegts: 765000, local: 0 });
  assert.throws(() => mapOf("own"), TypeError);
  assert.throws(() => mapOf({ mpegts: 0, local: -1 }), RangeError);
});

test("cues that come while the stream goes on", () => {
  const said = [1, 2, 3].map((number) => `{"start":${number * 6 + 1},"end":${number * 6 + 3},"text":"said ${number}"}\n`);
  const results = [1, 7, 1000].map((size) => {
    const channel = live.channel({ at: begin, map: "none" });
    const growing = live.growingCues({ name: "en" });
    const segments = [];
    for (let number = 0; number < 4; number++) {
      channel.take(version(0, number + 1));
      growing.seal(channel);
      segments.push(text(growing.write(channel.find(`${number}.vtt`))));
      for (const chunk of chunksOf(new TextEncoder().encode(said[number] ?? ""), size)) growing.append(chunk);
    }
    assert.deepEqual([growing.held.cues, growing.held.leftOut], [3, 0]);
    assert.ok(growing.held.bytes > 0);
    // What is sealed never changes.
    growing.append('{"start":1,"end":3,"text":"late"}\n');
    segments.forEach((segment, number) => assert.equal(text(growing.write(channel.find(`${number}.vtt`))), segment));
    assert.throws(() => growing.append("{\n"), status("cues-refused"));
    growing.abandon();
    growing.reset();
    assert.equal(growing.held.cues, 0);
    return segments;
  });
  for (const [index, segments] of results.entries()) assert.deepEqual(segments, results[0], `${index}`);
  assert.deepEqual(results[0].map((segment) => segment.match(/said \d/g)?.join()), [undefined, "said 1", "said 2", "said 3"]);
});

test("forms of cues that come, and cues without times of their own", () => {
  const written = (settings, bytes) => {
    const channel = live.channel({ at: begin, map: "none" });
    const growing = live.growingCues({ name: "sv", firstNumber: 2n ** 60n, ...settings });
    channel.take(version(0, 1));
    growing.seal(channel);
    growing.append(bytes);
    growing.finish();
    channel.take(version(0, 3));
    growing.seal(channel);
    return text(growing.write(channel.find("1.vtt")));
  };
  const cue = `sv.${2n ** 60n}\n00:00:07.000 --> 00:00:08.500\nHello`;
  assert.ok(written({ format: "vtt" }, "WEBVTT\n\n00:07.000 --> 00:08.500\nHello\n").includes(cue));
  assert.ok(written({ format: "srt" }, "1\n00:00:07,000 --> 00:00:08,500\nHello").includes(cue.replace("\n", ".1\n")));
  assert.ok(written({ unit: "ms" }, '{"start":7000,"end":8500,"text":"Hello"}').includes(cue));
  assert.ok(written({}, '{"start":7000,"end":8500,"unit":"ms","text":"Hello"}').includes(cue));
  // It shows from when it came, less the latency: the live edge was at 6 s.
  assert.match(written({ latency: 0 }, '{"start":70,"end":71.5,"text":"Hello"}'), /00:00:06\.000 --> 00:00:07\.500\nHello/);
  assert.throws(() => written({ format: "vtt" }, "1\n\n"), status("not-webvtt"));
  assert.throws(() => written({ longestBlock: 10 }, `{"start":7,"end":8,"text":"Hello"}\n`), status("limit-exceeded"));
  for (const wrong of [{ format: "ttml" }, { late: "never" }, { unit: "h" }, { name: 1 }]) assert.throws(() => written(wrong, ""), TypeError);
  for (const wrong of [{ latency: -1 }, { firstNumber: -1 }, { mostKept: 0.5 }]) assert.throws(() => written(wrong, ""), RangeError);
  assert.throws(() => written({ name: "" }, ""), status("invalid-value"));
});

test("the first time stamp of a segment, in chunks", () => {
  const scan = (bytes, size) => {
    const scanner = live.mediaScanner();
    for (const chunk of chunksOf(bytes, size)) {
      const found = scanner.write(chunk);
      if (found !== undefined) return found;
    }
    return scanner.finish();
  };
  for (const size of [1, 10, 4000]) assert.equal(scan(packedAudio(2 ** 33 - 1), size), 2 ** 33 - 1);
  assert.throws(() => scan(new TextEncoder().encode("<html>".repeat(1000)), 100), status("not-media"));
});

test("what is refused changes nothing", () => {
  const channel = live.channel({ at: begin, limits: { playlist: 1000, state: 100 } });
  assert.throws(() => channel.take("#EXTM3U\n"), status("live-refused"));
  channel.take(version(0, 3));
  const before = text(channel.playlist("en/"));
  const wrong = [["live-refused", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na.m3u8\n"], ["live-refused", ""], ["limit-exceeded", version(0, 40)]];
  for (const [refused, playlist] of wrong) assert.throws(() => channel.take(playlist), status(refused));
  assert.equal(text(channel.playlist("en/")), before);
  assert.throws(() => channel.save(), status("limit-exceeded"));
  assert.throws(() => live.restore("SLIV"), status("live-refused"));
  assert.throws(() => live.restore(live.channel({ at: begin }).save(), { at: "msn:0" }), status("live-refused"));
  assert.throws(() => live.cueIndex("1\n"), status("not-webvtt"));
  for (const bad of ["\n", '"']) assert.throws(() => channel.playlist(bad), status("invalid-value"));
  for (const bad of [-1, 2 ** 40]) assert.throws(() => channel.playlist("", { lag: bad }), RangeError);
  for (const bad of [-1, 2n ** 64n, 0.5]) assert.throws(() => channel.noMediaStart(bad), RangeError);
  const index = live.cueIndex("WEBVTT\n");
  for (const bad of [undefined, {}, { place: "span" }]) assert.throws(() => index.write(bad), TypeError);
  const growing = live.growingCues({ name: "en" });
  for (const bad of [undefined, {}]) assert.throws(() => growing.seal(bad), TypeError);
  index.free();
  index.free();
  assert.throws(() => index.write(channel.find("0.vtt")), /freed/);
});

test("a span is good in another module, and memory is given back", async () => {
  const other = await loadLive(moduleBytes);
  const channel = live.channel({ at: begin, map: "none" });
  channel.take(version(0, 3));
  const span = channel.find("1.vtt");
  const file = "WEBVTT\n\n00:07.000 --> 00:08.000\nHello\n";
  assert.ok(same(other.cueIndex(file, { name: "a" }).write(span), live.cueIndex(file, { name: "a" }).write(span)));
  assert.throws(() => other.growingCues({ name: "en" }).seal(channel), TypeError);
  const state = channel.save();
  const round = () => {
    const [restored, index, growing] = [other.restore(state, { at: begin, map: "none" }), other.cueIndex(cues, { name: "a" }), other.growingCues({ name: "a" })];
    growing.append('{"start":7,"end":8,"text":"Hello"}\n');
    growing.seal(restored);
    joined([index.write(span), growing.write(span), restored.playlist("en/")]);
    for (const each of [restored, index, growing]) each.free();
  };
  round();
  const before = other.memoryBytes;
  for (let count = 0; count < 300; count++) round();
  assert.equal(other.memoryBytes, before);
});
