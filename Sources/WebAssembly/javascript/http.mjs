// The two questions of a proxy, over Headers: what becomes of a request, and what of its response.

import { Handle, arrayOf, bytesOf, limit, objectOf, stringOf, whole64, wrong } from "./memory.mjs";
import { struct } from "./structs.mjs";

const Text = struct("text:text");
const Field = struct("name:text value:text");
const HTTPSettings = struct("size:size patterns:pointer pattern_count:size longest_held:size ignores_no_transform:i32 reserved:i32");
const Decision = struct("size:size action:i32 reason:i32 hold_bytes:u64 edits:pointer edit_count:size");

const ACTIONS = {
  0: "likely",
  1: "unlikely",
  2: "again",
  3: "excluded",
  16: "pass",
  17: "hold",
  18: "stream",
  19: "look",
  20: "ask-again",
};
const REASONS = [
  "method",
  "unlikely-path",
  "likely-path",
  "derived-tag",
  "second-request",
  "no-transform",
  "fields-too-long",
  "playlist-type",
  "playlist-content",
  "unknown-content",
  "other-type",
  "other-content",
  "encoded",
  "partial-content",
  "not-modified",
  "head",
  "no-content",
  "redirect",
  "error-status",
  "other-status",
];
const CONTENTS = ["unseen", "playlist", "other"];
const NEEDS_MORE = 2;
const USUAL_SIZE = 0xffffffff;

// A field's bytes are characters of one byte each.
const latin1 = (text) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const fromLatin1 = (bytes) => String.fromCharCode(...bytes);

// What browsers must be told of a response and of what stands for it, or of none.
const SHARED_FIELDS = ["access-control-allow-origin", "access-control-allow-credentials", "access-control-expose-headers", "timing-allow-origin"];

/** Those fields of a response that tell browsers what other origins may read. */
export const sharedFields = (headers) =>
  SHARED_FIELDS.filter((name) => headers.has(name)).map((name) => [name, headers.get(name)]);

/** The fields with edits made: each a name, and its new value, or null if it is removed. */
export function edited(headers, edits) {
  const changed = new Headers(headers);
  for (const [name, value] of edits) {
    if (value === null) changed.delete(name);
    else changed.set(name, value);
  }
  return changed;
}

/** What a body is that begins with these bytes; undefined as long as they do not tell, which never takes more than 12. */
export function contentOf(memory, bytes, isWhole) {
  return memory.use(() => {
    const place = memory.allocate(4);
    const start = bytesOf(bytes).subarray(0, 12);
    const status = memory.check(memory.call("surtitle_http_content", memory.put(start), start.length, isWhole ? 1 : 0, place));
    return status === NEEDS_MORE ? undefined : CONTENTS[memory.u32(place)];
  });
}

/** When tracks were modified. */
function secondsOf(modified) {
  const time = modified instanceof Date ? modified.getTime() : NaN;
  if (Number.isNaN(time)) throw wrong("modified", "a Date that there is", modified, false);
  return Math.floor(time / 1000);
}

export class HTTPRules extends Handle {
  constructor(memory, settings = {}) {
    const { patterns, longestHeld = USUAL_SIZE, ignoresNoTransform = false } = objectOf(settings, "settings");
    super(memory, "surtitle_http_rules_destroy", (place) => {
      const given = patterns === undefined ? undefined : arrayOf(patterns, "patterns");
      const texts = given?.map((pattern, index) => memory.text("text", stringOf(pattern, `patterns[${index}]`)));
      const fields = {
        patterns: texts ? memory.array(Text, texts) : 0,
        pattern_count: texts?.length ?? 0,
        longest_held: limit(longestHeld, "longestHeld"),
        ignores_no_transform: ignoresNoTransform ? 1 : 0,
      };
      return memory.callTelling("surtitle_http_rules_create", memory.array(HTTPSettings, [fields]), place);
    });
  }

  exchange() {
    return new Exchange(this.memory, this.address);
  }
}

export class Exchange extends Handle {
  constructor(memory, rules) {
    super(memory, "surtitle_exchange_destroy", (place) => memory.call("surtitle_exchange_create", rules, place));
  }

  request(configuration, { method, url, headers }, modified) {
    const { memory } = this;
    const { pathname, search } = new URL(url, "http://localhost");
    const seconds = modified === undefined ? -1 : secondsOf(modified);
    // A text in an argument is a pointer to its struct.
    const text = (string) => memory.array(Text, [memory.text("text", string)]);
    return this.#decide("surtitle_exchange_request", headers, () => [
      configuration.fingerprint,
      BigInt(seconds),
      text(method),
      text(pathname + search),
    ]);
  }

  requestAgain({ headers }) {
    return this.#decide("surtitle_exchange_request_again", headers, () => []);
  }

  response({ status, headers }, content = "unseen") {
    return this.#decide("surtitle_exchange_response", headers, () => [status, CONTENTS.indexOf(content)]);
  }

  setLength(count) {
    const { memory } = this;
    return memory.use(() => {
      const place = memory.allocate(8);
      memory.check(memory.call("surtitle_exchange_set_length", this.address, whole64(count, "count"), place, place + 4));
      return this.#edits(memory.u32(place), memory.u32(place + 4));
    });
  }

  #decide(name, headers, valuesOf) {
    const { memory } = this;
    return memory.use(() => {
      const values = valuesOf();
      const fields = [...headers].map(([field, value]) => {
        const [name, text] = [latin1(field), latin1(value)];
        return { name: memory.put(name), name_count: name.length, value: memory.put(text), value_count: text.length };
      });
      const place = memory.array(Decision, [{}]);
      memory.check(memory.call(name, this.address, ...values, memory.array(Field, fields), fields.length, place));
      const [decision] = memory.read(Decision, place, 1);
      return {
        action: ACTIONS[decision.action],
        reason: REASONS[decision.reason],
        holdBytes: decision.hold_bytes,
        edits: this.#edits(decision.edits, decision.edit_count),
      };
    });
  }

  #edits(address, count) {
    const { memory } = this;
    const text = (start, length) => fromLatin1(memory.copy(start, length));
    return memory
      .read(Field, address, count)
      .map(({ name, name_count, value, value_count }) => [text(name, name_count), value === 0 ? null : text(value, value_count)]);
  }
}
