// A live stream on loopback: a window of segments of packed audio, which blocks for those who name what they wait for, and can begin anew.
import { createServer } from "node:http";
import { packedAudio } from "./live-setup.mjs";

const TARGET = 2;
const PARTS = 4;
const MASTER = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS="avc1.42c00b"\nvideo.m3u8\n';
const BEGIN = Date.UTC(2026, 10, 23, 20);

export class Origin {
  /** All that has been asked for: path and query, with the range. */
  asked = [];
  first = 100;
  count = 6;
  openParts = 0;
  life = "a";
  /** What answers have, by the end of the path. */
  faults = {};
  hasParts = false;
  isComplete = false;
  servesRanges = true;
  #clock = 900_000;
  #start = BEGIN;
  #waiting = [];

  async start() {
    this.server = createServer((request, response) => this.#answer(request, response));
    await new Promise((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
    return this;
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }

  /** The stream goes on by a segment, or a part. */
  advance({ parts = 0 } = {}) {
    this.openParts += parts;
    if (parts === 0 || this.openParts === PARTS) {
      this.count += 1;
      this.openParts = 0;
    }
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** The encoder begins anew: lower numbers, another clock, a minute later. */
  restart() {
    Object.assign(this, { life: `${this.life}b`, first: 3, count: 6, openParts: 0 });
    this.#clock += 7_000_000;
    this.#start += 60_000 + 103 * TARGET * 1000;
  }

  get end() {
    return this.first + this.count;
  }

  version() {
    const window = 5;
    const lines = ["#EXTM3U", "#EXT-X-VERSION:6", `#EXT-X-TARGETDURATION:${TARGET}`, `#EXT-X-MEDIA-SEQUENCE:${this.end - window}`];
    if (this.hasParts) lines.push("#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.5", "#EXT-X-PART-INF:PART-TARGET=0.5");
    for (let number = this.end - window; number < this.end + (this.openParts > 0 ? 1 : 0); number++) {
      lines.push(`#EXT-X-PROGRAM-DATE-TIME:${new Date(this.#start + number * TARGET * 1000).toISOString()}`);
      const parts = number === this.end ? this.openParts : this.hasParts && number === this.end - 1 ? PARTS : 0;
      for (let part = 0; part < parts; part++) lines.push(`#EXT-X-PART:DURATION=0.5,URI="${this.life}${number}.${part}.aac"`);
      if (number < this.end) lines.push(`#EXTINF:${TARGET}.000,`, `${this.life}${number}.aac`);
    }
    if (this.isComplete) lines.push("#EXT-X-ENDLIST");
    return `${lines.join("\n")}\n`;
  }

  /** The first time stamp of a segment. */
  ticks(number) {
    return this.#clock + number * TARGET * 90_000;
  }

  /** How often what begins so has been asked for. */
  timesAsked(start) {
    return this.asked.filter((path) => path.startsWith(start)).length;
  }

  async #playlist(query) {
    const [segment, part] = ["_HLS_msn", "_HLS_part"].map((name) => query.get(name));
    if (segment === null) return part === null ? [200, this.version()] : [400, ""];
    if (Number(segment) > this.end + 2) return [400, ""];
    const isThere = () => Number(segment) < this.end || (Number(segment) === this.end && part !== null && Number(part) < this.openParts);
    while (!isThere()) await new Promise((resolve) => this.#waiting.push(resolve));
    return [200, this.version()];
  }

  async #answer(request, response) {
    const { pathname, searchParams } = new URL(request.url, this.url);
    const { range } = request.headers;
    this.asked.push(request.url + (range ? ` ${range}` : ""));
    const fault = Object.entries(this.faults).find(([end]) => pathname.endsWith(end))?.[1];
    let [status, body] = [404, ""];
    if (pathname === "/live/master.m3u8") [status, body] = [200, MASTER];
    else if (pathname === "/live/video.m3u8") [status, body] = await this.#playlist(searchParams);
    else if (pathname === "/subs/en.vtt") [status, body] = [200, this.subtitles];
    else if (/^\/live\/[ab]+\d+\.aac$/.test(pathname)) [status, body] = [200, packedAudio(this.ticks(Number(/\d+/.exec(pathname)[0])), 200_000)];
    const bytes = Buffer.from(body);
    const headers = { "access-control-allow-origin": "*", "content-length": bytes.length, "last-modified": "Mon, 23 Nov 2026 20:00:00 GMT" };
    const asked = this.servesRanges && status === 200 && /^bytes=(\d+)-(\d+)$/.exec(range ?? "");
    if (fault) return fault(response, bytes, headers);
    if (!asked) return response.writeHead(status, headers).end(bytes);
    const part = bytes.subarray(Number(asked[1]), Number(asked[2]) + 1);
    response.writeHead(206, { ...headers, "content-length": part.length, "content-range": `bytes ${asked[1]}-${asked[2]}/${bytes.length}` }).end(part);
  }

  /** A cue for each second of cue time, which begins with the stream's dates. */
  get subtitles() {
    const clock = (seconds) => new Date(seconds * 1000).toISOString().slice(11, 23);
    return `WEBVTT\n\n${Array.from({ length: 600 }, (_, second) => `${clock(second)} --> ${clock(second + 0.8)}\ncue ${second}\n`).join("\n")}`;
  }
}

/** When the stream's segment 0 is. */
export const at = new Date(BEGIN);
