// SPDX-License-Identifier: MIT
// The server of the studio over real sockets: who may connect, what is refused, and what happens when a
// page or the server goes away. `node --test`; needs the command and its server only.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { after, before, describe, test } from "node:test";
import { BINARY, CONTINUATION, TEXT, Wire, exchange, frame, get, sleep } from "./wire.mjs";
import { hashOf, scratch, serve } from "./host.mjs";

const scene = `wadi: 1
name: desert
seed: 7
terrain:
  size: [64, 64]
  cell: 2m
  edges: periodic
  flat: 0m
layers:
  sediment: 0.4m
timeline:
  tick: 0.1yr
  end: 0.2yr
  run:
    - dunes: {}
`;

const page = scratch();
fs.mkdirSync(path.join(page, "assets"));
fs.writeFileSync(path.join(page, "index.html"), "<!doctype html><title>studio</title>");
fs.writeFileSync(path.join(page, "assets/a.js"), "export {};\n");
fs.writeFileSync(path.join(page, "big.png"), Buffer.alloc(3_000_000, 7));
fs.writeFileSync(path.join(page, ".hidden"), "hidden");
fs.symlinkSync("/etc/passwd", path.join(page, "link.txt"));

const folder = scratch();
fs.writeFileSync(path.join(folder, "desert.yaml"), scene);
const start = (words = [path.join(folder, "desert.yaml"), "--threads", "2"]) => serve(words, { page });

// Memory of a process [MB].
const memory = (child) => Number(/VmRSS:\s*(\d+)/.exec(fs.readFileSync(`/proc/${child.pid}/status`, "utf8"))[1]) / 1024;

const stroke = (x, y, joins = false) => ({ type: "stroke", edit: "add_sand", amount: 0.5, radius: 12, soft: 6, points: [[x, y]], joins });

async function connect(server, options) {
  const wire = await Wire.open(server.port, server.key, options);
  assert.equal(wire.status, 101);
  await wire.wait((message) => message.type === "server");
  return wire;
}

// A connection with a page's first messages behind it.
async function page_of(server, options) {
  const wire = await connect(server, options);
  await wire.ask({ type: "hello", version: 1 });
  await wire.ask({ type: "refresh" });
  return wire;
}

describe("files", () => {
  let server;
  before(async () => (server = await start(["--no-save"])));
  after(() => server.stop());

  test("the page is served with its headers", async () => {
    const answer = await get(server.port, "/");
    assert.equal(answer.status, 200);
    assert.match(answer.body.toString(), /<title>studio/);
    assert.equal(answer.headers["content-type"], "text/html; charset=utf-8");
    assert.equal(answer.headers["cross-origin-opener-policy"], "same-origin");
    assert.equal(answer.headers["cross-origin-embedder-policy"], "require-corp");
    assert.equal(answer.headers["cross-origin-resource-policy"], "same-origin");
    assert.equal(answer.headers["referrer-policy"], "no-referrer");
    assert.equal(answer.headers["x-content-type-options"], "nosniff");
    const policy = answer.headers["content-security-policy"];
    assert.match(policy, /script-src 'self' 'wasm-unsafe-eval';/);
    assert.match(policy, /worker-src 'self';/);
    assert.doesNotMatch(policy, /unsafe-inline/);
    assert.equal((await get(server.port, "/assets/a.js")).status, 200);
    const big = await get(server.port, "/big.png");
    assert.equal(big.body.length, 3_000_000);
    assert.ok(big.body.every((byte) => byte === 7));
  });

  test("no other file is", async () => {
    const names = [
      "/../../../../etc/passwd", "/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc/passwd", "/assets/../../etc/passwd",
      "//etc/passwd", "/link.txt", "/.hidden", "/assets", "/assets/", "/index.html%00.png", "/nothing", "/socket",
    ];
    for (const name of names) {
      const answer = await get(server.port, name);
      assert.ok(answer.status !== 200 || answer.body.toString().includes("<title>studio"), `${name}: ${answer.status}`);
      assert.doesNotMatch(answer.body.toString(), /root:/);
      assert.notEqual(answer.body.toString(), "hidden");
    }
  });

  test("a foreign Host is refused: a name that was made to point here", async () => {
    for (const name of ["evil.example", `evil.example:${server.port}`, "127.0.0.1", `127.0.0.1:${server.port + 1}`, `127.0.0.1:${server.port}.evil.example`, null]) {
      assert.equal((await get(server.port, "/", { Host: name })).status, 403, String(name));
    }
    assert.equal((await get(server.port, "/", { Host: `localhost:${server.port}` })).status, 200);
  });

  test("only GET is", async () => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const head = `${method} / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\nContent-Length: 0\r\n\r\n`;
      assert.notEqual((await exchange(server.port, head, { wait: 500 })).status, 200, method);
    }
  });

  test("garbage does no harm", async () => {
    const lines = ["\0\0\0\0\r\n\r\n", "GET\r\n\r\n", `GET / HTTP/1.1\r\nHost: ${"a".repeat(40000)}\r\n\r\n`, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", `GET /${"../".repeat(9000)} HTTP/1.1\r\n\r\n`, "\x16\x03\x01\x02\x00\x01"];
    for (const line of lines) await exchange(server.port, line, { wait: 200 }).catch(() => {});
    assert.equal((await get(server.port, "/")).status, 200);
  });
});

describe("who may connect", () => {
  let server;
  before(async () => (server = await start(["--no-save"])));
  after(() => server.stop());

  const refused = {
    "a wrong key": (key) => ({ "Sec-WebSocket-Protocol": `wadi-studio, key.${key.slice(1)}0` }),
    "a short key": (key) => ({ "Sec-WebSocket-Protocol": `wadi-studio, key.${key.slice(1)}` }),
    "no key": () => ({ "Sec-WebSocket-Protocol": "wadi-studio" }),
    "no protocol": () => ({ "Sec-WebSocket-Protocol": null }),
    "another protocol": (key) => ({ "Sec-WebSocket-Protocol": `chat, key.${key}` }),
    "a foreign Origin": () => ({ Origin: "https://evil.example" }),
    "the Origin of another port": () => ({ Origin: `http://127.0.0.1:${server.port + 1}` }),
    "the Origin null, as of a file": () => ({ Origin: "null" }),
    "no Origin": () => ({ Origin: null }),
    "an Origin by another name": () => ({ Origin: `http://localhost:${server.port}` }),
    "a foreign Host": () => ({ Host: "evil.example", Origin: "http://evil.example" }),
    "no Host": () => ({ Host: null }),
  };
  for (const [name, headers] of Object.entries(refused)) {
    test(`${name} is refused`, async () => {
      const wire = await Wire.open(server.port, server.key, { overrides: headers(server.key) });
      assert.notEqual(wire.status, 101);
      wire.close();
    });
  }

  test("another path is refused", async () => {
    const wire = await Wire.open(server.port, server.key, { path: "/" });
    assert.notEqual(wire.status, 101);
  });

  test("the key is new with each start and stands in no file", async () => {
    const other = await start(["--no-save"]);
    assert.notEqual(other.key, server.key);
    await other.stop();
    assert.ok(!(await get(server.port, "/")).body.includes(server.key));
  });

  test("a second page is refused and can take over", async () => {
    const first = await connect(server);
    const second = await Wire.open(server.port, server.key);
    await second.closed();
    assert.equal(second.code, 4001);
    assert.ok(!first.isClosed);
    const third = await connect(server, { take: true });
    await first.closed();
    assert.equal(first.code, 4002);
    third.close();
  });

  test("50 connections at once leave room for the page", async () => {
    const page = await connect(server);
    const others = await Promise.all(Array.from({ length: 50 }, () => Wire.open(server.port, server.key)));
    assert.equal((await get(server.port, "/")).status, 200);
    await page.ask({ type: "hello", version: 1 });
    await Promise.all(others.map((other) => other.closed()));
    assert.ok(others.every((other) => other.code === 4001));
    page.close();
    const bare = await Promise.all(Array.from({ length: 50 }, () => Wire.open(server.port, server.key, { overrides: { Host: "evil.example" } })));
    assert.ok(bare.every((other) => other.status === 403));
    await sleep(50);
    (await connect(server)).close();
  });
});

describe("messages", () => {
  let server;
  before(async () => (server = await start()));
  after(() => server.stop());

  test("a message in fragments is one message", async () => {
    const wire = await connect(server);
    const text = JSON.stringify({ type: "hello", version: 1, id: 77 });
    wire.write(frame(TEXT, text.slice(0, 5), { final: false }));
    wire.write(frame(9, "ping in between"));
    wire.write(frame(CONTINUATION, text.slice(5, 9), { final: false }));
    wire.write(frame(CONTINUATION, text.slice(9)));
    await wire.wait((message) => message.type === "ready");
    await wire.wait((message) => message.type === "done" && message.id === 77);
    wire.close();
    await sleep(50);
  });

  test("above 64 kB closes: in one frame, in fragments, and in a length that is a lie", async () => {
    const huge = [
      [frame(TEXT, "x".repeat(65537))],
      [frame(TEXT, "x".repeat(1_000_000))],
      Array.from({ length: 100 }, (_, i) => frame(i === 0 ? TEXT : CONTINUATION, "x".repeat(1000), { final: false })),
      [Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]), Buffer.alloc(70000, 0x61)],
    ];
    for (const pieces of huge) {
      const wire = await connect(server);
      for (const piece of pieces) wire.write(piece);
      assert.ok(await wire.closed(), "closed");
      assert.ok(wire.code === 1009 || wire.code === 0, `${wire.code}`); // 0: the rest of the message met a closed socket
    }
    const wire = await connect(server);
    wire.write(frame(TEXT, JSON.stringify({ type: "x".repeat(65000) })));
    await wire.wait((message) => message.type === "error");
    wire.close();
    await sleep(50);
  });

  test("garbage is answered by errors or closes, and harms nothing", async () => {
    const before = await page_of(server);
    const state = (await before.ask({ type: "hash" })).find((message) => message.type === "hash");
    before.close();
    await sleep(50);
    const texts = ["", "{", "[]", "null", '"text"', "{}", '{"type":5}', '{"type":"nothing"}', '{"type":"play","rate":"x"}', '{"type":"seek","year":-1}', '{"type":"seek","year":1e999}', '{"type":"step","ticks":1e18}', '{"type":"stroke","points":[]}', `{"type":"ack","seq":-1}`, "[".repeat(30000), '{"type":"edit","edit":{"add_sand":{"depth":[]}}}', '{"type":"grid","name":"x","width":-1,"height":1e9,"cell":0,"bytes":1e300}'];
    const wire = await connect(server);
    for (const text of texts) wire.write(frame(TEXT, text));
    for (const size of [0, 1, 3, 4, 15, 16, 1000]) wire.write(frame(BINARY, Buffer.concat([Buffer.from("wadp"), Buffer.alloc(size, 255)])));
    await wire.ask({ type: "hello", version: 1 });
    wire.close();
    const bad = await connect(server, { take: true });
    bad.write(frame(TEXT, Buffer.from([0xff, 0xfe, 0xfd])));
    assert.ok(await bad.closed());
    assert.equal(bad.code, 1007);
    const noise = await connect(server, { take: true });
    for (let i = 0; i < 50; ++i) noise.write(Buffer.from(Array.from({ length: 100 }, (_, k) => (i * 131 + k * 77) & 255)));
    await noise.closed(500);
    noise.close();
    const after = await page_of(server, { take: true });
    const now = (await after.ask({ type: "hash" })).find((message) => message.type === "hash");
    assert.equal(now.living, state.living);
    after.close();
    await sleep(50);
  });

  test("a reader that never acknowledges gets two messages of tiles, and the clock goes on", async () => {
    const wire = await connect(server, { acks: false });
    await wire.ask({ type: "hello", version: 1 });
    wire.send({ type: "refresh" });
    wire.send({ type: "play", rate: 0 });
    const from = await wire.wait((message) => message.type === "clock" && message.playing);
    await wire.wait((message) => message.type === "clock" && message.year > from.year + 0.5, { ms: 20000 });
    const tiles = wire.messages.filter((message) => Buffer.isBuffer(message) && message.subarray(0, 4).toString() === "wad1");
    assert.ok(tiles.length <= 2, `${tiles.length} messages of tiles`);
    wire.close();
    await sleep(50);
  });

  test("a reader that does not read slows nobody and takes no memory", async () => {
    const wire = await page_of(server);
    const before = memory(server.child);
    wire.socket.pause();
    wire.send({ type: "play", rate: 0 });
    await sleep(2000);
    assert.equal((await get(server.port, "/")).status, 200);
    assert.ok(memory(server.child) < before + 100, `${memory(server.child)} MB after ${before}`);
    wire.close();
    await sleep(100);
    const next = await page_of(server);
    const clock = await next.wait((message) => message.type === "clock");
    assert.ok(!clock.playing, "the run pauses when its page goes");
    assert.ok(clock.year > 0.5, "and had gone on without a reader");
    next.close();
  });
});

// Numbers of a seed: the same noise in each run.
function noise(seed) {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 4294967296;
  return { next, one: (list) => list[Math.floor(next() * list.length)] };
}

// A message about brushes, areas or painted maps, most of them wrong in some value.
function paintMessage({ next, one }) {
  const odd = [0, 1, 5, 40, -1, 1e9, 1e10, 1e300, -0, "nan", "inf", "1e999", null, true, "", [], {}, "5 m", "\t"];
  const value = (usual) => (next() < 0.05 ? one(odd) : usual);
  const point = () => (next() < 0.01 ? one([[1], [1, 2, 3], ["nan", 0], [1e10, 0], {}, 4, null]) : [Math.round(next() * 200) - 40, Math.round(next() * 200) - 40]);
  const points = (most) => Array.from({ length: one([0, 1, 2, 3, 4, most, most + 1]) }, point);
  const shape = () => ({ value: value(1), radius: value(20), soft: value(10), points: value(points(64)) });
  const common = { process: value("hydraulic"), map: value(one(["rain", "rain", "erodibility", "water", "../rain"])) };
  switch (one(["paint", "paint", "repaint", "stroke", "edit", "time"])) {
    case "paint": return { type: "paint", ...common, ...shape(), ...(next() < 0.3 ? { area: value(true), radius: undefined } : {}), joins: value(next() < 0.3) };
    case "repaint": return { type: "repaint", ...common, stroke: value(Math.floor(next() * 6)), ...(next() < 0.5 ? shape() : {}), ...(next() < 0.3 ? { remove: value(true) } : {}) };
    case "stroke": return { type: "stroke", edit: value(one(["raise", "add_water", "smooth", "set_layer"])), amount: value(1), layer: next() < 0.3 ? value("hardness") : undefined, ...shape(), value: undefined,
      shape: value(one(["circle", "rectangle", "polygon"])), ratio: value(0.5), azimuth: value(45), joins: value(next() < 0.5) };
    case "edit": return { type: "edit", edit: { raise: { height: value("1 m"), polygon: value(points(1500)), soft: value(5) } }, joins: value(next() < 0.5) };
    default: return one([{ type: "undo" }, { type: "redo" }, { type: "step", ticks: 1 }, { type: "seek", year: 1 }, { type: "remove", index: Math.floor(next() * 6) },
      { type: "move", index: Math.floor(next() * 6), year: 2 }, { type: "branch", name: one(["a", "b", ""]) }, { type: "switch", name: one(["a", "b", "main"]) }, { type: "record" },
      { type: "merge", commands: 2 }, { type: "describe", process: "hydraulic" }]);
  }
}

const basin = `wadi: 1
name: basin
seed: 3
terrain:
  size: [24, 20]
  cell: 8 m
  edges: EDGES
  noise: {relief: 20 m}
layers: {sediment: 0.5 m, water: 0 m, hardness: 0.5}
timeline: {tick: 1 yr, end: 4 yr, run: [hydraulic: {rain: 1 m/yr}]}
`;

describe("painted maps and shapes", () => {
  for (const edges of ["open", "periodic"])
    test(`noise is answered message by message, and the record that remains is that of the command (${edges})`, async () => {
      const file = path.join(scratch(), "basin.yaml");
      fs.writeFileSync(file, basin.replace("EDGES", edges));
      const server = await start([file, "--threads", "2", "--no-save"]);
      try {
        const wire = await page_of(server);
        const random = noise(edges.length);
        const count = { done: 0, error: 0 };
        for (let k = 0; k < 300; ++k) {
          const message = { ...paintMessage(random), id: 10000 + k };
          const text = JSON.stringify(message);
          if (text.length > 65536) continue;
          const from = wire.messages.length;
          wire.write(frame(TEXT, text));
          const answers = (other) => other.id === message.id && (other.type === "done" || other.type === "error");
          const answer = await wire.wait(answers, { from, ms: 30000 }).catch((error) => assert.fail(`${error.message}\n${text}\n${server.errors}`));
          count[answer.type]++;
          assert.equal(wire.messages.slice(from).filter(answers).length, 1, text);
          if (answer.type === "error") assert.ok(answer.text.length > 5 && answer.text.length < 1000, text);
        }
        assert.ok(count.done > 60 && count.error > 60, JSON.stringify(count));
        const ledgers = wire.messages.filter((message) => message.type === "ledger").flatMap((message) => message.rows);
        assert.ok(ledgers.length > 0 && ledgers.every((row) => row.residual === 0), "the books are closed");
        await wire.ask({ type: "step", ticks: 1 });
        const record = (await wire.ask({ type: "record" })).find((message) => message.type === "record");
        const { end } = (await wire.ask({ type: "hash" })).find((message) => message.type === "hash");
        assert.equal(hashOf(record.text), end, record.text.slice(0, 3000));
        wire.close();
      } finally {
        await server.stop();
      }
    });

  test("an area of 100000 corners closes the connection, and nothing else", async () => {
    const file = path.join(scratch(), "basin.yaml");
    fs.writeFileSync(file, basin.replace("EDGES", "open"));
    const server = await start([file, "--threads", "1", "--no-save"]);
    try {
      const wire = await page_of(server);
      const { living } = (await wire.ask({ type: "hash" })).find((message) => message.type === "hash");
      const polygon = Array.from({ length: 100000 }, (_, k) => [k % 150, k % 130]);
      wire.send({ type: "edit", id: 3, edit: { raise: { height: 1, polygon } } });
      assert.ok(await wire.closed());
      const next = await page_of(server);
      assert.equal((await next.ask({ type: "hash" })).find((message) => message.type === "hash").living, living);
      next.close();
    } finally {
      await server.stop();
    }
  });
});

describe("records", () => {
  const own = scratch();
  const file = path.join(own, "desert.yaml");
  fs.writeFileSync(file, scene);
  const record = path.join(own, "desert.studio.yaml");

  test("what was done is saved, lives through kill -9, and replays to the same hash", async () => {
    const server = await start([file, "--threads", "2"]);
    const wire = await page_of(server);
    assert.equal(wire.messages.find((message) => message.type === "server").record, record);
    await wire.ask({ type: "step", ticks: 3 });
    await wire.ask(stroke(40, 60));
    await wire.ask(stroke(44, 60, true));
    await wire.ask({ type: "step", ticks: 4 });
    await wire.ask(stroke(90, 30));
    await sleep(1800); // a record is saved within a second and a half after a command
    const { end } = (await wire.ask({ type: "hash" })).find((message) => message.type === "hash");
    await server.stop("SIGKILL");
    assert.equal(hashOf(fs.readFileSync(record, "utf8")), end);

    const again = await start([record, "--threads", "1"]);
    const next = await page_of(again);
    const { end: length } = next.messages.find((message) => message.type === "scene");
    await next.ask({ type: "seek", year: length });
    assert.equal((await next.ask({ type: "hash" })).find((message) => message.type === "hash").end, end);
    await again.stop();
  });

  test("the end of the server saves what is new, and no file is written over", async () => {
    const before = fs.readFileSync(record, "utf8");
    for (const signal of ["SIGINT", "SIGTERM"]) {
      const server = await start([file, "--threads", "2"]);
      const wire = await page_of(server);
      await wire.ask(stroke(20, 20));
      const { end } = (await wire.ask({ type: "hash" })).find((message) => message.type === "hash");
      const { code } = await server.stop(signal);
      assert.equal(code, 0, server.errors);
      await wire.closed();
      assert.equal(wire.code, 1001);
      const saved = /The record is in (.*)\n/.exec(server.output)[1];
      assert.notEqual(saved, record);
      assert.equal(hashOf(fs.readFileSync(saved, "utf8")), end);
    }
    assert.equal(fs.readFileSync(record, "utf8"), before);
    assert.deepEqual(fs.readdirSync(own).filter((name) => !name.endsWith(".yaml")), []);
  });

  test("a scene that is wrong is said so before anything is served", async () => {
    fs.writeFileSync(path.join(own, "wrong.yaml"), "wadi: 1\nterrain: {sizes: [4, 4]}\n");
    await assert.rejects(start([path.join(own, "wrong.yaml")]), /sizes/);
    await assert.rejects(start([path.join(own, "missing.yaml")]), /missing/);
    await assert.rejects(start(["--port", "70000"]), /70000/);
  });
});
