// SPDX-License-Identifier: MIT
// The WebAssembly module under Node, as a page uses it: messages in, messages out. With threads its
// pool works in worker threads on shared memory.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';

const STACK = 1 << 20;

// The module asks for no file: what it imports of WASI is not available.
function imports(module, studio, memory) {
  const out = { studio };
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind === 'memory') out[from] = { ...out[from], [name]: memory };
    else if (from !== 'studio') out[from] = { ...out[from], [name]: () => 8 };
  }
  return out;
}

// An instance of the module of a file. Its second part (studio/wasm/split.sh) is loaded when one of its functions is first
// called, which `loaded` is told.
async function instantiate(module, path, studio, memory, loaded = () => {}) {
  const given = imports(module, studio, memory);
  let instance;
  let isWhole = false;
  for (const place of Object.keys(given.placeholder ?? {})) {
    given.placeholder[place] = (...values) => {
      if (!isWhole) {
        const more = new WebAssembly.Module(readFileSync(path.replace(/\.wasm$/, '-more.wasm')));
        new WebAssembly.Instance(more, { primary: instance.exports });
        isWhole = true;
        loaded();
      }
      return instance.exports.table.get(Number(place))(...values);
    };
  }
  instance = await WebAssembly.instantiate(module, given);
  return instance;
}

export async function open(path, threads = 1) {
  const module = await WebAssembly.compile(await readFile(path));
  const memory = threads > 1 || path.includes('threads')
    ? new WebAssembly.Memory({ initial: 512, maximum: 32768, shared: true }) : undefined;
  const engine = { texts: [], binaries: [], workers: [], isWhole: false };
  let instance;
  const bytes = () => new Uint8Array((memory ?? instance.exports.memory).buffer);
  const studio = {
    send(isBinary, at, size) {
      const copy = bytes().slice(at, at + size);
      if (isBinary) engine.binaries.push(copy);
      else engine.texts.push(JSON.parse(new TextDecoder().decode(copy)));
    },
    now: () => performance.now(),
  };
  instance = await instantiate(module, path, studio, memory, () => { engine.isWhole = true; });
  const x = instance.exports;
  x._initialize();
  for (let k = 1; k < threads; ++k) {
    const worker = new Worker(fileURLToPath(import.meta.url),
      { workerData: { module, path, memory, stack: x.wadi_studio_stack(STACK), k } });
    await new Promise((ready) => { worker.once('message', ready); });
    engine.workers.push(worker);
  }
  if (x.wadi_studio_open(threads) !== 0) throw new Error('the engine did not open');
  // Steps are left to the caller's work; other commands are complete when their answer is here.
  engine.say = (message) => {
    engine.texts = [];
    const id = message.id ?? 999999;
    const text = new TextEncoder().encode(JSON.stringify({ ...message, id }));
    const at = x.wadi_studio_room(text.length);
    bytes().set(text, at);
    x.wadi_studio_take(0, text.length);
    while (message.type !== 'step' && !engine.texts.some((said) => said.id === id)) x.wadi_studio_work(12);
    return engine.texts;
  };
  engine.work = (budget) => x.wadi_studio_work(budget);
  engine.close = () => Promise.all(engine.workers.map((worker) => worker.terminate()));
  return engine;
}

if (!isMainThread && workerData?.stack) {
  const { module, path, memory, stack, k } = workerData;
  const studio = { send() {}, now: () => 0 };
  const instance = await instantiate(module, path, studio, memory);
  instance.exports.__stack_pointer.value = stack;
  parentPort.postMessage('ready');
  instance.exports.wadi_studio_worker(k);
}
