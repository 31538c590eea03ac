// SPDX-License-Identifier: MIT
// A square or rectangle on a map that a process takes. It follows the pointer on the page's copy of the map, and is sent
// where it is let go.
import type { Engine } from "../engine/engine.ts";
import type { Land } from "../land/land.ts";
import type { MapTarget } from "./map_targets.ts";
import { cornersOf, depthInside, reachOf, weightOf, type Outline } from "./outline.ts";

export class MapStamp {
  private place = { x: 0, z: 0 }; // m from the north-west corner

  constructor(
    private readonly engine: Engine,
    private readonly land: Land,
    readonly target: MapTarget,
    private readonly value: number,
    private readonly outline: Outline,
    private readonly before: Float32Array,
    private readonly onPainted: (values: Float32Array) => void,
  ) {}

  moveTo(x: number, z: number): void {
    this.place = { x, z };
    const { land, outline, value } = this;
    const { cell } = land.shape;
    const values = this.before.slice();
    const reach = Math.ceil(reachOf(outline) / cell) + 1;
    const [column, row] = [Math.floor(x / cell), Math.floor(z / cell)];
    for (let j = row - reach; j <= row + reach; ++j) {
      for (let i = column - reach; i <= column + reach; ++i) {
        const [east, south] = [(i + 0.5) * cell, (j + 0.5) * cell];
        if (!land.isInside(east, south)) continue;
        const at = land.index(i, j);
        const weight = weightOf(depthInside(outline, east - x, z - south), outline.soft);
        if (weight > 0) values[at] = this.before[at] + weight * (value - this.before[at]);
      }
    }
    this.onPainted(values);
  }

  async done(): Promise<void> {
    const { process, map } = this.target;
    const points = cornersOf(this.outline, this.place.x, this.land.extentZ - this.place.z);
    await this.engine.command({ type: "paint", process, map, value: this.value, soft: this.outline.soft, area: true, points });
  }
}
