// A service worker: every playlist that its pages ask for gets a track.
//
//     navigator.serviceWorker.register("service-worker.mjs", { type: "module" });

import { load } from "./surtitle.mjs";

const TRACKS = [{ uri: "/subs/en.m3u8", language: "en", name: "English", default: true }];

const fetchWithTracks = load(fetch(new URL("surtitle.wasm", import.meta.url))).then((surtitle) =>
  surtitle.fetching(surtitle.configure({ tracks: TRACKS })),
);

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
// Without the module pages get what there is.
addEventListener("fetch", (event) => event.respondWith(fetchWithTracks.catch(() => fetch).then((ask) => ask(event.request))));
