// SPDX-License-Identifier: MIT
// Times of the studio, beside their targets: `node studio/test/measure.mjs` after `make studio STUDIO_SERVE=0`.
// Engine times are of CPU, so that other work on the machine matters little; the page's are of a software
// renderer where there is no GPU.
import fs from "node:fs";
import path from "node:path";
import { spawnSync } from "node:child_process";
import { scratch, serve, wadi } from "./host.mjs";
import { Wire, sleep } from "./wire.mjs";
import { Studio, launch } from "./browser.mjs";

const TICKS = 40;
const scene = (end) => `wadi: 1
name: dunes
seed: 3
terrain:
  size: [512, 512]
  cell: 2 m
  edges: periodic
  noise: {relief: 6 m, wavelength: 300 m}
layers:
  sediment: 1.5 m
timeline:
  tick: 0.05 yr
  end: ${end} yr
  run:
    - dunes: {}
`;

const row = (what, value, unit, target) => console.log(`${what},${typeof value === "number" ? value.toPrecision(3) : value},${unit},${target}`);

// CPU of a process so far [s]; ticks of the kernel are 10 ms.
function cpuOf(pid) {
  const words = fs.readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(words[11]) + Number(words[12])) / 100;
}

// CPU of the command for a scene [s].
function cpuOfCommand(file, folder) {
  const run = spawnSync("bash", ["-c", `TIMEFORMAT='%U %S'; time "${wadi}" run "${file}" -o "${folder}/out" --threads 1 --progress none >/dev/null`], { encoding: "utf8" });
  const [user, system] = run.stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return user + system;
}

async function engine(folder) {
  const long = path.join(folder, "long.yaml");
  const short = path.join(folder, "short.yaml");
  fs.writeFileSync(long, scene(TICKS * 0.05));
  fs.writeFileSync(short, scene(0.05));
  const ratios = [];
  for (let i = 0; i < 3; ++i) {
    const plain = (cpuOfCommand(long, folder) - cpuOfCommand(short, folder)) / (TICKS - 1);
    const server = await serve([long, "--threads", "1", "--no-save"]);
    const wire = await Wire.open(server.port, server.key);
    await wire.ask({ type: "hello", version: 1 });
    await wire.ask({ type: "refresh" });
    await wire.ask({ type: "step", ticks: 1 });
    const before = cpuOf(server.child.pid);
    await wire.ask({ type: "step", ticks: TICKS }, { ms: 120000 });
    const served = (cpuOf(server.child.pid) - before) / TICKS;
    ratios.push({ plain, served, ratio: plain / served });
    await server.stop();
  }
  const best = ratios.sort((a, b) => a.ratio - b.ratio)[1];
  row("step of 512 x 512 dunes in the command", 1e3 * best.plain, "ms CPU", "");
  row("the same behind the server with a page that reads", 1e3 * best.served, "ms CPU", "");
  row("steps of the studio over those of the command", 100 * best.ratio, "%", ">= 95");
}

async function commands(folder) {
  const file = path.join(folder, "long.yaml");
  const server = await serve([file, "--threads", "1", "--no-save"]);
  const wire = await Wire.open(server.port, server.key);
  await wire.ask({ type: "hello", version: 1 });
  await wire.ask({ type: "refresh" });
  await wire.ask({ type: "step", ticks: 5 });
  const timed = async (message) => {
    const from = performance.now();
    await wire.ask(message);
    return performance.now() - from;
  };
  const strokes = [];
  const undos = [];
  for (let i = 0; i < 5; ++i) {
    strokes.push(await timed({ type: "stroke", edit: "add_sand", amount: 0.5, radius: 20, soft: 10, points: [[300 + 40 * i, 500]], joins: false }));
    undos.push(await timed({ type: "undo" }));
    await wire.ask({ type: "redo" });
    await wire.ask({ type: "step", ticks: 1 });
  }
  const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
  row("stroke at 512 x 512, from message to answer", median(strokes), "ms", "");
  row("undo of a stroke at 512 x 512", median(undos), "ms", "<= 500");
  wire.close();
  await server.stop();
}

async function page(folder) {
  const browser = await launch();
  const first = path.join(folder, "first.yaml");
  fs.writeFileSync(first, scene(2).replace("[512, 512]", "[256, 256]"));
  const warm = await serve(["--no-save"]);
  const studio = await Studio.open(browser, warm.address);
  await studio.until("s.engine.clock.year > 0 && s.view", 60000);
  row("first tiles of a moving scene after navigation", Date.now() - studio.started, "ms", "<= 2000");
  await studio.close();
  await warm.stop();
  const server = await serve([path.join(folder, "long.yaml"), "--threads", "1", "--no-save"]);
  const large = await Studio.open(browser, server.address);
  await large.page.evaluate(() => {
    window.gaps = [];
    let last = performance.now();
    window.timer = setInterval(() => {
      const now = performance.now();
      window.gaps.push(now - last);
      last = now;
    }, 4);
  });
  await large.play();
  await sleep(6000);
  const gaps = (await large.page.evaluate(() => (clearInterval(window.timer), window.gaps))).sort((a, b) => a - b);
  row("gaps of the main thread, 99 %", gaps[Math.floor(0.99 * gaps.length)], "ms", "<= 50");
  row("gaps of the main thread, worst", gaps.at(-1), "ms", "<= 100");
  const brush = await large.page.evaluate(async () => {
    const { app, engine } = window.wadiStudio;
    [...document.querySelectorAll("#tools button.tool")].find((b) => b.textContent.startsWith("Add sand")).click();
    const view = document.getElementById("view");
    const box = view.getBoundingClientRect();
    const times = [];
    const own = [];
    for (let i = 0; i < 5; ++i) {
      const at = { clientX: box.left + box.width * (0.4 + 0.03 * i), clientY: box.top + box.height * 0.6, button: 0, pointerId: 1, bubbles: true };
      const from = performance.now();
      view.dispatchEvent(new PointerEvent("pointerdown", at));
      window.wadiStudio.view.drawNow();
      own.push(performance.now() - from);
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      times.push(performance.now() - from);
      view.dispatchEvent(new PointerEvent("pointerup", at));
      await new Promise((done) => setTimeout(done, 300));
    }
    const median = (list) => list.sort((a, b) => a - b)[2];
    return [median(times), median(own), app.tool.name, engine.clock.playing];
  });
  row("the page's part of it: touch, preview, upload, commands of the frame", brush[1], "ms", "");
  row("brush to drawn frame while 512 x 512 runs", brush[0], "ms", "<= 30");
  await large.close();
  await server.stop();
  await browser.close();
}

const folder = scratch();
console.log("what,value,unit,target");
await engine(folder);
await commands(folder);
await page(folder);
