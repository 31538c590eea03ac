// SPDX-License-Identifier: MIT
// A slide of grains while the page plays: the grains come as spheres, move, and are gone when they are ground again.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { Studio, launch, link } from "./browser.mjs";
import { hashOf, host, scratch, serve, site } from "./host.mjs";

const slope = `wadi: 1
name: slope
seed: 21
terrain:
  size: [96, 96]
  cell: 5 m
  sources:
    - ramp: {elevation: 100 m, slope: 0.3, azimuth: 20 deg}
    - noise: {kind: fbm, relief: 130 m, wavelength: 450 m, octaves: 3}
      combine: add
layers: {sediment: 2 m}
timeline:
  tick: 1 day
  end: 2 days
  run:
    - landslide: {model: grains, cohesion: 7 kPa, most: 1200, rain: 1 mm/h, min_area: 500 m2, entrainment: 0.001}
`;

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

async function watchSlide(studio, name) {
  await studio.page.evaluate(() => {
    const { engine } = window.wadiStudio;
    window.frames_ = [];
    engine.on("grains", (grains) => window.frames_.push(grains.slice()));
  });
  await studio.command({ type: "step", ticks: 1 });
  await studio.until("window.frames_.length > 0 && window.frames_.at(-1).length === 0", 20000); // they are ground at the end
  const seen = await studio.page.evaluate(() => {
    const [first, last] = [window.frames_.find((frame) => frame.length), window.frames_.filter((frame) => frame.length).pop()];
    const far = (k) => Math.hypot(first[k] - last[k], first[k + 1] - last[k + 1], first[k + 2] - last[k + 2]);
    let most = 0;
    for (let k = 0; first && k < first.length; k += 4) most = Math.max(most, far(k));
    return { frames: window.frames_.length, grains: first ? first.length / 4 : 0, radius: first?.[3], most };
  });
  assert.ok(seen.frames >= 3, JSON.stringify(seen));
  assert.ok(seen.grains > 100 && seen.radius > 0.1, JSON.stringify(seen));
  assert.ok(seen.most > 5, `grains move: ${JSON.stringify(seen)}`);
  // one frame of the slide again, to be looked at
  await studio.page.evaluate(() => {
    const frames = window.frames_.filter((frame) => frame.length);
    const frame = frames[frames.length >> 1];
    const { view, engine } = window.wadiStudio;
    view.setGrains(frame);
    const middle = frame.length >> 3 << 2;
    view.camera.frame({ x: frame[middle], y: frame[middle + 2], z: engine.land.extentZ - frame[middle + 1], distance: 110, azimuth: 200, elevation: 32 }, engine.land.extentX);
    view.drawNow();
  });
  await studio.picture(name);
  const { end } = await studio.hash();
  assert.equal(hashOf(await studio.record()), end, "in the command");
  assert.deepEqual(studio.errors, []);
}

test("grains behind the native engine", async () => {
  const folder = scratch();
  const scene = path.join(folder, "slope.yaml");
  fs.writeFileSync(scene, slope);
  const server = await serve([scene, "--threads", "2", "--no-save"], { cwd: folder });
  try {
    const studio = await Studio.open(browser, server.address, { scale: 1 });
    await watchSlide(studio, "grains-native");
    await studio.close();
  } finally {
    await server.stop();
  }
});

// One grain lies on flat land and one is high above it: the map of their shades is dark beside them, away from the sun.
test("grains cast shadows on the ground", async () => {
  const folder = scratch();
  const scene = path.join(folder, "flat.yaml");
  fs.writeFileSync(scene, "wadi: 1\nname: flat\nterrain: {size: [64, 64], cell: 5 m, flat: 0}\ntimeline: {tick: 1 yr, end: 2 yr, run: [talus: {}]}\n");
  const server = await serve([scene, "--threads", "1", "--no-save"], { cwd: folder });
  try {
    const studio = await Studio.open(browser, server.address, { scale: 1 });
    await studio.settle();
    const dark = await studio.page.evaluate(() => {
      const { view } = window.wadiStudio;
      view.setGrains(new Float32Array([80, 160, 8, 8, 240, 160, 28, 8]));
      view.drawNow();
      const { target } = view.grains.shade;
      const pixels = new Uint8Array(4 * target.width * target.height);
      view.renderer.readRenderTargetPixels(target, 0, 0, target.width, target.height, pixels);
      const middle = (from, to) => {
        const sum = [0, 0, 0];
        for (let y = 0; y < target.height; ++y) for (let x = from; x < to; ++x) if (pixels[4 * (y * target.width + x)] < 128) [sum[0], sum[1], sum[2]] = [sum[0] + 1, sum[1] + x, sum[2] + y];
        return { count: sum[0], east: (320 * sum[1]) / sum[0] / target.width, south: (320 * sum[2]) / sum[0] / target.height };
      };
      const sun = view.uniforms.uSun.value;
      return { low: middle(0, target.width / 2), high: middle(target.width / 2, target.width), sun: [sun.x, sun.y, sun.z] };
    });
    const [east, up, south] = dark.sun;
    assert.ok(dark.low.count > 50 && dark.high.count > 50, JSON.stringify(dark));
    for (const [spot, x, height] of [[dark.low, 80, 8], [dark.high, 240, 28]]) {
      assert.ok(Math.abs(spot.east - (x - (height * east) / up)) < 3, JSON.stringify(dark));
      assert.ok(Math.abs(spot.south - (160 - (height * south) / up)) < 3, JSON.stringify(dark));
    }
    assert.deepEqual(studio.errors, []);
    await studio.close();
  } finally {
    await server.stop();
  }
});

test("grains in the module", { skip: !fs.existsSync(path.join(site, "wadi.wasm")) }, async () => {
  const still = await host(site, { isolated: true });
  try {
    const studio = await Studio.open(browser, still.address + link(slope), { scale: 0.5 });
    await watchSlide(studio, "grains-module");
    await studio.close();
  } finally {
    await still.stop();
  }
});
