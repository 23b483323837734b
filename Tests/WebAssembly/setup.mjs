// What the tests share: the built module, the files that they rewrite, and what the command makes of them (run.sh).
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

export const built = process.env.SURTITLE_WASM;
export const expectations = process.env.SURTITLE_EXPECTED;

export const moduleBytes = readFileSync(join(built, "surtitle.wasm"));
export const { load, fromModule, SurtitleError, edited } = await import(join(built, "surtitle.mjs"));
export const surtitle = await load(moduleBytes);

export const tracks = [
  { uri: "subs/en.m3u8", language: "en", name: "English", default: true },
  { uri: "subs/sv.m3u8", language: "sv", name: "Svenska" },
];

export const bytes = (text) => new TextEncoder().encode(text);
export const text = (bytes) => new TextDecoder().decode(bytes);

/** A file that run.sh has made. */
export const expected = (name) => new Uint8Array(readFileSync(join(expectations, name)));

/** The playlists, each with what the command makes of it. */
export const masters = readdirSync(expectations)
  .filter((name) => /^\d+\.in$/.test(name))
  .map((name) => ({ name, playlist: expected(name), edited: expected(name.replace(".in", ".out")) }));

export function* chunksOf(whole, size) {
  for (let start = 0; start < whole.length; start += size) yield whole.subarray(start, start + size);
}

export function joined(parts) {
  return new Uint8Array(Buffer.concat(parts));
}

export const same = (found, wanted) => Buffer.compare(found, wanted) === 0;

/** A stream of these chunks, which breaks off behind them if an error is given. */
export function source(chunks, error) {
  const waiting = [...chunks];
  return new ReadableStream({
    pull(controller) {
      if (waiting.length > 0) controller.enqueue(waiting.shift());
      else if (error) controller.error(error);
      else controller.close();
    },
  });
}

/** All that a stream has, and the error that it ends with. */
export async function drain(stream) {
  const parts = [];
  try {
    for await (const part of stream) parts.push(part);
    return { bytes: joined(parts) };
  } catch (error) {
    return { bytes: joined(parts), error };
  }
}
