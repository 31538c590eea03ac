// SPDX-License-Identifier: MIT
// The way to the WebAssembly module in a worker: on several threads where the page is isolated.
import type { Transport } from "./transport.ts";
import type { ToEngine, FromEngine } from "../worker/engine.worker.ts";

function threadCount(): number {
  if (!crossOriginIsolated) return 1;
  return Math.max(1, Math.min(8, (navigator.hardwareConcurrency || 2) - 1));
}

export class WorkerTransport implements Transport {
  readonly kind = "worker";
  onText: (text: string) => void = () => {};
  onBinary: (bytes: ArrayBuffer) => void = () => {};
  onClose: (reason: string) => void = () => {};
  private readonly worker: Worker;

  constructor() {
    this.worker = new Worker(new URL("../worker/engine.worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }: MessageEvent<FromEngine>) => {
      if ("text" in data) this.onText(data.text);
      else if ("bytes" in data) this.onBinary(data.bytes);
      else this.onClose(data.failure);
    };
    this.worker.onerror = (event) => this.onClose(`The engine has stopped: ${event.message}`);
    const threads = threadCount();
    const name = crossOriginIsolated ? "wadi-threads.wasm" : "wadi.wasm";
    this.post({ module: new URL(name, document.baseURI).href, threads });
  }

  sendText(text: string): void {
    this.post({ text });
  }
  sendBinary(bytes: ArrayBuffer): void {
    this.worker.postMessage({ bytes } satisfies ToEngine, [bytes]);
  }
  private post(message: ToEngine): void {
    this.worker.postMessage(message);
  }
}
