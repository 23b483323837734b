// A configuration: what is done to playlists, in the words of the command's configuration files.

import { SurtitleError } from "./errors.mjs";
import { Handle, bytesOf } from "./memory.mjs";
import { Rewriter, rewritingStream } from "./rewriter.mjs";
import { struct } from "./structs.mjs";

const Track = struct("size:size keys:pointer key_count:size");
const Key = struct("name:text value:text");
const Edit = struct("size:size verb:i32 role:i32 text:text");
const Settings = struct(
  "size:size flags:u32 reserved:u32 tracks:pointer track_count:size edits:pointer edit_count:size fallback_group:text longest_line:size " +
    "held_renditions:size longest_group_id:size appended_tags:size held_variables:size longest_uri:size",
);

const REPLACES_DEFAULT = 1;
const FAILS_PAST_LIMIT = 2;
const LINE_EDITS = { set: 0, replace: 1, remove: 2, drop: 3, "append-line": 4 };
const URI_EDITS = { scheme: 6, host: 7, "append-query": 8 };
const MAP_URI = 5;
const KEEP_VARIANTS = 9;
const ROLES = { all: 0, variant: 1, media: 2, rendition: 3, key: 4, map: 5, other: 6 };
const LIMITS = {
  "longest-line": "longest_line",
  "held-renditions": "held_renditions",
  "longest-group-id": "longest_group_id",
  "appended-tags": "appended_tags",
  "held-variables": "held_variables",
  "longest-uri": "longest_uri",
};

// Keys that are for other commands, or about files of cues.
const OTHER_KEYS = ["map", "segment", "target"];
// Keys of a track that are about its file.
const OTHER_TRACK_KEYS = ["file", "duration", "type", "mime-type", "live"];

const CONFIGURATION_REFUSED = 38;

function refuse(field, message) {
  throw new SurtitleError(CONFIGURATION_REFUSED, { message, field });
}

const CHECKS = {
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === "string",
  boolean: (value) => typeof value === "boolean",
  size: (value) => Number.isInteger(value) && value > 0 && value < 2 ** 32,
};

/** `value` if it is of that type or undefined. */
function checked(value, type, field) {
  if (value !== undefined && !CHECKS[type](value)) refuse(field, `it must be ${type === "size" ? "a number of bytes" : `of type ${type}`}`);
  return value;
}

function checkKeys(object, keys, prefix) {
  for (const key of Object.keys(object)) if (!keys.includes(key)) refuse(prefix + key, "there is no such key");
}

/** The fields of a track's struct: keys and values, which the library knows. */
function trackFields(memory, track, field) {
  if (!CHECKS.object(track)) refuse(field, "it must be of type object");
  const keys = Object.entries(track).filter(([name, value]) => value !== undefined && !OTHER_TRACK_KEYS.includes(name)).map(([name, value]) => {
    if (!["string", "boolean", "number"].includes(typeof value)) refuse(`${field}.${name}`, "it must be a string, a number, true or false");
    const text = typeof value === "boolean" ? (value ? "yes" : "no") : String(value);
    return { ...memory.text("name", name), ...memory.text("value", text) };
  });
  return { keys: memory.array(Key, keys), key_count: keys.length };
}

/** The edits as pairs of a verb, a role and a text, each with its field. */
function* editsOf(source) {
  const strings = (value, field) => (Array.isArray(value) ? value : [value]).map((text) => checked(text, "string", field));
  for (const [index, edit] of (checked(source.edits, "array", "edits") ?? []).entries()) {
    const field = `edits[${index}]`;
    const [[key, text], ...more] = CHECKS.object(edit) ? Object.entries(edit) : [[]];
    if (more.length > 0 || !Object.hasOwn(LINE_EDITS, key)) refuse(field, `it must have one key of ${Object.keys(LINE_EDITS).join(", ")}`);
    yield { verb: LINE_EDITS[key], text: checked(text, "string", `${field}.${key}`) };
  }
  const base = checked(source["map-uri"], "string", "map-uri");
  if (base !== undefined) yield { verb: MAP_URI, text: base };
  for (const [key, verb] of Object.entries(URI_EDITS)) {
    const value = source[key];
    if (value === undefined) continue;
    const byRole = CHECKS.object(value) ? value : { all: value };
    checkKeys(byRole, Object.keys(ROLES), `${key}.`);
    for (const [role, texts] of Object.entries(byRole)) {
      for (const text of strings(texts, `${key}.${role}`)) yield { verb, role: ROLES[role], text };
    }
  }
  const condition = checked(source["keep-variants"], "string", "keep-variants");
  if (condition !== undefined) yield { verb: KEEP_VARIANTS, text: condition };
}

/** The fields of the settings' struct. */
function settingsOf(memory, source) {
  if (!CHECKS.object(source)) throw new TypeError("a configuration is an object");
  checkKeys(source, ["tracks", "replace-default", "edits", "map-uri", ...Object.keys(URI_EDITS), "keep-variants", "limits", ...OTHER_KEYS], "");
  const tracks = (checked(source.tracks, "array", "tracks") ?? []).map((track, index) => trackFields(memory, track, `tracks[${index}]`));
  const edits = [...editsOf(source)].map(({ text, ...edit }) => ({ ...edit, ...memory.text("text", text) }));
  const { "past-limit": pastLimit = "pass-through", ...limits } = checked(source.limits, "object", "limits") ?? {};
  if (pastLimit !== "pass-through" && pastLimit !== "fail") refuse("limits.past-limit", "it must be pass-through or fail");
  checkKeys(limits, Object.keys(LIMITS), "limits.");
  const settings = {
    flags:
      (checked(source["replace-default"], "boolean", "replace-default") ? REPLACES_DEFAULT : 0) | (pastLimit === "fail" ? FAILS_PAST_LIMIT : 0),
    tracks: tracks.length > 0 ? memory.array(Track, tracks) : 0,
    track_count: tracks.length,
    edits: edits.length > 0 ? memory.array(Edit, edits) : 0,
    edit_count: edits.length,
  };
  for (const [key, size] of Object.entries(limits)) settings[LIMITS[key]] = checked(size, "size", `limits.${key}`);
  return settings;
}

export class Configuration extends Handle {
  #whole;

  constructor(memory, source) {
    super(memory, "surtitle_configuration_destroy", (place) => {
      const settings = memory.array(Settings, [settingsOf(memory, source)]);
      return memory.callTelling("surtitle_configuration_create", settings, place);
    });
  }

  get fingerprint() {
    const { memory } = this;
    return memory.use(() => {
      const place = memory.allocate(8);
      memory.check(memory.call("surtitle_configuration_fingerprint", this.address, place));
      return memory.view.getBigUint64(place, true);
    });
  }

  rewriter() {
    return new Rewriter(this.memory, this.address);
  }

  stream() {
    return rewritingStream(this.rewriter());
  }

  sideload(playlist) {
    this.#whole ??= this.rewriter();
    return this.#whole.whole(bytesOf(playlist, "playlist"));
  }

  /** What there is to say of the playlist that `sideload` was last called with. */
  get report() {
    this.#whole ??= this.rewriter();
    return this.#whole.report;
  }

  free() {
    this.#whole?.free();
    super.free();
  }
}
