// Jobs of fetching that the library gives: requests made and decryptions done, until nothing is to be done any more.
//
//     next ─┬─ a request ──────▶ fetch, and what comes of it
//           ├─ a decryption ───▶ WebCrypto, and what comes of it
//           └─ nothing: the job has ended

import { Handle } from "./memory.mjs";
import { struct } from "./structs.mjs";

const Field = struct("name:text value:text");
const Text = struct("text:text");
const Request = struct(
  "size:size method:text url:text fields:pointer field_count:size range:i32 purpose:i32 range_offset:u64 range_count:u64 byte_limit:u64",
);
const Decryption = struct("size:size key:pointer vector:pointer bytes:pointer count:size");

const NEEDS_MORE = 2;
const NEEDS_DECRYPTION = 6;
const BLOCK = 16;

const decoder = new TextDecoder();
/** The text that is there. */
export const textAt = (memory, address, count) => decoder.decode(memory.copy(address, count));

/**
 * Decrypts whole blocks of AES-CBC, and leaves padding where it is.
 *
 * WebCrypto wants padding, and takes it away. So one more block is put behind the others that decrypts to a whole block of it.
 */
export async function decrypt({ key, vector, bytes }, { subtle }) {
  const imported = await subtle.importKey("raw", key, "AES-CBC", false, ["encrypt", "decrypt"]);
  const last = bytes.subarray(bytes.length - BLOCK);
  const padding = await subtle.encrypt({ name: "AES-CBC", iv: last }, imported, new Uint8Array(0));
  const padded = new Uint8Array(bytes.length + BLOCK);
  padded.set(bytes);
  padded.set(new Uint8Array(padding), bytes.length);
  return new Uint8Array(await subtle.decrypt({ name: "AES-CBC", iv: vector }, imported, padded));
}

/** A job of fetching, step by step. */
export class Job extends Handle {
  /** `create` is called with a place for the address of a fetch. */
  constructor(memory, create) {
    super(memory, "surtitle_fetch_destroy", create);
    memory.check(memory.call("surtitle_fetch_set_decrypts", this.address, 1));
  }

  /** What a function tells in a struct, and its status. */
  ask(name, layout) {
    const { memory } = this;
    const place = memory.allocate(layout.size);
    layout.write(memory.view, place, {});
    return { status: memory.call(name, this.address, place), told: layout.read(memory.view, place) };
  }

  /** What is to be done next: a request, a decryption, or nothing more. */
  next() {
    const { memory } = this;
    return memory.use(() => {
      const { status, told } = this.ask("surtitle_fetch_next", Request);
      if (status === NEEDS_DECRYPTION) {
        const { key, vector, bytes, count } = this.ask("surtitle_fetch_decryption", Decryption).told;
        return { decryption: { key: memory.copy(key, BLOCK), vector: memory.copy(vector, BLOCK), bytes: memory.copy(bytes, count) } };
      }
      if (status !== NEEDS_MORE) return {};
      const fields = memory.read(Field, told.fields, told.field_count);
      return {
        request: {
          url: textAt(memory, told.url, told.url_count),
          headers: fields.map(({ name, name_count, value, value_count }) => [textAt(memory, name, name_count), textAt(memory, value, value_count)]),
        },
      };
    });
  }

  /** Takes the beginning of a response, and says whether its body is wanted. */
  begin({ status, url, headers }) {
    const { memory } = this;
    return memory.use(() => {
      const fields = [...headers].map(([name, value]) => ({ ...memory.text("name", name), ...memory.text("value", value) }));
      const array = memory.array(Field, fields);
      const final = memory.allocate(Text.size);
      Text.write(memory.view, final, url ? memory.text("text", url) : {});
      // Content codings have been undone.
      return this.#wants(memory.call("surtitle_fetch_begin", this.address, status, final, 1, array, fields.length));
    });
  }

  /** Takes bytes of the body, and says whether more are wanted. */
  write(bytes) {
    const { memory } = this;
    return memory.use(() => this.#wants(memory.call("surtitle_fetch_write", this.address, memory.put(bytes), bytes.length)));
  }

  #wants(status) {
    return this.memory.check(status) === NEEDS_MORE;
  }

  end(isWhole) {
    this.memory.check(this.memory.call(`surtitle_fetch_${isWhole ? "finish" : "fail"}`, this.address));
  }

  /** Takes what has become of a decryption; undefined if nothing has. */
  decrypted(bytes) {
    const { memory } = this;
    memory.use(() => memory.check(memory.call("surtitle_fetch_decrypted", this.address, bytes ? memory.put(bytes) : 0, bytes?.length ?? 0)));
  }
}

/** Makes a request, and feeds what comes of it. */
async function run(job, { url, headers }, { fetch, signal }) {
  try {
    const response = await fetch(url, { headers, signal });
    if (!job.begin(response)) return void response.body?.cancel().catch(() => {});
    const reader = response.body?.getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return job.end(true);
      if (!job.write(value)) return void reader.cancel().catch(() => {});
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    job.end(false);
  }
}

/** Does all that a job wants done. An abort is an error, and nothing else is: the job says what has come of it. */
export async function carryOut(job, { fetch, crypto, signal }) {
  for (;;) {
    signal?.throwIfAborted();
    const { request, decryption } = job.next();
    if (request) await run(job, request, { fetch, signal });
    else if (decryption) job.decrypted(await decrypt(decryption, crypto).catch(() => undefined));
    else return;
  }
}
