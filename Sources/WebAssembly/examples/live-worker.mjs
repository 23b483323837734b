// An edge worker in front of a live stream: its multivariant playlist gets a track, whose playlist and segments are made here of a whole file.
//
// Many instances run at once, and none for long. What one has found out of the stream is in the cache, where the next one finds it.

import module from "./surtitle.wasm";
import liveModule from "./surtitle-live.wasm";
import { liveFromModule } from "./live.mjs";
import { fromModule } from "./surtitle.mjs";

const ORIGIN = "https://origin.example.com";

const surtitle = fromModule(module);
const configuration = surtitle.configure({ tracks: [{ uri: "/subs/en.m3u8", language: "en", name: "English", default: true }] });
const fetchWithTracks = surtitle.fetching(configuration);

// The cache takes responses by their URL. A store of keys and values that all instances share does as well.
const urlOf = (key) => `https://state.example.com/${encodeURIComponent(key)}`;
const store = {
  async get(key) {
    const response = await caches.default.match(urlOf(key));
    return response?.arrayBuffer();
  },
  put: (key, value) => caches.default.put(urlOf(key), new Response(value, { headers: { "cache-control": "max-age=3600" } })),
};

const serveTracks = liveFromModule(liveModule).serving({
  video: `${ORIGIN}/live/video.m3u8`,
  at: "2026-11-23T20:00:00Z",
  tracks: { en: `${ORIGIN}/subs/en.vtt` },
  store,
});

export default {
  async fetch(request, environment, context) {
    const { pathname, search } = new URL(request.url);
    if (pathname.startsWith("/subs/")) return serveTracks(request, (promise) => context.waitUntil(promise));
    return fetchWithTracks(new Request(ORIGIN + pathname + search, request));
  },
};
