// A channel of live streams: what the library knows of the video, and the spans that segments of its tracks are.
//
// Numbers of segments may be larger than a number has exactly: they are bigints.

import { Handle, bytesOf, limit, milliseconds, objectOf, stringOf, whole64, wrong } from "./memory.mjs";
import { struct } from "./structs.mjs";

const Text = struct("text:text");
const ChannelSettings = struct(
  "size:size anchor:i32 map:i32 anchor_value:i64 mpegts:u64 local_milliseconds:i64 is_plain:i32 reserved:i32 " +
    "longest_playlist:size most_segments:size most_parts:size longest_text:size longest_state:size",
);
const Facts = struct(
  "size:size has_begun:i32 has_ended:i32 target_duration:u64 first_segment:big end_segment:big open_parts:u64 held_bytes:u64 notes:u32 reserved:u32",
);
const Want = struct(
  "size:size segment:big uri:text offset:i64 count:i64 init_uri:text init_offset:i64 init_count:i64 is_encrypted:i32 reserved:i32",
);
export const Span = struct(
  "size:size place:i32 is_known:i32 segment:big part:i64 start_nanoseconds:i64 end_nanoseconds:i64 mpegts:u64 local_milliseconds:i64 " +
    "has_map:i32 life:u32",
);
export const CHANGES = ["first", "unchanged", "advanced", "stale", "suspect", "missed", "restarted", "ended", "needs-full"];
const PLACES = ["span", "gone", "wait", "media-start", "not-ours"];
const NOTES = [
  "no-anchor",
  "anchor-gone",
  "no-timestamp",
  "unknown-gap",
  "malformed-date",
  "date-without-zone",
  "target-duration-changed",
  "segment-changed",
  "missed",
  "restarted",
  "parted",
];
// Of a date and of a segment the value tells.
const ANCHORS = { automatic: 0, media: 3, "first-version": 4 };
const ANCHOR_DATE = 1;
const ANCHOR_SEGMENT = 2;

const NOT_FOUND = 1;
const TOO_SMALL = 5;
// What a state usually has at most: 1 KiB and 16 bytes for each of 60 segments.
const STATE = 2048;

const decoder = new TextDecoder();

/** The number of a word among those that there may be. */
export function numberOf(words, word, what) {
  if (Object.hasOwn(words, word)) return words[word];
  throw wrong(what, `one of ${Object.keys(words).join(", ")}`, word, false);
}

// As EXT-X-PROGRAM-DATE-TIME has it. Without a zone it is UTC.
const DATE = /^(\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d)(?:[.,](\d+))?(?:[Zz]|([+-]\d\d):?(\d\d))?$/;

/** The anchor as fields of the settings: the words of the key `at` of a track. */
function anchorFields(at = "automatic") {
  if (at instanceof Date) {
    if (Number.isNaN(at.getTime())) throw wrong("at", "a date that there is", at, true);
    return { anchor: ANCHOR_DATE, anchor_value: BigInt(at.getTime()) * 1_000_000n };
  }
  const segment = /^msn:(\d{1,19})$/.exec(at);
  if (segment) return { anchor: ANCHOR_SEGMENT, anchor_value: BigInt.asIntN(64, BigInt(segment[1])) };
  if (Object.hasOwn(ANCHORS, at)) return { anchor: ANCHORS[at] };
  const date = DATE.exec(at);
  if (!date) throw wrong("at", `a date, msn:NUMBER, or one of ${Object.keys(ANCHORS).join(", ")}`, at, false);
  const [, seconds, fraction = "", hours = "+00", minutes = "00"] = date;
  const whole = Date.parse(`${seconds}${hours}:${minutes}`);
  if (Number.isNaN(whole)) throw wrong("at", "a date that there is", at, true);
  return { anchor: ANCHOR_DATE, anchor_value: BigInt(whole) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, "0")) };
}

/** The map as fields of the settings. */
function mapFields(map = "auto") {
  if (map === "auto") return { map: 0 };
  if (map === "none") return { map: 1 };
  if (typeof map !== "object" || map === null) throw wrong("map", "auto, none or a map", map, false);
  return { map: 2, mpegts: whole64(map.mpegts, "map.mpegts"), local_milliseconds: milliseconds(map.local ?? 0, "map.local") };
}

export function channelSettings(memory, settings = {}) {
  const { at, map, lowLatency = "mirror", limits = {} } = objectOf(settings, "settings");
  objectOf(limits, "limits");
  return memory.array(ChannelSettings, [
    {
      ...anchorFields(at),
      ...mapFields(map),
      is_plain: numberOf({ mirror: 0, strip: 1 }, lowLatency, "lowLatency"),
      longest_playlist: limit(limits.playlist, "limits.playlist"),
      most_segments: limit(limits.segments, "limits.segments"),
      most_parts: limit(limits.parts, "limits.parts"),
      longest_text: limit(limits.text, "limits.text"),
      longest_state: limit(limits.state, "limits.state"),
    },
  ]);
}

/** A text as an argument: a pointer to its struct. */
export const textArgument = (memory, value, what) => memory.array(Text, [memory.text("text", value, what)]);

/** A span of cue time that is a segment of a track. What it is made of goes back to the library as it came. */
export class LiveSpan {
  #bytes;
  #told;

  constructor(memory, address) {
    this.#bytes = memory.copy(address, Span.size);
    this.#told = Span.read(memory.view, address);
  }

  get place() {
    return PLACES[this.#told.place];
  }

  get isKnown() {
    return this.#told.is_known === 1;
  }

  get segment() {
    return this.#told.segment;
  }

  get part() {
    return this.#told.part < 0 ? undefined : this.#told.part;
  }

  get start() {
    return this.isKnown ? this.#told.start_nanoseconds / 1e9 : undefined;
  }

  get end() {
    return this.isKnown ? this.#told.end_nanoseconds / 1e9 : undefined;
  }

  get map() {
    return this.#told.has_map ? { mpegts: this.#told.mpegts, local: this.#told.local_milliseconds / 1e3 } : undefined;
  }

  /** Where its bytes are, for a call. */
  static put(memory, span) {
    if (!(span instanceof LiveSpan)) throw new TypeError("the span is none that find() has given");
    return memory.put(span.#bytes);
  }
}

/** What a channel, or the stream's, says of itself. */
export function factsOf({ memory, address }, name) {
  return memory.use(() => {
    const place = memory.array(Facts, [{}]);
    memory.check(memory.call(name, address, place));
    const told = Facts.read(memory.view, place);
    return {
      hasBegun: told.has_begun === 1,
      hasEnded: told.has_ended === 1,
      targetDuration: told.target_duration,
      firstSegment: told.first_segment,
      endSegment: told.end_segment,
      openParts: told.open_parts,
      heldBytes: told.held_bytes,
      notes: NOTES.filter((_, bit) => told.notes & (1 << bit)),
    };
  });
}

/** The state of a channel or stream, as bytes. */
export function stateOf({ memory, address }, name) {
  return memory.use(() => {
    const written = memory.allocate(4);
    for (let capacity = STATE; ; capacity = memory.u32(written)) {
      const output = memory.allocate(capacity);
      const status = memory.check(memory.call(name, address, output, capacity, written));
      if (status !== TOO_SMALL) return memory.copy(output, memory.u32(written));
    }
  });
}

/** The bytes that a want refers to; undefined if it has no reference. */
function partOf(memory, uri, count, offset, length) {
  if (uri === 0) return undefined;
  return { uri: decoder.decode(memory.copy(uri, count)), range: offset < 0 ? undefined : { offset, count: length } };
}

export class Channel extends Handle {
  /** A channel that has seen nothing, or, with a state, one that goes on from there. */
  constructor(memory, settings, state) {
    super(memory, "surtitle_channel_destroy", (place) => {
      const fields = channelSettings(memory, settings);
      if (state === undefined) return memory.call("surtitle_channel_create", fields, place);
      return memory.callTelling("surtitle_channel_restore", fields, memory.put(state), state.length, place);
    });
  }

  take(playlist) {
    const { memory } = this;
    return memory.use(() => {
      const bytes = bytesOf(playlist, "playlist");
      const change = memory.allocate(4);
      memory.callTelling("surtitle_channel_take", this.address, memory.put(bytes), bytes.length, change);
      return CHANGES[memory.view.getInt32(change, true)];
    });
  }

  next() {
    const { memory } = this;
    return memory.use(() => {
      const place = memory.array(Want, [{}]);
      if (memory.check(memory.call("surtitle_channel_next", this.address, place)) === NOT_FOUND) return undefined;
      const want = Want.read(memory.view, place);
      return {
        segment: want.segment,
        media: partOf(memory, want.uri, want.uri_count, want.offset, want.count),
        init: partOf(memory, want.init_uri, want.init_uri_count, want.init_offset, want.init_count),
        isEncrypted: want.is_encrypted === 1,
      };
    });
  }

  mediaStart(segment, mpegts) {
    this.memory.check(this.memory.call("surtitle_channel_media_start", this.address, whole64(segment, "segment"), whole64(mpegts, "mpegts")));
  }

  noMediaStart(segment) {
    this.memory.check(this.memory.call("surtitle_channel_no_media_start", this.address, whole64(segment, "segment")));
  }

  get facts() {
    return factsOf(this, "surtitle_channel_facts");
  }

  playlist(prefix, options = {}) {
    const { memory } = this;
    const { lag } = objectOf(options, "options");
    return memory.use(() => {
      const made = memory.pieces("surtitle_channel_playlist", this.address, textArgument(memory, stringOf(prefix, "prefix"), "prefix"), limit(lag, "lag"));
      return made.length > 0 ? made : undefined;
    });
  }

  find(name) {
    const { memory } = this;
    return memory.use(() => {
      const place = memory.array(Span, [{}]);
      memory.check(memory.call("surtitle_channel_find", this.address, textArgument(memory, stringOf(name, "name"), "name"), place));
      return new LiveSpan(memory, place);
    });
  }

  save() {
    return stateOf(this, "surtitle_channel_save");
  }
}
