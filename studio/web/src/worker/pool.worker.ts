// SPDX-License-Identifier: MIT
// One thread of the engine's pool. It runs for ever inside the module.
import { importsOf, type EngineExports } from "./imports.ts";

interface Start {
  module: WebAssembly.Module;
  memory: WebAssembly.Memory;
  stack: number;
  index: number;
}

self.onmessage = async ({ data }: MessageEvent<Start>) => {
  const instance = await WebAssembly.instantiate(data.module, importsOf(data.module, () => {}, data.memory));
  const exports = instance.exports as unknown as EngineExports;
  exports.__stack_pointer.value = data.stack;
  postMessage("ready");
  exports.wadi_studio_worker(data.index);
};
