// SPDX-License-Identifier: MIT
// A stroke: points along the way of the pointer, sent in messages of at most 64 touches. One message
// is under way at a time; later touches wait and go together. Tiles that the engine sends before it has taken a touch
// lack it, so touches are shown again on these.
import { EngineError, type Engine } from "../engine/engine.ts";
import type { Land } from "../land/land.ts";
import { previewTouch, type Touch } from "./preview.ts";
import type { Rectangle } from "../view/textures.ts";

const MOST = 64;

export type TouchKind = Omit<Touch, "x" | "z">;

export class Stroke {
  private waiting: [number, number][] = [];
  private last: { x: number; z: number };
  private joins = false;
  private isSending = false;
  private sending: Promise<void> = Promise.resolve();
  private untaken: Touch[] = [];
  private readonly stopShowing: () => void;

  constructor(
    private readonly engine: Engine,
    private readonly land: Land,
    private readonly kind: TouchKind,
    x: number,
    z: number,
    private readonly onTouched: (rectangles: Rectangle[]) => void,
    private readonly onFailed: (text: string) => void,
  ) {
    this.last = { x, z };
    this.stopShowing = engine.on("tiles", ({ rectangles }) => this.showAgain(rectangles));
    this.touch(x, z);
  }

  /** The pointer has come to a place, over periodic edges also beyond the land: touches every quarter of the radius. */
  moveTo(x: number, z: number): void {
    const gap = this.kind.radius / 4;
    const way = Math.hypot(x - this.last.x, z - this.last.z);
    const count = Math.min(200, Math.floor(way / gap));
    const start = this.last;
    for (let k = 1; k <= count; ++k) {
      const t = (k * gap) / way;
      this.touch(start.x + (x - start.x) * t, start.z + (z - start.z) * t);
    }
  }

  /** The pointer rests: the last touch again. */
  rest(): void {
    this.touch(this.last.x, this.last.z);
  }

  /** Resolves when the engine has taken every touch. */
  async done(): Promise<void> {
    while (this.isSending) await this.sending;
    this.stopShowing();
  }

  private showAgain(rectangles: Rectangle[]): void {
    for (const touch of this.untaken) this.onTouched(previewTouch(this.land, touch, rectangles));
  }

  // Places are rounded to millimetres: records and links stay short.
  private touch(exactX: number, exactZ: number): void {
    this.last = { x: Number(exactX.toFixed(3)), z: Number(exactZ.toFixed(3)) };
    const inside = this.land.fold(this.last.x, this.last.z);
    const [x, z] = [Number(inside.x.toFixed(3)), Number(inside.z.toFixed(3))];
    this.untaken.push({ ...this.kind, x, z });
    this.onTouched(previewTouch(this.land, { ...this.kind, x, z }));
    this.waiting.push([x, Number((this.land.extentZ - z).toFixed(3))]);
    if (!this.isSending) this.sending = this.flush();
  }

  private async flush(): Promise<void> {
    this.isSending = true;
    while (this.waiting.length > 0) {
      const points = this.waiting.splice(0, MOST);
      const isTaken = await this.send(points);
      this.untaken.splice(0, isTaken ? points.length : Infinity);
      if (!isTaken) this.waiting = [];
    }
    this.isSending = false;
  }

  private async send(points: [number, number][]): Promise<boolean> {
    const { edit, layer, amount, radius, soft } = this.kind;
    const message = { type: "stroke", edit, amount, radius, soft, points, ...(layer ? { layer } : {}) };
    try {
      await this.engine.command({ ...message, joins: this.joins });
      this.joins = true;
      return true;
    } catch (error) {
      if (this.joins && error instanceof EngineError) return this.sendApart(message);
      this.onFailed(String((error as Error).message));
      return false;
    }
  }

  // Where a touch cannot join, because the year or the record has changed, a new stroke begins.
  private async sendApart(message: { type: string }): Promise<boolean> {
    try {
      await this.engine.command({ ...message, joins: false });
      return true;
    } catch (error) {
      this.onFailed(String((error as Error).message));
      return false;
    }
  }
}
