// SPDX-License-Identifier: MIT
// Brushes of all shapes by mouse, keys and fingers, forms of the ground, and emitters of rain: what the page shows at once
// is what the engine computes, undo brings the former hash, and the record comes to it in the command.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { Studio, launch } from "./browser.mjs";
import { hashOf, scratch, serve } from "./host.mjs";
import { Mouse } from "./mouse.mjs";

const plain = `wadi: 1
name: plain
terrain: {size: [96, 80], cell: 5 m, flat: 10 m, edges: EDGES}
layers: {sediment: 1 m}
timeline: {tick: 1 yr, end: 20 yr, run: [talus: {}]}
`;
const valley = `wadi: 1
name: valley
seed: 5
terrain: {size: [96, 80], cell: 50 m, noise: {relief: 500 m}}
timeline: {tick: 500 yr, end: 20000 yr, run: [hydraulic: {rain: 0.4 m/yr}]}
`;

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

async function within(text, work, options = {}) {
  const folder = scratch();
  const scene = path.join(folder, "scene.yaml");
  fs.writeFileSync(scene, text);
  const server = await serve([scene, "--threads", "2", "--no-save"], { cwd: folder });
  try {
    const studio = await Studio.open(browser, server.address, options);
    await work(studio, new Mouse(studio));
    assert.deepEqual(studio.errors, []);
    await studio.close();
  } finally {
    await server.stop();
  }
}

// Heights of the page's own copy at places, m from the south-west corner.
const heights = (studio, ...places) =>
  studio.page.evaluate((list) => {
    const { land } = window.wadiStudio.engine;
    return list.map(([x, y]) => land.surface[land.cellAt(x, land.extentZ - y)]);
  }, places);

const near = (value, wanted, text) => assert.ok(Math.abs(value - wanted) < 0.01, `${text}: ${value}, expected ${wanted}`);

async function fill(studio, label, value) {
  const box = studio.page.locator("#tools").getByLabel(label, { exact: true });
  await box.fill(String(value));
  await box.press("Enter");
}

async function inCommand(studio) {
  await studio.command({ type: "step", ticks: 1 });
  const { end } = await studio.hash();
  assert.equal(hashOf(await studio.record()), end, "in the command");
}

test("square and turned brushes, with a falloff in metres, by mouse and keys", () =>
  within(plain.replace("EDGES", "open"), async (studio, mouse) => {
    await mouse.plan();
    await mouse.tool("Raise rock");
    await fill(studio, "radius", 50);
    await fill(studio, "falloff", 20);
    await fill(studio, "strength", 2);
    await studio.page.getByLabel("Shape of the brush").selectOption("square");
    const before = await studio.hash();
    const places = [[202.5, 202.5], [227.5, 227.5], [242.5, 242.5], [262.5, 202.5]];
    await studio.page.mouse.move(...(await mouse.spot(202.5, 202.5)));
    await studio.page.mouse.down();
    await studio.page.mouse.up();
    await studio.settle();
    const computed = await heights(studio, ...places);
    // a slow machine lets the pointer rest, which gives more touches
    const touches = await studio.get("s.engine.events.list.length");
    near(computed[1], 10 + 2 * touches, "a square is full near its corners");
    near(computed[3], 10, "and ends at its side");
    const share = (computed[2] - 10) / touches;
    assert.ok(share > 0.2 && share < 1.8, `falloff: ${computed[2]}`);
    // one touch in one task of the page, before the engine has heard of it
    const shown = await studio.page.evaluate((list) => {
      const { engine, painter } = window.wadiStudio;
      const { land } = engine;
      painter.press({ x: 202.5, z: land.extentZ - 202.5 }, { button: 0, altKey: false, timeStamp: 1e6 });
      painter.release();
      return list.map(([x, y]) => land.surface[land.cellAt(x, land.extentZ - y)]);
    }, places);
    near(shown[0], computed[0] + 2, "shown at once");
    await studio.settle();
    (await heights(studio, ...places)).forEach((value, k) => near(value, shown[k], `place ${k}`));
    await studio.picture("brush-square");
    for (let k = 0; k < 2; ++k) {
      await studio.page.getByRole("button", { name: "Undo" }).click();
      await studio.until(`s.engine.events.list.length === ${touches * (1 - k)}`);
    }
    assert.equal((await studio.hash()).living, before.living);

    // a larger brush keeps the metres of its falloff
    await studio.page.locator("#view").press("]");
    assert.equal(await studio.get("s.app.brush.falloff"), 20);
    // Q goes on to rectangles, X turns, B touches the middle of the view
    await studio.page.locator("#view").press("q");
    assert.equal(await studio.get("s.app.brush.shape"), "rectangle");
    for (let k = 0; k < 6; ++k) await studio.page.locator("#view").press("x");
    assert.equal(await studio.get("s.app.brush.azimuth"), 90);
    await studio.page.locator("#view").press("b");
    await studio.settle();
    assert.match(await studio.get("JSON.stringify(s.engine.events.list)"), /raise/);
    const [middle, east, north] = await heights(studio, [240, 200], [275, 200], [240, 230]);
    assert.ok(middle > 11.5 && east > 11.5, `turned to the east: ${middle}, ${east}`);
    near(north, 10, "narrow to the north");
    await studio.picture("brush-rectangle");
    await inCommand(studio);
  }, { scale: 1, viewport: { width: 1100, height: 700 } }));

test("polygons by fingers: the corners are tapped and a button applies them", () =>
  within(plain.replace("EDGES", "open"), async (studio, mouse) => {
    await mouse.plan();
    await mouse.tool("Add sand");
    await studio.page.getByLabel("Shape of the brush").selectOption("polygon");
    await fill(studio, "falloff", 0);
    const before = await studio.hash();
    for (const place of [[150, 100], [300, 100], [225, 300]]) {
      const [x, y] = await mouse.spot(...place);
      await studio.page.evaluate(([clientX, clientY]) => {
        const view = document.getElementById("view");
        const finger = { pointerId: 7, pointerType: "touch", isPrimary: true, button: 0, buttons: 1, clientX, clientY, bubbles: true };
        view.dispatchEvent(new PointerEvent("pointerdown", finger));
        view.dispatchEvent(new PointerEvent("pointerup", { ...finger, buttons: 0 }));
      }, [x, y]);
      await new Promise((done) => setTimeout(done, 350)); // no double tap
    }
    await studio.page.locator("#tools").getByRole("button", { name: "Apply" }).click();
    await studio.settle();
    assert.notEqual((await studio.hash()).living, before.living);
    const [inside, outside] = await heights(studio, [225, 150], [160, 200]);
    near(inside, 10.5, "inside");
    near(outside, 10, "outside");
    await inCommand(studio);
  }));

test("a brush reaches over periodic edges", () =>
  within(plain.replace("EDGES", "periodic"), async (studio) => {
    // places of the middle tile, at its seams, as a stroke of the mouse comes to them
    await studio.page.evaluate(async () => {
      const { app, engine, painter } = window.wadiStudio;
      app.setTool({ ...app.tool, name: "Raise rock", edit: "raise", amount: 2, unit: "m" });
      Object.assign(app.brush, { radius: 40, falloff: 0, strength: 2, shape: "round" });
      painter.press({ x: 2, z: 3 }, { button: 0, altKey: false, timeStamp: 0 });
      painter.release();
      await painter.painting;
      await engine.ask({ type: "hash" }, "hash");
    });
    await studio.settle();
    const all = await heights(studio, [10, 390], [470, 390], [10, 10], [470, 10], [240, 200]);
    for (const value of all.slice(0, 4)) near(value, 12, `at the seam: ${all}`);
    near(all[4], 10, "elsewhere");
    await inCommand(studio);
  }));

test("forms of the ground are put down by a click", () =>
  within(plain.replace("EDGES", "open"), async (studio, mouse) => {
    await mouse.plan();
    await mouse.tool("Forms");
    await fill(studio, "radius", 60);
    await fill(studio, "height", 24);
    const list = studio.page.getByLabel("Form", { exact: true });
    const names = await list.evaluate((element) => [...element.options].map((option) => option.value));
    assert.equal(names.length, 8);
    const heightsOf = {};
    for (const [k, name] of names.entries()) {
      await list.selectOption(name);
      const before = await studio.hash();
      const centre = [72.5 + 110 * (k % 4), 102.5 + 190 * Math.floor(k / 4)];
      const spot = await mouse.spot(...centre);
      await studio.page.mouse.click(...spot);
      const places = [centre, [centre[0] + 30, centre[1]], [centre[0], centre[1] + 30], [centre[0] + 52, centre[1]]];
      const shown = await heights(studio, ...places);
      await studio.settle();
      heightsOf[name] = await heights(studio, ...places);
      shown.forEach((value, i) => assert.ok(Math.abs(value - heightsOf[name][i]) < 0.05, `${name}, place ${i}: shown ${value}, computed ${heightsOf[name][i]}`));
      assert.notEqual((await studio.hash()).living, before.living, name);
      if (k > 1) continue;
      await studio.page.getByRole("button", { name: "Undo" }).click();
      await studio.until("s.engine.clock.can_redo");
      assert.equal((await studio.hash()).living, before.living, `${name} is one undo`);
      await studio.page.locator("#view").press("Control+y");
      await studio.until("!s.engine.clock.can_redo");
    }
    const { dome, cone, mesa, ridge, valley, basin, crater, volcano } = heightsOf;
    assert.ok(dome[0] > 33.5 && cone[0] > 32 && mesa[1] > 33.5, JSON.stringify(heightsOf));
    assert.ok(Math.abs(cone[1] - 22) < 1, `a cone is half as high half way: ${cone[1]}`);
    assert.ok(ridge[2] > 30 && ridge[1] < 12, `a ridge is long: ${ridge}`);
    assert.ok(valley[2] < -8 && basin[0] < -10, JSON.stringify({ valley, basin }));
    assert.ok(crater[0] < -8 && crater[3] > 11.5, `a crater has a rim: ${crater}`);
    assert.ok(volcano[0] < cone[0] - 4 && volcano[1] > 20, `a volcano has a crater: ${volcano}`);
    await studio.tab("View");
    await studio.page.getByLabel("plan view (P)").uncheck();
    await studio.page.mouse.move(5, 300);
    await studio.picture("forms");
    await inCommand(studio);
  }, { scale: 1, viewport: { width: 1100, height: 700 } }));

test("emitters of rain are placed, moved on the land, changed and deleted", () =>
  within(valley, async (studio, mouse) => {
    await mouse.plan();
    await mouse.tool("Rain, maps");
    await fill(studio, "value", 2);
    await fill(studio, "radius", 600);
    await fill(studio, "falloff", 200);
    await studio.page.getByRole("button", { name: "Place an emitter" }).click();
    await studio.page.mouse.click(...(await mouse.spot(1500, 2500)));
    await studio.until("s.app.spots.length === 1");
    await studio.page.locator(".legend .name", { hasText: "hydraulic.rain" }).waitFor(); // the map is shown
    const placed = await mouse.measure("hydraulic.rain");
    near(placed.max, 2, "it rains there");
    assert.ok(Math.hypot(placed.x - 1500, placed.y - 2500) < 700);
    await studio.command({ type: "step", ticks: 2 });
    // by its middle to the east: a new event at this year
    const events = await studio.get("s.engine.events.list.length");
    await mouse.stroke([1500, 2500], [2500, 2400], [3500, 2000]);
    assert.equal(await studio.get("s.engine.events.list.length"), events + 1);
    await studio.until("s.app.spots.length === 1 && s.app.spots[0].x > 3000");
    // a click on its middle changes nothing
    await studio.page.mouse.click(...(await mouse.spot(3500, 2000)));
    await studio.settle();
    assert.equal(await studio.get("s.engine.events.list.length"), events + 1);
    const moved = await mouse.measure("hydraulic.rain");
    assert.ok(Math.hypot(moved.x - 3500, moved.y - 2000) < 700, JSON.stringify(moved));
    await studio.page.mouse.move(5, 300);
    await studio.picture("emitter");
    const box = studio.page.getByLabel("value in m/yr of emitter 1");
    await box.fill("1.5");
    await box.press("Enter");
    await studio.until("s.app.spots[0]?.value === 1.5");
    await inCommand(studio);
    // an area of rain in the shape of the brush, and a polygon
    await studio.page.getByLabel("Shape of the brush").selectOption("square");
    await mouse.stroke([1000, 1000], [1200, 3000]);
    const squared = await mouse.measure("hydraulic.rain");
    near(squared.max, 2, "the square");
    await inCommand(studio);
    // a polygon of more corners than one message holds is one area and one undo
    await studio.page.getByLabel("Shape of the brush").selectOption("polygon");
    const strokes = await studio.get("s.engine.events.list.length");
    await studio.page.evaluate(async () => {
      const { engine, painter } = window.wadiStudio;
      for (let k = 0; k < 150; ++k)
        painter.press({ x: 3000 + 900 * Math.cos((k * Math.PI) / 75), z: engine.land.extentZ - 1500 - 900 * Math.sin((k * Math.PI) / 75) }, { button: 0, altKey: false, timeStamp: 1e6 + 1000 * k });
      painter.closePolygon(true);
      await painter.painting;
    });
    await studio.settle();
    assert.ok((await mouse.measure("hydraulic.rain")).sum > squared.sum);
    await inCommand(studio);
    assert.match(await studio.record(), /polygon: (\[.*?\], ){149}/);
    await studio.page.locator("#view").press("Control+z");
    await studio.until(`s.engine.events.list.length === ${strokes}`);
    await studio.page.getByRole("button", { name: "Delete emitter 1" }).click();
    await studio.until("s.app.spots.length === 0");
    assert.match(await studio.record(), /polygon: \[\[/);
    assert.ok((await mouse.measure("hydraulic.rain")).sum < squared.sum);
    await inCommand(studio);
  }, { scale: 1, viewport: { width: 1100, height: 700 } }));

test("a long stroke over a map is one stroke without rims", () =>
  within(valley, async (studio, mouse) => {
    await mouse.plan();
    await mouse.tool("Rain, maps");
    await fill(studio, "radius", 200);
    await fill(studio, "falloff", 200);
    // by the page's own input, since a software renderer is slow to follow a mouse over so many places
    await studio.page.evaluate(async () => {
      const { engine, painter } = window.wadiStudio;
      const z = (k) => engine.land.extentZ - 2000 - (k % 2 ? 180 : -180);
      painter.press({ x: 600, z: z(0) }, { button: 0, altKey: false, timeStamp: 0 });
      for (let k = 1; k < 90; ++k) painter.drag({ x: 600 + 40 * k, z: z(k) });
      painter.release();
      await painter.painting;
    });
    const text = await studio.record();
    await studio.command({ type: "step", ticks: 1 });
    const record = await studio.record();
    assert.equal((record.match(/radius: 200 m/g) ?? []).length, 1, text);
    assert.ok((record.match(/ m, \d+(\.\d+)? m\]/g) ?? []).length > 64, "more points than one message holds");
    assert.equal(hashOf(record), (await studio.hash()).end);
  }));
