// A live stream for a server, over surtitle_stream_* of surtitle.h: what is fetched for who asks, for how long they wait, what they get.

import { CHANGES, LiveSpan, Span, channelSettings, factsOf, stateOf, textArgument } from "./channel.mjs";
import { Job } from "./jobs.mjs";
import { Handle, bytesOf, limit } from "./memory.mjs";
import { struct } from "./structs.mjs";

const Ask = struct("size:size kind:i32 has_fetched:i32 waits_for:big began:i64 text:text");
// The span comes behind these fields.
const Step = struct("size:size kind:i32 http_status:i32 fetch:big wait:i64 lifetime:i64");
const STEP_SIZE = Step.size + Span.size;

const ASKS = ["playlist", "segment"];
const STEPS = ["fetch", "wait", "playlist", "segment", "status"];
const OK = 0;
const NOT_FOUND = 1;

/** A time in milliseconds, as the library has it. */
const whole = (milliseconds) => BigInt(Math.trunc(milliseconds));

/** A job of a stream's, whose address the library has told. */
const jobAt = (memory, address) => new Job(memory, (place) => (memory.view.setUint32(place, address, true), OK));

export class Stream extends Handle {
  /** The stream of a media playlist at this absolute URL; with a state one that goes on from there. */
  constructor(memory, settings, url, state) {
    super(memory, "surtitle_stream_destroy", (place) => {
      const fields = channelSettings(memory, settings);
      // A text goes by its address, too.
      const text = textArgument(memory, url, "video");
      if (state === undefined) return memory.call("surtitle_stream_create", fields, text, place);
      const bytes = bytesOf(state, "state");
      return memory.callTelling("surtitle_stream_restore", fields, text, memory.put(bytes), bytes.length, place);
    });
  }

  /**
   * What is done next for `ask`, which keeps what has been done: `kind` ("playlist" with the query as its `text`, "segment" with the name),
   * `text`, and when it `began`.
   */
  step(ask, now) {
    const { memory } = this;
    return memory.use(() => {
      const fields = { kind: ASKS.indexOf(ask.kind), has_fetched: ask.hasFetched ?? 0, waits_for: ask.waitsFor ?? 0, began: whole(ask.began) };
      const asked = memory.array(Ask, [{ ...fields, ...memory.text("text", ask.text) }]);
      const place = memory.allocate(STEP_SIZE);
      memory.view.setUint32(place, STEP_SIZE, true);
      Span.write(memory.view, place + Step.size, {});
      const fetch = memory.allocate(4);
      memory.check(memory.call("surtitle_stream_step", this.address, asked, whole(now), place, fetch));
      const { has_fetched, waits_for } = Ask.read(memory.view, asked);
      Object.assign(ask, { hasFetched: has_fetched, waitsFor: waits_for });
      const told = Step.read(memory.view, place);
      const step = { kind: STEPS[told.kind], status: told.http_status, wait: told.wait, lifetime: told.lifetime };
      if (step.kind === "fetch") Object.assign(step, { number: told.fetch, job: jobAt(memory, memory.u32(fetch)) });
      if (step.kind === "segment") step.span = new LiveSpan(memory, place + Step.size);
      return step;
    });
  }

  /** A fetch that will be asked for, best begun at once; undefined if there is none. */
  early(now) {
    const { memory } = this;
    return memory.use(() => {
      const [number, fetch] = [memory.allocate(8), memory.allocate(4)];
      const status = memory.check(memory.call("surtitle_stream_early", this.address, whole(now), number, fetch));
      if (status === NOT_FOUND) return undefined;
      return { number: memory.view.getBigUint64(number, true), job: jobAt(memory, memory.u32(fetch)) };
    });
  }

  /** Takes what a fetch has come to: what it has changed, undefined if it was no version of the playlist, or one that is refused. */
  take({ number, job }, now) {
    const { memory } = this;
    return memory.use(() => {
      const change = memory.allocate(4);
      memory.call("surtitle_stream_take", this.address, number, job.address, whole(now), change, 0);
      return CHANGES[memory.view.getInt32(change, true)];
    });
  }

  /** Nobody carries out that fetch any more. */
  cancel(number) {
    this.memory.check(this.memory.call("surtitle_stream_cancel", this.address, number));
  }

  get facts() {
    return factsOf(this, "surtitle_stream_facts");
  }

  playlist(prefix, { lag = 0 } = {}) {
    const { memory } = this;
    return memory.use(() => memory.pieces("surtitle_stream_playlist", this.address, textArgument(memory, prefix, "prefix"), limit(lag, "lag")));
  }

  save() {
    return stateOf(this, "surtitle_stream_save");
  }
}
