// SPDX-License-Identifier: MIT
// Parts of the page, each by the mouse: events that are changed, winds from a table, faults and emitters that are
// drawn on the map, arrows, meshes, pictures, video, and what the page is for people who see or move it otherwise.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { Studio, launch } from "./browser.mjs";
import { command, hashOf, scratch, serve } from "./host.mjs";
import { Mouse } from "./mouse.mjs";

const scene = (run) => `wadi: 1
name: parts
seed: 5
terrain:
  size: [48, 48]
  cell: 20 m
  edges: {north: closed, south: closed, east: open, west: open}
  sources: [{ramp: {elevation: 100 m, slope: 0.02, azimuth: 90 deg}}, {noise: {relief: 4 m, wavelength: 200 m}, combine: add}]
layers: {sediment: 1 m, water: 0 m}
timeline:
  tick: 1 yr
  end: 4 yr
  run:
    - ${run}: {}
  events:
    - {at: 1 yr, add_sand: {depth: 2 m, circle: {x: 400 m, y: 400 m, radius: 100 m}, soft: 40 m}}
`;

let browser;
let server;
let studio;
let mouse;
const folder = scratch();

async function open(run) {
  await studio.page.evaluate((text) => window.wadiStudio.engine.open(text, { name: "parts" }), scene(run));
  await mouse.plan();
}

before(async () => {
  browser = await launch();
  server = await serve(["--threads", "2", "--no-save"], { cwd: folder });
  studio = await Studio.open(browser, server.address, { viewport: { width: 1280, height: 800 }, scale: 0.25 });
  mouse = new Mouse(studio);
  await open("dunes");
});
after(async () => {
  await browser.close();
  await server.stop();
});

const sameInCommand = async () => {
  const { end } = await studio.hash();
  assert.equal(hashOf(await studio.record()), end);
};

async function table(process, name) {
  await studio.tab("Processes");
  const panel = studio.page.getByRole("region", { name: process, exact: true });
  const tables = panel.locator("> details", { hasText: "tables (" }).last();
  if ((await tables.getAttribute("open")) === null) await tables.locator("> summary").click();
  const one = tables.locator("> details", { hasText: `table ${name}` }).first();
  if ((await one.getAttribute("open")) === null) await one.locator("> summary").click();
  return one;
}

const rows = (process, name) => `(s.engine.processes.get('${process}')?.tables.find((t) => t.name === '${name}')?.rows ?? [])`;

async function drawOnMap(process, name, places) {
  const one = await table(process, name);
  await one.getByRole("button", { name: "Draw on the map" }).click();
  for (const place of places) {
    const before = await studio.get("JSON.stringify(s.engine.events)");
    await studio.page.mouse.click(...(await mouse.spot(...place)));
    await studio.until(`JSON.stringify(s.engine.events) !== ${JSON.stringify(before)}`);
  }
  await studio.settle();
  await studio.page.keyboard.press("Escape");
}

test("an event gets other values on the timeline, at its year", async () => {
  const { page } = studio;
  await studio.command({ type: "step", ticks: 3 });
  const before = await studio.hash();
  await page.locator("#bar button.event.edit").first().click();
  await page.getByRole("button", { name: "Change", exact: true }).click();
  await page.getByRole("textbox", { name: "depth" }).fill("3 m");
  await page.getByRole("textbox", { name: "circle radius" }).fill("80 m");
  await page.getByRole("button", { name: "Apply" }).click();
  await studio.until("!document.querySelector('dialog[open]') && Math.abs(s.engine.clock.year - 3) < 1e-9 && s.engine.clock.can_undo");
  await page.waitForFunction(() => !document.querySelector("dialog[open]"));
  for (let text = ""; !text.includes("depth: 3 m"); ) text = await studio.record();
  await studio.settle();
  assert.match(await studio.record(), /at: 1 yr, add_sand: \{depth: 3 m, circle: \{x: 400 m, y: 400 m, radius: 80 m\}, soft: 40 m\}/);
  const changed = await studio.hash();
  assert.notEqual(changed.living, before.living);
  await sameInCommand();
  // one undo, and the year is the same
  await page.keyboard.press("Control+z");
  await studio.until("s.engine.clock.can_redo");
  assert.equal((await studio.hash()).living, before.living);
  await page.keyboard.press("Control+y");
  await studio.until("!s.engine.clock.can_redo");
  assert.equal((await studio.hash()).living, changed.living);
});

// The record leaves changes out that a later one of the same year replaces: events behind them have other places in it.
test("the event that is clicked gets other values, also behind changes that the record leaves out", async () => {
  const { page } = studio;
  await open("dunes");
  await studio.command({ type: "step", ticks: 2 });
  for (const speed of [9, 8, 7]) await studio.command({ type: "change", process: "dunes", with: { speed: `${speed} m/s` } });
  const spot = (x, depth) => ({ type: "edit", edit: { add_sand: { depth: `${depth} m`, circle: { x: `${x} m`, y: "600 m", radius: "60 m" } } } });
  await studio.command({ type: "step", ticks: 1 });
  await studio.command(spot(200, 1));
  await studio.command({ type: "step", ticks: 1 });
  await studio.command(spot(600, 5));
  await studio.command({ type: "step", ticks: 1 });
  const kinds = await studio.get("s.engine.events.list.map((event) => event.kind).join(' ')");
  assert.equal(kinds, "edit change change change edit edit");
  const change = async (mark, box, from, to) => {
    await page.locator(mark).click();
    await page.getByRole("button", { name: "Change", exact: true }).click();
    const input = page.getByRole("textbox", { name: box, exact: true });
    assert.equal(await input.inputValue(), from);
    await input.fill(to);
    await page.getByRole("button", { name: "Apply" }).click();
    for (let text = ""; !text.includes(`${box}: ${to}`); ) text = await studio.record();
    await studio.until("Math.abs(s.engine.clock.year - 5) < 1e-9");
  };
  await change("#bar button.event.edit >> nth=1", "depth", "1 m", "2.5 m");
  await change("#bar button.event.change >> nth=0", "speed", "7 m/s", "6 m/s");
  const record = await studio.record();
  assert.match(record, /at: 1 yr, add_sand: \{depth: 2 m[^\n]*\n[^\n]*at: 2 yr, dunes: \{[^\n]*speed: 6 m\/s/);
  assert.match(record, /at: 3 yr, add_sand: \{depth: 2\.5 m, circle: \{x: 200 m[^\n]*\n[^\n]*at: 4 yr, add_sand: \{depth: 5 m, circle: \{x: 600 m/);
  await sameInCommand();
});

test("arrows of the flux of sand stand on the land", async () => {
  await studio.tab("Maps");
  await studio.page.getByRole("combobox", { name: "arrows" }).selectOption("dunes.flux");
  await studio.until("s.app.marks.arrows().length > 20");
  const east = await studio.get("s.app.marks.arrows().filter((a) => a.east > 0).length / s.app.marks.arrows().length");
  assert.ok(east > 0.8, `${east} of the arrows point to the east, where the west wind blows`);
  await studio.picture("parts-arrows");
  await studio.page.getByRole("combobox", { name: "arrows" }).selectOption("wind of the rose");
  await studio.until("s.app.marks.arrows().length === 26 * 26");
  await studio.page.getByRole("combobox", { name: "arrows" }).selectOption("");
  assert.equal(await studio.get("s.app.marks.arrows().length"), 0);
});

test("winds are read from a table", async () => {
  const file = path.join(folder, "winds.csv");
  fs.writeFileSync(file, "direction,speed,share\n300,12,0.2\n60,9,0.15\n180,8,0.1\n");
  await studio.page.locator("#rose").hover();
  const [picker] = await Promise.all([studio.page.waitForEvent("filechooser"), studio.page.locator("#rose").getByRole("button", { name: "CSV" }).click()]);
  await picker.setFiles(file);
  await studio.until(`${rows("dunes", "rose")}.filter((row) => row[1] > 0).length === 3`);
  await studio.command({ type: "step", ticks: 1 });
  await sameInCommand();
});

test("a fault is drawn on the map, and the land is cut along it", async () => {
  await open("uplift");
  await drawOnMap("uplift", "faults", [[300, 100], [500, 860]]);
  await studio.command({ type: "step", ticks: 4 });
  assert.match(await studio.record(), /faults/);
  const risen = await mouse.measure("uplift.rise");
  assert.ok(risen.max > risen.min, JSON.stringify(risen));
  await sameInCommand();
});

test("rivers and rain are placed on the map: emitters of a riverbed, and rivers that enter", async () => {
  await open("riverbed");
  await drawOnMap("riverbed", "emitters", [[20, 480]]);
  await studio.command({ type: "step", ticks: 1 });
  assert.match(await studio.record(), /emitters/);
  await sameInCommand();
  await open("hydraulic");
  await drawOnMap("hydraulic", "inflow", [[20, 500]]);
  const rain = (await studio.hash()).living;
  await mouse.slide("hydraulic", "rain", 0.7);
  await studio.command({ type: "step", ticks: 2 });
  assert.notEqual((await studio.hash()).living, rain);
  await sameInCommand();
});

async function download(act) {
  const [file] = await Promise.all([studio.page.waitForEvent("download"), act()]);
  const at = path.join(folder, file.suggestedFilename());
  await file.saveAs(at);
  return at;
}

test("the mesh is that of the command", async () => {
  await studio.tab("Files");
  await studio.page.locator("#export-format").selectOption("obj");
  await studio.settle();
  const file = await download(() => studio.page.getByRole("button", { name: "Export", exact: true }).click());
  const record = path.join(folder, "mesh.yaml");
  fs.writeFileSync(record, (await studio.record()).replace(/\n*$/, "\noutput:\n  - {write: mesh.obj}\n"));
  command("run", record, "-o", folder, "--progress", "none");
  const plain = (name) => fs.readFileSync(name, "utf8").split("\n").filter((line) => /^[vf] /.test(line));
  const [page, own] = [plain(file), plain(path.join(folder, "mesh.obj"))];
  assert.equal(page.length, own.length);
  page.forEach((line, k) => assert.equal(line, own[k], `line ${k}`));
});

test("a picture is a PNG, and a video a WebM", async () => {
  await studio.tab("Files");
  const picture = fs.readFileSync(await download(() => studio.page.getByRole("button", { name: "Save picture" }).click()));
  assert.equal(picture.toString("latin1", 1, 4), "PNG");
  await studio.page.getByRole("button", { name: "Record video" }).click();
  await studio.page.getByRole("button", { name: "Stop recording" }).waitFor();
  const frames = await studio.get("s.view.frames");
  await studio.page.mouse.move(400, 500);
  await studio.page.mouse.wheel(0, -100);
  await studio.until(`s.view.frames > ${frames}`);
  await studio.page.waitForTimeout(300);
  const video = fs.readFileSync(await download(() => studio.page.getByRole("button", { name: "Stop recording" }).click()));
  assert.equal(video.readUInt32BE(0), 0x1a45dfa3);
  assert.ok(video.length > 500, `${video.length} bytes`);
});

test("every control has a name, and nothing is cut off at any size or magnification", async () => {
  const sizes = { desktop: [1280, 800, 1], large: [640, 400, 2], tablet: [820, 1180, 1], phone: [390, 844, 1] };
  for (const [name, [width, height]] of Object.entries(sizes)) {
    await studio.page.setViewportSize({ width, height });
    const unnamed = await studio.page.evaluate(() =>
      [...document.querySelectorAll("button, input, select, canvas, [role=slider]")]
        .filter((e) => e.checkVisibility() && !e.closest("[aria-hidden=true]") && e.type !== "file")
        .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length || e.title))
        .map((e) => e.outerHTML.slice(0, 120)));
    assert.deepEqual(unnamed, [], name);
    for (const menu of ["Tools", "Panels"]) {
      const id = menu === "Tools" ? "#tools" : "#side";
      if (!(await studio.page.locator(id).isVisible())) await studio.page.getByRole("button", { name: menu, exact: true }).click();
      const box = await studio.page.locator(id).boundingBox();
      assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width + 1 && box.y + box.height <= height + 1, `${name}, ${menu}: ${JSON.stringify(box)}`);
      const bar = await studio.page.locator("#bar").boundingBox();
      assert.ok(box.y + box.height <= bar.y + 1, `${name}: ${menu} ends at ${box.y + box.height}, behind the bar at ${bar.y}`);
    }
    const wide = await studio.page.evaluate(() => [...document.querySelectorAll("#bar > *, #head > *")].filter((e) => e.checkVisibility()).map((e) => [e.className || e.id, e.getBoundingClientRect().right]).filter(([, right]) => right > innerWidth + 1));
    assert.deepEqual(wide, [], `${name}: beyond the right edge`);
    await studio.picture(`parts-${name}`);
  }
  assert.deepEqual(studio.errors, []);
});
