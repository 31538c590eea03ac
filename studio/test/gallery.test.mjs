// SPDX-License-Identifier: MIT
// All scenes of scenes/, on at most CELLS cells a side, in the WebAssembly module with one and two threads: the
// record of what the module played comes to its hash in the command.
//   GALLERY_CELLS=256 GALLERY_TICKS=1000 node --test studio/test/gallery.test.mjs    as large and as long as they are
//   GALLERY_SCENES='^[d-f]' ...                                                       those whose names match
import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import test from "node:test";
import { open } from "../../test/studio/module.mjs";
import { hashOf, root, scratch, site } from "./host.mjs";

const CELLS = Number(process.env.GALLERY_CELLS ?? 72);
const TICKS = Number(process.env.GALLERY_TICKS ?? 4);
const SCENES = new RegExp(process.env.GALLERY_SCENES ?? "");
const LEAST = 60; // scenes that are compared; the others name files, or have what no session runs

const { parse } = createRequire(path.join(root, "studio/web/package.json"))("yaml");

// The tree of a scene as the module reads it, on a grid of at most CELLS cells a side.
function tree(file) {
  const scene = parse(fs.readFileSync(file, "utf8"), { schema: "failsafe", uniqueKeys: true });
  const { size } = scene.terrain ?? {};
  const sides = typeof size === "string" ? [size, size] : size;
  if (sides) scene.terrain.size = sides.map((side) => String(Math.min(Number(side), CELLS)));
  return JSON.stringify(scene, (key, value) => value ?? "");
}

// Plays a scene; its record and hash, or why there is none.
async function play(json, name, threads) {
  const engine = await open(path.join(site, name), threads);
  try {
    const opened = engine.say({ type: "open", id: 1, scene: json });
    const refused = opened.find((message) => message.type === "error" || message.type === "note");
    if (refused) return { why: refused.text };
    const { tick, end } = opened.find((message) => message.type === "scene");
    if (!(end > 0)) return { why: "nothing happens in it" };
    const sought = engine.say({ type: "seek", id: 2, year: Math.min(end, TICKS * tick) });
    const failed = sought.find((message) => message.type === "error");
    if (failed) return { why: failed.text };
    const { end: hash } = engine.say({ type: "hash" }).find((message) => message.type === "hash");
    const { text, end: named } = engine.say({ type: "record" }).find((message) => message.type === "record");
    assert.equal(named, hash, json.slice(0, 60));
    return { hash, text };
  } finally {
    await engine.close();
  }
}

// True if the module came to the hash of the command; false, with the reason, if no session runs the scene.
async function compare(t, file, folder) {
  const json = tree(path.join(root, "scenes", file));
  const one = await play(json, "wadi.wasm", 1);
  if (one.why) {
    t.skip(one.why.slice(0, 140));
    return false;
  }
  const two = await play(json, "wadi-threads.wasm", 2);
  assert.equal(two.hash, one.hash, "two threads");
  assert.equal(hashOf(one.text, folder), one.hash);
  return true;
}

test("the module comes to the hashes of the command on the scenes of the gallery", async (t) => {
  const folder = scratch();
  const files = fs.readdirSync(path.join(root, "scenes")).filter((name) => name.endsWith(".yaml"));
  const chosen = files.filter((name) => SCENES.test(name));
  let compared = 0;
  for (const file of chosen) await t.test(file, async (one) => (compared += (await compare(one, file, folder)) ? 1 : 0));
  assert.ok(chosen.length < files.length || compared >= LEAST, `${compared} scenes`);
});
