// SPDX-License-Identifier: MIT
// The page in Debian's Chromium: launching it, and what a user does with mouse and keys.
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { createRequire } from "node:module";
import { artefacts, root } from "./host.mjs";
import { sleep } from "./wire.mjs";

// the page's lock file names the version
const { chromium } = createRequire(path.join(root, "studio/web/package.json"))("playwright-core");

export const launch = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"],
  });

// The fragment of an address that holds a scene, as the page makes it.
export const link = (scene, year = 0) => `#y=${year}&s=${zlib.deflateRawSync(scene).toString("base64url")}`;

// A page with the engine's state within reach. Errors of the page and the console are collected.
export class Studio {
  errors = [];

  static async open(browser, address, { viewport = { width: 920, height: 570 }, scale = 0.5, ready = true } = {}) {
    const studio = new Studio();
    studio.context = await browser.newContext({ viewport, deviceScaleFactor: scale, acceptDownloads: true, reducedMotion: "reduce" });
    studio.page = await studio.context.newPage();
    studio.page.setDefaultTimeout(60000);
    studio.page.on("pageerror", (error) => studio.errors.push(String(error)));
    studio.page.on("console", (message) => message.type() === "error" && studio.errors.push(message.text()));
    studio.started = Date.now();
    await studio.page.goto(address, { waitUntil: "domcontentloaded" });
    if (ready) await studio.until("s.engine.scene && s.engine.clock && s.engine.land", 60000);
    return studio;
  }

  // Evaluate an expression of `s`, the state that the page shows to tests.
  get(expression) {
    return this.page.evaluate(`(() => { const s = window.wadiStudio; return ${expression}; })()`);
  }

  // Asked again and again from outside: within the page its own policy forbids to evaluate text.
  async until(expression, timeout = 60000) {
    for (const end = Date.now() + timeout; Date.now() < end; await sleep(20)) {
      if (await this.page.evaluate(`(() => { const s = window.wadiStudio; return Boolean(s && (${expression})); })()`).catch(() => false)) return;
    }
    throw new Error(`not within ${timeout} ms: ${expression}`);
  }

  // The hashes of the engine: of the living world, and of the end of the record.
  hash() {
    return this.page.evaluate(async () => {
      const hash = await window.wadiStudio.engine.ask({ type: "hash" }, "hash");
      return { living: hash.living, end: hash.end, year: hash.year };
    });
  }

  async record() {
    return this.page.evaluate(async () => (await window.wadiStudio.engine.ask({ type: "record" }, "record")).text);
  }

  command(message) {
    return this.page.evaluate((text) => window.wadiStudio.engine.command(JSON.parse(text)), JSON.stringify(message));
  }

  async play() {
    await this.page.getByRole("button", { name: "Play", exact: true }).click();
    await this.until("s.engine.clock.playing");
  }

  async pause() {
    await this.page.getByRole("button", { name: "Pause", exact: true }).click();
    await this.until("!s.engine.clock.playing");
  }

  async tool(name) {
    await this.page.locator("#tools").getByRole("button", { name: new RegExp(`^${name}`) }).click();
  }

  // Drag the pointer over the view, from and to in shares of its size.
  async drag(from, to = from, steps = 4) {
    const box = await this.page.locator("#view").boundingBox();
    const at = ([x, y]) => [box.x + x * box.width, box.y + y * box.height];
    await this.page.mouse.move(...at(from));
    await this.page.mouse.down();
    await this.page.mouse.move(...at(to), { steps });
    await this.page.mouse.up();
  }

  // A stroke on the land, and the wait until the engine has taken it.
  async stroke(from, to) {
    await this.settle();
    const before = await this.get("s.engine.events?.list.length ?? 0");
    await this.drag(from, to);
    await this.until(`(s.engine.events?.list.length ?? 0) > ${before}`);
    await this.settle();
  }

  // Until the engine has answered everything that was sent.
  async settle() {
    await this.page.evaluate(async () => {
      const { engine, painter } = window.wadiStudio;
      await painter.painting;
      await engine.ask({ type: "hash" }, "hash");
    });
  }

  async tab(name) {
    await this.page.getByRole("tab", { name }).click();
  }

  // A picture for people to look at. Pause first: a software renderer that is busy takes none.
  async picture(name) {
    fs.mkdirSync(artefacts, { recursive: true });
    const file = path.join(artefacts, `${name}.png`);
    await this.page.screenshot({ path: file, timeout: 60000 });
    return file;
  }

  // How many different colours the view has, of 400 places: a blank view has one.
  colours() {
    return this.page.evaluate(async () => {
      const { view } = window.wadiStudio;
      view.drawNow();
      const canvas = document.getElementById("view");
      const small = new OffscreenCanvas(20, 20).getContext("2d");
      small.drawImage(canvas, 0, 0, 20, 20);
      const data = small.getImageData(0, 0, 20, 20).data;
      const seen = new Set();
      for (let i = 0; i < data.length; i += 4) seen.add((data[i] << 16) | (data[i + 1] << 8) | data[i + 2]);
      return seen.size;
    });
  }

  close() {
    return this.context.close();
  }
}
