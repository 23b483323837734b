// What is said of options that are wrong: which one it is, what it must be, and what it is.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { live } from "./live-setup.mjs";
import { built, surtitle, tracks } from "./setup.mjs";

const { loadMedia } = await import(join(built, "media.mjs"));
const media = await loadMedia(readFileSync(join(built, "surtitle-media.wasm")));

const configuration = surtitle.configure({ tracks });
const file = "WEBVTT\n";
const version = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n";
const channel = live.channel();
const video = "https://example.com/v.m3u8";
const serving = (options) => live.serving({ video, tracks: { en: video }, ...options });
const ask = (modified) => surtitle.rules().exchange().request(configuration, new Request(video), modified);
const invalid = new Date(NaN);

/** A call with a wrong value, the message, and RangeError for a value of the right type. */
const rows = [
  // Bytes
  [() => configuration.sideload(), "playlist must be bytes or a string, and is undefined"],
  [() => configuration.rewriter().write(null), "chunk must be bytes or a string, and is null"],
  [() => surtitle.finalCueEnd(NaN), "file must be bytes or a string, and is NaN"],
  [() => surtitle.cues({}), "file must be bytes or a string, and is an object"],
  [() => surtitle.toWebVTT(file, null), "name must be bytes or a string, and is null"],
  [() => live.restore(undefined), "state must be bytes or a string, and is undefined"],
  [() => live.mediaScanner().write(() => {}), "chunk must be bytes or a string, and is a function"],
  // Subtitle playlists
  [() => surtitle.subtitlePlaylist(), "entries must be an array, and is undefined"],
  [() => surtitle.subtitlePlaylist([null]), "entries[0] must be an object, and is null"],
  [() => surtitle.subtitlePlaylist([{ uri: "a", duration: 1 }, { duration: 1 }]), "entries[1].uri must be a string, and is undefined"],
  [() => surtitle.subtitlePlaylist([{ uri: "a" }]), "entries[0].duration must be a time in seconds, 0 or more, and is undefined", RangeError],
  [() => surtitle.subtitlePlaylist([{ uri: "a", duration: null }]), "entries[0].duration must be a time in seconds, 0 or more, and is null", RangeError],
  [() => surtitle.subtitlePlaylist([{ uri: "a", duration: "6" }]), 'entries[0].duration must be a time in seconds, 0 or more, and is "6"', RangeError],
  [() => surtitle.subtitlePlaylist([], null), "options must be an object, and is null"],
  [() => surtitle.subtitlePlaylist([], { type: null }), "type must be one of VOD, EVENT, none, and is null"],
  // Segments and maps
  [() => surtitle.segments(file, null), "options must be an object, and is null"],
  [() => surtitle.segments(file, { step: NaN }), "step must be a time in seconds, 0 or more, and is NaN", RangeError],
  [() => surtitle.segments(file, { end: -1 }), "end must be a time in seconds, 0 or more, and is -1", RangeError],
  [() => surtitle.segments(file, { durations: 6 }), "durations must be an array, and is 6"],
  [() => surtitle.segments(file, { durations: [6, undefined] }), "durations[1] must be a time in seconds, 0 or more, and is undefined", RangeError],
  [() => surtitle.segments(file, { step: 6, map: {} }), "map.mpegts must be a whole number, 0 or more, and is undefined"],
  [() => surtitle.withTimestampMap(file), "map must be an object, and is undefined"],
  [() => surtitle.withTimestampMap(file, { mpegts: null }), "map.mpegts must be a whole number, 0 or more, and is null"],
  [() => surtitle.withTimestampMap(file, { mpegts: NaN }), "map.mpegts must be a whole number, 0 or more, and is NaN", RangeError],
  [() => surtitle.withTimestampMap(file, { mpegts: 0, local: NaN }), "map.local must be a time in seconds, 0 or more, and is NaN", RangeError],
  // HTTP
  [() => surtitle.rules(null), "settings must be an object, and is null"],
  [() => surtitle.rules({ patterns: "*.m3u8" }), 'patterns must be an array, and is "*.m3u8"'],
  [() => surtitle.rules({ patterns: ["*.m3u8", undefined] }), "patterns[1] must be a string, and is undefined"],
  [() => surtitle.rules({ longestHeld: null }), "longestHeld must be a whole number below 2 ** 32, 0 or more, and is null", RangeError],
  [() => ask(null), "modified must be a Date that there is, and is null"],
  [() => ask(invalid), "modified must be a Date that there is, and is Invalid Date"],
  [() => surtitle.rules().exchange().setLength(undefined), "count must be a whole number, 0 or more, and is undefined"],
  [() => surtitle.rules().exchange().setLength(1.5), "count must be a whole number, 0 or more, and is 1.5", RangeError],
  [() => surtitle.fetching(), "the configuration is none that configure() has given"],
  [() => surtitle.fetching(configuration, null), "options must be an object, and is null"],
  // Live streams
  [() => live.channel(null), "settings must be an object, and is null"],
  [() => live.channel({ at: null }), "at must be a date, msn:NUMBER, or one of automatic, media, first-version, and is null"],
  [() => live.channel({ at: invalid }), "at must be a date that there is, and is Invalid Date", RangeError],
  [() => live.channel({ at: "2026-13-01T00:00:00Z" }), 'at must be a date that there is, and is "2026-13-01T00:00:00Z"', RangeError],
  [() => live.channel({ map: null }), "map must be auto, none or a map, and is null"],
  [() => live.channel({ map: {} }), "map.mpegts must be a whole number, 0 or more, and is undefined"],
  [() => live.channel({ lowLatency: null }), "lowLatency must be one of mirror, strip, and is null"],
  [() => live.channel({ limits: null }), "limits must be an object, and is null"],
  [() => live.channel({ limits: { parts: NaN } }), "limits.parts must be a whole number below 2 ** 32, 0 or more, and is NaN", RangeError],
  [() => channel.playlist(), "prefix must be a string, and is undefined"],
  [() => channel.playlist("", null), "options must be an object, and is null"],
  [() => channel.playlist("", { lag: null }), "lag must be a whole number below 2 ** 32, 0 or more, and is null", RangeError],
  [() => channel.find(17), "name must be a string, and is 17"],
  [() => channel.mediaStart(undefined, 0), "segment must be a whole number, 0 or more, and is undefined"],
  [() => channel.mediaStart(0, NaN), "mpegts must be a whole number, 0 or more, and is NaN", RangeError],
  [() => channel.noMediaStart(-1n), "segment must be a whole number, 0 or more, and is -1", RangeError],
  [() => live.cueIndex(file, null), "naming must be an object, and is null"],
  [() => live.cueIndex(file, { name: 1 }), "name must be a string, and is 1"],
  [() => live.growingCues(), "settings must be an object, and is undefined"],
  [() => live.growingCues({}), "name must be a string, and is undefined"],
  [() => live.growingCues({ name: "en", firstNumber: "1" }), 'firstNumber must be a whole number, 0 or more, and is "1"'],
  [() => live.growingCues({ name: "en", format: null }), "format must be one of vtt, srt, jsonl, and is null"],
  [() => live.growingCues({ name: "en", late: NaN }), "late must be one of spoken, shift, drop, and is NaN"],
  [() => live.growingCues({ name: "en", unit: "h" }), 'unit must be one of s, ms, and is "h"'],
  [() => live.growingCues({ name: "en", latency: null }), "latency must be a time in seconds, 0 or more, and is null", RangeError],
  // Servers of live streams
  [() => live.serving(), "options must be an object, and is undefined"],
  [() => serving({ video: undefined }), "video must be a URL, and is undefined"],
  [() => serving({ tracks: undefined }), "tracks must be an object, and is undefined"],
  [() => serving({ tracks: { en: null } }), "tracks.en must be a URL, and is null"],
  [() => serving({ tracks: { en: { name: "a" } } }), "tracks.en.file must be a URL, and is undefined"],
  [() => serving({ lag: NaN }), "lag must be a whole number below 2 ** 32, 0 or more, and is NaN", RangeError],
  [() => serving({ headers: null }), "headers must be an object, and is null"],
  [() => serving({ fetch: null }), "fetch must be a function, and is null"],
  [() => serving({ now: 17 }), "now must be a function, and is 17"],
];

for (const [call, message, type = TypeError] of rows) {
  test(`${call.toString().slice(6)}: ${message}`, () => assert.throws(call, (error) => error.message === message && error.constructor === type));
}

test("the time stamp map of no video", async () => {
  await assert.rejects(media.timestampMap(undefined), { name: "TypeError", message: "video must be a URL, and is undefined" });
  await assert.rejects(media.timestampMap(video, null), { name: "TypeError", message: "options must be an object, and is null" });
});

test("what is not given has its default, null too where nothing else can be meant", () => {
  assert.equal(surtitle.segments("WEBVTT\n\n00:00.000 --> 00:01.000\na\n", { step: 6, end: null, durations: null, map: null, cuesOnce: undefined }).length, 1);
  channel.take(version);
  for (const options of [undefined, {}, { lag: undefined }]) assert.match(String.fromCharCode(...channel.playlist("en/", options)), /\nen\/0\.vtt\n/);
  assert.equal(live.cueIndex(file, { name: null }).write(channel.find("0.vtt")).length > 0, true);
  for (const each of [video, new URL(video), () => file, { file: video }, { file: () => file, name: "a" }]) serving({ tracks: { en: each }, store: null });
});
