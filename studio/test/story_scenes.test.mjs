// SPDX-License-Identifier: MIT
// The two stories of scenes/ that were made in the studio run to one hash in the command, on a static page with and
// without threads, and behind a server that was started again with the record that the first one saved.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, test } from "node:test";
import { Studio, launch } from "./browser.mjs";
import { hashOf, host, root, scratch, serve, site } from "./host.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

const size = { viewport: { width: 640, height: 400 }, scale: 0.25 };

async function hashAt(studio, year) {
  await studio.command({ type: "seek", year });
  return (await studio.hash()).end;
}

async function inThePage(text, year, isolated) {
  const still = await host(site, { isolated });
  const studio = await Studio.open(browser, still.address, size);
  await studio.page.evaluate((scene) => window.wadiStudio.engine.open(scene, { name: "story" }), text);
  const hash = await hashAt(studio, year);
  await studio.close();
  await still.stop();
  return hash;
}

async function behindServers(file, year, folder) {
  fs.copyFileSync(file, path.join(folder, "story.yaml"));
  const first = await serve([path.join(folder, "story.yaml"), "--threads", "2"], { cwd: folder });
  const studio = await Studio.open(browser, first.address, size);
  const hash = await hashAt(studio, year);
  await studio.close();
  await first.stop();
  const again = await serve([path.join(folder, "story.studio.yaml"), "--threads", "1", "--no-save"]);
  const next = await Studio.open(browser, again.address, size);
  const later = await hashAt(next, year);
  await next.close();
  await again.stop();
  return [hash, later];
}

for (const [name, year] of [["studio-desert", 9.65], ["studio-mountain", 574000]])
  test(`${name} has one hash everywhere`, async () => {
    const file = path.join(root, "scenes", `${name}.yaml`);
    const text = fs.readFileSync(file, "utf8");
    const folder = scratch();
    const end = hashOf(text.replace(/output:\n.*/s, ""), folder);
    assert.deepEqual(await behindServers(file, year, folder), [end, end]);
    if (!fs.existsSync(path.join(site, "wadi.wasm"))) return;
    assert.equal(await inThePage(text, year, true), end);
    assert.equal(await inThePage(text, year, false), end);
  });
