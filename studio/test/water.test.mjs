// SPDX-License-Identifier: MIT
// Water two cells wide on a land with more cells than the grid of the whole has quads: close by, finer grids carry it
// without gaps.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { Studio, launch } from "./browser.mjs";
import { scratch, serve } from "./host.mjs";

const river = `wadi: 1
name: river
seed: 2
terrain: {size: [1100, 1000], cell: 3 m, noise: {relief: 120 m, wavelength: 1.5 km}}
layers:
  water: {constant: {value: 0 m, strokes: [{value: 1 m, radius: 3.5 m, points: [[1560, 1480], [1700, 1430], [1800, 1515]]}]}}
steps: [{raise: {height: 1 mm, everywhere: true}}]
`;

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

test("a thin river has no gaps", async () => {
  const folder = scratch();
  const scene = path.join(folder, "river.yaml");
  fs.writeFileSync(scene, river);
  const server = await serve([scene, "--threads", "1", "--no-save"], { cwd: folder });
  try {
    const studio = await Studio.open(browser, server.address, { scale: 1 });
    // the camera is placed once the first tiles are in
    await studio.until("s.view.camera.target.distance > 3000 && s.view.detail.water.visible");
    const wet = await studio.page.evaluate(() => {
      const { view, engine, app } = window.wadiStudio;
      const { land } = engine;
      view.camera.frame({ x: 1690, z: land.extentZ - 1465, y: land.heightAt(1690, land.extentZ - 1465), distance: 260, azimuth: 20, elevation: 50 }, 3300);
      view.drawNow();
      const canvas = document.getElementById("view");
      const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d");
      copy.drawImage(canvas, 0, 0);
      const isBlue = (x, y) => {
        const [u, v] = app.marks.project(x, y, land);
        const [r, , b] = copy.getImageData((u * canvas.width) / canvas.clientWidth, (v * canvas.height) / canvas.clientHeight, 1, 1).data;
        return b > r - 25; // dry ground has about 60 less
      };
      const along = (a, b) => Array.from({ length: 20 }, (_, k) => isBlue(a[0] + ((b[0] - a[0]) * (k + 1)) / 21, a[1] + ((b[1] - a[1]) * (k + 1)) / 21));
      return { river: [...along([1560, 1480], [1700, 1430]), ...along([1700, 1430], [1800, 1515])], dry: along([1580, 1510], [1700, 1490]) };
    });
    await studio.picture("thin-river");
    assert.ok(wet.river.filter(Boolean).length >= 38, wet.river.map(Number).join(""));
    assert.ok(wet.dry.every((is) => !is), wet.dry.map(Number).join(""));
    assert.deepEqual(studio.errors, []);
    await studio.close();
  } finally {
    await server.stop();
  }
});
