// How long a multivariant playlist takes, beside what one would write in JavaScript: node speed.mjs BUILT
//
// Of 30 rounds in turn the least, since another process can only make a round longer.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const built = resolve(process.argv[2]);
const { load } = await import(join(built, "surtitle.mjs"));
const surtitle = await load(readFileSync(join(built, "surtitle.wasm")));
const configuration = surtitle.configure({
  tracks: [
    { uri: "subs/en.m3u8", language: "en", name: "English", default: true },
    { uri: "subs/sv.m3u8", language: "sv", name: "Svenska" },
  ],
});

function playlist(size) {
  let text = "#EXTM3U\n#EXT-X-VERSION:6\n";
  for (let index = 0; text.length < size; index++) {
    const rates = `BANDWIDTH=${1280000 + index},AVERAGE-BANDWIDTH=1000000`;
    text += `#EXT-X-STREAM-INF:${rates},CODECS="avc1.640029,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=25.000\nvideo/${index}/index.m3u8\n`;
  }
  return new TextEncoder().encode(text);
}

const added = ["en", "sv"].map((language) => `#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subs",NAME="${language}",LANGUAGE="${language}",URI="subs/${language}.m3u8"\n`).join("");

/** No more than the lines that there are: no groups, no quotes, no limits. */
function split(bytes) {
  const lines = new TextDecoder().decode(bytes).split("\n");
  const edited = lines.map((line) => (line.startsWith("#EXT-X-STREAM-INF:") ? `${line},SUBTITLES="subs"` : line));
  return new TextEncoder().encode(edited.join("\n") + added);
}

/** The call by itself, with the playlist and its output in the library's memory. */
function inPlace(bytes) {
  const rewriter = configuration.rewriter();
  const { memory, address } = rewriter;
  const input = memory.call("malloc", bytes.length);
  new Uint8Array(memory.view.buffer, input, bytes.length).set(bytes);
  const [output, written] = [memory.call("malloc", 2 * bytes.length), memory.call("malloc", 4)];
  return () => memory.call("surtitle_rewriter_whole", address, input, bytes.length, output, 2 * bytes.length, written);
}

for (const [size, calls] of [[2800, 2000], [1 << 20, 10]]) {
  const bytes = playlist(size);
  const ways = { "in place": inPlace(bytes), "copied in and out": () => configuration.sideload(bytes), "split and join": () => split(bytes) };
  const least = Object.fromEntries(Object.keys(ways).map((name) => [name, Infinity]));
  for (let round = 0; round < 30; round++) {
    for (const [name, way] of Object.entries(ways)) {
      const start = performance.now();
      for (let call = 0; call < calls; call++) way();
      least[name] = Math.min(least[name], (performance.now() - start) / calls);
    }
  }
  for (const [name, time] of Object.entries(least)) {
    console.log(`${bytes.length} bytes, ${name}: ${(1e3 * time).toFixed(2)} µs, ${(bytes.length / time / 1e6).toFixed(2)} GB/s`);
  }
}
