// The module's memory, and calls into it.
//
// What a call needs is put into scratch memory, which the next one uses again. What comes out is copied, so that nobody outside sees memory
// that the library may use for something else.

import { SurtitleError } from "./errors.mjs";
import { struct } from "./structs.mjs";

const SCRATCH = 64 * 1024;

const Piece = struct("bytes:pointer count:size chunk_offset:i64");
const ErrorStruct = struct("size:size status:i32 message_count:i32 index:i64 position:i64");
const ERROR_FIELD = { offset: ErrorStruct.size, count: 96 };
const ERROR_MESSAGE = { offset: ErrorStruct.size + 96, count: 256 };
const ERROR_SIZE = ErrorStruct.size + 96 + 256;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What bytes there are in what a caller hands over: a text is UTF-8. */
export function bytesOf(value, what = "bytes") {
  if (value instanceof Uint8Array) return value;
  if (typeof value === "string") return encoder.encode(value);
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (ArrayBuffer.isView(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  throw wrong(what, "bytes or a string", value, false);
}

/** What a caller has handed over, in a message. */
function shown(value) {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "function") return "a function";
  return typeof value === "object" && value !== null && !(value instanceof Date) ? "an object" : String(value);
}

/** The error of an option that is something else than it must be: of another type, or out of its range. */
export function wrong(what, wanted, value, isOfType) {
  return new (isOfType ? RangeError : TypeError)(`${what} must be ${wanted}, and is ${shown(value)}`);
}

/** `value` if it is an object: what options are in. */
export function objectOf(value, what) {
  if (typeof value === "object" && value !== null) return value;
  throw wrong(what, "an object", value, false);
}

/** `value` if it is an array. */
export function arrayOf(value, what) {
  if (Array.isArray(value)) return value;
  throw wrong(what, "an array", value, false);
}

/** `value` if it is a string. */
export function stringOf(value, what) {
  if (typeof value === "string") return value;
  throw wrong(what, "a string", value, false);
}

/** The text of a URL: a string, or a URL. */
export function urlOf(value, what) {
  if (typeof value === "string" || value instanceof URL) return `${value}`;
  throw wrong(what, "a URL", value, false);
}

/** A whole number of 64 bits without a sign, as a bigint or a number. */
export function whole64(value, what) {
  const isNumber = typeof value === "number" || typeof value === "bigint";
  const isWhole = typeof value === "bigint" || Number.isInteger(value);
  if (isWhole && BigInt(value) === BigInt.asUintN(64, BigInt(value))) return BigInt(value);
  throw wrong(what, "a whole number, 0 or more", value, isNumber);
}

/** A time in seconds as so many whole units. */
function whole(seconds, unit, what) {
  const number = typeof seconds === "number" ? Math.round(seconds * unit) : NaN;
  if (!(number >= 0 && number <= Number.MAX_SAFE_INTEGER)) throw wrong(what, "a time in seconds, 0 or more", seconds, true);
  return number;
}
export const nanoseconds = (seconds, what) => whole(seconds, 1e9, what);
export const milliseconds = (seconds, what) => whole(seconds, 1e3, what);

/** A number of bytes or of things; 0 if it is not given. */
export function limit(number = 0, what) {
  if (Number.isInteger(number) && number >= 0 && number < 2 ** 32) return number;
  throw wrong(what, "a whole number below 2 ** 32, 0 or more", number, true);
}

/** Bytes one behind the other. */
export function join(parts) {
  if (parts.length === 1) return parts[0];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

/** The module that is given: itself, its bytes, a response that brings them, or a promise of one of these. */
export async function moduleOf(source) {
  const given = await source;
  if (given instanceof WebAssembly.Module) return given;
  if (typeof Response !== "function" || !(given instanceof Response)) return WebAssembly.compile(given);
  if (!given.ok) throw new Error(`the module did not come: ${given.status} ${given.statusText}`);
  return WebAssembly.compile(await given.arrayBuffer());
}

export class Memory {
  #exports;
  #view;
  #scratch;
  #used = 0;
  #larger = [];
  #failure;

  constructor(module) {
    this.#exports = new WebAssembly.Instance(module, {}).exports;
    this.#scratch = this.#exports.malloc(SCRATCH);
  }

  /** The memory as it is now: it moves when it grows. */
  get view() {
    const { buffer } = this.#exports.memory;
    if (this.#view?.buffer !== buffer) this.#view = new DataView(buffer);
    return this.#view;
  }

  get byteLength() {
    return this.#exports.memory.buffer.byteLength;
  }

  /** Runs `body`, after which the scratch memory that it took is free again. */
  use(body) {
    const [used, blocks] = [this.#used, this.#larger.length];
    try {
      return body();
    } finally {
      this.#used = used;
      for (const block of this.#larger.splice(blocks)) if (!this.#failure) this.#exports.free(block);
    }
  }

  /** Scratch memory, at a multiple of 8. */
  allocate(count) {
    const end = this.#used + ((count + 7) & ~7);
    if (end > SCRATCH) {
      const block = this.call("malloc", count);
      this.#larger.push(block);
      return block;
    }
    const address = this.#scratch + this.#used;
    this.#used = end;
    return address;
  }

  /** Copies bytes into scratch memory. */
  put(bytes) {
    const address = this.allocate(bytes.length);
    new Uint8Array(this.view.buffer, address, bytes.length).set(bytes);
    return address;
  }

  /** A text as the fields of a struct: NAME and NAME_count. What is undefined is not given. `what` is what the caller calls it. */
  text(name, value, what = name) {
    if (value === undefined || value === null) return {};
    const bytes = encoder.encode(stringOf(value, what));
    return { [name]: this.put(bytes), [`${name}_count`]: bytes.length };
  }

  /** Puts structs into scratch memory, one behind the other. */
  array(layout, elements) {
    const address = this.allocate(layout.size * elements.length);
    elements.forEach((element, index) => layout.write(this.view, address + index * layout.size, element));
    return address;
  }

  /** Reads structs one behind the other. */
  read(layout, address, count) {
    return Array.from({ length: count }, (_, index) => layout.read(this.view, address + index * layout.size));
  }

  /** A copy of what is there. */
  copy(address, count) {
    return new Uint8Array(this.view.buffer, address, count).slice();
  }

  /** Calls a function whose last arguments are places for pieces and their number, and returns a copy of what they have. */
  pieces(name, ...values) {
    const place = this.allocate(8);
    this.check(this.call(name, ...values, place, place + 4));
    return join(this.read(Piece, this.u32(place), this.u32(place + 4)).map(({ bytes, count }) => this.copy(bytes, count)));
  }

  /** The number at `address`. */
  u32(address) {
    return this.view.getUint32(address, true);
  }

  /** A text that ends in a NUL. */
  string(address, most = 1024) {
    const bytes = this.copy(address, Math.min(most, this.byteLength - address));
    const end = bytes.indexOf(0);
    return decoder.decode(end < 0 ? bytes : bytes.subarray(0, end));
  }

  /** Calls a function. If the library ends itself, for want of memory, it must not be called again. */
  call(name, ...values) {
    if (this.#failure) throw this.#failure;
    try {
      return this.#exports[name](...values);
    } catch (error) {
      this.#failure = new Error(`the library has ended in ${name}: ${error.message}`, { cause: error });
      throw this.#failure;
    }
  }

  /** Destroys something of the library's. One that has ended has nothing to give back. */
  destroy(name, address) {
    if (!this.#failure) this.call(name, address);
  }

  /** Throws if a status is a failure: `error` is where the call has told more. */
  check(status, error) {
    if (status < 16) return status;
    throw this.failure(status, error);
  }

  /** The error that a status is. */
  failure(status, error) {
    if (!error) return new SurtitleError(status, { message: this.string(this.call("surtitle_status_text", status)) });
    const { index, position } = ErrorStruct.read(this.view, error);
    return new SurtitleError(status, {
      message: this.string(error + ERROR_MESSAGE.offset, ERROR_MESSAGE.count),
      field: this.string(error + ERROR_FIELD.offset, ERROR_FIELD.count) || undefined,
      index: index < 0 ? undefined : index,
      position: position < 0 ? undefined : position,
    });
  }

  /** Calls a function whose last argument is a surtitle_error, and returns its status if that is no failure. */
  callTelling(name, ...values) {
    const error = this.allocate(ERROR_SIZE);
    new Uint8Array(this.view.buffer, error, ERROR_SIZE).fill(0);
    this.view.setUint32(error, ERROR_SIZE, true);
    const status = this.call(name, ...values, error);
    // A failure of misuse is told by its status alone.
    return this.check(status, this.view.getInt32(error + 4, true) === status ? error : undefined);
  }
}

const registry =
  typeof FinalizationRegistry === "function"
    ? new FinalizationRegistry(({ memory, destroy, address }) => memory.destroy(destroy, address))
    : undefined;

/** Something of the library's, destroyed by `free()`, by `using`, or some time after nobody has it any more. */
export class Handle {
  #address;
  #destroy;

  /** `create` is called with a place for the address, and returns a status. */
  constructor(memory, destroy, create) {
    this.memory = memory;
    Object.defineProperty(this, "memory", { enumerable: false });
    this.#destroy = destroy;
    this.#address = memory.use(() => {
      const place = memory.allocate(4);
      memory.check(create(place));
      return memory.u32(place);
    });
    registry?.register(this, { memory, destroy, address: this.#address }, this);
  }

  get address() {
    if (this.#address === 0) throw new TypeError(`this ${this.constructor.name} has been freed`);
    return this.#address;
  }

  /** Gives back what it holds; a second time nothing happens. */
  free() {
    if (this.#address === 0) return;
    registry?.unregister(this);
    this.memory.destroy(this.#destroy, this.#address);
    this.#address = 0;
  }
}

// Where `using` is known.
if (Symbol.dispose) {
  Handle.prototype[Symbol.dispose] = function () {
    this.free();
  };
}
