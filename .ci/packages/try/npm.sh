#!/usr/bin/env bash
# In a clean root: npm's archive, in Debian's node. What its README shows is run, in node and as a worker. Takes Tests/Fixtures.
. "$(dirname "$0")/common.sh"

needs nodejs npm
mkdir "$HOME/app"
cd "$HOME/app"
printf '{ "name": "app", "private": true, "type": "module" }\n' >package.json
quiet npm install --offline --no-audit --no-fund "$packages/surtitle-$version.tgz"
cp "$sources"/Tests/Fixtures/sample/{master.m3u8,en.vtt} .
# block KIND: the block of the package's README that is fenced so.
block() { awk -v kind="$1" '$0 == "```" kind { inside = 1; next } /^```/ { inside = 0 } inside' node_modules/surtitle/README.md; }
block js >app.mjs
node app.mjs
same_number tracks 1 "$(grep -c '^#EXT-X-MEDIA:TYPE=SUBTITLES' subtitled.m3u8)"
same en.vtt "$(grep -v '^#' en.m3u8)"

# An edge hands over a module, where node would not know the import; else the worker is as the README has it.
{
  printf 'import { readFileSync } from "node:fs";\nimport { createRequire } from "node:module";\n'
  printf 'const module = new WebAssembly.Module(readFileSync(createRequire(import.meta.url).resolve("surtitle/surtitle.wasm")));\n'
  block 'js worker' | grep -v '^import module'
} >worker.mjs
cat >edge.mjs <<'PROGRAM'
import { readFileSync } from "node:fs";
const type = { "content-type": "application/vnd.apple.mpegurl" };
globalThis.fetch = async ({ url }) => {
  if (url !== "https://origin.example.com/film/master.m3u8") throw new Error(url);
  return new Response(readFileSync("master.m3u8"), { headers: type });
};
const worker = (await import("./worker.mjs")).default;
process.stdout.write(await (await worker.fetch(new Request("https://edge.example.com/film/master.m3u8"))).text());
PROGRAM
same_number tracks 1 "$(node edge.mjs | grep -c '^#EXT-X-MEDIA:TYPE=SUBTITLES')"
node --input-type=module -e '
  import { readFileSync } from "node:fs";
  import { loadLive } from "surtitle/live";
  import { loadMedia } from "surtitle/media";
  import { createRequire } from "node:module";
  const bytes = (name) => readFileSync(createRequire(`${process.cwd()}/`).resolve(`surtitle/surtitle-${name}.wasm`));
  const media = await loadMedia(bytes("media"));
  const live = await loadLive(bytes("live"));
  if (!(media.memoryBytes > 0) || live.channel().facts.hasBegun) process.exit(1);'
for types in surtitle media live; do [ -s "node_modules/surtitle/$types.d.mts" ]; done
