// SPDX-License-Identifier: MIT
// The module has two parts (studio/wasm/split.sh). The second one, with most processes, is loaded when one of its functions is
// first called: until then placeholders stand for them in the table of the first.
import { importsOf, type EngineExports } from "./imports.ts";

const TRIES = 3;

// The second part now: whoever called it stands in the middle of its work, in a thread of its own.
function loadNow(url: string): WebAssembly.Module {
  const request = new XMLHttpRequest();
  for (let k = 0; k < TRIES; ++k) {
    try {
      request.open("GET", url, false);
      request.responseType = "arraybuffer";
      request.send();
      if (request.status === 200) break;
    } catch {
      // without a network; the last try is told of below
    }
  }
  if (request.status !== 200) throw new Error(`cannot load ${url}: ${request.status}`);
  return new WebAssembly.Module(request.response as ArrayBuffer);
}

// An instance of the module that was loaded from `url`.
export async function instantiate(
  module: WebAssembly.Module,
  url: string,
  send: (isBinary: number, pointer: number, size: number) => void,
  memory?: WebAssembly.Memory,
): Promise<EngineExports> {
  const imports = importsOf(module, send, memory);
  let exports: EngineExports;
  let isWhole = false;
  const complete = () => {
    if (isWhole) return;
    // its functions take their places in the table
    new WebAssembly.Instance(loadNow(url.replace(/\.wasm$/, "-more.wasm")), { primary: exports as unknown as WebAssembly.ModuleImports });
    isWhole = true;
  };
  const placeholders = imports.placeholder ?? {};
  for (const place of Object.keys(placeholders)) {
    placeholders[place] = (...values: unknown[]): unknown => {
      complete();
      return (exports.table.get(Number(place)) as (...values: unknown[]) => unknown)(...values);
    };
  }
  exports = (await WebAssembly.instantiate(module, imports)).exports as unknown as EngineExports;
  return exports;
}
