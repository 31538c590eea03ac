// SPDX-License-Identifier: MIT
// Two stories that are played with the mouse alone, each in one sitting: a desert and a mountain. What was
// recorded runs to the same hash in the command, on a static page, and on a server that starts again.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { Studio, launch } from "./browser.mjs";
import { artefacts, hashOf, host, scratch, serve, site } from "./host.mjs";
import { Mouse } from "./mouse.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const size = { viewport: { width: 1280, height: 800 }, scale: Number(process.env.STUDIO_SCALE ?? 0.25) };

// what the server shows before the story begins: little, as the page has a gallery for more
const blank = `wadi: 1
name: blank
terrain: {size: [32, 32], cell: 2 m, flat: 0 m}
steps:
  - add_sand: 1 m
`;

async function begin(t) {
  const folder = scratch();
  const first = path.join(folder, "first.yaml");
  fs.writeFileSync(first, blank);
  const server = await serve([first, "--threads", "2"], { cwd: folder });
  t.after(() => server.stop());
  const studio = await Studio.open(browser, server.address, size);
  return { folder, server, studio, mouse: new Mouse(studio) };
}

// A record opened by the page: the year and the hash at its end.
async function replay(studio, text, year) {
  await studio.page.evaluate((scene) => window.wadiStudio.engine.open(scene, { name: "story" }), text);
  await studio.command({ type: "seek", year });
  return (await studio.hash()).end;
}

// The record in the command, in the page of a static host, and behind a server that was ended and started again.
async function replayEverywhere({ server, studio, folder }, name) {
  const { end, year } = await studio.hash();
  const text = await studio.record();
  assert.deepEqual(studio.errors, []);
  fs.mkdirSync(artefacts, { recursive: true });
  fs.writeFileSync(path.join(artefacts, `${name}.yaml`), text);
  await studio.close();
  await server.stop();
  assert.equal(hashOf(text), end, "in the command");
  const saved = fs.readdirSync(folder).find((file) => /^land\.studio.*\.yaml$/.test(file));
  assert.ok(saved, `the server has saved the record: ${fs.readdirSync(folder)}`);
  const again = await serve([path.join(folder, saved), "--threads", "1", "--no-save"]);
  const next = await Studio.open(browser, again.address, size);
  await next.command({ type: "seek", year });
  assert.equal((await next.hash()).end, end, "after a restart");
  await next.close();
  await again.stop();
  if (!fs.existsSync(path.join(site, "wadi.wasm"))) return;
  for (const isolated of [true, false]) {
    const still = await host(site, { isolated });
    const page = await Studio.open(browser, still.address, { ...size });
    assert.equal(await replay(page, text, year), end, isolated ? "on two threads in the page" : "on one thread in the page");
    await page.close();
    await still.stop();
  }
}

test("a desert by mouse alone: sand, barchans, abrasion, more sand, plants, another rose, a star", async (t) => {
  const at = await begin(t);
  const { studio, mouse } = at;
  const { page } = studio;
  await mouse.newLand({ "Cells of a side": "96", "Size of a cell": "2", Edges: "periodic", Ground: "0", Sand: "0", "Step of the clock": "0.05" });
  await mouse.plan();

  // lay sand: two heaps on bare rock
  await mouse.tool("Add sand");
  await mouse.setting("strength", 0.8);
  for (const [x, y] of [[40, 50], [60, 130]]) await mouse.pour([x, y], 6);
  const laid = await mouse.measure("sediment");
  assert.ok(laid.max > 5 && laid.min === 0, JSON.stringify(laid));

  // barchans: slip faces at the angle of repose, and horns ahead of the crest; the ground between stays bare
  await mouse.start("dunes");
  await mouse.playTo(2.5);
  await studio.picture("story-desert-1-barchans");
  const slip = await mouse.measure("slope");
  assert.ok(slip.max > 28, `a slip face of ${slip.max} degrees`);
  const books = await mouse.ledger("sediment");
  assert.equal(books.residual, 0, JSON.stringify(books));

  // abrasion: sand wears the rock that it flies over
  const rock = await mouse.measure("bedrock");
  await mouse.slide("dunes", "abrasion", 0.98);
  await mouse.slide("dunes", "speed", 0.8);
  await mouse.playTo(4);
  const worn = await mouse.measure("bedrock");
  assert.ok(worn.sum < rock.sum, `rock of ${worn.sum} after ${rock.sum}`);
  await studio.picture("story-desert-2-abrasion");

  // more sand, then plants that hold it
  await mouse.tool("Add sand");
  await mouse.stroke([60, 96], [130, 96]);
  await mouse.stroke([60, 96], [130, 96]);
  assert.ok((await mouse.measure("sediment")).sum > 1.2 * laid.sum);
  await mouse.tool("Plant");
  await mouse.stroke([110, 40], [100, 60]);
  assert.ok((await mouse.measure("vegetation")).max > 0.4);
  await mouse.playTo(5);
  await studio.picture("story-desert-3-plants");

  // another rose: the wind turned by dragging its petal, two more by double clicks
  await page.mouse.move(640, 400);
  const rose = page.locator("#rose canvas");
  const box = await rose.boundingBox();
  const petal = (degree, share) => [box.x + box.width * (0.5 + 0.42 * share * Math.sin((degree * Math.PI) / 180)), box.y + box.height * (0.5 - 0.42 * share * Math.cos((degree * Math.PI) / 180))];
  const winds = "s.engine.processes.get('dunes').tables.find((t) => t.name === 'rose').rows";
  await page.mouse.move(...petal(270, 0.4));
  await page.mouse.down();
  await page.mouse.move(...petal(300, 0.5), { steps: 4 });
  await page.mouse.up();
  await studio.settle();
  for (const [count, degree] of [[2, 60], [3, 180]]) {
    await page.mouse.dblclick(...petal(degree, 0.5));
    await studio.until(`(${winds} ?? []).filter((row) => row[1] > 0).length >= ${count}`);
  }

  // a heap under winds from three sides
  await mouse.tool("Add sand");
  await mouse.setting("strength", 0.8);
  await mouse.pour([96, 96], 8);
  await mouse.playTo(9);
  await studio.picture("story-desert-4-star");
  const directions = (await studio.get(winds)).filter((row) => row[1] > 0).map((row) => row[0]);
  assert.ok(new Set(directions).size >= 3, directions.join());
  assert.match(await studio.record(), /abrasion/);
  await replayEverywhere(at, "story-desert");
});

test("a mountain by mouse alone: uplift, rain, a lake that breaches, a slide", async (t) => {
  const at = await begin(t);
  const { studio, mouse } = at;
  const { page } = studio;
  await mouse.newLand({ "Cells of a side": "64", "Size of a cell": "30", Edges: "open", Ground: "1", Sand: "0", "Step of the clock": "1000" });
  await mouse.plan();

  // uplift by a dome that is set on the map
  await mouse.start("uplift");
  const uplift = page.getByRole("region", { name: "uplift", exact: true });
  await uplift.locator("summary", { hasText: "tables" }).click();
  const domes = uplift.locator("details", { hasText: "table domes" }).last();
  await domes.locator("summary").click();
  await domes.getByRole("button", { name: "Draw on the map" }).click();
  await page.mouse.click(...(await mouse.spot(900, 1000)));
  await studio.until("(s.engine.processes.get('uplift')?.tables.find((t) => t.name === 'domes')?.rows ?? []).length === 1 || s.engine.events.list.length > 0");
  await studio.settle();
  await page.keyboard.press("Escape");
  const flat = await mouse.measure("surface");
  await mouse.playTo(300e3);
  const risen = await mouse.measure("surface");
  assert.ok(risen.max > flat.max + 50, `${risen.max} m after ${flat.max} m`);
  await studio.picture("story-mountain-1-uplift");

  // rain cuts valleys
  await mouse.start("hydraulic");
  await mouse.playTo((await studio.get("s.engine.clock.year")) + 150e3);
  const cut = await mouse.measure("hydraulic.wear");
  assert.ok(cut.max > 1, `rivers wear ${cut.max} m`);
  await studio.picture("story-mountain-2-rain");

  // rock dropped across the largest river dams a lake, whose outlet cuts down until it is gone
  const river = await page.evaluate(async () => {
    const { engine } = window.wadiStudio;
    const { bytes } = await engine.download("hydraulic.flow", "r32");
    const flow = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
    const { width, height, cell } = engine.scene;
    let best = 0;
    for (let j = 14; j < height - 14; ++j) for (let i = 14; i < width - 14; ++i) if (flow[j * width + i] > flow[best]) best = j * width + i;
    return [((best % width) + 0.5) * cell, (height - Math.floor(best / width) - 0.5) * cell];
  });
  await mouse.tool("Raise rock");
  await mouse.setting("strength", 0.75);
  await mouse.setting("radius", 0.6);
  // the year at which the clock was stopped says how steep the river is: the dam is raised until a lake stands after a step
  let lake = { max: 0, sum: 0 };
  for (let tries = 0; tries < 5 && lake.max <= 0.5; ++tries) {
    for (let k = 0; k < 3; ++k) {
      await mouse.stroke([river[0] - 120, river[1]], [river[0] + 120, river[1]]);
      await mouse.stroke([river[0], river[1] - 120], [river[0], river[1] + 120]);
    }
    await mouse.click("Step");
    await studio.settle();
    lake = await mouse.measure("water");
  }
  assert.ok(lake.max > 0.5, `a lake of ${lake.max} m`);
  await studio.picture("story-mountain-3-lake");
  await mouse.playTo((await studio.get("s.engine.clock.year")) + 100e3);
  const breached = await mouse.measure("water");
  assert.ok(breached.sum < 0.2 * lake.sum, `the lake of ${lake.sum} has ${breached.sum} left`);
  await studio.picture("story-mountain-4-breach");

  // soil on a steep slope fails under rain
  await mouse.stop("hydraulic");
  await mouse.stop("uplift");
  const steep = await mouse.measure("slope");
  await mouse.tool("Add sand");
  await mouse.setting("strength", 0.8);
  await mouse.pour([steep.x, steep.y], (await studio.get(`s.engine.land.heightAt(${steep.x}, s.engine.land.extentZ - ${steep.y})`)) + 6);
  await mouse.start("landslide");
  await mouse.slide("landslide", "rain", 0.6);
  await mouse.slide("landslide", "most", 0.25);
  await mouse.click("Step");
  await studio.until(`s.engine.clock.processes.some((p) => p.name === 'landslide') && !s.engine.clock.playing`);
  await studio.settle();
  const slid = await mouse.measure("landslide.deposit");
  assert.ok(slid.max > 0, `a slide lays down ${slid.max} m`);
  await studio.picture("story-mountain-5-slide");
  await replayEverywhere(at, "story-mountain");
});
