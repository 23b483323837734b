// What must not compile: each line below the declarations is an error, and run.sh counts them.
import type { Live } from "../../../Sources/WebAssembly/javascript/live.mjs";
import type { Surtitle } from "../../../Sources/WebAssembly/javascript/surtitle.mjs";

declare const surtitle: Surtitle;
declare const live: Live;

surtitle.configure({ tracks: [{ language: "en" }] });
surtitle.configure({ tracks: [{ uri: "en.m3u8", lang: "en" }] });
surtitle.configure({ edits: [{ append: "a" }] });
surtitle.configure({ scheme: { film: "https" } });
surtitle.configure({}).sideload(17);
surtitle.configure({}).fingerprint + 1;
surtitle.configure({}).report.verdict === "master";
surtitle.segments("WEBVTT", { step: 6, durations: [6] });
surtitle.segments("WEBVTT", {});
surtitle.finalCueEnd("WEBVTT") + 1;
surtitle.withTimestampMap("WEBVTT", {});
surtitle.rules().exchange().response(new Response(), "something");
surtitle.version = "1";
live.channel({ map: "own" });
live.channel({ at: 17 });
live.channel().take("#EXTM3U") === "older";
live.channel().facts.endSegment + 1;
live.channel().find("1.vtt").start + 1;
live.channel().playlist("en/").length;
live.cueIndex("WEBVTT").write({ start: 0, end: 1 });
live.growingCues({ format: "vtt" });
live.growingCues({ name: "en" }).seal(live);
live.serving({ video: "https://example.com/v.m3u8" });
live.serving({ tracks: {}, video: "a", store: { get: () => 17, put: () => 17 } });
