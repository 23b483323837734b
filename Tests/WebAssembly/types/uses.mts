// All of the face, as TypeScript sees it: compiled, and not run.
import { SurtitleError, edited, fromModule, load } from "../../../Sources/WebAssembly/javascript/surtitle.mjs";
import { decrypt, loadMedia, type Media } from "../../../Sources/WebAssembly/javascript/media.mjs";
import { liveFromModule, loadLive, type Channel, type ChannelSettings, type CueIndex, type GrowingCues, type Live, type LiveFacts, type LiveSpan, type LiveStore, type LiveWant } from "../../../Sources/WebAssembly/javascript/live.mjs";
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

declare const store: LiveStore;

export async function allOfLive(): Promise<void> {
  const live: Live = await loadLive(fetch("surtitle-live.wasm"));
  liveFromModule(module);
  const settings: ChannelSettings = { at: new Date(), map: { mpegts: 900000, local: 1 }, lowLatency: "strip", limits: { playlist: 1000, state: 0 } };
  const channel: Channel = live.channel(settings);
  live.channel({ at: "2026-11-23T20:00:00Z", map: "none" });
  live.channel({ at: "msn:17" });
  live.channel();
  if (channel.take(bytes) === "stale") return;
  for (let want: LiveWant | undefined; (want = channel.next()); ) {
    if (want.isEncrypted || want.init?.uri === "" || (want.media.range?.offset ?? 0) > 0) channel.noMediaStart(want.segment);
    else channel.mediaStart(want.segment, 900000);
  }
  const facts: LiveFacts = channel.facts;
  const end: bigint = facts.endSegment - facts.firstSegment;
  const playlist: Uint8Array | undefined = channel.playlist("en/", { lag: 1 });
  const span: LiveSpan = channel.find("17.vtt");
  const times: (number | undefined)[] = [span.start, span.end, span.part, span.map?.mpegts];
  const index: CueIndex = live.cueIndex("WEBVTT", { name: "en", renames: true });
  const growing: GrowingCues = live.growingCues({ name: "en", format: "srt", late: "shift", latency: 1.5, unit: "ms", firstNumber: 1n });
  growing.append(bytes);
  growing.finish();
  growing.abandon();
  growing.seal(channel);
  const parts: Uint8Array[] = span.place === "span" ? [index.write(span), growing.write(span)] : [];
  growing.reset();
  const restored: Channel = live.restore(channel.save(), settings);
  restored.free();
  growing[Symbol.dispose]();
  const scanner = live.mediaScanner();
  const found: number | undefined = scanner.write(bytes) ?? scanner.finish();
  const serve = live.serving({
    video: new URL("https://example.com/v.m3u8"),
    at: "media",
    tracks: { en: "https://example.com/en.vtt", sv: { file: async () => bytes, name: "sv" }, de: () => "WEBVTT" },
    store,
    key: "a",
    lag: 0,
    headers: { vary: "origin" },
    fetch,
    now: Date.now,
  });
  const response: Response = await serve(new Request("https://example.com/en.m3u8"), (promise: Promise<unknown>) => void promise);
  console.log(end, playlist, times, parts, found, response.status, facts.notes.includes("missed"), growing.held.leftOut, live.memoryBytes);
}
