// What the fuzzers have found, through every function that takes bytes: chunks give what the whole gives, and whatever is refused is refused by
// the library, which goes on. On WebAssembly numbers have 32 bits, which the fuzzers' own runs do not see.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { SurtitleError, bytes, chunksOf, joined, same, surtitle, tracks } from "./setup.mjs";

const fuzz = new URL("../../Fuzz/", import.meta.url).pathname;
const folders = ["Corpus", "Regressions"].flatMap((kind) => readdirSync(join(fuzz, kind)).map((name) => join(fuzz, kind, name)));

const latest = ["9999:59:59.999", "99999999:00:00.000", "999999999999:00:00.000", `${"9".repeat(30)}:00:00.000`];
const inputs = latest.map((time) => [time, bytes(`WEBVTT\n\n00:00.000 --> ${time}\na\n`)]);
for (const folder of folders) {
  for (const name of readdirSync(folder)) inputs.push([join(folder, name), new Uint8Array(readFileSync(join(folder, name)))]);
}

const edits = {
  edits: [{ set: 'EXT-X-KEY:URI="a"' }, { drop: "EXT-X-DATERANGE" }],
  "map-uri": "https://example.com/a/",
  scheme: "http",
  "append-query": "a=1",
  "keep-variants": "BANDWIDTH>=1 && RESOLUTION>=1",
};
const configurations = [{ tracks }, { tracks, "replace-default": true, limits: { "longest-line": 64 } }, edits, { ...edits, tracks }].map((source) => surtitle.configure(source));

const WAYS = {
  cues: (input) => surtitle.cues(input),
  finalCueEnd: (input) => surtitle.finalCueEnd(input),
  latestCueEnd: (input) => surtitle.latestCueEnd(input),
  "segments of a length": (input) => surtitle.segments(input, { step: 6 }),
  "segments of durations": (input) => surtitle.segments(input, { durations: [1, 2, 3] }),
  toWebVTT: (input) => surtitle.toWebVTT(input, "srt"),
  withTimestampMap: (input) => surtitle.withTimestampMap(input, { mpegts: 900000, local: 1 }),
};

test("there are inputs", () => assert.ok(inputs.length > 1000));

test("chunks give what the whole gives", () => {
  const rewriters = configurations.map((configuration) => configuration.rewriter());
  for (const [name, input] of inputs) {
    for (const [index, configuration] of configurations.entries()) {
      const rewriter = rewriters[index];
      const parts = [...chunksOf(input, 7)].map((chunk) => rewriter.write(chunk));
      assert.ok(same(joined([...parts, rewriter.finish()]), configuration.sideload(input)), `${name}, configuration ${index}`);
      rewriter.reset();
    }
  }
});

for (const [what, way] of Object.entries(WAYS)) {
  test(`${what}: whatever comes is answered or refused`, () => {
    for (const [name, input] of inputs) {
      try {
        way(input);
      } catch (error) {
        assert.ok(error instanceof SurtitleError, `${name}: ${error}`);
      }
    }
  });
}
