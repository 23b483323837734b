/**
 * Subtitles beside a live stream: from versions of the video's playlist, the playlist and the segments of each track. Times are in seconds.
 *
 * A media sequence number is a `bigint`: it may be larger than a `number` has exactly.
 */
import type { Bytes, TimestampMap } from "./surtitle.mjs";

/** Something that holds memory of the library's: until `free()`, the end of a `using`, or some time after nobody has it any more. */
interface Freeable {
  free(): void;
  [Symbol.dispose](): void;
}

export interface ChannelSettings {
  /**
   * What the cues' time 0 is: a date, as EXT-X-PROGRAM-DATE-TIME tells; the beginning of a segment, `msn:1200`; the time stamp 0 of the video's
   * clock, `media`; the beginning of the first version that comes. Otherwise segment 0, if the first version is an EVENT playlist that begins
   * there; else nobody knows, and segments have no cues.
   */
  at?: Date | "automatic" | "media" | "first-version" | `msn:${number | bigint}` | (string & {});
  /** Which X-TIMESTAMP-MAP segments get: what the video's time stamps tell, none, or one for all the stream. */
  map?: "auto" | "none" | TimestampMap;
  /** Whether tracks have the parts of the video's playlist. If they have not, the video's own must not have them either. */
  lowLatency?: "mirror" | "strip";
  /** In bytes, segments, parts, bytes of lines that are kept, bytes of a saved state; 0 or nothing is the default. */
  limits?: { playlist?: number; segments?: number; parts?: number; text?: number; state?: number };
}

/** What a version has changed. `stale`, `suspect` and `needs-full` count for nothing, as surtitle.h says. */
export type LiveChange = "first" | "unchanged" | "advanced" | "stale" | "suspect" | "missed" | "restarted" | "ended" | "needs-full";

export type LiveNote =
  | "no-anchor"
  | "anchor-gone"
  | "no-timestamp"
  | "unknown-gap"
  | "malformed-date"
  | "date-without-zone"
  | "target-duration-changed"
  | "segment-changed"
  | "missed"
  | "restarted"
  | "parted";

export interface LiveFacts {
  readonly hasBegun: boolean;
  /** Whether the last version has EXT-X-ENDLIST. */
  readonly hasEnded: boolean;
  readonly targetDuration: number;
  readonly firstSegment: bigint;
  /** The number behind the last whole segment; the first one if there is none. */
  readonly endSegment: bigint;
  /** How many parts the segment has that is not whole. */
  readonly openParts: number;
  readonly heldBytes: number;
  /** What whoever runs the channel should know; none goes away. */
  readonly notes: readonly LiveNote[];
}

/** Bytes that the video's playlist refers to. */
export interface LivePart {
  /** As it stands in the playlist. */
  readonly uri: string;
  /** Which bytes; all of them if it is not there. */
  readonly range?: { readonly offset: number; readonly count: number };
}

/** A segment whose first time stamp is wanted: its bytes, or those of its first part as long as it is not whole, behind those of its init segment. */
export interface LiveWant {
  readonly segment: bigint;
  readonly media: LivePart;
  readonly init?: LivePart;
  /** Whether the bytes are encrypted as a whole (METHOD=AES-128). */
  readonly isEncrypted: boolean;
}

/** What the name of a segment stands for. */
export interface LiveSpan {
  /**
   * `span`: this one. `gone`: it slid out long ago, and is served without cues. `wait`: it may be in the next version. `media-start`: it is known
   * once a time stamp is; until then it has no cues. `not-ours`: the name is none, or of a segment far ahead.
   */
  readonly place: "span" | "gone" | "wait" | "media-start" | "not-ours";
  readonly segment: bigint;
  /** The number of the part; undefined for the whole segment. */
  readonly part: number | undefined;
  /** Whether it is known when the segment is. */
  readonly isKnown: boolean;
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly map: TimestampMap | undefined;
}

/** A live stream: versions of the video's playlist go in, playlists of tracks and spans of segments come out. One serves all tracks. */
export interface Channel extends Freeable {
  /**
   * Takes a version of the playlist: a whole body. What broke off is none.
   *
   * @throws a SurtitleError, `live-refused` or `limit-exceeded`; nothing has changed then
   */
  take(playlist: Bytes): LiveChange;
  /** Whose first time stamp is wanted. Told of one, or that it cannot be had, it tells the next. */
  next(): LiveWant | undefined;
  /** Takes the first time stamp of a segment, in ticks of 1/90000 s. */
  mediaStart(segment: bigint | number, mpegts: number): void;
  noMediaStart(segment: bigint | number): void;
  readonly facts: LiveFacts;
  /**
   * The playlist of a track; undefined before the first version.
   *
   * @param prefix what stands before the names of segments: `en/` for `en/17.vtt`
   */
  playlist(prefix: string, options?: { /** How many segments at the end are left out. */ lag?: number }): Uint8Array | undefined;
  /** What the name of a segment stands for, without the prefix: `17.vtt`, or `17.3.vtt` for a part. */
  find(name: string): LiveSpan;
  /** The state, for `restore`: about 1 KiB and 16 bytes a segment. What is wanted is not in it; the same version again tells that. */
  save(): Uint8Array;
}

/** A whole WebVTT file by time. */
export interface CueIndex extends Freeable {
  /** The segment of a span: all styles and regions, and each cue that shows in it. */
  write(span: LiveSpan): Uint8Array;
}

export interface GrowingSettings {
  /** What the identifiers of cues begin with. */
  name: string;
  /** Of the first cue: a higher one than players know, where a writer begins anew. */
  firstNumber?: bigint | number;
  /** Lines of JSON, such as `{"start":1.5,"end":3,"text":"Hello"}`, unless said otherwise. */
  format?: "jsonl" | "vtt" | "srt";
  /** What the times of lines of JSON count, unless they say so themselves. */
  unit?: "s" | "ms";
  /** What becomes of a cue that comes when all its segments have been sealed: the next segment has it, shows it for itself, or it is left out. */
  late?: "spoken" | "shift" | "drop";
  /** For cues without times of their own: each shows from so many seconds before it came. */
  latency?: number;
  /** The longest cue or line, in bytes: 64 KiB unless said otherwise. */
  longestBlock?: number;
  /** The most bytes of cues that are kept: 4 MiB unless said otherwise. */
  mostKept?: number;
}

/** Cues of one writer that come while the stream goes on. */
export interface GrowingCues extends Freeable {
  /** Takes bytes, any number of them. A cue counts once its blank line, or the end of its line of JSON, is there. */
  append(bytes: Bytes): void;
  /** Ends the writer: a last cue counts though nothing follows it. */
  finish(): void;
  /** Breaks the writer off: a cue that is not whole is none. */
  abandon(): void;
  /** Seals the segments that the channel's last version has brought: after each version, before its playlist. */
  seal(channel: Channel): void;
  write(span: LiveSpan): Uint8Array;
  readonly held: { readonly cues: number; readonly leftOut: number; readonly bytes: number };
  /** Forgets all cues, but not their numbers. */
  reset(): void;
}

/** Finds the first time stamp of a media segment: MPEG-TS, fragmented MP4 with its init segment first, or packed audio. */
export interface MediaScanner extends Freeable {
  /** Takes the next chunk. Returns the time stamp in ticks of 1/90000 s once it is there; a segment that has none is a SurtitleError. */
  write(chunk: Bytes): number | undefined;
  finish(): number | undefined;
}

/** Where instances find what others have found out. What is put must be there for the others soon; it may be forgotten at any time. */
export interface LiveStore {
  get(key: string): Promise<Uint8Array | ArrayBuffer | null | undefined>;
  put(key: string, value: Uint8Array): Promise<unknown>;
}

/** The URL of a WebVTT file, or a function that brings one. */
export type LiveFile = string | URL | (() => Promise<Bytes> | Bytes);

export interface ServingOptions extends ChannelSettings {
  /** The absolute URL of the video's media playlist: of one variant, whichever a player plays. */
  video: string | URL;
  /** The cues of each track, by what its playlist is called: `en` is `en.m3u8`. `name` is what cues without an identifier are called by. */
  tracks: Readonly<Record<string, LiveFile | { file: LiveFile; name?: string }>>;
  store?: LiveStore;
  /** Under which key of the store this stream is. */
  key?: string;
  /** How many segments at the end of the video's playlist tracks do not have. */
  lag?: number;
  /** Fields that all answers get, instead of those of the video's playlist for other origins (CORS). */
  headers?: HeadersInit;
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** What decrypts segments of METHOD=AES-128, for their time stamps. */
  crypto?: { readonly subtle: SubtleCrypto };
  /** The time, in milliseconds: Date.now unless said otherwise. */
  now?: () => number;
}

/** The library, loaded. */
export interface Live {
  /** How much memory the module has. */
  readonly memoryBytes: number;
  /** A channel that has seen nothing. */
  channel(settings?: ChannelSettings): Channel;
  /** A channel that goes on from a saved state of one with the same settings. Throws a SurtitleError, `live-refused`, if the bytes are none. */
  restore(state: Bytes, settings?: ChannelSettings): Channel;
  /**
   * A whole WebVTT file by time.
   *
   * @param naming `name` is what cues without an identifier are called by, with a number; with `renames` those with one get it before theirs
   */
  cueIndex(file: Bytes, naming?: { name?: string; renames?: boolean }): CueIndex;
  growingCues(settings: GrowingSettings): GrowingCues;
  mediaScanner(): MediaScanner;
  /**
   * A function that answers requests for a stream's tracks, by the end of their path: `en.m3u8`, `en/17.vtt`, `en/17.3.vtt`.
   *
   * `waitUntil` is told what goes on behind the answer.
   */
  serving(options: ServingOptions): (request: Request, waitUntil?: (promise: Promise<unknown>) => void) => Promise<Response>;
}

/** The library over a module that is compiled already, as edge workers have it. */
export function liveFromModule(module: WebAssembly.Module): Live;

/** The library over surtitle-live.wasm: a module, its bytes, or a response that brings them. */
export function loadLive(source: WebAssembly.Module | BufferSource | Response | Promise<WebAssembly.Module | BufferSource | Response>): Promise<Live>;
