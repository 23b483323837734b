// An edge worker in front of an origin: playlists get a track, and the track's own playlist is made of the file at the origin.

import module from "./surtitle.wasm";
import { fromModule } from "./surtitle.mjs";

const ORIGIN = "https://origin.example.com";

const surtitle = fromModule(module);
const configuration = surtitle.configure({ tracks: [{ uri: "/subs/en.m3u8", language: "en", name: "English", default: true }] });
const fetchWithTracks = surtitle.fetching(configuration);

async function subtitlePlaylist() {
  const file = await fetch(`${ORIGIN}/subs/en.vtt`);
  const end = file.ok ? surtitle.latestCueEnd(await file.arrayBuffer()) : undefined;
  if (!end) return new Response(null, { status: 404 });
  const playlist = surtitle.subtitlePlaylist([{ uri: "en.vtt", duration: end }]);
  return new Response(playlist, { headers: { "content-type": "application/vnd.apple.mpegurl" } });
}

export default {
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    if (pathname === "/subs/en.m3u8") return subtitlePlaylist();
    return fetchWithTracks(new Request(ORIGIN + pathname + search, request));
  },
};
