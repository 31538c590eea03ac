// SPDX-License-Identifier: MIT
// What the tests of the studio stand on: the command, its server, and a host of static files with and
// without isolation.
import { spawn, spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
export const wadi = process.env.WADI ?? path.join(root, "build/release/cli/wadi");
export const site = process.env.STUDIO_SITE ?? path.join(root, "out/studio");
export const artefacts = process.env.STUDIO_ARTEFACTS ?? path.join(root, "build/studio-test");

// A folder of a test's own.
export const scratch = () => fs.mkdtempSync(path.join(os.tmpdir(), "wadi-studio-test-"));

// Run the command to its end; its standard output.
export function command(...words) {
  const run = spawnSync(wadi, words, { encoding: "utf8" });
  if (run.status !== 0) throw new Error(`wadi ${words.join(" ")}: ${run.stderr}`);
  return run.stdout;
}

// The state hash that `wadi run` computes for the text of a scene.
export function hashOf(text, folder = scratch()) {
  const scene = path.join(folder, "record.yaml");
  fs.writeFileSync(scene, text);
  const report = path.join(folder, "report.json");
  command("run", scene, "-o", path.join(folder, "out"), "--report", report, "--progress", "none");
  const found = /"state_hash": *"([0-9a-f]{16})"/.exec(fs.readFileSync(report, "utf8"));
  return found[1];
}

// Start `wadi studio`; resolves to its port, key and address.
export function serve(words = [], { page = site, env = {}, cwd } = {}) {
  const child = spawn(wadi, ["studio", "--site", page, "--no-browser", ...words], {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...env },
  });
  const server = { child, output: "", errors: "" };
  server.ended = new Promise((done) => child.on("exit", (code, signal) => done({ code, signal })));
  server.stop = async (signal = "SIGTERM") => {
    child.kill(signal);
    return server.ended;
  };
  child.stderr.on("data", (text) => (server.errors += text));
  return new Promise((done, fail) => {
    child.stdout.on("data", (text) => {
      server.output += text;
      const found = /http:\/\/127\.0\.0\.1:(\d+)\/#key=([0-9a-f]{32})/.exec(server.output);
      if (!found || server.port) return;
      Object.assign(server, { port: Number(found[1]), key: found[2], address: found[0] });
      done(server);
    });
    server.ended.then(({ code }) => fail(new Error(`wadi studio ended with ${code}: ${server.errors}`)));
  });
}

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".wasm": "application/wasm",
  ".json": "application/json",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
};

// Any static host: the files of the page, with or without the headers that isolate it.
export function host(folder = site, { isolated = true } = {}) {
  const server = http.createServer((request, response) => {
    const name = decodeURIComponent(new URL(request.url, "http://x").pathname);
    const file = path.join(folder, name.endsWith("/") ? `${name}index.html` : name);
    if (!file.startsWith(folder) || !fs.existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    const headers = { "Content-Type": types[path.extname(file)] ?? "application/octet-stream" };
    if (isolated) {
      headers["Cross-Origin-Opener-Policy"] = "same-origin";
      headers["Cross-Origin-Embedder-Policy"] = "require-corp";
    }
    response.writeHead(200, headers);
    fs.createReadStream(file).pipe(response);
  });
  return new Promise((done) =>
    server.listen(0, "127.0.0.1", () =>
      done({ address: `http://127.0.0.1:${server.address().port}/`, stop: () => new Promise((over) => (server.closeAllConnections(), server.close(over))) }),
    ),
  );
}
