// The page: what is typed or dropped goes through the library at once, and what comes out is shown.

import { SurtitleError, load } from "../surtitle.mjs";
import { changedLines } from "./changes.mjs";
import { SAMPLE_PLAYLIST, SAMPLE_SUBTITLES } from "./samples.mjs";

const byID = (id) => document.getElementById(id);
const text = (bytes) => new TextDecoder().decode(bytes);
const plural = (count, word) => `${count.toLocaleString("en")} ${word}${count === 1 ? "" : "s"}`;

function element(name, className, ...content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

// Errors, each at the field that it is about.

const FIELDS = ["playlist", "subtitles", "uri", "name", "language", "track", "step", "mpegts"];

function showErrors(errors) {
  for (const field of FIELDS) {
    const place = byID(`${field}-error`);
    const words = errors[field] ?? "";
    if (place.textContent !== words) place.textContent = words;
    place.hidden = words === "";
    byID(field)?.setAttribute("aria-invalid", String(words !== ""));
  }
}

/** Which line of a text a byte is in, from 1. */
function lineAt(source, position) {
  return text(new TextEncoder().encode(source).subarray(0, position)).split(/\r\n|\n|\r/).length;
}

const sentence = (words) => `${words[0].toUpperCase()}${words.slice(1)}.`;

/** Runs `make`; what the library refuses becomes the error of `field`, or of the track's own. */
function attempt(errors, field, source, make) {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof SurtitleError || error instanceof RangeError)) throw error;
    const own = /^tracks\[0\]\.(uri|name|language)$/.exec(error.field ?? "")?.[1] ?? field;
    const line = source !== undefined && error.position !== undefined ? `Line ${lineAt(source, error.position)}: ` : "";
    errors[own] = line + sentence(error.reason ?? error.message);
    return undefined;
  }
}

// What comes out.

function numberOf(id, errors, words, isValid) {
  const field = byID(id);
  if (field.value === "" && !field.validity.badInput) return undefined;
  if (field.validity.badInput || !isValid(field.valueAsNumber)) errors[id] = words;
  return field.valueAsNumber;
}

const isChecked = (id) => byID(id).checked;

function configurationSource() {
  const language = byID("language").value.trim();
  return {
    tracks: [
      {
        uri: byID("uri").value.trim(),
        name: byID("name").value,
        ...(language && { language }),
        default: isChecked("default"),
        autoselect: isChecked("autoselect"),
        forced: isChecked("forced"),
        sdh: isChecked("sdh"),
      },
    ],
    "replace-default": isChecked("replace-default"),
  };
}

const VERDICTS = {
  media: "This is a media playlist. It has no variants to put a track beside, and stays as it is.",
  mixed: "This has tags of multivariant and of media playlists, which is against the rules.",
  "no-playlist": "This is no playlist: the first line must be #EXTM3U.",
  undecided: "This playlist has no variants yet.",
};

/** The edited playlist, and what there is to say of it. */
function rewrite(surtitle, playlist, errors) {
  if (playlist === "") return { lines: [], summary: "There is no playlist yet." };
  const configuration = attempt(errors, "track", undefined, () => surtitle.configure(configurationSource()));
  if (!configuration) return undefined;
  try {
    const edited = text(configuration.sideload(playlist));
    const { report } = configuration;
    if (report.verdict !== "multivariant") errors.playlist = VERDICTS[report.verdict];
    else if (report.uneditableLines > 0) {
      const line = lineAt(playlist, report.firstUneditableLine);
      errors.playlist = `${plural(report.uneditableLines, "line")} could not be edited: line ${line} has no list of attributes, or a quote is open.`;
    } else if (report.exceededLimit) errors.playlist = `A limit is exceeded: ${report.exceededLimit}. From there on nothing was edited.`;
    const lines = changedLines(playlist, edited);
    const count = (kind) => lines.filter((line) => line.kind === kind).length;
    const summary = `${plural(count("changed"), "line")} changed, ${count("new")} new, ${plural(report.addedBytes, "byte")} of tags added.`;
    return { lines, summary: edited === playlist ? "Nothing is changed." : summary };
  } finally {
    configuration.free();
  }
}

/** WebVTT of whatever was given. */
function webVTT(surtitle, subtitles, errors) {
  if (/^\uFEFF?WEBVTT(?![^ \t\r\n])/.test(subtitles)) return subtitles;
  return attempt(errors, "subtitles", subtitles, () => {
    try {
      return surtitle.toWebVTT(subtitles);
    } catch (error) {
      if (error.status !== "not-webvtt") throw error;
      // SubRip may have text before its first cue.
      if (subtitles.includes("-->")) return surtitle.toWebVTT(subtitles, "srt");
      errors.subtitles = "These are no subtitles: the first line of WebVTT is WEBVTT, and cues of SubRip have a line with -->.";
      return undefined;
    }
  });
}

/** The files of the track, and its playlist. */
function files(surtitle, subtitles, errors) {
  const step = numberOf("step", errors, "The length must be above 0.", (value) => value > 0);
  const isStamp = (value) => Number.isInteger(value) && value >= 0 && value < 2 ** 33;
  const mpegts = numberOf("mpegts", errors, "The time stamp is a whole number below 2³³.", isStamp);
  if (subtitles.trim() === "") return { playlist: "", segments: [], summary: "There are no subtitles yet." };
  const file = webVTT(surtitle, subtitles, errors);
  if (file === undefined || errors.step || errors.mpegts) return undefined;
  return attempt(errors, "subtitles", file === subtitles ? subtitles : undefined, () => {
    const latest = surtitle.latestCueEnd(file);
    if (!latest) {
      errors.subtitles = "There is no cue that ends after 0.";
      return undefined;
    }
    const map = mpegts === undefined ? undefined : { mpegts };
    const cut = surtitle.segments(file, { step: step ?? latest, map });
    const name = byID("uri").value.trim().replace(/[?#].*$/, "").replace(/^.*\//, "").replace(/\.m3u8$/i, "") || "track";
    const segments = cut.map((segment, index) => ({ ...segment, uri: step === undefined ? `${name}.vtt` : `${name}-${index}.vtt` }));
    const playlist = text(surtitle.subtitlePlaylist(segments));
    return { playlist, segments, summary: `${plural(segments.length, "segment")}; the last cue in the file ends at ${time(surtitle.finalCueEnd(file))}.` };
  });
}

function time(seconds) {
  const whole = Math.floor(seconds / 60);
  const rest = (seconds - 60 * whole).toFixed(3).padStart(6, "0");
  return whole < 60 ? `${whole}:${rest}` : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}:${rest}`;
}

/** A text that may break behind its commas, and nowhere else. */
const breakable = (words) => words.split(/(?<=,)/).flatMap((part) => [element("span", "part", part), document.createElement("wbr")]);

function showLine({ line, kind, start, end }) {
  if (kind !== "changed") return element("span", `line ${kind}`, ...breakable(line));
  const mark = element("mark", "", ...breakable(line.slice(start, end)));
  return element("span", "line changed", ...breakable(line.slice(0, start)), mark, ...breakable(line.slice(end)));
}

function showText(panel, summary, lines) {
  const place = byID(panel);
  place.querySelector(".summary").textContent = summary;
  place.querySelector("pre").replaceChildren(...lines);
  place.querySelector(".copy").disabled = lines.length === 0;
}

function showSegments(segments, summary) {
  const list = byID("segments").querySelector("ol");
  const open = new Set([...list.querySelectorAll("details[open]")].map((details) => details.dataset.index));
  byID("segments").querySelector(".summary").textContent = summary;
  list.replaceChildren(
    ...segments.map(({ uri, bytes, start, duration, cueCount }, index) => {
      const span = `${time(start)} – ${time(start + duration)}, ${plural(cueCount, "cue")}`;
      const details = element("details", "", element("summary", "", element("span", "file", uri), element("span", "time", span)));
      details.dataset.index = index;
      // A long film has hundreds of segments: what nobody opens is not laid out.
      details.addEventListener("toggle", () => details.querySelector("pre") ?? details.append(element("pre", "", text(bytes))));
      details.open = open.has(String(index)) || segments.length === 1;
      return element("li", "", details);
    }),
  );
}

/** All of it anew. What cannot be made keeps showing what was there before, beside its error. */
function update(surtitle) {
  const errors = {};
  const master = rewrite(surtitle, byID("playlist").value, errors);
  if (master) showText("master", master.summary, master.lines.map(showLine));
  const made = files(surtitle, byID("subtitles").value, errors);
  if (made) {
    const lines = made.playlist.split("\n").slice(0, -1);
    showText("track", made.summary, lines.map((line) => showLine({ line, kind: "same" })));
    showSegments(made.segments, made.summary);
  }
  byID("master").classList.toggle("stale", !master);
  for (const panel of ["track", "segments"]) byID(panel).classList.toggle("stale", !made);
  showErrors(errors);
}

// What goes in, and what can be pressed.

async function read(file, target) {
  const field = byID(target);
  try {
    field.value = new TextDecoder("utf-8", { fatal: true }).decode(await file.arrayBuffer());
    field.dispatchEvent(new Event("input", { bubbles: true }));
  } catch {
    showErrors({ [target]: `${file.name} is not UTF-8.` });
  }
}

function takeFiles() {
  for (const field of document.querySelectorAll("input[type=file]")) {
    field.addEventListener("change", () => {
      if (field.files[0]) read(field.files[0], field.dataset.target);
      field.value = "";
    });
  }
  // A file that misses its place must not take the page away.
  for (const kind of ["dragover", "drop"]) document.addEventListener(kind, (event) => event.preventDefault());
  for (const card of document.querySelectorAll(".drop")) {
    const mark = (isOver) => card.classList.toggle("over", isOver);
    card.addEventListener("dragover", () => mark(true));
    card.addEventListener("dragleave", () => mark(false));
    card.addEventListener("drop", (event) => {
      mark(false);
      const [file] = event.dataTransfer.files;
      if (file) read(file, card.dataset.target);
    });
  }
}

function choose(tabs, chosen) {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    byID(tab.getAttribute("aria-controls")).hidden = !isChosen;
  }
}

function useTabs() {
  const tabs = [...document.querySelectorAll("[role=tab]")];
  const KEYS = { ArrowRight: 1, ArrowLeft: -1 };
  tabs.forEach((tab, index) => {
    tab.addEventListener("click", () => choose(tabs, tab));
    tab.addEventListener("keydown", ({ key }) => {
      if (!(key in KEYS)) return;
      const next = tabs[(index + KEYS[key] + tabs.length) % tabs.length];
      choose(tabs, next);
      next.focus();
    });
  });
}

function useCopies() {
  for (const button of document.querySelectorAll(".copy")) {
    button.addEventListener("click", async () => {
      const lines = [...button.closest("[role=tabpanel]").querySelectorAll(".line")].map((line) => line.textContent);
      await navigator.clipboard.writeText(`${lines.join("\n").trimEnd()}\n`);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
  }
}

try {
  const surtitle = await load(fetch(new URL("../surtitle.wasm", import.meta.url)));
  byID("playlist").value ||= SAMPLE_PLAYLIST;
  byID("subtitles").value ||= SAMPLE_SUBTITLES;
  byID("inputs").addEventListener("submit", (event) => event.preventDefault());
  byID("inputs").addEventListener("input", () => update(surtitle));
  takeFiles();
  useTabs();
  useCopies();
  update(surtitle);
  document.documentElement.dataset.ready = "true";
} catch (error) {
  byID("failure").textContent = `This page does not work here: ${error.message}`;
  byID("failure").hidden = false;
}
