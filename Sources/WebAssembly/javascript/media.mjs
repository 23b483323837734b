// Which X-TIMESTAMP-MAP the subtitles of a video need: what the time stamp is that its first segment begins with, of AES-128 too. This is over
// surtitle-media.wasm, a module of its own, because it is needed once for a video and not for each playlist.

import { SurtitleError } from "./errors.mjs";
import { Job, carryOut, textAt } from "./jobs.mjs";
import { Memory, moduleOf, objectOf, urlOf } from "./memory.mjs";
import { struct } from "./structs.mjs";

export { decrypt } from "./jobs.mjs";

const Settings = struct(
  "size:size job:i32 format:i32 url:text video:text duration_nanoseconds:u64 map:i32 reserved:i32 mpegts:u64 local_milliseconds:i64 " +
    "tail:size block:size file:size playlist:size segment:size requests:size shift_milliseconds:i64",
);
const Fetched = struct(
  "size:size is_playlist:i32 is_converted:i32 bytes:pointer count:size url:text duration_nanoseconds:u64 final_cue_milliseconds:i64 " +
    "source:i32 has_map:i32 mpegts:u64 local_milliseconds:i64 start_nanoseconds:u64 failure:i32 purpose:i32 http_status:i32 reserved:i32 message:text",
);

const MEDIA_START = 3;
const OK = 0;

/** The job of finding the map. */
class Search extends Job {
  constructor(memory, url) {
    super(memory, (place) => {
      const settings = memory.allocate(Settings.size);
      Settings.write(memory.view, settings, { job: MEDIA_START, ...memory.text("video", url) });
      return memory.call("surtitle_fetch_create", settings, place);
    });
  }

  /** The map, once nothing is to be done any more. */
  get map() {
    const { memory } = this;
    return memory.use(() => {
      const { status, told } = this.ask("surtitle_fetch_result", Fetched);
      if (status === OK) return { mpegts: told.mpegts, local: told.local_milliseconds / 1e3 };
      throw new SurtitleError(status, { message: `${textAt(memory, told.url, told.url_count)}: ${textAt(memory, told.message, told.message_count)}` });
    });
  }
}

class Media {
  #memory;

  constructor(module) {
    this.#memory = new Memory(module);
  }

  get memoryBytes() {
    return this.#memory.byteLength;
  }

  async timestampMap(video, options = {}) {
    const { fetch = globalThis.fetch, crypto = globalThis.crypto, signal } = objectOf(options, "options");
    const search = new Search(this.#memory, urlOf(video, "video"));
    try {
      await carryOut(search, { fetch, crypto, signal });
      return search.map;
    } finally {
      search.free();
    }
  }
}

/** The search over surtitle-media.wasm: a module, its bytes, or a response that brings them. */
export const loadMedia = async (source) => new Media(await moduleOf(source));
