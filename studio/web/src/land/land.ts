// SPDX-License-Identifier: MIT
// The page's own copy of the ground: heights, loose matter, water. Tiles of the engine correct it,
// a stroke of the brush changes it at once, and tools read from it.

export const TILE = 64;
const LOG_TOP = Math.log2(801);

export interface LandShape {
  readonly width: number; // cells
  readonly height: number; // cells
  readonly cell: number; // m
  readonly wrapX: boolean;
  readonly wrapY: boolean;
}

/** Thickness [m] as a byte: fine near zero, 100 m at 255. For colour only, never for sums. */
export const encodeThickness = (m: number): number =>
  Math.min(255, Math.round((255 * Math.log2(1 + 8 * Math.max(0, m))) / LOG_TOP));

export const decodeThickness = (byte: number): number => (2 ** ((byte * LOG_TOP) / 255) - 1) / 8;

export class Land {
  readonly surface: Float32Array; // m, row 0 in the north; NaN in voids
  readonly water: Float32Array; // m
  readonly matter: Uint8Array; // loose matter, water, plants, hardness

  constructor(readonly shape: LandShape) {
    const cells = shape.width * shape.height;
    this.surface = new Float32Array(cells);
    this.water = new Float32Array(cells);
    this.matter = new Uint8Array(4 * cells);
  }

  get extentX(): number {
    return this.shape.width * this.shape.cell;
  }
  get extentZ(): number {
    return this.shape.height * this.shape.cell;
  }

  /** Index of a cell, wrapped over periodic edges and held inside at the others. */
  index(column: number, row: number): number {
    const { width, height, wrapX, wrapY } = this.shape;
    const x = wrapX ? ((column % width) + width) % width : Math.min(width - 1, Math.max(0, column));
    const y = wrapY ? ((row % height) + height) % height : Math.min(height - 1, Math.max(0, row));
    return y * width + x;
  }

  /** The same place in the middle tile, where the edges are periodic. */
  fold(x: number, z: number): { x: number; z: number } {
    const { wrapX, wrapY } = this.shape;
    const within = (v: number, extent: number): number => v - Math.floor(v / extent) * extent;
    return { x: wrapX ? within(x, this.extentX) : x, z: wrapY ? within(z, this.extentZ) : z };
  }

  isInside(x: number, z: number): boolean {
    const { wrapX, wrapY } = this.shape;
    return (wrapX || (x >= 0 && x <= this.extentX)) && (wrapY || (z >= 0 && z <= this.extentZ));
  }

  /** Height between cell centres [m], at x metres from the west and z metres from the north. */
  heightAt(x: number, z: number): number {
    const fx = x / this.shape.cell - 0.5;
    const fz = z / this.shape.cell - 0.5;
    const i = Math.floor(fx);
    const j = Math.floor(fz);
    const u = fx - i;
    const v = fz - j;
    const s = this.surface;
    const north = s[this.index(i, j)] * (1 - u) + s[this.index(i + 1, j)] * u;
    const south = s[this.index(i, j + 1)] * (1 - u) + s[this.index(i + 1, j + 1)] * u;
    return north * (1 - v) + south * v;
  }

  cellAt(x: number, z: number): number {
    return this.index(Math.floor(x / this.shape.cell), Math.floor(z / this.shape.cell));
  }

  range(): [number, number] {
    let low = Infinity;
    let high = -Infinity;
    for (const h of this.surface) {
      if (h < low) low = h;
      if (h > high) high = h;
    }
    return low <= high ? [low, high] : [0, 1];
  }
}
