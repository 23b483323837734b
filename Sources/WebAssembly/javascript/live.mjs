// Subtitles beside a live stream, over surtitle-live.wasm: a module of its own, because only who serves such streams needs it.
//
//     a version of the video's playlist ──▶ Channel ──▶ the track's playlist
//     the first time stamp of a segment ──▶    │
//     17.vtt ─────────────────────────────▶ find ──▶ a span ──▶ CueIndex or GrowingCues ──▶ the segment
//
// live-serving.mjs asks and answers by HTTP with it.

import { Channel, LiveSpan, numberOf, textArgument } from "./channel.mjs";
import { serving } from "./live-serving.mjs";
import { Handle, Memory, bytesOf, limit, milliseconds, moduleOf, objectOf, stringOf, whole64 } from "./memory.mjs";
import { struct } from "./structs.mjs";

export { Channel, LiveSpan } from "./channel.mjs";

const GrowingSettings = struct(
  "size:size name:text first_number:big format:i32 late:i32 is_in_milliseconds:i32 has_latency:i32 latency_milliseconds:i64 " +
    "longest_block:size most_kept:size",
);

const FORMATS = { vtt: 0, srt: 1, jsonl: 2 };
const LATE = { spoken: 0, shift: 1, drop: 2 };
const UNITS = { s: 0, ms: 1 };

const NEEDS_MORE = 2;

export class CueIndex extends Handle {
  constructor(memory, file, naming = {}) {
    const { name, renames = false } = objectOf(naming, "naming");
    super(memory, "surtitle_cue_index_destroy", (place) => {
      const bytes = bytesOf(file, "file");
      const text = textArgument(memory, name, "name");
      return memory.callTelling("surtitle_cue_index_create", memory.put(bytes), bytes.length, text, renames ? 1 : 0, place);
    });
  }

  write(span) {
    const { memory } = this;
    return memory.use(() => memory.pieces("surtitle_cue_index_write", this.address, LiveSpan.put(memory, span)));
  }
}

export class GrowingCues extends Handle {
  constructor(memory, wanted) {
    const { name, firstNumber = 1, format = "jsonl", unit = "s", late = "spoken", latency, longestBlock, mostKept } = objectOf(wanted, "settings");
    super(memory, "surtitle_growing_destroy", (place) => {
      const settings = {
        ...memory.text("name", stringOf(name, "name")),
        first_number: whole64(firstNumber, "firstNumber"),
        format: numberOf(FORMATS, format, "format"),
        late: numberOf(LATE, late, "late"),
        is_in_milliseconds: numberOf(UNITS, unit, "unit"),
        has_latency: latency === undefined ? 0 : 1,
        latency_milliseconds: milliseconds(latency === undefined ? 0 : latency, "latency"),
        longest_block: limit(longestBlock, "longestBlock"),
        most_kept: limit(mostKept, "mostKept"),
      };
      return memory.call("surtitle_growing_create", memory.array(GrowingSettings, [settings]), place);
    });
  }

  append(bytes) {
    const { memory } = this;
    memory.use(() => {
      const chunk = bytesOf(bytes);
      memory.callTelling("surtitle_growing_append", this.address, memory.put(chunk), chunk.length);
    });
  }

  finish() {
    this.memory.use(() => this.memory.callTelling("surtitle_growing_finish", this.address));
  }

  abandon() {
    this.#call("abandon");
  }

  reset() {
    this.#call("reset");
  }

  seal(channel) {
    if (channel?.memory !== this.memory) throw new TypeError("the channel is none of the same module");
    this.#call("seal", channel.address);
  }

  #call(verb, ...values) {
    this.memory.check(this.memory.call(`surtitle_growing_${verb}`, this.address, ...values));
  }

  write(span) {
    const { memory } = this;
    return memory.use(() => memory.pieces("surtitle_growing_write", this.address, LiveSpan.put(memory, span)));
  }

  get held() {
    const { memory } = this;
    return memory.use(() => {
      const place = memory.allocate(24);
      memory.check(memory.call("surtitle_growing_held", this.address, place, place + 8, place + 16));
      const [cues, leftOut, bytes] = [0, 8, 16].map((offset) => Number(memory.view.getBigUint64(place + offset, true)));
      return { cues, leftOut, bytes };
    });
  }
}

/** Finds the first time stamp of a media segment while its bytes pass by, those of its init segment before them. */
export class MediaScanner extends Handle {
  constructor(memory) {
    super(memory, "surtitle_media_scanner_destroy", (place) => memory.call("surtitle_media_scanner_create", place));
  }

  write(chunk) {
    const bytes = bytesOf(chunk, "chunk");
    return this.#scan("write", () => [this.memory.put(bytes), bytes.length]);
  }

  finish() {
    return this.#scan("finish", () => []);
  }

  #scan(verb, valuesOf) {
    const { memory } = this;
    return memory.use(() => {
      const place = memory.allocate(8);
      const status = memory.check(memory.call(`surtitle_media_scanner_${verb}`, this.address, ...valuesOf(), place));
      return status === NEEDS_MORE ? undefined : Number(memory.view.getBigUint64(place, true));
    });
  }
}

class Live {
  #memory;

  constructor(module) {
    this.#memory = new Memory(module);
  }

  get memoryBytes() {
    return this.#memory.byteLength;
  }

  channel(settings) {
    return new Channel(this.#memory, settings);
  }

  restore(state, settings) {
    return new Channel(this.#memory, settings, bytesOf(state, "state"));
  }

  cueIndex(file, naming) {
    return new CueIndex(this.#memory, file, naming);
  }

  growingCues(settings) {
    return new GrowingCues(this.#memory, settings);
  }

  mediaScanner() {
    return new MediaScanner(this.#memory);
  }

  serving(options) {
    return serving(this, this.#memory, options);
  }
}

/** The library over a module that is compiled already, as edge workers have it. */
export const liveFromModule = (module) => new Live(module);

/** The library over surtitle-live.wasm: a module, its bytes, or a response that brings them. */
export const loadLive = async (source) => new Live(await moduleOf(source));
