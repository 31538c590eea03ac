// SPDX-License-Identifier: MIT
// One thread of the engine's pool. It runs for ever inside the module.
import { instantiate } from "./parts.ts";

interface Start {
  module: WebAssembly.Module;
  url: string;
  memory: WebAssembly.Memory;
  stack: number;
  index: number;
}

self.onmessage = async ({ data }: MessageEvent<Start>) => {
  const exports = await instantiate(data.module, data.url, () => {}, data.memory);
  exports.__stack_pointer.value = data.stack;
  postMessage("ready");
  exports.wadi_studio_worker(data.index);
};
