/** Subtitles beside an HLS stream: puts tracks into multivariant playlists, and makes what they refer to. Times are in seconds. */

declare global {
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

/** Bytes, or a text that stands for its UTF-8. */
export type Bytes = Uint8Array | ArrayBuffer | ArrayBufferView | string;

/** What the library refuses. */
export class SurtitleError extends Error {
  /** Which kind it is, as in surtitle.h: `track-refused`, `edit-refused`, `limit-exceeded`, `not-webvtt`, `ended`, … */
  readonly status: string;
  /** What is wrong, without its place. */
  readonly reason: string;
  /** Which value is wrong, as `tracks[2].language`. */
  readonly field?: string;
  /** Of the track, edit, segment or pattern, from 0. */
  readonly index?: number;
  /** The byte at which it is wrong, from 0. */
  readonly position?: number;
  /** With `limit-exceeded`: what came out all the same, unedited from the line on that exceeded the limit. */
  readonly output?: Uint8Array;
}

/**
 * A subtitle track, in the words of configuration files, which the library reads. `file`, `duration`,
 * `type`, `mime-type` and `live` are not used here.
 */
export interface Track {
  // `encoding`, `shift`, `at` and `cues` are of a file of subtitles, which nobody reads here: they are refused for a playlist.
  /** Of the track's subtitle playlist, as it will stand in the multivariant playlist. */
  uri: string;
  /** BCP 47, or ISO 639-2. */
  language?: string;
  /** What players show; otherwise the language, or the last step of the URI. */
  name?: string;
  default?: boolean;
  forced?: boolean;
  /** For the deaf and hard of hearing; `captions` means the same. */
  sdh?: boolean;
  kind?: "subtitles" | "captions";
  /** Whether players may choose it by language: true unless said otherwise. */
  autoselect?: boolean;
  "assoc-language"?: string;
  "stable-id"?: string;
  /** GROUP-ID if the playlist has no group. */
  group?: string;
  /** `vtt`, `srt` or `m3u8`, or another format that the library knows. */
  type?: "vtt" | "srt" | "m3u8" | (string & {});
  duration?: string | number;
  file?: string;
  "mime-type"?: string;
  variables?: boolean;
  live?: boolean;
}

/** An edit of lines: of these keys one. */
export type LineEdit =
  | { set: string }
  | { replace: string }
  | { remove: string }
  | { drop: string }
  | { "append-line": string };

export type Role = "all" | "variant" | "media" | "rendition" | "key" | "map" | "other";

export type ByRole<Value> = Value | Partial<Record<Role, Value>>;

/** What is done to playlists: what a configuration file of the command says, parsed. At least one track or edit is needed. */
export interface ConfigurationSource {
  tracks?: readonly Track[];
  "replace-default"?: boolean;
  edits?: readonly LineEdit[];
  "map-uri"?: string;
  scheme?: ByRole<string>;
  host?: ByRole<string>;
  "append-query"?: ByRole<string | readonly string[]>;
  "keep-variants"?: string;
  limits?: {
    "longest-line"?: number;
    "held-renditions"?: number;
    "longest-group-id"?: number;
    "appended-tags"?: number;
    "held-variables"?: number;
    "longest-uri"?: number;
    "past-limit"?: "pass-through" | "fail";
  };
  map?: string;
  segment?: boolean;
  target?: number | string;
}

/** Something that holds memory of the library's: until `free()`, the end of a `using`, or some time after nobody has it any more. */
interface Freeable {
  free(): void;
  [Symbol.dispose](): void;
}

/** What there is to say of a playlist. Positions are in bytes. */
export interface Report {
  readonly verdict: "undecided" | "multivariant" | "media" | "mixed" | "no-playlist";
  readonly verdictPosition?: number;
  /** Whether all that is still to come passes through unchanged. */
  readonly isSettled: boolean;
  readonly heldBytes: number;
  /** Of tags, which the end of the playlist got; 0 if all tracks were there already. */
  readonly addedBytes: number;
  readonly uneditableLines: number;
  readonly firstUneditableLine?: number;
  readonly mappedURIs: number;
  readonly droppedVariants: number;
  readonly exceededLimit?: string;
  readonly limitPosition?: number;
}

/** Rewrites one playlist after the other, each while its bytes pass by. */
export interface Rewriter extends Freeable {
  /** Takes the next chunk, of any size, and returns what is decided. */
  write(chunk: Bytes): Uint8Array;
  /** Ends the playlist, and returns the rest. */
  finish(): Uint8Array;
  /** Ends a playlist whose source broke off: returns what was held, unedited. */
  abandon(): Uint8Array;
  /** Makes ready for the next playlist. */
  reset(): void;
  readonly report: Report;
}

/** What is done to playlists, checked. */
export interface Configuration extends Freeable {
  /** Another number if the output may be another: for ETag and cache keys. */
  readonly fingerprint: bigint;
  /** Rewrites a whole playlist. What is no playlist comes back as it is. */
  sideload(playlist: Bytes): Uint8Array;
  /** Of the playlist that `sideload` was last called with. */
  readonly report: Report;
  rewriter(): Rewriter;
  /** For `pipeThrough`. If the source breaks off, what was held goes out unedited, and the stream breaks off behind it. */
  stream(): { readonly readable: ReadableStream<Uint8Array>; readonly writable: WritableStream<Bytes> };
}

/** A field's name, and its new value, or null if it is removed. */
export type HeaderEdit = readonly [name: string, value: string | null];

export type Content = "unseen" | "playlist" | "other";

export interface RequestDecision {
  readonly action: "likely" | "unlikely" | "again" | "excluded";
  readonly reason: string;
  readonly edits: readonly HeaderEdit[];
}

export interface ResponseDecision {
  readonly action: "pass" | "hold" | "stream" | "look" | "ask-again";
  readonly reason: string;
  readonly edits: readonly HeaderEdit[];
  /** With `hold`: how many bytes of the origin's are held, so that a playlist goes with its length. */
  readonly holdBytes: number;
}

/** One request and its response. */
export interface Exchange extends Freeable {
  /** Decides about a request. `modified` is when the tracks last changed. */
  request(
    configuration: Configuration,
    request: { readonly method: string; readonly url: string; readonly headers: Headers },
    modified?: Date,
  ): RequestDecision;
  /** What is changed of the same request to send it a second time. */
  requestAgain(request: { readonly headers: Headers }): RequestDecision;
  /** Decides about the response. */
  response(response: { readonly status: number; readonly headers: Headers }, content?: Content): ResponseDecision;
  /** All edits of the response, with the length of its edited body. */
  setLength(count: number): HeaderEdit[];
}

export interface HTTPSettings {
  /** Forms of paths that are likely to lead to playlists, `*` for any bytes. */
  patterns?: readonly string[];
  /** The longest playlist, in bytes, that is held to be sent with its length: 64 KiB unless said otherwise. */
  longestHeld?: number;
  /** Whether `Cache-Control: no-transform` does not count, as for a gateway. */
  ignoresNoTransform?: boolean;
}

/** Rules for header fields. */
export interface HTTPRules extends Freeable {
  exchange(): Exchange;
}

/** The headers with edits made. */
export function edited(headers: Headers, edits: readonly HeaderEdit[]): Headers;

/** A WebVTT file in a subtitle playlist. */
export interface PlaylistEntry {
  uri: string;
  duration: number;
  isDiscontinuous?: boolean;
}

/** The time stamp of the video, in ticks of 1/90000 s, and the cue time that it stands for. */
export interface TimestampMap {
  mpegts: number;
  local?: number;
}

export interface Cue {
  readonly start: number;
  readonly end: number;
  readonly identifier: string;
  readonly settings: string;
  readonly text: string;
}

export type SegmentOptions = ({ step: number; durations?: undefined } | { step?: undefined; durations: readonly number[] }) & {
  /** Where the last segment ends; where the cues do unless said otherwise. */
  end?: number;
  map?: TimestampMap;
  /** Whether a cue is only in the segment that it starts in. */
  cuesOnce?: boolean;
};

export interface Segment {
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly duration: number;
  readonly cueCount: number;
}

/** The library, loaded. */
export interface Surtitle {
  readonly version: string;
  /** How much memory the library has. */
  readonly memoryBytes: number;
  configure(configuration: ConfigurationSource): Configuration;
  rules(settings?: HTTPSettings): HTTPRules;
  /** What a body is that begins with these bytes; undefined as long as they do not tell, which never takes more than 12. */
  contentOf(bytes: Bytes, isWhole?: boolean): "playlist" | "other" | undefined;
  /** A `fetch` whose playlists are rewritten; `fetch` is what it asks, `modified` when the tracks last changed. */
  fetching(
    configuration: Configuration,
    options?: HTTPSettings & { fetch?: (request: Request) => Promise<Response>; modified?: Date },
  ): (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  subtitlePlaylist(entries: readonly PlaylistEntry[], options?: { type?: "VOD" | "EVENT" | "none"; comma?: boolean }): Uint8Array;
  /** When the last cue in a WebVTT file ends; undefined if it has none. */
  finalCueEnd(file: Bytes): number | undefined;
  /** The latest time at which a cue ends. */
  latestCueEnd(file: Bytes): number | undefined;
  cues(file: Bytes): Cue[];
  segments(file: Bytes, options: SegmentOptions): Segment[];
  withTimestampMap(file: Bytes, map: TimestampMap): Uint8Array;
  /** WebVTT of a file of any format. `name` tells which: `film.srt`, `srt` or its media type; otherwise its first bytes do. */
  toWebVTT(file: Bytes, name?: string): Uint8Array;
}

/** The library over a module, its bytes, or a response that brings them. */
export function load(
  source: WebAssembly.Module | BufferSource | Response | Promise<WebAssembly.Module | BufferSource | Response>,
): Promise<Surtitle>;

/** The library over a module that is compiled already, as edge workers have it. */
export function fromModule(module: WebAssembly.Module): Surtitle;
