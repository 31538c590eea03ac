// SPDX-License-Identifier: MIT
// A height map that was dropped onto the page of the server is saved beside the record: the command runs the record to
// the hash of the page, and another server opens it.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { Studio, launch } from "./browser.mjs";
import { hashOf, scratch, serve } from "./host.mjs";
import { sleep } from "./wire.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

// A hill with a hole and heights that have no short decimal form, opened as the dialog of the page does.
async function drop(studio, name, height) {
  await studio.page.evaluate(async ([file, top]) => {
    const { app, engine } = window.wadiStudio;
    const [width, height] = [70, 50];
    const values = Float32Array.from({ length: width * height }, (_, i) => top * Math.exp(-(((i % width) - 30) ** 2 + (Math.floor(i / width) - 25) ** 2) / 300));
    values[3] = NaN;
    const bytes = new Uint8Array(values.buffer);
    await engine.upload({ type: "grid", name: file, width, height, cell: 30, bytes: bytes.length }, file, bytes);
    const scene = `wadi: 1\nname: ${file.replace(".tif", "")}\nterrain:\n  import: {file: ${file}, cell: 30 m}\n  edges: open\nsteps:\n  - set_layer: {sediment: 1 m}\n`;
    await engine.open(scene, { name: file.replace(".tif", ""), tick: 250 });
    app.sceneText = scene;
  }, [name, height]);
  await studio.command({ type: "edit", edit: { raise: { height: "7 m", circle: { x: "900 m", y: "700 m", radius: "300 m" } } } });
}

// The record of the server, once it has been saved.
async function saved(file, wanted) {
  for (let waited = 0; waited < 10000; waited += 50, await sleep(50)) {
    const text = fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
    if (wanted.test(text)) return text;
  }
  throw new Error(`no record in ${file}`);
}

test("a dropped map is saved beside the record", async () => {
  const folder = scratch();
  const server = await serve(["--threads", "1"], { cwd: folder });
  let end;
  try {
    const studio = await Studio.open(browser, server.address);
    await drop(studio, "hill.tif", 100 / 3);
    ({ end } = await studio.hash());
    const text = await saved(path.join(folder, "hill.studio.yaml"), /raise/);
    assert.match(text, /hill\.tif/);
    assert.ok(fs.existsSync(path.join(folder, "hill.tif")));
    assert.equal(hashOf(text, folder), end, "in the command");
    const before = fs.readFileSync(path.join(folder, "hill.tif"));
    // another map of that name is not written over it
    await drop(studio, "hill.tif", 50);
    await saved(path.join(folder, "hill.studio-2.yaml"), /raise/);
    assert.deepEqual(fs.readFileSync(path.join(folder, "hill.tif")), before);
    assert.match(server.errors, /another file 'hill\.tif' is there/);
    // the page says so in words, and again when it is loaded anew
    const warning = studio.page.locator(".note.warning", { hasText: "another file 'hill.tif' is there" });
    await warning.waitFor();
    await studio.picture("not-saved");
    await studio.page.reload();
    await warning.waitFor();
    await studio.until("s.engine.scene && s.engine.land");
    await warning.getByRole("button", { name: "Close this warning" }).click();
    assert.equal(await warning.count(), 0);
    // when the file is out of the way, the next record brings the map
    fs.renameSync(path.join(folder, "hill.tif"), path.join(folder, "first.tif"));
    await studio.command({ type: "edit", edit: { raise: { height: "3 m", circle: { x: "900 m", y: "700 m", radius: "300 m" } } } });
    const { end: later } = await studio.hash();
    const second = await saved(path.join(folder, "hill.studio-2.yaml"), /height: 3 m/);
    await saved(path.join(folder, "hill.tif"), /./);
    assert.equal(hashOf(second, folder), later, "the second map in the command");
    fs.renameSync(path.join(folder, "first.tif"), path.join(folder, "hill.tif"));
    assert.deepEqual(fs.readdirSync(folder).filter((name) => name.includes("..")), []);
    await studio.close();
  } finally {
    await server.stop();
  }
  const again = await serve([path.join(folder, "hill.studio.yaml"), "--no-save"], { cwd: folder });
  try {
    const studio = await Studio.open(browser, again.address);
    assert.equal((await studio.hash()).end, end, "behind another server");
    await studio.close();
  } finally {
    await again.stop();
  }
});

// Polygons of thousands of corners make a record long in a few commands.
test("the page is told of a record that cannot be opened again", async () => {
  const folder = scratch();
  const scene = path.join(folder, "small.yaml");
  fs.writeFileSync(scene, "wadi: 1\nname: small\nterrain: {size: [8, 8], cell: 10 m, flat: 0}\ntimeline: {tick: 1 yr, end: 2 yr, run: [talus: {}]}\n");
  const server = await serve([scene, "--threads", "1"], { cwd: folder });
  try {
    const studio = await Studio.open(browser, server.address);
    await studio.page.evaluate(async () => {
      const { engine } = window.wadiStudio;
      const round = (value) => Number(value.toFixed(3));
      const polygon = Array.from({ length: 3000 }, (_, k) => [round(40 + 35 * Math.cos(k)), round(40 + 35 * Math.sin(k))]);
      for (let k = 0; k < 72; ++k) await engine.command({ type: "edit", joins: k > 0, edit: { raise: { height: 0.01, polygon } } });
    });
    const warning = studio.page.locator(".note.warning", { hasText: "cannot be opened again" });
    await warning.waitFor();
    assert.match(await warning.textContent(), /small\.studio\.yaml.* more than \d+ bytes/);
    assert.match(server.errors, /cannot be opened again/);
    await studio.close();
  } finally {
    await server.stop();
  }
});
