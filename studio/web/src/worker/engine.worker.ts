// SPDX-License-Identifier: MIT
// The engine in a worker: the module, its loop, and the threads of its pool.
import type { EngineExports } from "./imports.ts";
import { instantiate } from "./parts.ts";

export type ToEngine = { module: string; threads: number } | { text: string } | { bytes: ArrayBuffer };
export type FromEngine = { text: string } | { bytes: ArrayBuffer } | { failure: string };

const BUDGET = 12; // ms of work between looks at the messages
const STACK = 1 << 20;

let engine: EngineExports | null = null;
let memory: WebAssembly.Memory;
const early: ToEngine[] = [];
const channel = new MessageChannel();
let isTurning = false;

function send(isBinary: number, pointer: number, size: number): void {
  const bytes = new Uint8Array(memory.buffer, pointer, size).slice();
  if (isBinary) postMessage({ bytes: bytes.buffer } satisfies FromEngine, { transfer: [bytes.buffer] });
  else postMessage({ text: new TextDecoder().decode(bytes) } satisfies FromEngine);
}

async function start(url: string, threads: number): Promise<void> {
  const isShared = url.endsWith("wadi-threads.wasm");
  const shared = isShared ? new WebAssembly.Memory({ initial: 512, maximum: 32768, shared: true }) : undefined;
  const module = await compile(url);
  const exports = await instantiate(module, url, send, shared);
  memory = shared ?? exports.memory;
  exports._initialize?.();
  if (isShared) await startPool(module, url, memory, exports, threads);
  const result = exports.wadi_studio_open(threads);
  if (result !== 0) throw new Error(`the engine did not start (${result})`);
  engine = exports;
  early.splice(0).forEach(take);
}

async function compile(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`cannot load ${url}: ${response.status}`);
  const isTyped = response.headers.get("content-type")?.startsWith("application/wasm");
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}

async function startPool(
  module: WebAssembly.Module,
  url: string,
  shared: WebAssembly.Memory,
  exports: EngineExports,
  threads: number,
): Promise<void> {
  const isReady: Promise<void>[] = [];
  for (let k = 1; k < threads; ++k) {
    const stack = exports.wadi_studio_stack(STACK);
    const worker = new Worker(new URL("./pool.worker.ts", import.meta.url), { type: "module" });
    isReady.push(new Promise((resolve) => (worker.onmessage = () => resolve())));
    worker.postMessage({ module, url, memory: shared, stack, index: k });
  }
  await Promise.all(isReady);
}

function take(message: ToEngine): void {
  if (!engine || "module" in message) return;
  const bytes = "text" in message ? new TextEncoder().encode(message.text) : new Uint8Array(message.bytes);
  const room = engine.wadi_studio_room(bytes.length);
  new Uint8Array(memory.buffer, room, bytes.length).set(bytes);
  engine.wadi_studio_take("bytes" in message ? 1 : 0, bytes.length);
  turnSoon();
}

function turnSoon(): void {
  if (isTurning) return;
  isTurning = true;
  channel.port2.postMessage(0);
}

function fail(error: unknown): void {
  postMessage({ failure: `The engine has stopped: ${String(error)}` } satisfies FromEngine);
}

channel.port1.onmessage = () => {
  isTurning = false;
  try {
    const begin = performance.now();
    if (!engine || !engine.wadi_studio_work(BUDGET)) return;
    // a scene that plays no faster than asked has nothing to do for a while
    if (performance.now() - begin < 0.05) setTimeout(turnSoon, 4);
    else turnSoon();
  } catch (error) {
    fail(error);
  }
};

self.onmessage = ({ data }: MessageEvent<ToEngine>) => {
  if ("module" in data) start(data.module, data.threads).catch(fail);
  else if (!engine) early.push(data);
  else {
    try {
      take(data);
    } catch (error) {
      fail(error);
    }
  }
};
