// What must not compile: each line below the declarations is an error, and run.sh counts them.
import type { Surtitle } from "../../../Sources/WebAssembly/javascript/surtitle.mjs";

declare const surtitle: Surtitle;

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
