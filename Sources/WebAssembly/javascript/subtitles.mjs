// What is made of files of cues. Times are in seconds here, and in milliseconds or nanoseconds in the library.

import { arrayOf, bytesOf, join, milliseconds, nanoseconds, objectOf, stringOf, whole64, wrong } from "./memory.mjs";
import { struct } from "./structs.mjs";

const Entry = struct("size:size uri:text duration_nanoseconds:u64 is_discontinuous:i32 reserved:i32");
const Cue = struct("start_milliseconds:i64 end_milliseconds:i64 position:u64 identifier:text settings:text text:text");
const SegmentSettings = struct(
  "size:size step:u64 end:u64 durations:pointer duration_count:size has_map:i32 cues_once:i32 mpegts:u64 local_milliseconds:i64",
);
const Segment = struct("bytes:pointer count:size start_nanoseconds:u64 duration_nanoseconds:u64 cue_count:u64");
const Nanoseconds = struct("nanoseconds:u64");

const OMITS_COMMA = 1;
const TYPE_FLAGS = { VOD: 0, EVENT: 2, none: 4 };
const NOT_FOUND = 1;
const TOO_SMALL = 5;
const UNKNOWN_FORMAT = -1;

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** Calls a function that tells a time. */
function cueEnd(memory, name, file) {
  return memory.use(() => {
    const bytes = bytesOf(file, "file");
    const place = memory.allocate(8);
    const status = memory.check(memory.call(name, memory.put(bytes), bytes.length, place));
    return status === NOT_FOUND ? undefined : Number(memory.view.getBigInt64(place, true)) / 1e3;
  });
}

export const finalCueEnd = (memory, file) => cueEnd(memory, "surtitle_final_cue_end", file);

export const latestCueEnd = (memory, file) => cueEnd(memory, "surtitle_latest_cue_end", file);

/** Calls `write` with memory, and once more with enough of it if it was too small. */
function written(memory, capacity, write) {
  const place = memory.allocate(4);
  for (;;) {
    const output = memory.allocate(capacity);
    const status = write(output, capacity, place);
    if (status !== TOO_SMALL) return memory.copy(output, memory.u32(place));
    capacity = memory.u32(place);
  }
}

export function subtitlePlaylist(memory, entries, options = {}) {
  const { type = "VOD", comma = true } = objectOf(options, "options");
  if (!Object.hasOwn(TYPE_FLAGS, type)) throw wrong("type", `one of ${Object.keys(TYPE_FLAGS).join(", ")}`, type, false);
  return memory.use(() => {
    const flags = TYPE_FLAGS[type] | (comma ? 0 : OMITS_COMMA);
    const array = memory.array(
      Entry,
      arrayOf(entries, "entries").map((entry, index) => {
        const field = `entries[${index}]`;
        const { uri, duration, isDiscontinuous } = objectOf(entry, field);
        return {
          ...memory.text("uri", stringOf(uri, `${field}.uri`)),
          duration_nanoseconds: nanoseconds(duration, `${field}.duration`),
          is_discontinuous: isDiscontinuous ? 1 : 0,
        };
      }),
    );
    return written(memory, 512 + 128 * entries.length, (output, capacity, place) =>
      memory.callTelling("surtitle_subtitle_playlist", array, entries.length, flags, output, capacity, place),
    );
  });
}

/** The number of the format of files that are called so; that of an unknown one if it does not tell. */
function formatOf(memory, name = "") {
  const bytes = bytesOf(name, "name");
  const place = memory.allocate(4);
  const status = memory.check(memory.call("surtitle_format_of", memory.put(bytes), bytes.length, place));
  return status === NOT_FOUND ? UNKNOWN_FORMAT : memory.view.getInt32(place, true);
}

export function toWebVTT(memory, file, name) {
  return memory.use(() => {
    const format = formatOf(memory, name);
    const bytes = bytesOf(file, "file");
    const input = memory.put(bytes);
    return written(memory, bytes.length + (bytes.length >> 2) + 512, (output, capacity, place) =>
      memory.callTelling("surtitle_to_webvtt", format, input, bytes.length, output, capacity, place),
    );
  });
}

/** Runs `body` with something of the library's that is destroyed afterwards. */
function withHandle(memory, kind, create, body) {
  return memory.use(() => {
    const place = memory.allocate(4);
    memory.check(create(place));
    const address = memory.u32(place);
    try {
      return body(address);
    } finally {
      memory.destroy(`surtitle_${kind}_destroy`, address);
    }
  });
}

export function cues(memory, file) {
  const create = (place) => memory.call("surtitle_cue_scanner_create", 0, place);
  return withHandle(memory, "cue_scanner", create, (scanner) => {
    const bytes = bytesOf(file, "file");
    const place = memory.allocate(8);
    const text = (start, count) => decoder.decode(memory.copy(start, count));
    const found = (name, ...input) => {
      memory.check(memory.call(name, scanner, ...input, place, place + 4));
      return memory.read(Cue, memory.u32(place), memory.u32(place + 4)).map((cue) => ({
        start: cue.start_milliseconds / 1e3,
        end: cue.end_milliseconds / 1e3,
        identifier: text(cue.identifier, cue.identifier_count),
        settings: text(cue.settings, cue.settings_count),
        text: text(cue.text, cue.text_count),
      }));
    };
    const first = found("surtitle_cue_scanner_write", memory.put(bytes), bytes.length);
    return [...first, ...found("surtitle_cue_scanner_finish")];
  });
}

/** The fields of a map. */
function mapFields(map) {
  const { mpegts, local } = objectOf(map, "map");
  return { has_map: 1, mpegts: whole64(mpegts, "map.mpegts"), local_milliseconds: milliseconds(local ?? 0, "map.local") };
}

/** A time in nanoseconds; 0 if it is not given. */
const optionalTime = (seconds, what) => nanoseconds(seconds ?? 0, what);

export function segments(memory, file, options = {}) {
  const { step, durations, end, map, cuesOnce } = objectOf(options, "options");
  const create = (place) => {
    const settings = {
      step: optionalTime(step, "step"),
      end: optionalTime(end, "end"),
      durations: durations
        ? memory.array(Nanoseconds, arrayOf(durations, "durations").map((each, index) => ({ nanoseconds: nanoseconds(each, `durations[${index}]`) })))
        : 0,
      duration_count: durations?.length ?? 0,
      cues_once: cuesOnce ? 1 : 0,
      ...(map ? mapFields(map) : {}),
    };
    return memory.call("surtitle_segmenter_create", memory.array(SegmentSettings, [settings]), place);
  };
  return withHandle(memory, "segmenter", create, (segmenter) => {
    const bytes = bytesOf(file, "file");
    const place = memory.allocate(8);
    memory.callTelling("surtitle_segmenter_cut", segmenter, memory.put(bytes), bytes.length, place, place + 4);
    return memory.read(Segment, memory.u32(place), memory.u32(place + 4)).map((segment) => ({
      bytes: memory.copy(segment.bytes, segment.count),
      start: segment.start_nanoseconds / 1e9,
      duration: segment.duration_nanoseconds / 1e9,
      cueCount: segment.cue_count,
    }));
  });
}

export function withTimestampMap(memory, file, map) {
  const { mpegts, local_milliseconds } = mapFields(map);
  const create = (place) =>
    memory.call("surtitle_timestamp_mapper_create", mpegts, BigInt(local_milliseconds), place);
  return withHandle(memory, "timestamp_mapper", create, (mapper) => {
    const bytes = bytesOf(file, "file");
    const input = memory.put(bytes);
    const first = memory.pieces("surtitle_timestamp_mapper_write", mapper, input, bytes.length);
    return join([first, memory.pieces("surtitle_timestamp_mapper_finish", mapper)]);
  });
}
