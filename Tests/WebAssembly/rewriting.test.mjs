// Playlists through the rewriter: whole, in chunks, as streams, torn, refused; and what memory they take.
import assert from "node:assert/strict";
import { test } from "node:test";
import { SurtitleError, bytes, chunksOf, drain, expected, joined, load, masters, moduleBytes, same, source, surtitle, text, tracks } from "./setup.mjs";

const configuration = surtitle.configure({ tracks });
const small = bytes("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n");
const [fixture] = masters;
const isSplit = [1, 7, 64, Infinity];

test("there are playlists", () => assert.ok(masters.length > 0 && !same(fixture.playlist, fixture.edited)));

for (const { name, playlist, edited } of masters) {
  test(`${name}: whole, in chunks, and as a stream it is what the command makes of it`, async () => {
    assert.ok(same(configuration.sideload(playlist), edited), "whole");
    const rewriter = configuration.rewriter();
    for (const size of isSplit) {
      const parts = [...chunksOf(playlist, size)].map((chunk) => rewriter.write(chunk));
      assert.ok(same(joined([...parts, rewriter.finish()]), edited), `chunks of ${size}`);
      assert.equal(rewriter.report.heldBytes, 0);
      rewriter.reset();
      const { bytes: streamed, error } = await drain(source(chunksOf(playlist, size)).pipeThrough(configuration.stream()));
      assert.equal(error, undefined);
      assert.ok(same(streamed, edited), `a stream of chunks of ${size}`);
    }
    rewriter.free();
  });
}

test("every field of a track is what the command makes of it", () => {
  const group = "texts";
  const all = [
    { uri: "a.m3u8", language: "en", name: "A", sdh: true, default: true, "assoc-language": "sv", "stable-id": "x1", group },
    { uri: "b.m3u8", language: "sv", autoselect: false, group },
    { uri: "c.m3u8", language: "de", name: "C", forced: true, kind: "captions", group, file: "c.vtt", duration: "1:30" },
  ];
  const found = text(surtitle.configure({ tracks: all, "replace-default": true }).sideload(fixture.playlist));
  assert.equal(found, text(expected("fields")));
});

test("edits are what the command makes of them", () => {
  const edits = {
    edits: [{ set: 'EXT-X-STREAM-INF:NAME="hd"' }, { drop: "EXT-X-SESSION-DATA" }],
    "map-uri": "https://example.com/video/",
    "append-query": { variant: "token=1" },
    "keep-variants": "BANDWIDTH>=1",
  };
  assert.ok(same(surtitle.configure(edits).sideload(fixture.playlist), expected("edits")));
  const both = surtitle.configure({ ...edits, tracks: [tracks[0]] });
  assert.ok(same(both.sideload(fixture.playlist), expected("both")));
  assert.ok(both.report.mappedURIs > 0);
});

test("every form of bytes is taken, and texts are UTF-8", () => {
  const whole = text(configuration.sideload(small));
  const { buffer } = new Uint8Array(small);
  for (const form of [text(small), buffer, new DataView(buffer), new Uint8Array(buffer)]) assert.equal(text(configuration.sideload(form)), whole);
  assert.throws(() => configuration.sideload(17), TypeError);
  assert.throws(() => configuration.sideload(undefined), TypeError);
});

test("the report tells what the playlist was", () => {
  configuration.sideload(fixture.playlist);
  assert.equal(configuration.report.verdict, "multivariant");
  assert.ok(configuration.report.addedBytes > 0);
  assert.equal(configuration.report.exceededLimit, undefined);
  const media = bytes("#EXTM3U\n#EXTINF:4,\na.ts\n");
  assert.ok(same(configuration.sideload(media), media));
  assert.deepEqual([configuration.report.verdict, configuration.report.verdictPosition], ["media", 8]);
  const page = bytes("<!doctype html>");
  assert.ok(same(configuration.sideload(page), page));
  assert.equal(configuration.report.verdict, "no-playlist");
  configuration.sideload('#EXTM3U\n#EXT-X-STREAM-INF:CODECS="a\nv\n');
  assert.deepEqual([configuration.report.uneditableLines, configuration.report.firstUneditableLine], [1, 8]);
});

test("a torn stream hands out what it held, unedited, and breaks off where its source did", async () => {
  const reason = new Error("the origin is gone");
  for (let end = 0; end < fixture.playlist.length; end += 37) {
    const torn = fixture.playlist.subarray(0, end);
    const rewriter = configuration.rewriter();
    const found = joined([...[...chunksOf(torn, 16)].map((chunk) => rewriter.write(chunk)), rewriter.abandon()]);
    rewriter.free();
    assert.ok(!text(found).includes("subs/en.m3u8"), "nothing is appended");
    const lastLine = torn.subarray(torn.lastIndexOf(10) + 1);
    assert.ok(same(found.subarray(found.length - lastLine.length), lastLine), "the torn line is as it was");
    const piped = await drain(source(chunksOf(torn, 16), reason).pipeThrough(configuration.stream()));
    assert.equal(piped.error, reason);
    assert.ok(same(piped.bytes, found), `torn at ${end}`);
  }
});

test("a reader that leaves ends the source", async () => {
  let left;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(small),
    cancel: (reason) => {
      left = reason;
    },
  });
  const reader = endless.pipeThrough(configuration.stream()).getReader();
  await reader.read();
  await reader.cancel("enough");
  await new Promise((resolve) => setTimeout(resolve));
  assert.equal(left, "enough");
});

test("a chunk that is none fails the stream", async () => {
  const { error } = await drain(source([small, 17]).pipeThrough(configuration.stream()));
  assert.ok(error instanceof TypeError);
});

test("a slow reader makes the source wait", async () => {
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled += 1;
      controller.enqueue(bytes(`#comment ${pulled}\n`.repeat(100)));
    },
  });
  const reader = endless.pipeThrough(configuration.stream()).getReader();
  await reader.read();
  await new Promise((resolve) => setTimeout(resolve, 20));
  assert.ok(pulled < 10, `${pulled} chunks were read for one`);
  await reader.cancel();
});

test("past a limit bytes pass through, or fail with all that came out", () => {
  const limits = { "longest-line": 10 };
  const passing = surtitle.configure({ tracks, limits });
  assert.ok(same(passing.sideload(small), small));
  assert.deepEqual([passing.report.exceededLimit, passing.report.limitPosition], ["longest-line", 8]);
  const failing = surtitle.configure({ tracks, limits: { ...limits, "past-limit": "fail" } });
  const isLimit = (error) => error instanceof SurtitleError && error.status === "limit-exceeded" && same(error.output, small);
  assert.throws(() => failing.sideload(small), isLimit);
  assert.throws(() => failing.rewriter().write(small), isLimit);
});

const REFUSALS = [
  [{}, "configuration-refused", undefined, "nothing to do"],
  [{ tracks: [] }, "configuration-refused", undefined, "no track"],
  [{ tracks: [tracks[0], { ...tracks[1], language: "not a tag" }] }, "track-refused", "tracks[1].language", "a language"],
  [{ tracks: [tracks[0], tracks[0]] }, "track-refused", undefined, "two defaults"],
  [{ tracks: [{ language: "en" }] }, "track-refused", "tracks[0].uri", "no URI"],
  [{ tracks: [{ ...tracks[0], languag: "en" }] }, "track-refused", "tracks[0].languag", "an unknown key"],
  [{ tracks: [{ ...tracks[0], default: 1 }] }, "track-refused", "tracks[0].default", "no truth"],
  [{ tracks: [{ ...tracks[0], name: ["A"] }] }, "configuration-refused", "tracks[0].name", "no text"],
  [{ tracks: [{ ...tracks[0], kind: "signs" }] }, "track-refused", "tracks[0].kind", "an unknown kind"],
  [{ tracks: { 0: tracks[0] } }, "configuration-refused", "tracks", "no array"],
  [{ tracks, subtitles: [] }, "configuration-refused", "subtitles", "an unknown key"],
  [{ tracks, limits: { "longest-line": -1 } }, "configuration-refused", "limits.longest-line", "no size"],
  [{ tracks, limits: { "longest-line": 2 ** 31 - 1 } }, "invalid-value", undefined, "more than 1 GiB"],
  [{ tracks, limits: { "longest-line": 2 ** 32 + 1 } }, "configuration-refused", "limits.longest-line", "more than 32 bits"],
  [{ edits: [{ constructor: "EXT-X-KEY:A=1" }] }, "configuration-refused", "edits[0]", "a word that all objects have"],
  [{ edits: [{ drop: "" }] }, "edit-refused", "edits[0]", "no tag"],
  [{ edits: [{ set: "EXT-X-KEY:A=1", drop: "EXT-X-KEY" }] }, "configuration-refused", "edits[0]", "two keys"],
  [{ "keep-variants": "BANDWIDTH>>" }, "condition-refused", "edits[0]", "no condition"],
  [{ scheme: { film: "https" } }, "configuration-refused", "scheme.film", "no role"],
];

for (const [refused, status, field, why] of REFUSALS) {
  test(`a configuration is refused: ${why}`, () => {
    assert.throws(
      () => surtitle.configure(refused),
      (error) => {
        assert.ok(error instanceof SurtitleError && error instanceof Error, String(error));
        assert.deepEqual([error.status, error.name], [status, "SurtitleError"]);
        if (field) assert.equal(error.field, field);
        assert.ok(error.reason.length > 0 && error.message.includes(error.reason));
        return true;
      },
    );
  });
}

test("misuse is told, and does no harm", () => {
  const rewriter = configuration.rewriter();
  rewriter.finish();
  for (const call of [() => rewriter.finish(), () => rewriter.abandon(), () => rewriter.write(small)]) {
    assert.throws(call, (error) => error.status === "ended");
  }
  rewriter.reset();
  assert.throws(() => rewriter.write(null), TypeError);
  const first = rewriter.write(small);
  assert.ok(same(joined([first, rewriter.finish()]), configuration.sideload(small)));
  rewriter.free();
  rewriter.free();
  assert.throws(() => rewriter.write(small), /has been freed/);
  assert.throws(() => surtitle.configure("tracks"), TypeError);
});

test("a rewriter lives on without its configuration", () => {
  const gone = surtitle.configure({ tracks });
  const rewriter = gone.rewriter();
  gone.free();
  assert.throws(() => gone.sideload(small), /has been freed/);
  assert.ok(same(joined([rewriter.write(small), rewriter.finish()]), configuration.sideload(small)));
});

test("what has been freed is freed at the end of its block too", () => {
  if (!Symbol.dispose) return;
  const rewriter = configuration.rewriter();
  rewriter[Symbol.dispose]();
  assert.throws(() => rewriter.finish(), /has been freed/);
});

test("the fingerprint changes with the tracks and with nothing else", () => {
  assert.equal(typeof configuration.fingerprint, "bigint");
  assert.equal(surtitle.configure({ tracks: structuredClone(tracks) }).fingerprint, configuration.fingerprint);
  assert.notEqual(surtitle.configure({ tracks: [tracks[0]] }).fingerprint, configuration.fingerprint);
});

test("thousands of responses take no more memory than the first ones", async () => {
  const own = await load(moduleBytes);
  const sizes = [1, 50, 3000, 40_000, 300_000];
  const playlists = sizes.map((size) => bytes(`#EXTM3U\n${"#EXT-X-STREAM-INF:BANDWIDTH=1\nvariant.m3u8\n".repeat(size / 43 + 1)}`));
  const round = async (index) => {
    const made = own.configure({ tracks });
    const playlist = playlists[index % playlists.length];
    made.sideload(playlist);
    if (index % 10 === 0) await drain(source(chunksOf(playlist, 5000)).pipeThrough(made.stream()));
    if (index % 10 === 1) await drain(source(chunksOf(playlist, 5000), new Error("torn")).pipeThrough(made.stream()));
    assert.throws(() => own.configure({ tracks: [{ ...tracks[0], language: "?" }] }));
    own.segments("WEBVTT\n\n00:00.000 --> 00:10.000\na\n", { step: 6 });
    made.free();
  };
  for (let index = 0; index < 200; index++) await round(index);
  const before = own.memoryBytes;
  for (let index = 0; index < 3000; index++) await round(index);
  assert.equal(own.memoryBytes, before);
});

test("what nobody frees is freed when it is collected", { skip: !globalThis.gc && "without --expose-gc" }, async () => {
  const own = await load(moduleBytes);
  const made = own.configure({ tracks });
  const some = () => {
    for (let index = 0; index < 500; index++) made.rewriter().write(small);
  };
  const collected = async () => {
    some();
    for (let turn = 0; turn < 5; turn++) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve));
    }
  };
  await collected();
  await collected();
  const before = own.memoryBytes;
  for (let round = 0; round < 10; round++) await collected();
  assert.equal(own.memoryBytes, before);
});

/** A library that has ended for want of memory, and the error with which it has. */
async function ended(own) {
  const rewriter = own.configure({ tracks, limits: { "longest-line": 2 ** 30 } }).rewriter();
  rewriter.write("#EXTM3U\n#EXT-X-STREAM-INF:");
  const chunk = new Uint8Array(2 ** 27).fill(65);
  assert.throws(() => {
    for (let index = 0; index < 20; index++) rewriter.write(chunk);
  }, /the library has ended/);
}

test("memory that is not there is an error, and the library is not called again", async () => {
  const own = await load(moduleBytes);
  const made = own.configure({ tracks });
  const streams = [made.stream(), made.stream(), made.stream()];
  const writers = streams.map(({ writable }) => writable.getWriter());
  await ended(own);
  assert.throws(() => made.sideload(small), /the library has ended/);
  // Nobody waits for what never comes.
  for (const writer of writers) writer.closed.catch(() => {});
  const ends = [writers[0].write(small), writers[1].close(), writers[2].abort(new Error("the origin is gone"))];
  for (const { reason } of await Promise.allSettled(ends)) assert.match(reason.message, /the library has ended/);
  for (const { readable } of streams) assert.match((await drain(readable)).error.message, /the library has ended/);
  made.free();
});

test("what is collected of a library that has ended is no error", { skip: !globalThis.gc && "without --expose-gc" }, async () => {
  const own = await load(moduleBytes);
  const made = own.configure({ tracks });
  const uncaught = [];
  const note = (error) => uncaught.push(error);
  process.on("uncaughtException", note);
  (() => {
    for (let index = 0; index < 100; index++) made.rewriter();
  })();
  await ended(own);
  for (let turn = 0; turn < 5; turn++) {
    globalThis.gc();
    await new Promise((resolve) => setTimeout(resolve));
  }
  process.off("uncaughtException", note);
  assert.deepEqual(uncaught, []);
});
