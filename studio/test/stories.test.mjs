// SPDX-License-Identifier: MIT
// Stories by chance: strokes, changes of winds, undo, seeking, branches and moved events in any order. However a
// world was played with, the command runs its record to the same hash.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { Wire, sleep } from "./wire.mjs";
import { hashOf, scratch, serve } from "./host.mjs";

const COMMANDS = 14;
const scene = `wadi: 1
seed: 5
terrain: {size: [64, 64], cell: 2 m, edges: periodic, flat: 0 m}
layers: {sediment: 0.5 m, water: 0 m}
timeline:
  tick: 0.1 yr
  end: 2 yr
  run:
    - dunes: {}
`;
const brushes = [["add_sand", 0.5], ["remove_sand", 0.3], ["raise", 1], ["lower", 1], ["add_water", 0.2], ["plant", 0.5], ["uproot", 0.5]];

// Numbers of a known course, so that a failure can be repeated.
function chance(seed) {
  let state = seed;
  return () => (state = (state * 1103515245 + 12345) % 2147483648) / 2147483648;
}

class Player {
  said = [];

  constructor(wire, random) {
    Object.assign(this, { wire, random });
  }

  // What the engine refuses, such as undo at the begin, belongs to the story too.
  async ask(message) {
    this.said.push(JSON.stringify(message));
    return this.wire.ask(message).catch(() => []);
  }

  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  async year() {
    return (await this.ask({ type: "hash" })).find((message) => message.type === "hash").year;
  }

  acts = [this.stroke, this.stroke, this.stroke, this.step, this.undo, this.seek, this.mend, this.branch, this.turn, this.play];

  async stroke() {
    const [edit, amount] = this.pick(brushes);
    for (const joins of [false, true, true])
      await this.ask({ type: "stroke", edit, amount, radius: 12, soft: 6, points: [[20 + 80 * this.random(), 20 + 80 * this.random()]], joins });
  }

  step() {
    return this.ask({ type: "step", ticks: 1 + Math.floor(3 * this.random()) });
  }

  async undo() {
    await this.ask({ type: "undo" });
    if (this.random() < 0.5) await this.ask({ type: "redo" });
  }

  async seek() {
    const year = await this.year();
    await this.ask({ type: "seek", year: year * this.random() });
    if (this.random() < 0.7) await this.ask({ type: "seek", year });
  }

  async mend() {
    const list = this.wire.messages.filter((message) => message.type === "events").at(-1)?.list ?? [];
    if (list.length === 0) return;
    const index = Math.floor(this.random() * list.length);
    const year = Math.max(0, list[index].year + (this.random() < 0.5 ? 0.1 : -0.1));
    await this.ask(this.random() < 0.6 ? { type: "move", index, year } : { type: "remove", index });
  }

  async branch() {
    await this.ask({ type: "branch", name: `b${Math.floor(this.random() * 1e6)}` });
    if (this.random() < 0.6) await this.stroke();
    if (this.random() < 0.6) await this.ask({ type: "switch", name: "main" });
  }

  turn() {
    return this.ask({ type: "change", process: "dunes", with: { direction: Math.floor(360 * this.random()) } });
  }

  async play() {
    await this.ask({ type: "play", rate: this.pick([0, 2]) });
    await sleep(60 * this.random());
    await this.ask({ type: "pause" });
  }
}

test("the command runs the record of any story to the hash that the studio shows", async () => {
  const folder = scratch();
  fs.writeFileSync(path.join(folder, "story.yaml"), scene);
  for (let seed = 1; seed <= 12; ++seed) {
    const server = await serve([path.join(folder, "story.yaml"), "--threads", "2"]);
    const wire = await Wire.open(server.port, server.key);
    await wire.ask({ type: "hello", version: 1 });
    await wire.ask({ type: "refresh" });
    const player = new Player(wire, chance(seed));
    for (let n = 0; n < COMMANDS; ++n) await player.pick(player.acts).call(player);
    const { end } = (await wire.ask({ type: "hash" })).find((message) => message.type === "hash");
    const { text } = (await wire.ask({ type: "record" })).find((message) => message.type === "record");
    assert.equal(hashOf(text), end, `seed ${seed}:\n${player.said.join("\n")}\n${text}`);
    wire.close();
    await server.stop();
  }
});
