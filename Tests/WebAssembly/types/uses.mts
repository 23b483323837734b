// All of the face, as TypeScript sees it: compiled, and not run.
import { SurtitleError, edited, fromModule, load } from "../../../Sources/WebAssembly/javascript/surtitle.mjs";
import { decrypt, loadMedia, type Media } from "../../../Sources/WebAssembly/javascript/media.mjs";
import type { Configuration, ConfigurationSource, Cue, Exchange, HTTPRules, Report, Segment, Surtitle, Track } from "../../../Sources/WebAssembly/javascript/surtitle.mjs";

declare const module: WebAssembly.Module;
declare const bytes: Uint8Array;

export async function all(): Promise<void> {
  const surtitle: Surtitle = await load(fetch("surtitle.wasm"));
  await load(bytes);
  await load(module);
  fromModule(module);
  const version: string = surtitle.version;
  const memory: number = surtitle.memoryBytes;

  const track: Track = { uri: "subs/en.m3u8", language: "en", name: "English", default: true, kind: "captions", autoselect: true };
  const source: ConfigurationSource = {
    tracks: [track],
    "replace-default": true,
    edits: [{ set: "EXT-X-KEY:A=1" }, { drop: "EXT-X-SESSION-DATA" }],
    scheme: { key: "skd:https", all: "https" },
    host: "example.com",
    "append-query": { variant: ["a=1", "b=2"] },
    limits: { "longest-line": 4096, "past-limit": "fail" },
  };
  const configuration: Configuration = surtitle.configure(source);
  const fingerprint: bigint = configuration.fingerprint;
  const whole: Uint8Array = configuration.sideload("#EXTM3U\n");
  const report: Report = configuration.report;
  const position: number | undefined = report.limitPosition;
  const response = await fetch("master.m3u8");
  const stream: ReadableStream<Uint8Array> | undefined = response.body?.pipeThrough(configuration.stream());
  const rewriter = configuration.rewriter();
  const parts: Uint8Array[] = [rewriter.write(bytes), rewriter.finish()];
  rewriter.reset();
  parts.push(rewriter.abandon());
  rewriter.free();
  rewriter[Symbol.dispose]();

  const rules: HTTPRules = surtitle.rules({ patterns: ["*.m3u8"], longestHeld: 0, ignoresNoTransform: true });
  const exchange: Exchange = rules.exchange();
  const request = new Request("https://example.com/master.m3u8");
  const asked = exchange.request(configuration, request, new Date());
  const headers: Headers = edited(request.headers, asked.edits);
  if (asked.action === "likely") exchange.requestAgain(request);
  const decided = exchange.response(response, surtitle.contentOf(bytes, true));
  if (decided.action === "hold") edited(headers, exchange.setLength(decided.holdBytes));
  const fetching: typeof fetch = surtitle.fetching(configuration, { fetch, modified: new Date(), longestHeld: 1000 });
  await fetching(request);

  const cues: Cue[] = surtitle.cues(bytes);
  const end: number | undefined = surtitle.finalCueEnd(bytes) ?? surtitle.latestCueEnd(bytes);
  const segments: Segment[] = surtitle.segments(bytes, { step: 6, map: { mpegts: 900000, local: 10 }, cuesOnce: true });
  surtitle.segments(bytes, { durations: segments.map((segment) => segment.duration), end: 20 });
  surtitle.withTimestampMap(surtitle.toWebVTT(bytes, "a.srt"), { mpegts: 0 });
  surtitle.subtitlePlaylist([{ uri: "en.vtt", duration: end ?? 1, isDiscontinuous: false }], { type: "EVENT", comma: false });
  const media: Media = await loadMedia(fetch("surtitle-media.wasm"));
  const map = await media.timestampMap(new URL("https://example.com/master.m3u8"), { fetch, crypto, signal: new AbortController().signal });
  surtitle.withTimestampMap(bytes, map);
  const plain: Uint8Array = await decrypt({ key: bytes, vector: bytes, bytes }, crypto);
  try {
    surtitle.configure({});
  } catch (error) {
    if (error instanceof SurtitleError) console.log(error.status, error.field?.length, error.position, error.output?.length);
  }
  console.log(version, memory, fingerprint, whole, position, stream, parts, cues[0]?.text, plain, media.memoryBytes);
}
