// Answers players' requests for the tracks beside a live stream: for edge workers, of which many run at once and none for long.
//
//     en.m3u8, en/17.vtt ─▶ step ─┬─ a fetch: not here before? ─▶ the newest record of the store; else it is made, one for all who ask
//                            ▲    ├─ wait ─▶ until a fetch has ended
//                            └────┘
//                                 └─ the playlist, the cues of a span, a status
//
// What is fetched, for how long somebody waits, and what they get is the library's (stream.mjs). A record is all that another instance needs to
// go on: the stream's state.

import { sharedFields } from "./http.mjs";
import { carryOut } from "./jobs.mjs";
import { join, limit, objectOf, urlOf, wrong } from "./memory.mjs";
import { Stream } from "./stream.mjs";

// After so long what has come by then is the answer: AVPlayer gives up after 3.5 s. In milliseconds, like all times here.
const PATIENCE = 3000;
const TIMEOUT = 10_000;
const LONGEST_FILE = 16 << 20;

const PLAYLIST_PATH = /(?:^|\/)([^/]+)\.m3u8$/;
const SEGMENT_PATH = /(?:^|\/)([^/]+)\/((?:0|[1-9]\d{0,18})(?:\.(?:0|[1-9]\d{0,8}))?\.vtt)$/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

// ---- Records

/**
 * A record as bytes: how long its head is, the head as JSON, the state.
 *
 *     changed     when the record was made, a millisecond after the one before at least: the latest is the newest
 *     at          when the version came that holds
 *     running     the fetches that are under way, which nobody carries out where the record is restored
 *     fields      what browsers must be told
 */
function bytesOfRecord({ state, ...head }) {
  const bytes = encoder.encode(JSON.stringify(head));
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, bytes.length, true);
  return join([length, bytes, state]);
}

/** Whether a value is a time in milliseconds that a clock may tell. */
const isTime = (value) => typeof value === "number" && Math.abs(value) <= Number.MAX_SAFE_INTEGER;

/** The record that bytes are; undefined if they are none, as if there were none. */
function recordOf(stored) {
  if (!stored) return undefined;
  try {
    const bytes = new Uint8Array(stored.buffer ?? stored, stored.byteOffset ?? 0, stored.byteLength);
    const behind = 4 + new DataView(bytes.buffer, bytes.byteOffset, 4).getUint32(0, true);
    const { changed, at, running, fields } = JSON.parse(decoder.decode(bytes.subarray(4, behind)));
    if (!isTime(changed) || !(at === null || isTime(at))) return undefined;
    // What is no list of numbers, or of fields, is refused by an error.
    const numbers = running.map((number) => BigInt(number));
    // JSON has no infinity: no version had come.
    return { changed, at: at ?? -Infinity, running: numbers, fields: [...new Headers(fields)], state: bytes.subarray(behind) };
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

/** A file of cues. One that breaks off, or is longer than may be, is an error. */
async function fileOf({ ok, status, body }) {
  if (!ok) {
    await body?.cancel();
    throw new Error(`${status}`);
  }
  const reader = body?.getReader();
  const parts = [new Uint8Array()];
  let count = 0;
  for (let next; reader && !(next = await reader.read()).done; parts.push(next.value)) {
    count += next.value.length;
    if (count <= LONGEST_FILE) continue;
    await reader.cancel();
    throw new Error(`more than ${LONGEST_FILE} bytes`);
  }
  return join(parts);
}

/** `value` if it is a function. */
function functionOf(value, what) {
  if (typeof value !== "function") throw wrong(what, "a function", value, false);
  return value;
}

/** A track: its file, and what cues without an identifier are called by. */
function trackOf(track, what) {
  const isBare = typeof track !== "object" || track === null || track instanceof URL;
  const file = isBare ? track : track.file;
  if (typeof file !== "function") urlOf(file, isBare ? what : `${what}.file`);
  return isBare ? { file } : { ...track };
}

// ---- The server

class LiveServer {
  #live;
  #memory;
  #options;
  #settings;
  #tracks;
  #key;
  #nothing;
  #stream;
  #fields = [];
  #changed = -Infinity;
  /** When the version came that holds. */
  #at = -Infinity;
  /** The latest time that anybody has told, and how far it is ahead of the clock. */
  #latest = -Infinity;
  #ahead = 0;
  /** The fetches for the stream that are under way, by their numbers. */
  #running = new Map();
  /** The record, or a track's file, that is being read. */
  #reading = new Map();

  constructor(live, memory, options) {
    const { video, tracks, store, key, at, map, lowLatency = "mirror", limits, lag = 0, headers = {} } = objectOf(options, "options");
    const { fetch = globalThis.fetch, crypto = globalThis.crypto, now = Date.now } = options;
    limit(lag, "lag");
    functionOf(fetch, "fetch");
    functionOf(now, "now");
    this.#live = live;
    this.#memory = memory;
    this.#settings = { at, map, lowLatency, limits };
    this.#options = { video: urlOf(video, "video").replace(/#.*$/s, ""), store, lag, headers: objectOf(headers, "headers"), fetch, crypto, now };
    this.#key = key ?? `surtitle-live ${this.#options.video}`;
    this.#tracks = new Map(Object.entries(objectOf(tracks, "tracks")).map(([name, track]) => [name, trackOf(track, `tracks.${name}`)]));
    this.#stream = new Stream(memory, this.#settings, this.#options.video);
    this.#nothing = live.cueIndex("WEBVTT\n");
  }

  /** What `request` gets. */
  async answer({ method, url }, waitUntil = () => {}) {
    const { pathname, search } = new URL(url, "http://localhost");
    const [playlist, segment] = [PLAYLIST_PATH.exec(pathname), SEGMENT_PATH.exec(pathname)];
    const name = decoded((playlist ?? segment)?.[1]);
    const track = this.#tracks.get(name);
    if (!track) return this.#status(404);
    if (method !== "GET" && method !== "HEAD") return this.#status(405, { allow: "GET, HEAD" });
    const asking = { began: this.#now(), waitUntil };
    const response = playlist
      ? await this.#answerPlaylist(name, search.slice(1), asking)
      : await this.#answerSegment(track, name, segment[2], asking);
    return method === "HEAD" ? new Response(null, response) : response;
  }

  async #answerPlaylist(name, query, asking) {
    const { kind, status, lifetime } = await this.#steps("playlist", query, asking);
    if (kind === "status") return this.#status(status);
    return this.#respond(this.#stream.playlist(`${encodeURIComponent(name)}/`, { lag: this.#options.lag }), "application/vnd.apple.mpegurl", lifetime);
  }

  async #answerSegment(track, name, file, asking) {
    let step = await this.#steps("segment", file, asking);
    // What another instance has listed may be news here.
    if (step.kind === "status" && !this.#isFresh) {
      await this.#steps("playlist", "", asking);
      step = await this.#steps("segment", file, asking);
    }
    if (step.kind === "status") return this.#status(step.status);
    const cues = await this.#inTime(this.#cuesOf(track, name), asking);
    // Without its clock or its cues the answer is one for now.
    const isFinal = cues !== undefined && !step.isLate;
    return this.#respond((cues ?? this.#nothing).write(step.span), "text/vtt", isFinal ? step.lifetime : 1);
  }

  /** Goes on until there is an answer, with fetches and in time. */
  async #steps(kind, text, { began, waitUntil }) {
    let ask = { kind, text, began };
    let [isRecalled, isLate] = [!this.#isFresh, false];
    if (isRecalled) await this.#inTime(this.#recall(), ask);
    for (;;) {
      // Clocks of workers may stand still.
      const now = isLate ? Math.max(this.#now(), began + PATIENCE) : this.#now();
      const step = this.#stream.step(ask, now);
      if (step.kind === "fetch" && !isRecalled && this.#options.store) {
        // Another instance may have it. Whoever asks meanwhile looks as well.
        this.#stream.cancel(step.number);
        step.job.free();
        await this.#inTime(this.#recall(), ask);
        [ask, isRecalled] = [{ kind, text, began }, true];
        continue;
      }
      if (step.kind === "fetch") this.#carryOut(step, waitUntil);
      else if (step.kind !== "wait") return { ...step, isLate };
      isLate = (await this.#inTime(Promise.race(this.#running.values()).then(() => true), ask)) === undefined;
    }
  }

  /** The time: the clock's, but it goes on where that is put back, or is behind other instances'. */
  #now() {
    const told = this.#options.now();
    this.#ahead = Math.max(this.#ahead, this.#latest - told);
    this.#latest = told + this.#ahead;
    return this.#latest;
  }

  // ---- The record

  /** Whether the version is younger than half a target duration. */
  get #isFresh() {
    return this.#now() - this.#at < 500 * Math.max(this.#stream.facts.targetDuration, 1);
  }

  /** Looks whether another instance has a newer record. */
  #recall() {
    if (!this.#options.store) return undefined;
    return this.#once("recall", async () => {
      const found = recordOf(await this.#options.store.get(this.#key));
      // What is under way here would be none of that stream's. A state of other settings, or of another version of the library, is refused.
      if (!(found?.changed > this.#changed) || this.#running.size > 0) return;
      const stream = new Stream(this.#memory, this.#settings, this.#options.video, found.state);
      for (const number of found.running) stream.cancel(number);
      this.#stream.free();
      this.#stream = stream;
      [this.#changed, this.#at, this.#fields] = [found.changed, found.at, found.fields];
      this.#latest = Math.max(this.#latest, found.at);
    });
  }

  /** Leaves a record where other instances find it. */
  #keep(waitUntil) {
    const { store } = this.#options;
    if (!store) return;
    this.#changed = Math.max(this.#now(), this.#changed + 1);
    const put = async () => {
      const running = [...this.#running.keys()].map(String);
      await store.put(this.#key, bytesOfRecord({ changed: this.#changed, at: this.#at, running, fields: this.#fields, state: this.#stream.save() }));
    };
    // A store that is down, or a state that is too long for it, costs fetches, and no answers.
    waitUntil(put().catch(() => {}));
  }

  // ---- What is asked of origins

  /** What `running` comes to, but no later than somebody waits for it. */
  #inTime(running, { began }) {
    let timer;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, Math.max(began + PATIENCE - this.#now(), 0));
    });
    return Promise.race([running, late]).finally(() => clearTimeout(timer));
  }

  /** Runs `body` unless it is running: one for all who ask. What goes wrong comes to nothing. */
  #once(name, body) {
    if (!this.#reading.has(name)) {
      const reading = body()
        .catch(() => undefined)
        .finally(() => this.#reading.delete(name));
      this.#reading.set(name, reading);
    }
    return this.#reading.get(name);
  }

  /** Carries out what a stream wants to have fetched, and takes what comes of it. */
  #carryOut({ number, job }, waitUntil) {
    // Workers' own is called as no method.
    const { fetch, crypto } = this.#options;
    let fields = [];
    // An origin blocks for up to three target durations.
    const timeout = 3000 * Math.max(this.#stream.facts.targetDuration, 1) + TIMEOUT;
    const get = async (url, init) => {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeout) });
      fields = sharedFields(response.headers);
      return response;
    };
    const running = carryOut(job, { fetch: get, crypto })
      .catch(() => job.end(false))
      .then(() => {
        this.#running.delete(number);
        const change = this.#stream.take({ number, job }, this.#now());
        job.free();
        // One that is refused, or older than what is known, leaves the one before.
        const holds = change !== undefined && !["stale", "suspect", "needs-full"].includes(change);
        if (holds) [this.#at, this.#fields] = [this.#now(), fields];
        for (let early; (early = this.#stream.early(this.#now())); ) this.#carryOut(early, waitUntil);
        this.#keep(waitUntil);
      });
    this.#running.set(number, running);
    waitUntil(running);
  }

  /** The cues of a track, read once. */
  async #cuesOf(track, name) {
    if (!track.cues) {
      await this.#once(`cues ${name}`, async () => {
        const { fetch } = this.#options;
        const { file } = track;
        const given = typeof file === "function" ? await file() : await fileOf(await fetch(`${file}`, { signal: AbortSignal.timeout(TIMEOUT) }));
        track.cues = this.#live.cueIndex(given, { name: track.name ?? name });
      });
    }
    return track.cues;
  }

  // ---- Answers

  #respond(body, type, seconds) {
    const headers = new Headers(this.#fields);
    headers.set("content-type", type);
    headers.set("cache-control", `max-age=${seconds}`);
    headers.set("content-length", `${body.length}`);
    for (const [name, value] of new Headers(this.#options.headers)) headers.set(name, value);
    return new Response(body, { headers });
  }

  #status(status, fields = {}) {
    const headers = new Headers([...this.#fields, ...Object.entries(fields), ["cache-control", "no-store"]]);
    for (const [name, value] of new Headers(this.#options.headers)) headers.set(name, value);
    return new Response(null, { status, headers });
  }
}

/** A function that answers requests for a stream's tracks. */
export function serving(live, memory, options) {
  const server = new LiveServer(live, memory, options);
  return (request, waitUntil) => server.answer(request, waitUntil);
}
