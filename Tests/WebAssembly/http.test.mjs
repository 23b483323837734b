// The two questions over Headers, and the fetch that asks and obeys them: the rows of Tests/C/http.c, and an origin that answers in every way.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bytes, drain, edited, load, masters, moduleBytes, same, source, surtitle, text, tracks } from "./setup.mjs";

const configuration = surtitle.configure({ tracks });
const tag = `a-surtitle-${configuration.fingerprint.toString(16).padStart(16, "0")}`;
const [{ playlist, edited: sideloaded }] = masters;
const PLAYLIST = "application/vnd.apple.mpegurl";

const get = (url, headers = {}) => ({ method: "GET", url, headers: new Headers(headers) });
const answer = (status, headers = {}) => ({ status, headers: new Headers(headers) });
const edits = (decision) => Object.fromEntries(decision.edits.map(([name, value]) => [name.toLowerCase(), value]));

test("a range of a playlist is asked for whole, and tags that are ours become the origin's", () => {
  const exchange = surtitle.rules().exchange();
  const asked = exchange.request(
    configuration,
    get("https://example.com/video/master.m3u8?a=1", { range: "bytes=0-1", "accept-encoding": "gzip", "if-none-match": `"x", "${tag}"`, "x-other": "1" }),
  );
  assert.deepEqual([asked.action, asked.reason], ["likely", "likely-path"]);
  assert.deepEqual(edits(asked), { range: null, "accept-encoding": "identity", "if-none-match": '"a"' });

  const response = answer(200, { "content-type": PLAYLIST, "content-length": "1000", etag: '"a"' });
  const decision = exchange.response(response);
  assert.deepEqual([decision.action, decision.reason, decision.holdBytes], ["hold", "playlist-type", 65536]);
  assert.equal(edits(decision)["content-length"], null);
  assert.equal(edits(decision).etag, `"${tag}"`);
  const headers = edited(response.headers, exchange.setLength(1234));
  assert.deepEqual([headers.get("content-length"), headers.get("etag")], ["1234", `"${tag}"`]);
  assert.deepEqual([response.headers.get("content-length"), headers.get("content-type")], ["1000", PLAYLIST]);
  assert.deepEqual([exchange.response(answer(304, { etag: '"a"' })).action, exchange.response(answer(304)).reason], ["pass", "not-modified"]);
});

test("first bytes tell where the type does not", () => {
  const exchange = surtitle.rules().exchange();
  exchange.request(configuration, get("/video/master.m3u8"));
  assert.equal(exchange.response(answer(200)).action, "look");
  assert.equal(surtitle.contentOf("#EXTM"), undefined);
  assert.equal(surtitle.contentOf("#EXTM", true), "other");
  assert.equal(surtitle.contentOf("#EXTM3U\n#EXT"), "playlist");
  assert.deepEqual(exchange.response(answer(200), "playlist").reason, "playlist-content");
  assert.equal(exchange.response(answer(200), "other").action, "pass");
});

test("media is left alone, and a part of a playlist at an unlikely path is asked for again", () => {
  const exchange = surtitle.rules().exchange();
  const request = get("https://example.com/play", { range: "bytes=0-1", "accept-encoding": "gzip" });
  const media = exchange.request(configuration, { ...request, url: "/1.ts" }, new Date(784111777000));
  assert.deepEqual([media.action, media.edits], ["unlikely", []]);
  assert.equal(exchange.request(configuration, request).action, "unlikely");
  const part = exchange.response(answer(206, { "content-type": PLAYLIST }));
  assert.deepEqual([part.action, part.reason], ["ask-again", "partial-content"]);
  const again = exchange.requestAgain(request);
  assert.deepEqual([again.action, edits(again)], ["again", { range: null, "accept-encoding": "identity" }]);
});

test("patterns and what is held are settings", () => {
  const exchange = surtitle.rules({ patterns: ["/play*"], longestHeld: 0 }).exchange();
  assert.equal(exchange.request(configuration, get("/play")).action, "likely");
  assert.equal(exchange.response(answer(200, { "content-type": PLAYLIST })).action, "stream");
  assert.throws(
    () => surtitle.rules({ patterns: ["*.m3u8", "/a?b"] }),
    ({ status, field, index, position }) => status === "pattern-refused" && field === "patterns[1]" && index === 1 && position === 2,
  );
});

test("Last-Modified is removed, or the later of the playlist's and the tracks'", () => {
  const [early, late] = ["Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 09:49:37 GMT"];
  for (const [modified, expected] of [[undefined, null], [new Date(late), late]]) {
    const exchange = surtitle.rules().exchange();
    exchange.request(configuration, get("/a.m3u8"), modified);
    assert.equal(edits(exchange.response(answer(200, { "content-type": PLAYLIST, "last-modified": early })))["last-modified"], expected);
  }
});

test("no-transform counts, unless it is said not to", () => {
  const untouchable = answer(200, { "content-type": PLAYLIST, "cache-control": "no-transform" });
  for (const [ignoresNoTransform, action] of [[false, "pass"], [true, "hold"]]) {
    const exchange = surtitle.rules({ ignoresNoTransform }).exchange();
    exchange.request(configuration, get("/a.m3u8"));
    assert.equal(exchange.response(untouchable).action, action);
  }
});

test("misuse is told", () => {
  const exchange = surtitle.rules().exchange();
  assert.throws(() => exchange.response(answer(200)), ({ status }) => status === "invalid-value");
  assert.throws(() => exchange.requestAgain(get("/")), ({ status }) => status === "invalid-value");
  exchange.request(configuration, get("/a.m3u8"));
  assert.throws(() => exchange.response(answer(200), "something"), ({ status }) => status === "invalid-value");
  for (const longestHeld of [-1, 1.5, NaN, Infinity, "64", 2 ** 32 + 5]) assert.throws(() => surtitle.rules({ longestHeld }), RangeError);
  exchange.free();
  assert.throws(() => exchange.response(answer(200)), /has been freed/);
});

/** What a request gets, and the requests that the origin got. */
async function ask(origin, { url = "https://example.com/film/master.m3u8", method = "GET", headers = {}, options = {} } = {}) {
  const requests = [];
  const fetch = async (request) => {
    requests.push(request);
    return origin(request, requests.length);
  };
  const response = await surtitle.fetching(configuration, { ...options, fetch })(new Request(url, { method, headers }));
  return { requests, response, ...(response.body ? await drain(response.body) : { bytes: new Uint8Array() }) };
}

const typed = (body, headers = {}, init = {}) => new Response(body, { ...init, headers: { "content-type": PLAYLIST, ...headers } });

test("fetching: a playlist goes with its tracks, its length and its tag", async () => {
  const { response, bytes: body, requests } = await ask(() => typed(playlist, { etag: '"a"', "content-length": String(playlist.length) }), {
    headers: { range: "bytes=0-9", "if-none-match": `"${tag}"` },
  });
  assert.ok(same(body, sideloaded));
  assert.deepEqual([response.status, response.headers.get("content-length"), response.headers.get("etag")], [200, String(sideloaded.length), `"${tag}"`]);
  assert.deepEqual([requests[0].headers.get("range"), requests[0].headers.get("if-none-match")], [null, '"a"']);
});

test("fetching: what comes in pieces, and is more than is held, is streamed", async () => {
  const chunks = () => source([playlist.subarray(0, 100), playlist.subarray(100, 101), playlist.subarray(101)]);
  for (const longestHeld of [0, 50, 100, playlist.length - 1, playlist.length, 65536]) {
    const { response, bytes: body } = await ask(() => typed(chunks(), { "content-length": String(playlist.length) }), { options: { longestHeld } });
    assert.ok(same(body, sideloaded), `held up to ${longestHeld}`);
    assert.equal(response.headers.get("content-length"), longestHeld >= playlist.length ? String(sideloaded.length) : null);
  }
});

test("fetching: other responses are handed over as they are", async () => {
  const whole = new Response("media", { headers: { "content-type": "video/mp2t", etag: '"m"' } });
  const { response, requests } = await ask(() => whole, { url: "https://example.com/1.ts", headers: { range: "bytes=0-1" } });
  assert.equal(response, whole);
  assert.equal(requests[0].headers.get("range"), "bytes=0-1");
  const post = await ask(() => typed(playlist), { method: "POST" });
  assert.ok(same(post.bytes, playlist));
});

test("fetching: a body without a type is looked at", async () => {
  const start = [playlist.subarray(0, 3), playlist.subarray(3, 5)];
  const found = await ask(() => new Response(source([...start, playlist.subarray(5)])));
  assert.ok(same(found.bytes, sideloaded));
  for (const other of ["#EXTM", "", "no playlist, and long enough to see it"]) {
    const passed = await ask(() => new Response(source([bytes(other)])));
    assert.equal(text(passed.bytes), other);
  }
});

test("fetching: a part that comes of an unlikely request is asked for again, whole", async () => {
  const origin = (request, number) => (number === 1 ? typed(playlist.subarray(0, 10), {}, { status: 206 }) : typed(playlist));
  const { bytes: body, requests, response } = await ask(origin, { url: "https://example.com/play", headers: { range: "bytes=0-9" } });
  assert.deepEqual([requests.length, requests[0].headers.get("range"), requests[1].headers.get("range"), response.status], [2, "bytes=0-9", null, 200]);
  assert.ok(same(body, sideloaded));
});

test("fetching: what fetch has decoded is edited", async () => {
  const { bytes: body, response } = await ask(() => typed(playlist, { "content-encoding": "gzip", "content-length": "12" }));
  assert.ok(same(body, sideloaded));
  assert.deepEqual([response.headers.get("content-encoding"), response.headers.get("content-length")], [null, String(sideloaded.length)]);
  const other = await ask(() => new Response("no playlist, and decoded", { headers: { "content-encoding": "br", "content-length": "9", "content-type": "" } }));
  assert.deepEqual([text(other.bytes), other.response.headers.get("content-encoding"), other.response.headers.get("content-length")], ["no playlist, and decoded", null, null]);
  const unknown = await ask(() => typed(playlist, { "content-encoding": "compress" }));
  assert.ok(same(unknown.bytes, playlist) && unknown.response.headers.get("content-encoding") === "compress");
});

test("fetching: 304 and HEAD have the tag that the client knows", async () => {
  const unchanged = await ask(() => new Response(null, { status: 304, headers: { etag: '"a"' } }), { headers: { "if-none-match": `"${tag}"` } });
  assert.deepEqual([unchanged.response.status, unchanged.response.headers.get("etag")], [304, `"${tag}"`]);
  const head = await ask(() => typed(null, { etag: '"a"', "content-length": "100" }), { method: "HEAD" });
  assert.deepEqual([head.response.headers.get("etag"), head.response.headers.get("content-length")], [`"${tag}"`, null]);
});

test("fetching: a redirected playlist is redirected to, since what it refers to is relative to there", async () => {
  const there = "https://cdn.example.com/other/master.m3u8";
  const moved = () => Object.defineProperties(typed(playlist, { "access-control-allow-origin": "*" }), { redirected: { value: true }, url: { value: there } });
  const { response } = await ask(moved);
  assert.deepEqual([response.status, response.headers.get("location"), response.headers.get("access-control-allow-origin")], [302, there, "*"]);
});

test("fetching: an origin that breaks off is broken off from, behind what came", async () => {
  const reason = new Error("the origin is gone");
  for (const longestHeld of [0, 65536]) {
    for (const end of [0, 5, 12, 100, playlist.length - 1]) {
      const torn = playlist.subarray(0, end);
      const { error, bytes: body, response } = await ask(() => typed(source(end ? [torn] : [], reason)), { options: { longestHeld } });
      assert.equal(error, reason, `torn at ${end}, held up to ${longestHeld}`);
      assert.equal(response.headers.get("content-length"), null);
      assert.ok(!text(body).includes("subs/en.m3u8"));
      assert.ok(text(body).endsWith(text(torn.subarray(torn.lastIndexOf(10) + 1))));
    }
  }
});

test("fetching: a client that leaves ends the origin's response", async () => {
  let left;
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(bytes("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n")),
    cancel: (reason) => {
      left = reason;
    },
  });
  const fetch = surtitle.fetching(configuration, { longestHeld: 0, fetch: async () => typed(body) });
  const reader = (await fetch("https://example.com/master.m3u8")).body.getReader();
  await reader.read();
  await reader.cancel("enough");
  assert.equal(left, "enough");
});

/** A body that goes on with these chunks for ever, or is silent after the first one; `left` tells whether it has been cancelled. */
function unending({ isSilent }) {
  const body = { left: false, count: 0 };
  body.stream = new ReadableStream(
    {
      pull: (controller) => (body.count++ > 0 && isSilent ? new Promise(() => {}) : controller.enqueue(bytes("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\na\n"))),
      cancel: () => {
        body.left = true;
      },
    },
    { highWaterMark: 0 },
  );
  return body;
}

test("fetching: a client that leaves does not wait for an origin that is silent", async () => {
  for (const type of [PLAYLIST, "text/plain"]) {
    const origin = unending({ isSilent: true });
    const fetch = surtitle.fetching(configuration, { longestHeld: 0, fetch: async () => typed(origin.stream, { "content-type": type }) });
    const reader = (await fetch("https://example.com/master.m3u8")).body.getReader();
    await reader.read();
    reader.read();
    await new Promise((resolve) => setTimeout(resolve));
    await reader.cancel("enough");
    assert.ok(origin.left, type);
  }
});

test("fetching: what is refused ends the origin's response", async () => {
  const failing = surtitle.configure({ tracks, limits: { "longest-line": 10, "past-limit": "fail" } });
  for (const longestHeld of [0, 65536]) {
    const origin = unending({ isSilent: false });
    const fetch = surtitle.fetching(failing, { longestHeld, fetch: async () => typed(origin.stream) });
    const { error } = await drain((await fetch("https://example.com/master.m3u8")).body);
    assert.deepEqual([error.status, origin.left], ["limit-exceeded", true]);
  }
});

test("fetching: clients that leave before they have read anything cost no memory", async () => {
  const own = await load(moduleBytes);
  const fetch = own.fetching(own.configure({ tracks }), { longestHeld: 0, fetch: async () => typed(playlist) });
  const leave = async () => (await fetch("https://example.com/master.m3u8")).body.cancel();
  for (let count = 0; count < 10; count++) await leave();
  const before = own.memoryBytes;
  for (let count = 0; count < 500; count++) await leave();
  assert.equal(own.memoryBytes, before);
});

test("fetching: it is asked again though the first response has broken off", async () => {
  const origin = (request, number) => (number === 1 ? typed(source([], new Error("reset")), {}, { status: 206 }) : typed(playlist));
  const { bytes: body } = await ask(origin, { url: "https://example.com/play", headers: { range: "bytes=0-9" } });
  assert.ok(same(body, sideloaded));
});

test("fetching: an origin that cannot be reached is the caller's matter", async () => {
  const reason = new TypeError("fetch failed");
  await assert.rejects(ask(() => Promise.reject(reason)), reason);
});
