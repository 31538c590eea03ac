// SPDX-License-Identifier: MIT
// Decodes tile and map messages of the engine.
import { decodeThickness, type Land, TILE } from "../land/land.ts";
import type { Rectangle } from "../view/textures.ts";

const CELLS = TILE * TILE;
const thickness = Float32Array.from({ length: 256 }, (_, byte) => decodeThickness(byte));

export interface TileMessage {
  seq: number;
  year: number;
  isFirst: boolean;
  moreFollow: boolean;
  rectangles: Rectangle[];
  hasWater: boolean;
}

export function readTiles(bytes: ArrayBuffer, land: Land): TileMessage {
  const view = new DataView(bytes);
  const count = view.getUint32(8, true);
  const flags = view.getUint32(12, true);
  const columns = view.getUint32(24, true);
  const ids = new Uint32Array(bytes, 32, count);
  const surface = new Float32Array(bytes, 32 + 4 * count, count * CELLS);
  const matter = new Uint32Array(bytes, 32 + 4 * count + 4 * count * CELLS, count * CELLS);
  const rectangles: Rectangle[] = [];
  let hasWater = false;
  ids.forEach((id, k) => {
    const x = (id % columns) * TILE;
    const y = Math.floor(id / columns) * TILE;
    const width = Math.min(TILE, land.shape.width - x);
    const height = Math.min(TILE, land.shape.height - y);
    const rectangle = { x, y, width, height };
    if (copyTile(land, rectangle, surface, matter, k * CELLS)) hasWater = true;
    rectangles.push(rectangle);
  });
  return {
    seq: view.getUint32(4, true),
    year: view.getFloat64(16, true),
    isFirst: (flags & 1) !== 0,
    moreFollow: (flags & 2) !== 0,
    rectangles,
    hasWater,
  };
}

function copyTile(land: Land, r: Rectangle, surface: Float32Array, matter: Uint32Array, at: number): boolean {
  const codes = new Uint32Array(land.matter.buffer);
  let wet = 0;
  for (let j = 0; j < r.height; ++j) {
    const from = at + j * TILE;
    const to = (r.y + j) * land.shape.width + r.x;
    land.surface.set(surface.subarray(from, from + r.width), to);
    codes.set(matter.subarray(from, from + r.width), to);
    for (let i = 0; i < r.width; ++i) {
      const water = (matter[from + i] >>> 8) & 255;
      land.water[to + i] = thickness[water];
      wet |= water;
    }
  }
  return wet !== 0;
}

export interface MapMessage {
  seq: number;
  slot: number;
  name: string;
  unit: string;
  doc: string;
  year: number;
  min: number;
  max: number;
  low: number; // 2nd percentile
  high: number; // 98th percentile
  width: number;
  height: number;
  codes: Uint16Array; // 65535: no data
}

export function readMap(bytes: ArrayBuffer): MapMessage {
  const view = new DataView(bytes);
  const width = view.getUint32(40, true);
  const height = view.getUint32(44, true);
  const textSize = view.getUint32(12, true);
  const padded = 48 + Math.ceil((2 * width * height) / 4) * 4;
  const text = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, padded, textSize))) as {
    name: string;
    unit: string;
    doc: string;
  };
  return {
    ...text,
    seq: view.getUint32(4, true),
    slot: view.getUint32(8, true),
    year: view.getFloat64(16, true),
    min: view.getFloat32(24, true),
    max: view.getFloat32(28, true),
    low: view.getFloat32(32, true),
    high: view.getFloat32(36, true),
    width,
    height,
    codes: new Uint16Array(bytes, 48, width * height),
  };
}
