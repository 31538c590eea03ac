// SPDX-License-Identifier: MIT
// What a touch of a brush will do, on the page's own copy, in the frame of the touch. The engine's
// tiles correct it.
import { encodeThickness, type Land } from "../land/land.ts";
import type { Rectangle } from "../view/textures.ts";
import { depthInside, reachOf, weightOf, type Outline } from "./outline.ts";

export interface Touch extends Outline {
  edit: string;
  layer?: string;
  amount: number;
  x: number; // m from the west
  z: number; // m from the north
}

const holds = (rectangles: Rectangle[], x: number, y: number): boolean =>
  rectangles.some((r) => x >= r.x && x < r.x + r.width && y >= r.y && y < r.y + r.height);

/** Apply a touch, to the cells within some rectangles only if they are given. */
export function previewTouch(land: Land, touch: Touch, within?: Rectangle[]): Rectangle[] {
  const { cell } = land.shape;
  const before = touch.edit === "smooth" ? land.surface.slice() : land.surface;
  const reach = Math.ceil(reachOf(touch) / cell) + 1;
  const column = Math.floor(touch.x / cell);
  const row = Math.floor(touch.z / cell);
  const rows = new Set<number>();
  for (let j = row - reach; j <= row + reach; ++j) {
    for (let i = column - reach; i <= column + reach; ++i) {
      const weight = weightOf(depthInside(touch, (i + 0.5) * cell - touch.x, touch.z - (j + 0.5) * cell), touch.soft);
      if (weight <= 0 || !land.isInside((i + 0.5) * cell, (j + 0.5) * cell)) continue;
      const at = land.index(i, j);
      if (within && !holds(within, at % land.shape.width, Math.floor(at / land.shape.width))) continue;
      applyToCell(land, touch, at, weight, touch.edit === "smooth" ? meanAround(land, before, i, j) : 0);
      rows.add(Math.floor(at / land.shape.width));
    }
  }
  return rectanglesOf(land, rows, column - reach, column + reach);
}

// Mean height of the valid neighbours of a cell.
function meanAround(land: Land, surface: Float32Array, column: number, row: number): number {
  let sum = 0;
  let count = 0;
  for (let k = 0; k < 9; ++k) {
    const height = surface[land.index(column + (k % 3) - 1, row + Math.floor(k / 3) - 1)];
    if (k === 4 || Number.isNaN(height)) continue;
    sum += height;
    count++;
  }
  return count > 0 ? sum / count : surface[land.index(column, row)];
}

function applyToCell(land: Land, touch: Touch, at: number, weight: number, mean: number): void {
  const amount = weight * touch.amount;
  const thick = (channel: number): number => (2 ** ((land.matter[4 * at + channel] * 9.645658) / 255) - 1) / 8;
  switch (touch.edit) {
    case "add_sand":
      land.surface[at] += amount;
      land.matter[4 * at] = encodeThickness(thick(0) + amount);
      break;
    case "remove_sand": {
      const taken = Math.min(amount, thick(0));
      land.surface[at] -= taken;
      land.matter[4 * at] = encodeThickness(thick(0) - taken);
      break;
    }
    case "raise":
      land.surface[at] += amount;
      break;
    case "lower":
      land.surface[at] -= amount;
      break;
    case "add_water":
    case "remove_water":
      land.water[at] = Math.max(0, land.water[at] + (touch.edit === "add_water" ? amount : -amount));
      land.matter[4 * at + 1] = encodeThickness(land.water[at]);
      break;
    case "plant":
      land.matter[4 * at + 2] = Math.max(land.matter[4 * at + 2], land.matter[4 * at + 2] * (1 - weight) + 255 * amount);
      break;
    case "uproot":
      land.matter[4 * at + 2] = Math.max(0, land.matter[4 * at + 2] - 255 * amount);
      break;
    case "smooth":
      land.surface[at] += amount * (mean - land.surface[at]);
      break;
    case "set_layer":
      if (touch.layer === "hardness") land.matter[4 * at + 3] += Math.round(weight * (255 * touch.amount - land.matter[4 * at + 3]));
      if (touch.layer === "surface") land.surface[at] += weight * (touch.amount - land.surface[at]);
      break;
  }
}

/** Runs of rows, split where the brush crosses a periodic edge. */
function rectanglesOf(land: Land, rows: Set<number>, from: number, to: number): Rectangle[] {
  const { width } = land.shape;
  const isSplit = from < 0 || to >= width;
  const x = isSplit ? 0 : from;
  const span = isSplit ? width : to - from + 1;
  const out: Rectangle[] = [];
  for (const y of [...rows].sort((a, b) => a - b)) {
    const last = out[out.length - 1];
    if (last && last.y + last.height === y) last.height++;
    else out.push({ x, y, width: span, height: 1 });
  }
  return out;
}
