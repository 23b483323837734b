// Rewriters: a playlist goes in as it comes, and goes out with its tracks.

import { Handle, bytesOf, join } from "./memory.mjs";
import { struct } from "./structs.mjs";

const Report = struct(
  "size:size verdict:i32 is_settled:i32 verdict_position:i64 held_bytes:u64 output_left:u64 added_bytes:u64 uneditable_lines:u64 " +
    "first_uneditable_line:i64 mapped_uris:u64 dropped_variants:u64 exceeded_limit:i32 reserved:i32 limit_position:i64",
);

const VERDICTS = ["undecided", "multivariant", "media", "mixed", "no-playlist"];
const LIMITS = {
  1: "longest-line",
  2: "held-renditions",
  3: "longest-group-id",
  4: "appended-tags",
  5: "held-variables",
  6: "longest-uri",
  255: "other",
};

const MORE_OUTPUT = 4;
const TOO_SMALL = 5;
const LIMIT_EXCEEDED = 48;

// What a playlist may gain without being asked for twice.
const ROOM = 16 * 1024;

/** A position of the library's, which is -1 if there is none. */
const position = (number) => (number < 0 ? undefined : number);

export class Rewriter extends Handle {
  constructor(memory, configuration) {
    super(memory, "surtitle_rewriter_destroy", (place) => memory.call("surtitle_rewriter_create", configuration, 0, place));
  }

  write(chunk) {
    return this.#collect("surtitle_rewriter_write_to", bytesOf(chunk, "chunk"));
  }

  finish() {
    return this.#collect("surtitle_rewriter_finish_to");
  }

  abandon() {
    return this.#collect("surtitle_rewriter_abandon_to");
  }

  reset() {
    this.memory.check(this.memory.call("surtitle_rewriter_reset", this.address));
  }

  get report() {
    const { memory } = this;
    return memory.use(() => {
      const place = memory.array(Report, [{}]);
      memory.check(memory.call("surtitle_rewriter_report", this.address, place));
      const [told] = memory.read(Report, place, 1);
      return {
        verdict: VERDICTS[told.verdict],
        verdictPosition: position(told.verdict_position),
        isSettled: told.is_settled === 1,
        heldBytes: told.held_bytes,
        addedBytes: told.added_bytes,
        uneditableLines: told.uneditable_lines,
        firstUneditableLine: position(told.first_uneditable_line),
        mappedURIs: told.mapped_uris,
        droppedVariants: told.dropped_variants,
        exceededLimit: LIMITS[told.exceeded_limit],
        limitPosition: position(told.limit_position),
      };
    });
  }

  /** A whole playlist by one call, or by two if it gains more than is usual. */
  whole(playlist) {
    const { memory } = this;
    return memory.use(() => {
      const input = memory.put(playlist);
      const written = memory.allocate(4);
      let capacity = playlist.length + (playlist.length >> 2) + ROOM;
      for (;;) {
        const output = memory.allocate(capacity);
        const status = memory.call("surtitle_rewriter_whole", this.address, input, playlist.length, output, capacity, written);
        if (status !== TOO_SMALL) return this.#checked(status, memory.copy(output, memory.u32(written)));
        capacity = memory.u32(written);
      }
    });
  }

  /** Calls a function that writes into memory, and then as often as is needed for the rest. */
  #collect(name, chunk) {
    const { memory } = this;
    return memory.use(() => {
      const input = chunk ? [memory.put(chunk), chunk.length] : [];
      const capacity = (chunk?.length ?? 0) + ROOM;
      const output = memory.allocate(capacity);
      const written = memory.allocate(4);
      let status = memory.call(name, this.address, ...input, output, capacity, written);
      const parts = [memory.copy(output, memory.u32(written))];
      while (status === MORE_OUTPUT) {
        status = memory.call("surtitle_rewriter_take", this.address, output, capacity, written);
        parts.push(memory.copy(output, memory.u32(written)));
      }
      return this.#checked(status, join(parts));
    });
  }

  /** The output, unless the status is a failure. Past a limit the output is there all the same. */
  #checked(status, output) {
    if (status < 16) return output;
    const error = this.memory.failure(status);
    if (status === LIMIT_EXCEEDED) error.output = output;
    throw error;
  }
}

/**
 * A transform stream through a rewriter, which it frees in the end.
 *
 * A TransformStream drops what waits in it when its source breaks off. In this one nothing waits: a chunk is enqueued when somebody reads.
 * So what was held goes out, and it breaks off behind that.
 */
export function rewritingStream(rewriter) {
  let output;
  let isWanted;
  let want;
  const isNowWaiting = () => {
    isWanted = new Promise((resolve) => {
      want = resolve;
    });
  };
  isNowWaiting();
  const enqueue = async (bytes) => {
    if (bytes.length === 0) return;
    await isWanted;
    isNowWaiting();
    output.enqueue(bytes);
  };
  let input;
  const readable = new ReadableStream(
    {
      start(controller) {
        output = controller;
      },
      pull() {
        want();
      },
      cancel(reason) {
        rewriter.free();
        input.error(reason);
        want();
      },
    },
    { highWaterMark: 0 },
  );
  let isSettled = false;
  /** What `body` gives. If it throws, both sides break off. */
  const attempt = (body) => {
    try {
      return body();
    } catch (error) {
      rewriter.free();
      output.error(error);
      throw error;
    }
  };
  const writable = new WritableStream({
    start(controller) {
      input = controller;
    },
    async write(chunk) {
      const edited = attempt(() => (isSettled ? bytesOf(chunk, "chunk") : rewriter.write(chunk)));
      isSettled ||= attempt(() => rewriter.report.isSettled);
      await enqueue(edited);
    },
    async close() {
      const rest = attempt(() => rewriter.finish());
      rewriter.free();
      await enqueue(rest);
      output.close();
    },
    async abort(reason) {
      const held = attempt(() => rewriter.abandon());
      rewriter.free();
      await enqueue(held);
      output.error(reason);
    },
  });
  return { readable, writable };
}
