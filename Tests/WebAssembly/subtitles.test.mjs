// What is made of files of cues: the rows of Tests/C, and the files of Tests/Fixtures as the command has them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, expected, joined, same, surtitle, text } from "./setup.mjs";

const names = ["en.vtt", "sv.vtt"];
const one = "WEBVTT\n\n00:00.000 --> 00:01.000\na\n";

for (const name of names) {
  const file = expected(name);

  test(`${name}: cues, ends and segments are the command's`, () => {
    const lines = text(expected(`${name}.cues`)).trim().split("\n").map((line) => JSON.parse(line));
    const cues = surtitle.cues(file);
    assert.deepEqual(cues.map(({ start, end }) => [start * 1000, end * 1000]), lines.map((cue) => [cue.start_ms, cue.end_ms]));
    for (const [from, to] of [["identifier", "id"], ["settings", "settings"], ["text", "text"]]) {
      assert.deepEqual(cues.map((cue) => cue[from]), lines.map((cue) => cue[to] ?? ""));
    }
    assert.deepEqual([surtitle.finalCueEnd(file), surtitle.latestCueEnd(file)], text(expected(`${name}.ends`)).trim().split("\n").map(Number));
    const segments = surtitle.segments(file, { step: 6, map: { mpegts: 900000 } });
    assert.ok(same(joined(segments.map((segment) => segment.bytes)), expected(`${name}.segments`)));
    segments.reduce((end, { start, duration }) => (assert.ok(Math.abs(start - end) < 1e-9 && duration > 0), start + duration), 0);
    const once = surtitle.segments(file, { step: 6, cuesOnce: true });
    assert.equal(once.reduce((sum, segment) => sum + segment.cueCount, 0), cues.length);
  });
}

test("segments of the video's own durations, to an end", () => {
  const cut = surtitle.segments(expected("en.vtt"), { durations: [1, 2.000000001] });
  assert.deepEqual(cut.map(({ start, duration }) => [start, duration]), [[0, 1], [1, 2.000000001]]);
  assert.equal(surtitle.segments(one, { step: 6, end: 20 }).length, 4);
  for (const refused of [{}, { step: 0 }, { step: 6, durations: [6] }]) {
    assert.throws(() => surtitle.segments(one, refused), ({ status }) => status === "invalid-value");
  }
  for (const refused of [{ step: -1 }, { step: NaN }, { durations: ["a"] }]) assert.throws(() => surtitle.segments(one, refused), RangeError);
  assert.throws(() => surtitle.segments("1\n", { step: 6 }), ({ status, position }) => status === "not-webvtt" && position === 0);
  assert.throws(() => surtitle.segments("WEBVTT\n\n00:00.000 --> 59:59.999\na\n", { step: 1e-6 }), ({ status }) => status === "limit-exceeded");
});

test("a file without cues has no end", () => {
  for (const file of ["WEBVTT\n", "00:00.000 --> 00:01.000\n", ""]) {
    assert.equal(surtitle.finalCueEnd(file), undefined);
    assert.equal(surtitle.latestCueEnd(file), undefined);
  }
  assert.deepEqual(surtitle.cues("WEBVTT\n"), []);
  assert.throws(() => surtitle.cues("#EXTM3U\n"), ({ status }) => status === "not-webvtt");
});

test("a subtitle playlist", () => {
  const entries = [
    { uri: "en-0.vtt", duration: 6 },
    { uri: "en-1.vtt", duration: 1.5, isDiscontinuous: true },
  ];
  const head = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:0\n";
  const files = "#EXTINF:6.000,\nen-0.vtt\n#EXT-X-DISCONTINUITY\n#EXTINF:1.500,\nen-1.vtt\n#EXT-X-ENDLIST\n";
  assert.equal(text(surtitle.subtitlePlaylist(entries)), `${head}#EXT-X-PLAYLIST-TYPE:VOD\n${files}`);
  assert.equal(text(surtitle.subtitlePlaylist(entries, { type: "EVENT", comma: false })), `${head}#EXT-X-PLAYLIST-TYPE:EVENT\n${files}`.replaceAll("00,", "00"));
  assert.equal(text(surtitle.subtitlePlaylist(entries, { type: "none" })), head + files);
  const many = Array.from({ length: 5000 }, (_, index) => ({ uri: `a-rather-long-name-of-a-segment-${"x".repeat(200)}-${index}.vtt`, duration: 6.006 }));
  assert.equal(text(surtitle.subtitlePlaylist(many)).split("#EXTINF:6.006,").length, 5001);
  assert.throws(() => surtitle.subtitlePlaylist([entries[0], { uri: "#a", duration: 1 }]), ({ status, field, index }) => status === "segment-refused" && field === "entries[1].uri" && index === 1);
  assert.throws(() => surtitle.subtitlePlaylist([]), ({ status }) => status === "segment-refused");
  assert.throws(() => surtitle.subtitlePlaylist([{ uri: 1, duration: 1 }]), TypeError);
  assert.throws(() => surtitle.subtitlePlaylist(entries, { type: "LIVE" }), TypeError);
});

test("SubRip becomes what the command makes of it", () => {
  assert.ok(same(surtitle.toWebVTT(expected("film.srt")), expected("film.vtt")));
  assert.ok(same(surtitle.toWebVTT(expected("film.vtt"), "srt"), expected("film.vtt")));
  assert.throws(() => surtitle.toWebVTT("hello", "film.txt"), ({ status }) => status === "not-webvtt");
  assert.throws(() => surtitle.toWebVTT("WEBVTT", 1), TypeError);
  assert.ok(same(surtitle.toWebVTT(expected("film.srt"), "film.srt"), expected("film.vtt")));
  assert.ok(text(surtitle.toWebVTT("", "srt")).startsWith("WEBVTT\n"));
  const latin = new Uint8Array([...bytes("1\n00:00:01,000 --> 00:00:02,000\n"), 0xe9]);
  assert.throws(() => surtitle.toWebVTT(latin), ({ status, position, reason }) => status === "invalid-utf8" && position === 32 && reason.startsWith("not UTF-8 but an 8-bit or East Asian encoding"));
});

test("a timestamp map is put in, in place of one that is there", () => {
  const file = "WEBVTT title\r\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1\r\nA: b\r\n\r\n00:00.000 --> 00:01.000\r\na\r\n";
  const mapped = "WEBVTT title\r\nX-TIMESTAMP-MAP=LOCAL:00:00:10.000,MPEGTS:900000\r\nA: b\r\n\r\n00:00.000 --> 00:01.000\r\na\r\n";
  assert.equal(text(surtitle.withTimestampMap(file, { mpegts: 900000, local: 10 })), mapped);
  assert.equal(text(surtitle.withTimestampMap(one, { mpegts: 2 ** 33 - 1 })), one.replace("WEBVTT\n", "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:8589934591\n"));
  assert.throws(() => surtitle.withTimestampMap(file, { mpegts: 2 ** 33 }), ({ status }) => status === "invalid-value");
  assert.throws(() => surtitle.withTimestampMap(file, { mpegts: 0, local: -1 }), RangeError);
});

test("a cue's text keeps a byte order mark of its own", () => {
  assert.equal(surtitle.cues("WEBVTT\n\n00:00.000 --> 00:01.000\n\uFEFFa\n")[0].text, "\uFEFFa");
});

test("a map without a time stamp, and a type that is none, are told", () => {
  assert.throws(() => surtitle.segments(one, { step: 6, map: {} }), TypeError);
  assert.throws(() => surtitle.subtitlePlaylist([{ uri: "a", duration: 1 }], { type: "constructor" }), TypeError);
});
