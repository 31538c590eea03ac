// SPDX-License-Identifier: MIT
// The module's two parts: the page's first scene plays with the first one alone, and both with what the page needs to start
// stay below half a megabyte; another process loads the rest, and comes to the hash of the command.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import zlib from "node:zlib";
import { open } from "../../test/studio/module.mjs";
import { Studio, launch } from "./browser.mjs";
import { hashOf, host, site } from "./host.mjs";

const MOST = 500000; // bytes by gzip of all that is loaded until the first scene plays
const rivers = { wadi: "1", seed: "5", terrain: { size: ["40", "32"], cell: "50 m", noise: { relief: "300 m" } },
  timeline: { tick: "500 yr", end: "4000 yr", run: [{ hydraulic: { rain: "0.8 m/yr" } }] } };
const dunes = { wadi: "1", seed: "5", terrain: { size: ["40", "32"], cell: "2 m", edges: "periodic", noise: { relief: "2 m", wavelength: "20 m" } },
  layers: { sediment: "1 m" }, timeline: { tick: "0.1 yr", end: "1 yr", run: [{ dunes: {} }, { talus: {} }] } };

const skip = !fs.existsSync(path.join(site, "wadi.wasm"));
const gzip = (bytes) => zlib.gzipSync(bytes, { level: 9 }).length;

function play(engine, scene, year) {
  engine.say({ type: "open", id: 1, scene: JSON.stringify(scene) });
  engine.say({ type: "seek", id: 2, year });
  const { end } = engine.say({ type: "hash" }).find((message) => message.type === "hash");
  const { text } = engine.say({ type: "record" }).find((message) => message.type === "record");
  assert.equal(hashOf(text), end, "in the command");
}

for (const [name, threads] of [["wadi.wasm", 1], ["wadi-threads.wasm", 1], ["wadi-threads.wasm", 2]]) {
  test(`${name}, ${threads} threads: dunes need the first part alone, rivers both`, { skip }, async () => {
    const engine = await open(path.join(site, name), threads);
    try {
      play(engine, dunes, 0.5);
      assert.equal(engine.isWhole, false);
      play(engine, rivers, 3000);
      assert.equal(engine.isWhole, true);
      play(engine, dunes, 1);
    } finally {
      await engine.close();
    }
  });
}

for (const isolated of [true, false]) {
  test(`a page on a host ${isolated ? "with" : "without"} isolation loads the second part with its first use`, { skip }, async () => {
    const [browser, still] = [await launch(), await host(site, { isolated })];
    try {
      const studio = new Studio();
      const context = await browser.newContext({ viewport: { width: 920, height: 570 }, deviceScaleFactor: 0.5, reducedMotion: "reduce" });
      Object.assign(studio, { context, page: await context.newPage() });
      const loaded = new Set();
      context.on("request", (request) => loaded.add(new URL(request.url()).pathname.slice(1)));
      studio.page.on("pageerror", (error) => studio.errors.push(String(error)));
      await studio.page.goto(still.address);
      await studio.until("s.engine.clock && s.engine.clock.year > 0", 120000);
      const first = [...loaded].map((file) => file || "index.html").filter((file) => fs.existsSync(path.join(site, file)));
      const bytes = first.map((file) => gzip(fs.readFileSync(path.join(site, file)))).reduce((a, b) => a + b);
      assert.ok(first.includes(isolated ? "wadi-threads.wasm" : "wadi.wasm"), first.join(" "));
      assert.ok(!first.some((file) => file.endsWith("-more.wasm")), first.join(" "));
      assert.ok(bytes <= MOST, `${bytes} bytes: ${first.join(" ")}`);
      await studio.command({ type: "open", scene: JSON.stringify(rivers) });
      await studio.command({ type: "step", ticks: 2 });
      const { end } = await studio.hash();
      assert.equal(hashOf(await studio.record()), end, "in the command");

      assert.ok([...loaded].some((file) => file.endsWith("-more.wasm")), [...loaded].join(" "));
      assert.deepEqual(studio.errors, []);
      await studio.close();
    } finally {
      await browser.close();
      await still.stop();
    }
  });
}
