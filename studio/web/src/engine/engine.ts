// SPDX-License-Identifier: MIT
// The page's side of the conversation: commands with answers, and what the engine said last.
import { Land } from "../land/land.ts";
import type { Rectangle } from "../view/textures.ts";
import type { Transport } from "../transport/transport.ts";
import type { Answers, Clock, Command, Events, Failure, FileInfo, Ledger, Maps, ProcessInfo, Ready, SceneInfo } from "./messages.ts";
import { Inbox, piecesOf } from "./pieces.ts";
import { readMap, readTiles, type MapMessage } from "./tiles.ts";
import { sceneToJson } from "./yaml.ts";

const LONG = 50000; // bytes of a scene that goes in pieces

interface Local {
  land: Land; // a new land, still empty
  tiles: { rectangles: Rectangle[]; hasWater: boolean; isFirst: boolean };
  map: MapMessage;
  grains: Float32Array; // four numbers each, see PROTOCOL.md
  down: { info: FileInfo; bytes: Uint8Array };
  closed: string;
}
type Heard = Answers & Local;
type Waiting = { resolve: () => void; reject: (error: EngineError) => void };

export class EngineError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.text);
  }
}

export class Engine {
  ready: Ready | null = null;
  scene: SceneInfo | null = null;
  clock: Clock | null = null;
  events: Events | null = null;
  ledger: Ledger | null = null;
  maps: Maps | null = null;
  land: Land | null = null;
  readonly processes = new Map<string, ProcessInfo>();

  private readonly listeners = new Map<string, Set<(value: never) => void>>();
  private readonly waiting = new Map<number, Waiting>();
  private readonly files = new Map<number, FileInfo>();
  private readonly inbox = new Inbox();
  private readonly asked = new Map<string, Promise<unknown>>();
  private nextId = 1;
  private firstIsDue = false;

  constructor(readonly transport: Transport) {
    transport.onText = (text) => this.hear(JSON.parse(text) as { type: keyof Answers });
    transport.onBinary = (bytes) => this.hearBinary(bytes);
    transport.onClose = (reason) => this.emit("closed", reason);
  }

  on<K extends keyof Heard>(type: K, listener: (value: Heard[K]) => void): () => void {
    const set = this.listeners.get(type) ?? new Set();
    this.listeners.set(type, set);
    set.add(listener as (value: never) => void);
    return () => set.delete(listener as (value: never) => void);
  }

  /** Wait for the next message of a type. */
  next<K extends keyof Heard>(type: K): Promise<Heard[K]> {
    return new Promise((resolve) => {
      const off = this.on(type, (value) => {
        off();
        resolve(value);
      });
    });
  }

  /** Send a command; resolves when it is complete, rejects with the engine's words. */
  command(message: Command): Promise<void> {
    const id = this.nextId++;
    const answer = new Promise<void>((resolve, reject) => this.waiting.set(id, { resolve, reject }));
    this.transport.sendText(JSON.stringify({ ...message, id }));
    return answer;
  }

  /** Send a command and return the one message that answers it. */
  ask<K extends keyof Answers>(message: Command, type: K): Promise<Answers[K]> {
    const before = this.asked.get(type) ?? Promise.resolve();
    const answer = before.then(() => this.askNow(message, type));
    this.asked.set(type, answer.catch(() => undefined));
    return answer;
  }

  // Answers do not name their question, so there is one question of a kind at a time.
  private async askNow<K extends keyof Answers>(message: Command, type: K): Promise<Answers[K]> {
    let answer: Answers[K] | null = null;
    const off = this.on(type, (value) => (answer = value as Answers[K]));
    try {
      await this.command(message);
    } finally {
      off();
    }
    if (!answer) throw new Error(`the engine gave no answer of kind '${type}'`);
    return answer;
  }

  async open(scene: string, options: Record<string, unknown> = {}): Promise<void> {
    const text = this.ready?.yaml ? scene : await sceneToJson(scene);
    const bytes = new TextEncoder().encode(text);
    if (bytes.length < LONG) return this.command({ type: "open", scene: text, ...options });
    await this.upload({ type: "text", name: "scene", bytes: bytes.length }, "scene", bytes);
    return this.command({ type: "open", scene_from: "scene", ...options });
  }

  async upload(announcement: Command, name: string, content: Uint8Array): Promise<void> {
    await this.command(announcement);
    for (const piece of piecesOf(name, content)) this.transport.sendBinary(piece);
  }

  async describe(process?: string): Promise<ProcessInfo[]> {
    const answer = await this.ask({ type: "describe", ...(process ? { process } : {}) }, "describe");
    for (const info of answer.processes) this.processes.set(info.name, info);
    return answer.processes;
  }

  async download(what: string, format: string): Promise<{ info: FileInfo; bytes: Uint8Array }> {
    const file = this.next("down");
    await this.command({ type: "export", what, format });
    return file;
  }

  private emit<K extends keyof Heard>(type: K, value: Heard[K]): void {
    this.listeners.get(type)?.forEach((listener) => listener(value as never));
  }

  private hear(message: { type: string; id?: number }): void {
    switch (message.type) {
      case "done":
        this.settle(message.id, (waiting) => waiting.resolve());
        return;
      case "error":
        this.fail(message as Failure);
        return;
      case "ready":
        this.ready = message as Ready;
        break;
      case "scene":
        this.setScene(message as SceneInfo);
        break;
      case "clock":
        this.clock = message as Clock;
        break;
      case "events":
        this.events = message as Events;
        break;
      case "ledger":
        this.ledger = message as Ledger;
        break;
      case "maps":
        this.maps = message as Maps;
        break;
      case "file":
        this.expect(message as FileInfo);
        break;
    }
    this.emit(message.type as keyof Heard, message as never);
  }

  private settle(id: number | undefined, how: (waiting: Waiting) => void): boolean {
    const waiting = id === undefined ? undefined : this.waiting.get(id);
    if (!waiting || id === undefined) return false;
    this.waiting.delete(id);
    how(waiting);
    return true;
  }

  private fail(failure: Failure): void {
    const isExpected = this.settle(failure.id, (waiting) => waiting.reject(new EngineError(failure)));
    if (!isExpected) this.emit("error", failure);
  }

  private expect(info: FileInfo): void {
    this.files.set(info.seq, info);
    this.inbox.announce(info.seq, info.bytes);
  }

  private setScene(scene: SceneInfo): void {
    const shape = {
      width: scene.width,
      height: scene.height,
      cell: scene.cell,
      wrapX: scene.edges[1] === "periodic" && scene.edges[3] === "periodic",
      wrapY: scene.edges[0] === "periodic" && scene.edges[2] === "periodic",
    };
    this.scene = scene;
    this.land = new Land(shape);
    this.firstIsDue = true;
    this.emit("land", this.land);
  }

  private hearBinary(bytes: ArrayBuffer): void {
    const magic = new TextDecoder().decode(new Uint8Array(bytes, 0, 4));
    if (magic === "wad1" && this.land) this.hearTiles(bytes, this.land);
    else if (magic === "wadm") this.hearMap(bytes);
    else if (magic === "wadx") this.hearPiece(bytes);
    else if (magic === "wadg") this.emit("grains", new Float32Array(bytes, 32, 4 * new DataView(bytes).getUint32(8, true)));
  }

  private hearTiles(bytes: ArrayBuffer, land: Land): void {
    const message = readTiles(bytes, land);
    const isFirst = this.firstIsDue && !message.moreFollow;
    if (isFirst) this.firstIsDue = false;
    this.emit("tiles", { rectangles: message.rectangles, hasWater: message.hasWater, isFirst });
    this.acknowledge(message.seq);
  }

  private hearMap(bytes: ArrayBuffer): void {
    const message = readMap(bytes);
    this.emit("map", message);
    this.acknowledge(message.seq);
  }

  private hearPiece(bytes: ArrayBuffer): void {
    const whole = this.inbox.take(bytes);
    const info = whole ? this.files.get(whole.seq) : undefined;
    if (!whole || !info) return;
    this.files.delete(whole.seq);
    this.emit("down", { info, bytes: whole.bytes });
  }

  private acknowledge(seq: number): void {
    this.transport.sendText(JSON.stringify({ type: "ack", seq }));
  }
}
