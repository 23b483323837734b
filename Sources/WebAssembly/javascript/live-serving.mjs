// Answers players' requests for the tracks beside a live stream: for edge workers, of which many run at once and none for long.
//
//     en.m3u8, en/17.vtt ─▶ the newest record: in memory, or in the store
//                             └─ too old? ─▶ one fetch of the video's playlist for all who ask ─▶ the channel takes it ─▶ a new record
//                           a segment of a new clock? ─▶ its first bytes, for all who ask ─▶ its time stamp ─▶ a new record
//                           ─▶ the playlist, or the cues of the segment's span
//
// A record is all that another instance needs to go on. For each step a channel is restored from it, and saved where it has changed, so that no
// instance has more than the record. What is asked for, and for how long, is as in Delivery/Live/LiveStream.swift.

import { join } from "./memory.mjs";

// AVPlayer gives up after 3.5 s. In milliseconds, like all times here.
const PATIENCE = 3000;
// An ended stream may go on; nobody looks more often than this.
const ENDED_AGE = 60_000;
const TIMEOUT = 10_000;
const LONGEST_PLAYLIST = 4 << 20;
const LONGEST_FILE = 16 << 20;
// How much of a segment is asked for first, and then at once.
const FIRST_BLOCK = 64 << 10;
const NEXT_BLOCK = 256 << 10;
// Candidates for the time stamp of a clock, for up to four clocks.
const MOST_PROBES = 12;

const PLAYLIST_PATH = /(?:^|\/)([^/]+)\.m3u8$/;
const SEGMENT_PATH = /(?:^|\/)([^/]+)\/((?:0|[1-9]\d{0,18})(?:\.(?:0|[1-9]\d{0,8}))?\.vtt)$/;
// What browsers must be told of both, or of none.
const SHARED_FIELDS = ["access-control-allow-origin", "access-control-allow-credentials", "access-control-expose-headers", "timing-allow-origin"];

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A fetch that came to nothing: `status` is what a player gets. */
class FetchFailure extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// ---- Records

/**
 * A record as bytes: how long its head is, the head as JSON, the state, the playlist.
 *
 *     changed     when the record was made, a millisecond after the one before at least: the latest is the newest
 *     at          when the version came that holds
 *     source      where it came from, after redirects
 *     fields      what browsers must be told
 *     state       the channel's
 *     version     the playlist, which tells again what is wanted
 */
function bytesOfRecord({ changed, at, source, fields, state, version }) {
  const head = encoder.encode(JSON.stringify({ changed, at, source, fields, count: state.length }));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, head.length, true);
  return join([length, head, state, version]);
}

/** The record that bytes are; undefined if they are none. */
function recordOf(stored) {
  if (!stored) return undefined;
  try {
    const bytes = new Uint8Array(stored.buffer ?? stored, stored.byteOffset ?? 0, stored.byteLength);
    const behind = 4 + new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
    const { changed, at, source, fields, count } = JSON.parse(decoder.decode(bytes.subarray(4, behind)));
    return { changed, at, source, fields, state: bytes.subarray(behind, behind + count), version: bytes.subarray(behind + count) };
  } catch {
    return undefined;
  }
}

// ---- What players ask for

/** A step of a path without its escapes; undefined if they are malformed. */
function decoded(step = "") {
  try {
    return decodeURIComponent(step);
  } catch {
    return undefined;
  }
}

/** `_HLS_msn` and `_HLS_part` of a query; undefined if it has none. What is no number is left out. */
function directivesOf(query) {
  const number = (name) => query.getAll(name).find((value) => /^\d{1,20}$/.test(value));
  const [segment, part] = [number("_HLS_msn"), number("_HLS_part")];
  return segment === undefined && part === undefined ? undefined : { segment, part };
}

/** The URL of the playlist with the directives among its fields, sorted, so that caches have one URL for all players (RFC 8216bis 6.2.5). */
function directed(url, { segment, part }) {
  const [address, query = ""] = url.split("?");
  const fields = query.split("&").filter((field) => field !== "" && !field.startsWith("_HLS_"));
  for (const [name, value] of [["_HLS_msn", segment], ["_HLS_part", part]]) {
    if (value === undefined) continue;
    const field = `${name}=${value}`;
    const place = fields.findIndex((other) => field < other);
    fields.splice(place < 0 ? fields.length : place, 0, field);
  }
  return `${address}?${fields.join("&")}`;
}

// ---- What origins answer

/** The chunks of a body. If nobody wants the rest it is not read. */
async function* chunksOf({ body }) {
  const reader = body?.getReader();
  try {
    for (let next; reader && !(next = await reader.read()).done; ) yield next.value;
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

/** The whole of a body, unless it is longer than `most`. What breaks off is an error. */
async function wholeBody(response, most) {
  const parts = [];
  let count = 0;
  for await (const chunk of chunksOf(response)) {
    count += chunk.length;
    if (count > most) throw new FetchFailure(502, `more than ${most} bytes`);
    parts.push(chunk);
  }
  return join(parts);
}

/** Hands the bytes of a part of a segment to `take`, until that is done with them: `take` returns whether it is. */
async function readPart({ uri, range }, base, get, take) {
  let start = range?.offset ?? 0;
  const end = range ? range.offset + range.count : Infinity;
  for (let block = FIRST_BLOCK; start < end; block = NEXT_BLOCK) {
    const last = Math.min(start + block, end) - 1;
    const response = await get(new URL(uri, base).href, { headers: { range: `bytes=${start}-${last}` } });
    if (response.status !== 200 && response.status !== 206) {
      await response.body?.cancel();
      // The one before has been the last.
      if (response.status === 416 && start > (range?.offset ?? 0)) return false;
      throw new FetchFailure(502, `${response.status}`);
    }
    // The whole, from an origin that knows no ranges.
    const isWhole = response.status === 200;
    let position = isWhole ? 0 : start;
    const stop = isWhole ? end : last + 1;
    for await (const chunk of chunksOf(response)) {
      const wanted = chunk.subarray(Math.max(start - position, 0), Math.max(stop - position, 0));
      position += chunk.length;
      if (wanted.length > 0 && take(wanted)) return true;
      if (position >= stop) break;
    }
    if (isWhole || position <= last) return false;
    start = position;
  }
  return false;
}

// ---- The server

class LiveServer {
  #live;
  #options;
  #settings;
  #tracks;
  #key;
  #nothing;
  #record;
  /** What the channel says of the record. */
  #facts = { hasBegun: false, hasEnded: false, targetDuration: 1, firstSegment: 0n, endSegment: 0n, openParts: 0 };
  /** What is under way: a fetch of the playlist by its directives, the search for time stamps, a track's file. */
  #running = new Map();
  #failure = { at: -Infinity, status: 502 };

  constructor(live, { video, tracks, store, key, at, map, lowLatency = "mirror", limits, lag, headers, fetch = globalThis.fetch, now = Date.now }) {
    this.#live = live;
    this.#settings = { at, map, lowLatency, limits };
    this.#options = { video: `${video}`.replace(/#.*$/s, ""), store, lag, headers, fetch, now };
    this.#key = key ?? `surtitle-live ${this.#options.video}`;
    this.#tracks = new Map(Object.entries(tracks).map(([name, track]) => [name, track.file ? { ...track } : { file: track }]));
    // Settings that are refused are an error now, and not at the first request.
    live.channel(this.#settings).free();
    this.#nothing = live.cueIndex("WEBVTT\n");
  }

  /** What `request` gets. */
  async answer({ method, url }, waitUntil = () => {}) {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const [playlist, segment] = [PLAYLIST_PATH.exec(pathname), SEGMENT_PATH.exec(pathname)];
    const name = decoded((playlist ?? segment)?.[1]);
    const track = this.#tracks.get(name);
    if (!track) return this.#status(404);
    if (method !== "GET" && method !== "HEAD") return this.#status(405, { allow: "GET, HEAD" });
    const ask = { began: this.#options.now(), waitUntil };
    const response = playlist
      ? await this.#answerPlaylist(name, directivesOf(searchParams), ask)
      : await this.#answerSegment(track, name, segment[2], ask);
    return method === "HEAD" ? new Response(null, response) : response;
  }

  async #answerPlaylist(name, directives, ask) {
    if (!this.#isFresh) await this.#recall(ask);
    const wanted = this.#settings.lowLatency === "mirror" ? directives : undefined;
    const isAwaited = wanted !== undefined && !this.#has(wanted);
    if (isAwaited || !this.#isFresh) {
      const failed = await this.#inTime(this.#fetchPlaylist(isAwaited ? wanted : undefined, ask), ask);
      // What the origin says of directives is for who has sent them (RFC 8216bis 6.2.5.2).
      if (isAwaited && (failed?.status === 400 || failed?.status === 503)) return this.#status(failed.status);
    }
    const { hasBegun, targetDuration } = this.#facts;
    if (!hasBegun || (!this.#isFresh && this.#age > 3000 * targetDuration)) return this.#status(this.#failure.status);
    const made = this.#withChannel((channel) => channel.playlist(`${encodeURIComponent(name)}/`, { lag: this.#options.lag }));
    const seconds = directives ? targetDuration : Math.floor(targetDuration / 2);
    return this.#respond(made, "application/vnd.apple.mpegurl", Math.max(seconds, 1));
  }

  async #answerSegment(track, name, file, ask) {
    if (!this.#isFresh) await this.#recall(ask);
    let span = this.#find(file);
    // What another instance has listed may be news here.
    if (span.place === "wait" || (span.place === "not-ours" && !this.#isFresh)) {
      const blocks = span.part !== undefined && this.#settings.lowLatency === "mirror";
      const directives = blocks ? { segment: `${span.segment}`, part: `${span.part}` } : undefined;
      await this.#inTime(this.#fetchPlaylist(directives, ask), ask);
      span = this.#find(file);
    }
    if (span.place === "media-start") {
      // Another instance may know.
      await this.#recall(ask);
      await this.#inTime(this.#findStarts(ask), ask);
      span = this.#find(file);
    }
    if (span.place === "wait" || span.place === "not-ours") return this.#status(404);
    const cues = await this.#inTime(this.#cuesOf(track, name), ask);
    // Without its clock or its cues the answer is one for now.
    const isFinal = span.place !== "media-start" && cues !== undefined;
    const { targetDuration, firstSegment, endSegment } = this.#facts;
    const window = Math.max(Number(endSegment - firstSegment), 1) * targetDuration;
    return this.#respond((cues ?? this.#nothing).write(span), "text/vtt", isFinal ? window : 1);
  }

  // ---- The record

  /** Runs `body` with a channel that is as the record says. */
  #withChannel(body) {
    const channel = this.#record ? this.#live.restore(this.#record.state, this.#settings) : this.#live.channel(this.#settings);
    try {
      return body(channel);
    } finally {
      channel.free();
    }
  }

  #find(file) {
    return this.#withChannel((channel) => channel.find(file));
  }

  get #age() {
    return this.#record ? this.#options.now() - this.#record.at : Infinity;
  }

  /** Whether the version is younger than half a target duration. */
  get #isFresh() {
    const { hasBegun, hasEnded, targetDuration } = this.#facts;
    return hasBegun && this.#age < (hasEnded ? ENDED_AGE : 500 * Math.max(targetDuration, 1));
  }

  #has({ segment, part }) {
    if (segment === undefined) return false;
    const { hasBegun, endSegment, openParts } = this.#facts;
    const isOpen = BigInt(segment) === endSegment && part !== undefined && BigInt(part) < BigInt(openParts);
    return hasBegun && (BigInt(segment) < endSegment || isOpen);
  }

  /** Looks whether another instance has a newer record. */
  async #recall(ask) {
    if (!this.#options.store) return;
    const recalled = this.#once("recall", async () => {
      const found = recordOf(await this.#options.store.get(this.#key));
      // A state of other settings, or of another version of the library, is refused.
      if (found?.changed > (this.#record?.changed ?? -Infinity)) this.#adopt(found);
    });
    await this.#inTime(recalled, ask);
  }

  #adopt(record) {
    const channel = this.#live.restore(record.state, this.#settings);
    this.#facts = channel.facts;
    channel.free();
    this.#record = record;
  }

  /** Keeps a record, here and where other instances find it. */
  #keep(found, { waitUntil }) {
    const record = { ...found, changed: Math.max(this.#options.now(), (this.#record?.changed ?? 0) + 1) };
    this.#adopt(record);
    const put = async () => this.#options.store?.put(this.#key, bytesOfRecord(record));
    // A store that is down costs fetches, and no answers.
    waitUntil(put().catch(() => {}));
  }

  // ---- What is asked of origins

  /** What `running` comes to, but no later than somebody waits for it. */
  #inTime(running, { began }) {
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, Math.max(began + PATIENCE - this.#options.now(), 0));
    });
    return Promise.race([running, late]).finally(() => clearTimeout(timer));
  }

  /** Runs `body` unless it is running: one for all who ask. What goes wrong is what it comes to. */
  #once(name, body, waitUntil = () => {}) {
    if (!this.#running.has(name)) {
      const running = body()
        .catch((error) => error)
        .finally(() => this.#running.delete(name));
      this.#running.set(name, running);
      waitUntil(running);
    }
    return this.#running.get(name);
  }

  async #get(url, init, timeout = TIMEOUT) {
    // Workers' own is called as no method.
    const { fetch } = this.#options;
    try {
      return await fetch(url, { ...init, signal: AbortSignal.timeout(timeout) });
    } catch (error) {
      throw new FetchFailure(504, `${url}: ${error.message}`);
    }
  }

  async #bytes(url, most, timeout) {
    const response = await this.#get(url, {}, timeout);
    if (!response.ok) {
      await response.body?.cancel();
      throw new FetchFailure(response.status, `${url}: ${response.status}`);
    }
    return { response, bytes: await wholeBody(response, most) };
  }

  /** Fetches the video's playlist, and takes it. Comes to a FetchFailure if there is none. */
  #fetchPlaylist(directives, ask) {
    const { video, now } = this.#options;
    const url = directives ? directed(video, directives) : video;
    // After a failure others do not ask again at once.
    if (!directives && now() - this.#failure.at < 1000) return undefined;
    return this.#once(
      url,
      async () => {
        const { targetDuration } = this.#facts;
        try {
          // An origin blocks for up to three target durations.
          const timeout = directives ? 3000 * Math.max(targetDuration, 1) + TIMEOUT : TIMEOUT;
          const { response, bytes } = await this.#bytes(url, this.#settings.limits?.playlist ?? LONGEST_PLAYLIST, timeout);
          this.#take(bytes, response, url, ask);
        } catch (error) {
          const isOfDirectives = directives && (error.status === 400 || error.status === 503);
          const isLate = error.status === 504 || error.name === "TimeoutError";
          if (!isOfDirectives) this.#failure = { at: now(), status: isLate ? 504 : 502 };
          throw error;
        }
      },
      ask.waitUntil,
    );
  }

  /** Takes a version. One that is refused, or older than what is known, leaves the one before. */
  #take(version, response, url, ask) {
    const { record, hasWants } = this.#withChannel((channel) => {
      const change = channel.take(version);
      const isOther = change === "stale" || change === "suspect" || change === "needs-full";
      const fields = SHARED_FIELDS.filter((name) => response.headers.has(name)).map((name) => [name, response.headers.get(name)]);
      const holds = isOther ? this.#record : { at: this.#options.now(), source: response.url || url, fields, version };
      return { record: holds && { ...holds, state: channel.save() }, hasWants: channel.next() !== undefined };
    });
    if (record) this.#keep(record, ask);
    if (hasWants) this.#findStarts(ask);
  }

  /** Finds the time stamps that are wanted, one after the other. */
  #findStarts(ask) {
    return this.#once(
      "starts",
      async () => {
        for (let count = 0; count < MOST_PROBES; count++) {
          // What is wanted is not in the state: the same version again tells. Nothing of that is kept.
          const want = this.#withChannel((channel) => {
            channel.take(this.#record.version);
            return channel.next();
          });
          if (!want) return;
          const mpegts = await this.#firstTimeStamp(want, this.#record.source).catch(() => undefined);
          const state = this.#withChannel((channel) => {
            if (mpegts === undefined) channel.noMediaStart(want.segment);
            else channel.mediaStart(want.segment, mpegts);
            return channel.save();
          });
          this.#keep({ ...this.#record, state }, ask);
        }
      },
      ask.waitUntil,
    );
  }

  /** The first time stamp of a segment, from its first bytes, behind those of its init segment. */
  async #firstTimeStamp({ media, init, isEncrypted }, base) {
    // Keys are not fetched here: with `map` nobody needs to know.
    if (isEncrypted) return undefined;
    const scanner = this.#live.mediaScanner();
    try {
      let found;
      const take = (bytes) => {
        found = scanner.write(bytes);
        return found !== undefined;
      };
      const get = (url, init) => this.#get(url, init);
      for (const part of [init, media]) {
        if (part && (await readPart(part, base, get, take))) return found;
      }
      return scanner.finish();
    } finally {
      scanner.free();
    }
  }

  /** The cues of a track, read once. */
  async #cuesOf(track, name) {
    if (!track.cues) {
      await this.#once(`cues ${name}`, async () => {
        const { file } = track;
        const given = typeof file === "function" ? await file() : (await this.#bytes(`${file}`, LONGEST_FILE)).bytes;
        track.cues = this.#live.cueIndex(given, { name: track.name ?? name });
      });
    }
    return track.cues;
  }

  // ---- Answers

  #respond(body, type, seconds) {
    const headers = new Headers(this.#record?.fields ?? []);
    headers.set("content-type", type);
    headers.set("cache-control", `max-age=${seconds}`);
    headers.set("content-length", `${body.length}`);
    for (const [name, value] of new Headers(this.#options.headers)) headers.set(name, value);
    return new Response(body, { headers });
  }

  #status(status, fields = {}) {
    const headers = new Headers([...(this.#record?.fields ?? []), ...Object.entries(fields), ["cache-control", "no-store"]]);
    for (const [name, value] of new Headers(this.#options.headers)) headers.set(name, value);
    return new Response(null, { status, headers });
  }
}

/** A function that answers requests for a stream's tracks. */
export function serving(live, options) {
  const server = new LiveServer(live, options);
  return (request, waitUntil) => server.answer(request, waitUntil);
}
