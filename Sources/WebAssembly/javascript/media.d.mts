/** Which X-TIMESTAMP-MAP the subtitles of a video need. Times are in seconds. */
import type { TimestampMap } from "./surtitle.mjs";

export interface MediaOptions {
  /** What makes requests; redirects are followed by it. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** What decrypts segments of METHOD=AES-128. Where pages have none, such as in one that came by http, these tell no map. */
  crypto?: { readonly subtle: SubtleCrypto };
  /** Ends the search. */
  signal?: AbortSignal;
}

/** The search, loaded. */
export interface Media {
  /** How much memory the module has. */
  readonly memoryBytes: number;
  /**
   * What the first segment of a video tells, for `withTimestampMap` and `segments`.
   *
   * @param video the URL, absolute, of its multivariant or media playlist
   * @throws a SurtitleError, `fetch-failed`, with the URL and the reason
   */
  timestampMap(video: string | URL, options?: MediaOptions): Promise<TimestampMap>;
}

/** The search over surtitle-media.wasm: a module, its bytes, or a response that brings them. */
export function loadMedia(source: WebAssembly.Module | BufferSource | Response | Promise<WebAssembly.Module | BufferSource | Response>): Promise<Media>;

/** Decrypts whole blocks of AES-CBC with a key of 128 bits, and leaves padding where it is. */
export function decrypt(
  decryption: { readonly key: Uint8Array; readonly vector: Uint8Array; readonly bytes: Uint8Array },
  crypto: { readonly subtle: SubtleCrypto },
): Promise<Uint8Array>;
