// The module itself: what it needs, what it exports, how large it is.
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { built, fromModule, load, moduleBytes, surtitle, tracks } from "./setup.mjs";

const module = new WebAssembly.Module(moduleBytes);

test("it has no imports", () => assert.deepEqual(WebAssembly.Module.imports(module), []));

test("it exports what is listed, and its memory", () => {
  const listed = readFileSync(process.env.SURTITLE_EXPORTS, "utf8").trim().split("\n");
  const exported = WebAssembly.Module.exports(module).map(({ name }) => name);
  assert.deepEqual(exported.sort(), ["memory", ...listed].sort());
});

test("it has less than 292 KB", () => assert.ok(moduleBytes.length < 292_000, `${moduleBytes.length} bytes`));

test("it is the version of the command", () => assert.equal(`surtitle ${surtitle.version}`, process.env.SURTITLE_VERSION));

test("what the package for npm exports is there", () => {
  const { exports } = JSON.parse(readFileSync(join(built, "package.json"), "utf8"));
  const files = Object.values(exports).flatMap((target) => (typeof target === "string" ? [target] : Object.values(target)));
  assert.ok(files.length > 6);
  for (const file of files) assert.ok(existsSync(join(built, file)), file);
});

test("it comes from a module, from bytes, from a response, and from a promise of one", async () => {
  const response = () => new Response(moduleBytes, { headers: { "content-type": "application/wasm" } });
  const exact = new Uint8Array(moduleBytes).buffer;
  const all = [fromModule(module), await load(module), await load(exact), await load(response()), await load(Promise.resolve(response()))];
  for (const each of all) assert.equal(each.configure({ tracks }).fingerprint, surtitle.configure({ tracks }).fingerprint);
});

test("a response that brings no module is an error", async () => {
  await assert.rejects(load(new Response("", { status: 404 })), /404/);
});
