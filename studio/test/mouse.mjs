// SPDX-License-Identifier: MIT
// What a hand does on the page with nothing but a mouse: points at places on the land, drags sliders and petals,
// picks from lists. Every act waits for the state that it brings about.
export class Mouse {
  constructor(studio) {
    Object.assign(this, { studio, page: studio.page });
  }

  async centre(locator) {
    await locator.scrollIntoViewIfNeeded();
    const box = await locator.boundingBox();
    return { ...box, x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  async click(name, { role = "button", within = this.page } = {}) {
    await within.getByRole(role, { name, exact: typeof name === "string" }).first().click();
  }

  // Where a place on the land is on the screen [m from the south-west corner].
  async spot(x, y) {
    const at = await this.page.evaluate(async ([east, north]) => {
      const { app, engine } = window.wadiStudio;
      // the camera is placed in the next frame
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      return app.marks.project(east, north, engine.land);
    }, [x, y]);
    if (!at) throw new Error(`${x}, ${y} is behind the camera`);
    return at;
  }

  async plan() {
    await this.studio.tab("View");
    await this.page.getByLabel("plan view (P)").check();
    await this.click("Whole land");
    await this.studio.page.getByRole("combobox", { name: "Speed" }).selectOption({ index: 2 });
  }

  async tool(name) {
    await this.studio.tool(name);
    await this.studio.until(`s.app.tool.name === ${JSON.stringify(name)}`);
  }

  // A stroke through places of the land, and the wait until the engine has taken all its touches.
  async stroke(...places) {
    const spots = [];
    for (const [x, y] of places) spots.push(await this.spot(x, y));
    const before = await this.studio.get("s.engine.events?.list.length ?? 0");
    await this.page.mouse.move(...spots[0]);
    await this.page.mouse.down();
    for (const spot of spots.slice(1)) await this.page.mouse.move(...spot, { steps: 4 });
    await this.page.mouse.up();
    await this.studio.until(`(s.engine.events?.list.length ?? 0) > ${before}`);
    await this.studio.settle();
  }

  // Hold the brush over a place until the ground there has come to a height.
  async pour([x, y], height) {
    const spot = await this.spot(x, y);
    const level = `s.engine.land.heightAt(${x}, s.engine.land.extentZ - ${y})`;
    await this.page.mouse.move(...spot);
    await this.page.mouse.down();
    await this.studio.until(`${level} >= ${height}`);
    await this.page.mouse.up();
    await this.studio.settle();
  }

  async pick(name, value) {
    await this.page.getByRole("combobox", { name, exact: true }).first().selectOption(value);
  }

  async start(process) {
    await this.studio.tab("Processes");
    await this.pick("Start a process", process);
    await this.studio.until(`s.engine.clock.processes.some((p) => p.name === '${process}' && p.running)`);
    await this.page.getByRole("region", { name: process, exact: true }).waitFor();
  }

  async stop(process) {
    await this.click("Stop", { within: this.page.getByRole("region", { name: process, exact: true }) });
    await this.studio.until(`s.engine.clock.processes.every((p) => p.name !== '${process}' || p.until !== null)`);
  }

  // Drag the slider of a field to a share of its way; the change stands in the record then.
  async slide(process, field, share) {
    await this.studio.tab("Processes");
    const panel = this.page.getByRole("region", { name: process, exact: true });
    const slider = panel.getByRole("slider", { name: `${field}, slider`, exact: true });
    for (const details of await panel.locator("details:not([open])").all()) {
      if ((await details.getByLabel(`${field}, slider`, { exact: true }).count()) > 0) await details.locator("summary").first().click();
    }
    const before = await this.studio.get("JSON.stringify(s.engine.events)");
    await this.dragSlider(slider, share);
    await this.studio.until(`JSON.stringify(s.engine.events) !== ${JSON.stringify(before)}`);
    await this.studio.settle();
  }

  async dragSlider(slider, share) {
    const { x, y, width } = await this.centre(slider);
    const at = (value) => x - width / 2 + 8 + value * (width - 16);
    await this.page.mouse.move(at(Number(await slider.inputValue())), y);
    await this.page.mouse.down();
    await this.page.mouse.move(at(share), y, { steps: 5 });
    await this.page.mouse.up();
  }

  // A setting of the brush.
  async setting(name, share) {
    await this.dragSlider(this.page.locator("#tools").getByRole("slider", { name: `${name}, slider`, exact: true }), share);
  }

  // Play until the clock has gone on by some years, at the speed of a list, and pause.
  async playTo(year) {
    await this.studio.play();
    await this.studio.until(`s.engine.clock.year >= ${year} || !s.engine.clock.playing`, 60000);
    await this.studio.pause();
  }

  // Numbers about a layer or map of the engine, in one: smallest, largest, sum.
  async measure(what) {
    return this.page.evaluate(async (name) => {
      const { engine } = window.wadiStudio;
      const { bytes } = await engine.download(name, "r32");
      const values = new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
      let [min, max, sum, at] = [Infinity, -Infinity, 0, 0];
      values.forEach((value, k) => {
        if (value > max) at = k;
        min = Math.min(min, value);
        max = Math.max(max, value);
        sum += value;
      });
      const { width, height, cell } = engine.scene;
      return { min, max, sum, x: ((at % width) + 0.5) * cell, y: (height - Math.floor(at / width) - 0.5) * cell };
    }, what);
  }

  // A row of the books [m3].
  ledger(material) {
    return this.studio.get(`s.engine.ledger.rows.find((row) => row.material === '${material}')`);
  }

  // New land from the gallery, by lists alone.
  async newLand(choices) {
    await this.page.locator("#scene-button").click();
    await this.click("New land…");
    for (const [name, value] of Object.entries(choices)) await this.pick(name, value);
    await this.click("Make");
    await this.studio.until(`s.engine.scene.name === 'land' && s.engine.scene.width === ${choices["Cells of a side"]}`);
    await this.studio.settle();
  }
}
