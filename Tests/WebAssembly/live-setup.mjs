// What the tests of live streams share: the module, and streams, of which some are those that `surtitle live` has had (live.py).
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { built, expectations, expected, text } from "./setup.mjs";

export const moduleBytes = readFileSync(join(built, "surtitle-live.wasm"));
export const { loadLive, liveFromModule } = await import(join(built, "live.mjs"));
export const live = await loadLive(moduleBytes);

/** When the streams of live.py have begun. */
export const at = "2026-11-25T02:38:00Z";

/** A stream of live.py: its versions, each with what the command made of it, and the time stamps of its segments. */
function streamOf(name) {
  const [head, ...versions] = text(expected(join("live", name, "stream.txt"))).split(/^=\n/m);
  const ticks = new Map(head.trim().split("\n").map((line) => [line.split(" ")[1], Number(line.split(" ")[2])]));
  const files = readdirSync(join(expectations, "live", name));
  const made = (file) => expected(join("live", name, file));
  return {
    name,
    ticks,
    versions: versions.map((version, number) => ({
      version,
      playlist: made(`${number}.m3u8`),
      segments: files.filter((file) => file.startsWith(`${number}-`)).map((file) => [file.slice(`${number}-`.length), made(file)]),
    })),
  };
}
export const streams = readdirSync(join(expectations, "live"), { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => streamOf(name));
export const cues = expected("live/cues.vtt");

/** Tells a channel all time stamps that it wants; returns how many. */
export function tell(channel, ticks) {
  let count = 0;
  for (let want; (want = channel.next()); count++) {
    const found = ticks.get(want.media.uri);
    if (found === undefined) channel.noMediaStart(want.segment);
    else channel.mediaStart(want.segment, found);
  }
  return count;
}

/** A segment of packed audio that begins with this time stamp, and is `count` bytes long. */
export function packedAudio(ticks, count = 2000) {
  const bytes = Buffer.alloc(count, 0xff);
  const owner = "com.apple.streaming.transportStreamTimestamp\0";
  const size = owner.length + 8;
  bytes.write("ID3\u0004\u0000\u0000", 0, "latin1");
  bytes.writeUInt32BE(size + 10, 6);
  bytes.write("PRIV", 10, "latin1");
  bytes.writeUInt32BE(size, 14);
  bytes.writeUInt16BE(0, 18);
  bytes.write(owner, 20, "latin1");
  bytes.writeBigUInt64BE(BigInt(ticks), 20 + owner.length);
  return bytes;
}
