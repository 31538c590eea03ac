// SPDX-License-Identifier: MIT
// A WebSocket client over a bare socket, so that tests can send what no browser would: wrong headers,
// fragments, garbage, and nothing at all.
import net from "node:net";
import crypto from "node:crypto";

export const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// One HTTP exchange: `head` is sent as it is; resolves to status, headers and body.
export function exchange(port, head, { wait = 3000 } = {}) {
  return new Promise((done, fail) => {
    const socket = net.connect(port, "127.0.0.1", () => socket.write(head));
    let bytes = Buffer.alloc(0);
    const end = () => {
      socket.destroy();
      const cut = bytes.indexOf("\r\n\r\n");
      const lines = bytes.subarray(0, Math.max(cut, 0)).toString("latin1").split("\r\n");
      const headers = Object.fromEntries(
        lines.slice(1).map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
      );
      done({ status: Number(lines[0].split(" ")[1] ?? 0), headers, body: bytes.subarray(cut + 4) });
    };
    const timer = setTimeout(end, wait);
    socket.on("data", (piece) => {
      bytes = Buffer.concat([bytes, piece]);
      const cut = bytes.indexOf("\r\n\r\n");
      const length = /content-length: *(\d+)/i.exec(bytes.subarray(0, Math.max(cut, 0)).toString("latin1"));
      if (cut >= 0 && length && bytes.length >= cut + 4 + Number(length[1])) {
        clearTimeout(timer);
        end();
      }
    });
    socket.on("close", () => {
      clearTimeout(timer);
      end();
    });
    socket.on("error", fail);
  });
}

export const get = (port, path, headers = {}) =>
  exchange(
    port,
    `GET ${path} HTTP/1.1\r\n` +
      Object.entries({ Host: `127.0.0.1:${port}`, ...headers })
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("") +
      "\r\n",
  );

// The bytes of a frame from a client, masked as the standard demands.
export function frame(opcode, payload, { final = true, masked = true } = {}) {
  const bytes = Buffer.from(payload);
  const length = bytes.length;
  const extra = length < 126 ? 0 : length < 65536 ? 2 : 8;
  const head = Buffer.alloc(2 + extra);
  head[0] = (final ? 0x80 : 0) | opcode;
  head[1] = (masked ? 0x80 : 0) | (extra === 0 ? length : extra === 2 ? 126 : 127);
  if (extra === 2) head.writeUInt16BE(length, 2);
  if (extra === 8) head.writeBigUInt64BE(BigInt(length), 2);
  if (!masked) return Buffer.concat([head, bytes]);
  const mask = crypto.randomBytes(4);
  const body = Buffer.alloc(length);
  for (let i = 0; i < length; ++i) body[i] = bytes[i] ^ mask[i & 3];
  return Buffer.concat([head, mask, body]);
}

export const TEXT = 1;
export const BINARY = 2;
export const CONTINUATION = 0;

// A WebSocket. Messages are collected in `messages`: objects of text, buffers of binary data.
export class Wire {
  messages = [];
  status = 0; // of the handshake
  code = 0; // with which the other side closed
  isClosed = false;
  #bytes = Buffer.alloc(0);
  #parts = [];
  #opcode = 0;
  #waiting = [];

  // `overrides` replaces headers; null leaves one out.
  static open(port, key, { take = false, path = "/socket", overrides = {}, acks = true, reads = true } = {}) {
    const wire = new Wire();
    wire.port = port;
    wire.acks = acks;
    const words = ["wadi-studio", `key.${key}`, ...(take ? ["take"] : [])];
    const headers = {
      Host: `127.0.0.1:${port}`,
      Origin: `http://127.0.0.1:${port}`,
      Upgrade: "websocket",
      Connection: "Upgrade",
      "Sec-WebSocket-Key": crypto.randomBytes(16).toString("base64"),
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Protocol": words.join(", "),
      ...overrides,
    };
    const head =
      `GET ${path} HTTP/1.1\r\n` +
      Object.entries(headers)
        .filter(([, value]) => value !== null)
        .map(([name, value]) => `${name}: ${value}\r\n`)
        .join("") +
      "\r\n";
    return new Promise((done) => {
      wire.socket = net.connect({ port, host: "127.0.0.1", noDelay: true }, () => wire.socket.write(head));
      const shaken = () => {
        const cut = wire.#bytes.indexOf("\r\n\r\n");
        if (cut < 0) return;
        wire.status = Number(wire.#bytes.subarray(0, cut).toString("latin1").split(" ")[1]);
        wire.#bytes = wire.#bytes.subarray(cut + 4);
        done(wire);
        if (!reads) wire.socket.pause();
        if (wire.status === 101) wire.#frames();
      };
      wire.socket.on("data", (piece) => {
        wire.#bytes = Buffer.concat([wire.#bytes, piece]);
        if (wire.status === 0) shaken();
        else if (wire.status === 101) wire.#frames();
      });
      const over = () => {
        wire.isClosed = true;
        done(wire);
        wire.#waiting.forEach((look) => look());
      };
      wire.socket.on("close", over);
      wire.socket.on("error", over);
    });
  }

  #frames() {
    for (;;) {
      const bytes = this.#bytes;
      if (bytes.length < 2) break;
      const short = bytes[1] & 127;
      const skip = short < 126 ? 2 : short === 126 ? 4 : 10;
      if (bytes.length < skip) break;
      const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
      if (bytes.length < skip + length) break;
      this.#frame(bytes[0] & 15, (bytes[0] & 0x80) !== 0, bytes.subarray(skip, skip + length));
      this.#bytes = bytes.subarray(skip + length);
    }
    this.#waiting.forEach((look) => look());
  }

  #frame(opcode, isFinal, payload) {
    if (opcode === 8) {
      this.code = payload.length >= 2 ? payload.readUInt16BE(0) : 1005;
      this.socket.end(frame(8, payload));
      return;
    }
    if (opcode === 9) {
      this.socket.write(frame(10, payload));
      return;
    }
    if (opcode > 2) return;
    this.#opcode = opcode || this.#opcode;
    this.#parts.push(Buffer.from(payload));
    if (!isFinal) return;
    const whole = Buffer.concat(this.#parts);
    this.#parts = [];
    const message = this.#opcode === TEXT ? JSON.parse(whole.toString("utf8")) : whole;
    this.messages.push(message);
    const kind = this.#opcode === BINARY ? whole.subarray(0, 4).toString("latin1") : "";
    if (this.acks && (kind === "wad1" || kind === "wadm")) this.send({ type: "ack", seq: whole.readUInt32LE(4) });
  }

  write(bytes) {
    if (!this.isClosed) this.socket.write(bytes);
  }

  send(message) {
    this.write(frame(TEXT, JSON.stringify(message)));
  }

  // The first message for which `wanted` is true, from number `from` on.
  async wait(wanted, { from = 0, ms = 10000 } = {}) {
    const find = () => this.messages.slice(from).find(wanted);
    return (
      find() ??
      (await new Promise((done, fail) => {
        const timer = setTimeout(() => finish(() => fail(new Error(`no message within ${ms} ms: ${wanted}`))), ms);
        const finish = (end) => {
          clearTimeout(timer);
          this.#waiting = this.#waiting.filter((other) => other !== look);
          end();
        };
        const look = () => {
          const found = find();
          if (found) finish(() => done(found));
          else if (this.isClosed) finish(() => fail(new Error(`closed with ${this.code}: ${wanted}`)));
        };
        this.#waiting.push(look);
      }))
    );
  }

  // Send a command and wait until it is complete. Fails with the engine's error.
  async ask(command, { ms = 30000 } = {}) {
    const id = (Wire.id = (Wire.id ?? 0) + 1);
    const from = this.messages.length;
    this.send({ ...command, id });
    const answer = await this.wait((message) => message.id === id && (message.type === "done" || message.type === "error"), { from, ms });
    if (answer.type === "error") throw new Error(answer.text);
    return this.messages.slice(from);
  }

  async closed(ms = 5000) {
    for (let waited = 0; !this.isClosed && waited < ms; waited += 10) await sleep(10);
    return this.isClosed;
  }

  close() {
    this.socket.destroy();
  }
}
