// Subtitles beside an HLS stream, in JavaScript: over surtitle.wasm, for browsers, workers and node.
//
//     const surtitle = await load(fetch(new URL("surtitle.wasm", import.meta.url)));
//     const configuration = surtitle.configure({ tracks: [{ uri: "subs/en.m3u8", language: "en", name: "English" }] });
//     configuration.sideload(bytes);
//
// surtitle.d.mts says what each function takes, gives and throws.

import { Configuration } from "./configuration.mjs";
import { SurtitleError } from "./errors.mjs";
import { fetching } from "./fetching.mjs";
import { HTTPRules, contentOf, edited } from "./http.mjs";
import { Memory, moduleOf, objectOf } from "./memory.mjs";
import * as subtitles from "./subtitles.mjs";

class Surtitle {
  #memory;

  constructor(module) {
    this.#memory = new Memory(module);
  }

  get version() {
    return this.#memory.string(this.#memory.call("surtitle_version_text"));
  }

  get memoryBytes() {
    return this.#memory.byteLength;
  }

  configure(configuration) {
    return new Configuration(this.#memory, configuration);
  }

  rules(settings) {
    return new HTTPRules(this.#memory, settings);
  }

  contentOf(bytes, isWhole = false) {
    return contentOf(this.#memory, bytes, isWhole);
  }

  fetching(configuration, options = {}) {
    const { fetch, modified, ...settings } = objectOf(options, "options");
    if (!(configuration instanceof Configuration)) throw new TypeError("the configuration is none that configure() has given");
    return fetching(this.#memory, configuration, this.rules(settings), { fetch, modified });
  }

  subtitlePlaylist(entries, options) {
    return subtitles.subtitlePlaylist(this.#memory, entries, options);
  }

  finalCueEnd(file) {
    return subtitles.finalCueEnd(this.#memory, file);
  }

  latestCueEnd(file) {
    return subtitles.latestCueEnd(this.#memory, file);
  }

  cues(file) {
    return subtitles.cues(this.#memory, file);
  }

  segments(file, options) {
    return subtitles.segments(this.#memory, file, options);
  }

  withTimestampMap(file, map) {
    return subtitles.withTimestampMap(this.#memory, file, map);
  }

  toWebVTT(file, name) {
    return subtitles.toWebVTT(this.#memory, file, name);
  }
}

/** The library over a module that is compiled already, as edge workers have it. */
export const fromModule = (module) => new Surtitle(module);

/** The library over a module, its bytes, or a response that brings them. */
export const load = async (source) => new Surtitle(await moduleOf(source));

export { SurtitleError, edited };
