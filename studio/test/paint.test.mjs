// SPDX-License-Identifier: MIT
// Rain that is painted by the mouse: it shows at once with its legend, changes the land, is undone, and stands in a
// record that the command, a static page and a server come to one hash with.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { Studio, launch, link } from "./browser.mjs";
import { hashOf, host, scratch, serve, site } from "./host.mjs";
import { Mouse } from "./mouse.mjs";

const valley = `wadi: 1
name: valley
seed: 5
terrain: {size: [96, 80], cell: 50 m, noise: {relief: 500 m}}
timeline:
  tick: 500 yr
  end: 20000 yr
  run:
    - hydraulic: {rain: 0.4 m/yr}
`;

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

// Painted in the plan view from the west to the east: the values at a place of the line and away from it.
async function paint(studio, mouse) {
  await mouse.plan();
  await studio.command({ type: "seek", year: 4000 });
  await mouse.tool("Rain, maps");
  await mouse.setting("value", 0.75);
  const plain = await studio.hash();
  await mouse.stroke([1000, 2000], [2500, 2200], [4000, 2000]);
  await studio.until("s.engine.maps.list.some((map) => map.name === 'hydraulic.rain')");
  const rain = await mouse.measure("hydraulic.rain");
  assert.ok(rain.max > 1 && Math.abs(rain.min - 0.4) < 1e-6, `${rain.min} to ${rain.max}`);
  await studio.page.locator(".legend .name", { hasText: "hydraulic.rain" }).waitFor();
  return { plain, rain };
}

async function check(studio, mouse) {
  const { plain, rain } = await paint(studio, mouse);
  assert.equal((await studio.hash()).year, plain.year);
  // a second stroke, with Alt, brings the number of the panel back along its line
  await studio.page.keyboard.down("Alt");
  await mouse.stroke([2500, 2200], [2600, 2200]);
  await studio.page.keyboard.up("Alt");
  assert.ok((await mouse.measure("hydraulic.rain")).sum < rain.sum);
  await studio.page.getByRole("button", { name: "Undo" }).click();
  await studio.until("s.engine.clock.can_redo");
  assert.equal((await mouse.measure("hydraulic.rain")).sum, rain.sum);
  await studio.command({ type: "step", ticks: 6 });
  const { end } = await studio.hash();
  const text = await studio.record();
  assert.match(text, /strokes: \[\{value: /);
  await studio.picture(`rain-painted-${await studio.get("s.engine.transport.kind")}`);
  assert.equal(hashOf(text), end, "in the command");
  await studio.page.getByRole("button", { name: "Undo" }).click();
  await studio.until("!s.engine.maps.list.some((map) => map.name === 'hydraulic.rain')");
  assert.equal((await studio.hash()).living, plain.living);
  assert.equal(await studio.page.locator(".legend .name").count(), 0, "the legend goes with the map");
  assert.deepEqual(studio.errors, []);
  return { text, end };
}

test("rain is painted behind the native engine", async () => {
  const folder = scratch();
  const scene = path.join(folder, "valley.yaml");
  fs.writeFileSync(scene, valley);
  const server = await serve([scene, "--threads", "2"], { cwd: folder });
  const studio = await Studio.open(browser, server.address);
  await check(studio, new Mouse(studio));
  await studio.close();
  await server.stop();
});

test("rain is painted on a static page, and a link holds it", { skip: !fs.existsSync(path.join(site, "wadi.wasm")) }, async () => {
  const still = await host(site, { isolated: false });
  const studio = await Studio.open(browser, still.address + link(valley));
  const { text, end } = await check(studio, new Mouse(studio));
  const year = 7000;
  await studio.close();
  const next = await Studio.open(browser, still.address + link(text));
  await next.command({ type: "seek", year });
  assert.equal((await next.hash()).end, end);
  await next.close();
  await still.stop();
});

test("without a process that takes a map the brush says what to do", async () => {
  const folder = scratch();
  const scene = path.join(folder, "bare.yaml");
  fs.writeFileSync(scene, `${valley.slice(0, valley.indexOf("timeline"))}steps:\n  - raise: 1 m\n`);
  const server = await serve([scene, "--threads", "1", "--no-save"], { cwd: folder });
  const studio = await Studio.open(browser, server.address);
  await studio.tool("Rain, maps");
  await studio.page.locator("#tools .settings", { hasText: "Start a process that takes a map" }).waitFor();
  await studio.close();
  await server.stop();
});
