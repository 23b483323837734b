// A `fetch` whose multivariant playlists have the tracks: for workers.
//
//     request ── likely? ── edited ── origin ── response ── pass, hold, stream, look, ask again ── edited
//
// What is decided, and which fields change, is the library's; here it is done.

import { contentOf, edited, sharedFields } from "./http.mjs";
import { join } from "./memory.mjs";

// Codings that fetch undoes by itself. It leaves the field that names them.
const DECODED = /^(x-gzip|gzip|deflate|br|zstd)$/i;

/** The fields of a response, whose body fetch has decoded. */
function decodedHeaders({ headers }) {
  const coding = headers.get("content-encoding");
  if (coding === null || !DECODED.test(coding.trim())) return headers;
  return edited(headers, [
    ["content-encoding", null],
    ["content-length", null],
  ]);
}

/** The chunks of a body; those in `first` come before what is still to be read. */
async function* chunksOf(reader, first) {
  yield* first;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

/** What comes out of the rewriter for the chunks, each part with how many bytes have gone in by then. A torn body ends as it did, unedited. */
async function* rewrite(rewriter, chunks) {
  let received = 0;
  try {
    for (;;) {
      let next;
      try {
        next = await chunks.next();
      } catch (error) {
        yield { bytes: rewriter.abandon(), received };
        throw error;
      }
      if (next.done) break;
      received += next.value.length;
      yield { bytes: rewriter.write(next.value), received };
    }
    yield { bytes: rewriter.finish(), received };
  } finally {
    rewriter.free();
  }
}

/** A stream of `first`, and then of what the parts have. `end` ends their source unless they come to their end. */
function streamOf(first, parts, end) {
  let waiting = first;
  return new ReadableStream(
    {
      async pull(controller) {
        while (waiting.length === 0) {
          let next;
          try {
            next = await parts.next();
          } catch (error) {
            end(error).catch(() => {});
            throw error;
          }
          if (next.done) return controller.close();
          waiting = next.value.bytes;
        }
        controller.enqueue(waiting);
        waiting = new Uint8Array();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

/** Reads until the first bytes tell what the body is. */
async function look(memory, reader) {
  const chunks = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (!done) chunks.push(value);
    const content = contentOf(memory, join(chunks.length > 0 ? chunks : [new Uint8Array()]), done);
    if (content !== undefined) return { chunks, content };
  }
}

/** The response with the rest of its body behind `chunks`, unedited. */
function passed(response, edits, reader, chunks) {
  if (!reader && edits.length === 0) return response;
  const { status, statusText } = response;
  const body = reader ? streamOf(new Uint8Array(), unedited(reader, chunks), (reason) => reader.cancel(reason)) : null;
  return new Response(body, { status, statusText, headers: edited(reader ? decodedHeaders(response) : response.headers, edits) });
}

async function* unedited(reader, chunks) {
  for await (const bytes of chunksOf(reader, chunks)) yield { bytes };
}

export function fetching(memory, configuration, rules, { fetch = globalThis.fetch, modified } = {}) {
  /** The edited response. If it is held and ends in time, it goes with its length. */
  async function rewritten(exchange, response, headers, decision, reader, chunks) {
    const { status, statusText } = response;
    const rewriter = configuration.rewriter();
    const parts = rewrite(rewriter, chunksOf(reader, chunks));
    const end = (reason) => {
      rewriter.free();
      return reader.cancel(reason);
    };
    const init = (edits) => ({ status, statusText, headers: edited(headers, edits) });
    const held = [];
    if (decision.action === "hold") {
      for (;;) {
        let next;
        try {
          next = await parts.next();
        } catch (error) {
          // It breaks off again where it did, behind what there is.
          const torn = (async function* () {
            throw error;
          })();
          return new Response(streamOf(join([new Uint8Array(), ...held]), torn, end), init(decision.edits));
        }
        if (next.done) {
          const body = join([new Uint8Array(), ...held]);
          return new Response(body, init(exchange.setLength(body.length)));
        }
        held.push(next.value.bytes);
        if (next.value.received > decision.holdBytes) break;
      }
    }
    return new Response(streamOf(join([new Uint8Array(), ...held]), parts, end), init(decision.edits));
  }

  async function answer(exchange, request) {
    const asked = exchange.request(configuration, request, modified);
    const edits = asked.edits.length > 0 ? { headers: edited(request.headers, asked.edits) } : undefined;
    let response = await fetch(edits ? new Request(request, edits) : request);
    if (asked.action === "excluded") return response;
    let headers = decodedHeaders(response);
    let decision = exchange.response({ status: response.status, headers });
    if (decision.action === "ask-again") {
      response.body?.cancel().catch(() => {});
      const again = exchange.requestAgain(request);
      response = await fetch(new Request(request, { headers: edited(request.headers, again.edits) }));
      headers = decodedHeaders(response);
      decision = exchange.response({ status: response.status, headers });
    }
    if (decision.action === "pass" || decision.action === "ask-again" || !response.body) {
      return passed(response, decision.edits, decision.edits.length > 0 ? response.body?.getReader() : undefined, []);
    }
    let chunks = [];
    const reader = response.body.getReader();
    if (decision.action === "look") {
      const seen = await look(memory, reader);
      chunks = seen.chunks;
      decision = exchange.response({ status: response.status, headers }, seen.content);
      if (decision.action !== "hold" && decision.action !== "stream") return passed(response, decision.edits, reader, chunks);
    }
    // What it refers to is relative to where it came from, and a response that is made has no URL of its own.
    if (response.redirected) {
      reader.cancel().catch(() => {});
      return new Response(null, { status: 302, headers: [...sharedFields(response.headers), ["location", response.url]] });
    }
    return rewritten(exchange, response, headers, decision, reader, chunks);
  }

  return async (input, init) => {
    const request = input instanceof Request && !init ? input : new Request(input, init);
    const exchange = rules.exchange();
    try {
      return await answer(exchange, request);
    } finally {
      exchange.free();
    }
  };
}
