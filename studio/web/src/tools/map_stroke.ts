// SPDX-License-Identifier: MIT
// A stroke over a map that a process takes. It is shown at once on the page's copy of the map and
// sent when it ends: the line of the pointer with fewer points, as one command.
import type { Engine } from "../engine/engine.ts";
import type { Land } from "../land/land.ts";
import type { MapTarget } from "./map_targets.ts";
import { weightOf } from "./outline.ts";

const MOST = 64; // points of one message

export interface MapBrush {
  value: number;
  radius: number; // m
  soft: number; // m
}
type Spot = [x: number, y: number]; // m from the south-west corner

/**
 * Send a stroke over a map, of however many points. The pieces of a long line join to one stroke, so that there are no
 * rims between them, and become one undo.
 */
export async function sendPieces(engine: Engine, target: MapTarget, brush: Record<string, unknown>, points: Spot[]): Promise<void> {
  const { process, map } = target;
  let sent = 0;
  for (let first = 0; first < points.length; first += MOST, ++sent)
    await engine.command({ type: "paint", process, map, ...brush, points: points.slice(first, first + MOST), joins: sent > 0 });
  if (sent > 1) await engine.command({ type: "merge", commands: sent });
}

export class MapStroke {
  private readonly line: Spot[] = [];
  private readonly weights: Float32Array;
  private readonly values: Float32Array;

  constructor(
    private readonly engine: Engine,
    private readonly land: Land,
    readonly target: MapTarget,
    private readonly brush: MapBrush,
    private readonly before: Float32Array,
    private readonly onPainted: (values: Float32Array) => void,
  ) {
    this.weights = new Float32Array(before.length);
    this.values = before.slice();
  }

  /**
   * The pointer has come to a place; m from the north-west corner. Over periodic edges the engine follows the line to
   * the tiles beside that in which it began.
   */
  moveTo(x: number, z: number): void {
    const { extentX, extentZ } = this.land;
    if (x < -extentX || x > 2 * extentX || z < -extentZ || z > 2 * extentZ) return;
    const spot: Spot = [Number(x.toFixed(2)), Number((this.land.extentZ - z).toFixed(2))];
    const last = this.line[this.line.length - 1] ?? spot;
    if (this.line.length > 0 && Math.hypot(spot[0] - last[0], spot[1] - last[1]) < this.brush.radius / 8) return;
    this.line.push(spot);
    this.show(last, spot);
    this.onPainted(this.values);
  }

  /** Send the stroke. */
  async done(): Promise<void> {
    await sendPieces(this.engine, this.target, { ...this.brush }, simplify(this.line, this.brush.radius / 20));
  }

  // The weight of a cell is that of the nearest part of the line.
  private show(from: Spot, to: Spot): void {
    const { cell, height } = this.land.shape;
    const { radius, soft, value } = this.brush;
    const column = (x: number): number => Math.floor(x / cell);
    const rowOf = (y: number): number => height - 1 - Math.floor(y / cell);
    for (let row = rowOf(Math.max(from[1], to[1]) + radius); row <= rowOf(Math.min(from[1], to[1]) - radius); ++row) {
      for (let i = column(Math.min(from[0], to[0]) - radius); i <= column(Math.max(from[0], to[0]) + radius); ++i) {
        const x = (i + 0.5) * cell;
        const y = (height - row - 0.5) * cell;
        if (!this.land.isInside(x, this.land.extentZ - y)) continue;
        const weight = weightOf(radius - distance(from, to, x, y), soft);
        const at = this.land.index(i, row);
        if (weight <= this.weights[at]) continue;
        this.weights[at] = weight;
        this.values[at] = this.before[at] + weight * (value - this.before[at]);
      }
    }
  }
}

function distance(a: Spot, b: Spot, x: number, y: number): number {
  const ux = b[0] - a[0];
  const uy = b[1] - a[1];
  const length = ux * ux + uy * uy;
  const t = length > 0 ? Math.min(1, Math.max(0, ((x - a[0]) * ux + (y - a[1]) * uy) / length)) : 0;
  return Math.hypot(x - a[0] - t * ux, y - a[1] - t * uy);
}

/** Leave out points that lie nearer to the rest of the line than a tolerance (Douglas and Peucker). */
export function simplify(line: Spot[], tolerance: number): Spot[] {
  if (line.length < 3) return line;
  const [first, last] = [line[0], line[line.length - 1]];
  let far = 0;
  let most = tolerance;
  line.forEach(([x, y], k) => {
    const off = distance(first, last, x, y);
    if (off > most) [far, most] = [k, off];
  });
  if (far === 0) return [first, last];
  return [...simplify(line.slice(0, far + 1), tolerance), ...simplify(line.slice(far), tolerance).slice(1)];
}
