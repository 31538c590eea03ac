// SPDX-License-Identifier: MIT
// What the module imports: its way to the page, a clock, and stubs for files that it never opens.

export interface EngineExports {
  memory: WebAssembly.Memory;
  table: WebAssembly.Table;
  __stack_pointer: WebAssembly.Global;
  _initialize?: () => void;
  wadi_studio_open(threads: number): number;
  wadi_studio_room(size: number): number;
  wadi_studio_take(isBinary: number, size: number): void;
  wadi_studio_work(budget: number): number;
  wadi_studio_stack(size: number): number;
  wadi_studio_worker(index: number): void;
}

const NOT_AVAILABLE = 8; // errno of WASI for a bad descriptor

export function importsOf(
  module: WebAssembly.Module,
  send: (isBinary: number, pointer: number, size: number) => void,
  memory?: WebAssembly.Memory,
): WebAssembly.Imports {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    imports[from] ??= {};
    if (kind === "function") imports[from][name] = () => NOT_AVAILABLE;
  }
  imports.studio = { ...imports.studio, send, now: () => performance.now() };
  if (memory) imports.env = { ...imports.env, memory };
  return imports;
}
