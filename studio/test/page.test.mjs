// SPDX-License-Identifier: MIT
// The page in a browser, by mouse and keys: behind the native engine, on a static host with isolation
// (the module with threads), and on one without. All three must give the hashes of the command.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { Studio, launch, link } from "./browser.mjs";
import { artefacts, command, hashOf, host, scratch, serve, site } from "./host.mjs";

const desert = `wadi: 1
name: desert
seed: 5
terrain:
  size: [64, 64]
  cell: 2 m
  edges: periodic
  flat: 0 m
layers:
  sediment: 0.5 m
  water: 0 m
  hardness: 0.5
timeline:
  tick: 0.1 yr
  end: 2 yr
  run:
    - dunes: {}
`;
const still = desert.slice(0, desert.indexOf("timeline:")) + "steps:\n  - set_layer: {sediment: 0.5 m}\n";

const hashes = {}; // of one story, by mode
let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const hasModule = (name) => fs.existsSync(path.join(site, name));
const modes = {
  native: async () => {
    const folder = scratch();
    const scene = path.join(folder, "desert.yaml");
    fs.writeFileSync(scene, desert);
    const server = await serve([scene, "--threads", "2"]);
    return { address: () => server.address, stop: () => server.stop(), server, folder };
  },
  threads: async () => {
    const server = await host(site, { isolated: true });
    return { address: (scene = desert) => server.address + link(scene), stop: server.stop };
  },
  plain: async () => {
    const server = await host(site, { isolated: false });
    return { address: (scene = desert) => server.address + link(scene), stop: server.stop };
  },
};

for (const [mode, start] of Object.entries(modes)) {
  const skip = mode !== "native" && !hasModule("wadi.wasm");
  describe(`page, ${mode}`, { skip }, () => {
    let at;
    let studio;
    before(async () => {
      at = await start();
      studio = await Studio.open(browser, at.address());
    });
    after(async () => {
      await studio?.close();
      await at?.stop();
    });

    test("loads, with the engine that the host allows", async () => {
      const ready = await studio.get("({kind: s.engine.transport.kind, threads: s.engine.ready.threads, isolated: crossOriginIsolated})");
      assert.equal(ready.kind, mode === "native" ? "server" : "worker");
      assert.equal(ready.isolated, mode !== "plain");
      if (mode === "plain") assert.equal(ready.threads, 1);
      assert.equal(await studio.get("s.engine.scene.width"), 64);
      assert.ok((await studio.colours()) > 20, "the view shows something");
      assert.equal(await studio.get("location.hash.includes('key=')"), false, "the key has left the address");
      await studio.picture(`${mode}-loaded`);
    });

    test("plays and pauses by the button, steps by a key", async () => {
      await studio.page.getByRole("combobox", { name: "Speed" }).selectOption({ index: 2 }); // 2 yr/s
      await studio.play();
      await studio.until("s.engine.clock.year > 0.5");
      await studio.pause();
      const year = await studio.get("s.engine.clock.year");
      await studio.page.locator("#view").press(".");
      await studio.until(`s.engine.clock.year > ${year}`);
      assert.ok(Math.abs((await studio.get("s.engine.clock.year")) - year - 0.1) < 1e-9);
      assert.ok((await studio.colours()) > 20);
      await studio.picture(`${mode}-played`);
    });

    test("every brush changes the land, undo brings the former hash and redo the later one", async () => {
      const tools = await studio.page.evaluate(() =>
        [...document.querySelectorAll("#tools button.tool")].filter((b) => !b.hidden).map((b) => b.firstChild.textContent).filter((name) => name !== "Rain, maps"));
      assert.ok(tools.length >= 9, tools.join());
      const undo = studio.page.getByRole("button", { name: "Undo" });
      // the engine is the same everywhere, and a software renderer is slow: all brushes once, three elsewhere
      for (const name of mode === "native" ? tools.slice(1) : tools.slice(1, 4)) {
        await studio.tool(name);
        if (name === "Take sand" || name === "Smooth") {
          await studio.tool("Add sand");
          await studio.stroke([0.42, 0.6], [0.46, 0.6]);
          await studio.tool(name);
        }
        if (name === "Clear plants") {
          await studio.tool("Plant");
          await studio.stroke([0.42, 0.6], [0.5, 0.6]);
          await studio.tool(name);
        }
        const before = await studio.hash();
        await studio.stroke([0.4, 0.6], [0.5, 0.6]);
        const painted = await studio.hash();
        assert.notEqual(painted.living, before.living, name);
        await undo.click();
        await studio.until("s.engine.clock.can_redo");
        assert.equal((await studio.hash()).living, before.living, `${name}, undone`);
        await studio.page.locator("#view").press("Control+y");
        await studio.until("!s.engine.clock.can_redo");
        assert.equal((await studio.hash()).living, painted.living, `${name}, redone`);
      }
      await studio.tool("Look");
      await studio.picture(`${mode}-brushes`);
    });

    test("a click on the track goes to that year, and the same year has the same hash", async () => {
      const now = await studio.hash();
      await studio.page.locator("#view").press(".");
      await studio.settle();
      const box = await studio.page.getByRole("slider", { name: "Year", exact: true }).boundingBox();
      await studio.page.mouse.click(box.x + 0.03 * box.width, box.y + box.height / 2);
      await studio.until(`s.engine.clock.year < ${now.year}`);
      const early = await studio.get("s.engine.clock.year");
      await studio.command({ type: "seek", year: now.year });
      assert.equal((await studio.hash()).living, now.living);
      assert.ok(early < now.year);
    });

    test("a branch goes its own way, and the first one is kept", async () => {
      const { page } = studio;
      const before = await studio.hash();
      await page.getByRole("combobox", { name: "Branch" }).selectOption("+");
      await page.getByRole("textbox", { name: "Name" }).fill("wet");
      await page.getByRole("button", { name: "Branch" }).last().click();
      await studio.until("s.engine.clock.branch === 'wet'");
      await studio.settle();
      await studio.tool("Add sand");
      await studio.stroke([0.4, 0.6], [0.46, 0.6]);
      assert.notEqual((await studio.hash()).living, before.living);
      await page.getByRole("combobox", { name: "Branch" }).selectOption({ label: "main" });
      await studio.until("s.engine.clock.branch === 'main'");
      assert.equal((await studio.hash()).living, before.living);
      await studio.tool("Look");
    });

    test("the rose is turned by dragging", async () => {
      // a small window hides the rose, which would cover the land
      const rose = studio.page.locator("#rose canvas");
      assert.equal(await rose.isVisible(), false);
      await studio.page.getByRole("button", { name: "Winds", exact: true }).click();
      await rose.waitFor({ state: "visible" });
      const events = await studio.get("s.engine.events.list.filter((e) => e.name === 'dunes').length");
      const box = await rose.boundingBox();
      await studio.page.mouse.move(box.x + 0.2 * box.width, box.y + 0.5 * box.height);
      await studio.page.mouse.down();
      await studio.page.mouse.move(box.x + 0.5 * box.width, box.y + 0.2 * box.height, { steps: 4 });
      await studio.page.mouse.up();
      await studio.until(`s.engine.events.list.filter((e) => e.name === 'dunes').length > ${events}`);
      await studio.command({ type: "step", ticks: 1 });
      assert.match(await studio.record(), /at: .*dunes: .*direction/);
      await studio.picture(`${mode}-rose`);
    });

    test("events are moved and removed on the timeline", async () => {
      const mark = studio.page.locator("#bar button.event").last();
      const last = "s.engine.events.list[s.engine.events.list.length - 1]";
      await studio.command({ type: "step", ticks: 3 });
      const year = await studio.get(`${last}.year`);
      const before = await studio.hash();
      await mark.press("ArrowRight");
      await studio.until(`${last}.year > ${year}`);
      assert.notEqual((await studio.hash()).living, before.living);
      const count = await studio.get("s.engine.events.list.length");
      await studio.page.locator("#bar button.event").last().press("Delete");
      await studio.until(`s.engine.events.list.length < ${count}`);
    });

    test("the record replays in the command to the hash that the page shows", async () => {
      const { end } = await studio.hash();
      assert.equal(hashOf(await studio.record()), end);
      hashes[mode] = end;
    });

    test("a link opens the same world on another page", async () => {
      await studio.tab("Files");
      await studio.page.getByRole("button", { name: "Share a link" }).click();
      const address = await studio.page.getByRole("textbox", { name: "Link" }).inputValue();
      await studio.page.keyboard.press("Escape");
      assert.ok(address.length < 10000, `${address.length} characters`);
      if (mode === "native") return; // the engine has one page; the static hosts open the link
      const other = await Studio.open(browser, address);
      assert.equal((await other.hash()).end, (await studio.hash()).end);
      assert.deepEqual(other.errors, []);
      await other.close();
    });

    test("a hidden page loses nothing: the clock goes on, and the view is right again", async () => {
      const session = await studio.context.newCDPSession(studio.page);
      await studio.play();
      const year = await studio.get("s.engine.clock.year");
      await session.send("Page.setWebLifecycleState", { state: "frozen" });
      await new Promise((done) => setTimeout(done, 1500));
      await session.send("Page.setWebLifecycleState", { state: "active" });
      await studio.until(`s.engine.clock.year > ${year + 0.2}`);
      await studio.pause();
      assert.ok((await studio.colours()) > 20);
    });

    test("an exported map is the file of the command, byte for byte", async () => {
      await studio.page.evaluate((text) => window.wadiStudio.engine.open(text, { name: "still" }), still);
      await studio.tool("Add sand");
      await studio.stroke([0.4, 0.6], [0.5, 0.6]);
      const record = await studio.record();
      await studio.tab("Files");
      await studio.page.locator("#export-what").selectOption("surface");
      await studio.page.locator("#export-format").selectOption("r32");
      const [download] = await Promise.all([studio.page.waitForEvent("download"), studio.page.getByRole("button", { name: "Export", exact: true }).click()]);
      const folder = scratch();
      const file = path.join(folder, "page.r32");
      await download.saveAs(file);
      const scene = path.join(folder, "still.yaml");
      fs.writeFileSync(scene, record.replace(/\n*$/, "\n  - {write: surface.r32}\n"));
      command("run", scene, "-o", folder, "--progress", "none");
      assert.ok(fs.readFileSync(file).equals(fs.readFileSync(path.join(folder, "surface.r32"))));
    });

    test("a height map is imported by its file", async () => {
      const folder = scratch();
      const file = path.join(folder, "hill.asc");
      const rows = Array.from({ length: 48 }, (_, y) => Array.from({ length: 64 }, (_, x) => (100 + 20 * Math.sin(x / 9) * Math.cos(y / 7)).toFixed(2)).join(" "));
      fs.writeFileSync(file, `ncols 64\nnrows 48\nxllcorner 0\nyllcorner 0\ncellsize 30\nNODATA_value -9999\n${rows.join("\n")}\n`);
      await studio.page.locator('#side input[accept*=".asc"]').setInputFiles(file);
      await studio.page.getByRole("button", { name: "Open", exact: true }).click();
      await studio.until("s.engine.scene.width === 64 && s.engine.scene.height === 48");
      assert.equal(await studio.get("s.engine.scene.cell"), 30);
      await studio.settle();
      assert.ok(Math.abs((await studio.get("s.engine.land.heightAt(45, 45)")) - 100) < 21);
      await studio.picture(`${mode}-imported`);
    });

    test("no error was reported by the page or the console", () => assert.deepEqual(studio.errors, []));
  });
}

describe("the server goes away", () => {
  test("a page says so, and the record opens again with the same hash", async () => {
    const folder = scratch();
    const scene = path.join(folder, "desert.yaml");
    fs.writeFileSync(scene, desert);
    const server = await serve([scene, "--threads", "2"]);
    const studio = await Studio.open(browser, server.address);
    await studio.tool("Add sand");
    await studio.command({ type: "step", ticks: 5 });
    await studio.stroke([0.4, 0.6], [0.5, 0.6]);
    const { end, year } = await studio.hash();
    await studio.page.waitForTimeout(1800);
    await server.stop("SIGKILL");
    await studio.page.getByText("connection to the server has ended").waitFor();
    await studio.close();
    const again = await serve([path.join(folder, "desert.studio.yaml"), "--threads", "1"]);
    const next = await Studio.open(browser, again.address);
    await next.command({ type: "seek", year });
    assert.equal((await next.hash()).end, end);
    await next.close();
    await again.stop();
  });

  test("a page that is loaded again finds its world, paused", async () => {
    const folder = scratch();
    const scene = path.join(folder, "desert.yaml");
    fs.writeFileSync(scene, desert);
    const server = await serve([scene, "--threads", "2"]);
    const studio = await Studio.open(browser, server.address);
    await studio.play();
    await studio.until("s.engine.clock.year > 0.4");
    await studio.page.reload();
    await studio.until("s.engine.clock && s.engine.land");
    assert.ok((await studio.get("s.engine.clock.year")) >= 0.4);
    assert.equal(await studio.get("s.engine.clock.playing"), false);
    await studio.close();
    await server.stop();
  });
});

after(() => {
  fs.mkdirSync(artefacts, { recursive: true });
  fs.writeFileSync(path.join(artefacts, "hashes.json"), JSON.stringify(hashes, null, 2));
});
