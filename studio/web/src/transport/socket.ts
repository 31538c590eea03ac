// SPDX-License-Identifier: MIT
// The way to `wadi studio`, the native engine behind a server on this machine.
import type { Transport } from "./transport.ts";

const reasons: Record<number, string> = {
  1001: "The server has stopped.",
  1008: "The page was too slow for the server.",
  1009: "A message was too long for the server.",
  4001: "Another page is connected to this engine.",
  4002: "Another page has taken over this engine.",
};

export class SocketTransport implements Transport {
  readonly kind = "server";
  onText: (text: string) => void = () => {};
  onBinary: (bytes: ArrayBuffer) => void = () => {};
  onClose: (reason: string) => void = () => {};
  private readonly socket: WebSocket;
  private waiting: (string | ArrayBuffer)[] = [];

  constructor(key: string, takesOver: boolean) {
    const words = ["wadi-studio", `key.${key}`, ...(takesOver ? ["take"] : [])];
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/socket`, words);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => {
      this.waiting.forEach((message) => this.socket.send(message));
      this.waiting = [];
    };
    this.socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      if (typeof event.data === "string") this.onText(event.data);
      else this.onBinary(event.data);
    };
    this.socket.onclose = (event) => this.onClose(reasons[event.code] ?? "The connection to the server has ended.");
  }

  sendText(text: string): void {
    this.send(text);
  }
  sendBinary(bytes: ArrayBuffer): void {
    this.send(bytes);
  }
  private send(message: string | ArrayBuffer): void {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(message);
    else if (this.socket.readyState === WebSocket.CONNECTING) this.waiting.push(message);
  }
}
