// SPDX-License-Identifier: MIT
// A stroke: points along the way of the pointer, sent in messages of at most 64 touches. One message
// is under way at a time; later touches wait and go together. Tiles that the engine sends before it has taken a touch
// lack it, so touches are shown again on these.
import { EngineError, type Engine } from "../engine/engine.ts";
import type { Land } from "../land/land.ts";
import { previewTouch, type Touch } from "./preview.ts";
import type { Rectangle } from "../view/textures.ts";
import { reachOf } from "./outline.ts";

const MOST = 64;

/** A place, and beyond periodic edges its copies from where a touch reaches the land; m from the north-west corner. */
export function copiesOf(land: Land, reach: number, x: number, z: number): [number, number][] {
  const along = (at: number, extent: number, wraps: boolean): number[] => {
    // a touch wider than half of the land would act twice
    if (!wraps || reach > extent / 2) return [at];
    return at < reach ? [at, at + extent] : at > extent - reach ? [at, at - extent] : [at];
  };
  const { wrapX, wrapY } = land.shape;
  return along(z, land.extentZ, wrapY).flatMap((south) => along(x, land.extentX, wrapX).map((east): [number, number] => [east, south]));
}

export type TouchKind = Omit<Touch, "x" | "z">;

export class Stroke {
  private waiting: [number, number][] = [];
  private last: { x: number; z: number };
  private joins = false;
  private isSending = false;
  private sending: Promise<void> = Promise.resolve();
  private untaken: (Touch | null)[] = []; // null: the copy of a touch beyond a periodic edge
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

  /** The pointer has come to a place, over periodic edges also beyond the land: touches every quarter of its smaller half. */
  moveTo(x: number, z: number): void {
    const { radius, ratio } = this.kind;
    const gap = (radius * (ratio > 0 ? Math.min(1, ratio) : 1)) / 4;
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
    for (const touch of this.untaken) if (touch) this.onTouched(previewTouch(this.land, touch, rectangles));
  }

  // Places are rounded to millimetres: records and links stay short.
  private touch(exactX: number, exactZ: number): void {
    this.last = { x: Number(exactX.toFixed(3)), z: Number(exactZ.toFixed(3)) };
    const inside = this.land.fold(this.last.x, this.last.z);
    const [x, z] = [Number(inside.x.toFixed(3)), Number(inside.z.toFixed(3))];
    this.onTouched(previewTouch(this.land, { ...this.kind, x, z }));
    for (const [k, spot] of copiesOf(this.land, reachOf(this.kind), x, z).entries()) {
      this.untaken.push(k === 0 ? { ...this.kind, x, z } : null);
      this.waiting.push([Number(spot[0].toFixed(3)), Number((this.land.extentZ - spot[1]).toFixed(3))]);
    }
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
    const { edit, layer, amount, radius, soft, ratio, azimuth } = this.kind;
    const shape = ratio > 0 ? { shape: "rectangle", ratio, azimuth } : {};
    const message = { type: "stroke", edit, amount, radius, soft, points, ...shape, ...(layer ? { layer } : {}) };
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
