// SPDX-License-Identifier: MIT
// Forms of the ground that are put down by a click: each is a few edits with soft rims, which stand in the record as one
// stroke.
import type { Engine } from "../engine/engine.ts";
import type { Land } from "../land/land.ts";
import { copiesOf } from "./stroke.ts";
import { reachOf, type Outline } from "./outline.ts";

export type FormName = "dome" | "cone" | "mesa" | "ridge" | "valley" | "basin" | "crater" | "volcano";

export interface FormInfo {
  name: FormName;
  doc: string;
  isLong: boolean; // a rectangle, which can be turned
}

export const forms: FormInfo[] = [
  { name: "dome", doc: "A round hill with a smooth top.", isLong: false },
  { name: "cone", doc: "A cone of even slope.", isLong: false },
  { name: "mesa", doc: "A table with steep sides.", isLong: false },
  { name: "ridge", doc: "A long crest.", isLong: true },
  { name: "valley", doc: "A long trough.", isLong: true },
  { name: "basin", doc: "A round hollow.", isLong: false },
  { name: "crater", doc: "A bowl with a raised rim.", isLong: false },
  { name: "volcano", doc: "A cone with a crater on its top.", isLong: false },
];

export interface FormSettings {
  name: FormName;
  height: number; // m
  ratio: number; // of long forms: their width over their length
}

interface Part {
  edit: "raise" | "lower";
  amount: number; // m
  outline: Outline;
}

const CONE = 12; // rings of a cone

const round = (edit: Part["edit"], amount: number, radius: number, soft: number): Part => ({ edit, amount, outline: { ratio: 0, azimuth: 0, radius, soft } });

// Rings whose rims follow each other: their sum falls evenly, to one part in a hundred.
function cone(height: number, radius: number): Part[] {
  const step = radius / (CONE + 1);
  return Array.from({ length: CONE }, (_, k) => round("raise", height / CONE, (k + 2) * step, 2 * step));
}

/** The edits of a form of some radius, half its length, turned by an azimuth. */
export function partsOf({ name, height, ratio }: FormSettings, radius: number, azimuth: number): Part[] {
  const long = { ratio, azimuth, radius, soft: ratio * radius };
  switch (name) {
    case "dome": return [round("raise", height, radius, radius)];
    case "cone": return cone(height, radius);
    case "mesa": return [round("raise", height, radius, 0.2 * radius)];
    case "ridge": return [{ edit: "raise", amount: height, outline: long }];
    case "valley": return [{ edit: "lower", amount: height, outline: long }];
    case "basin": return [round("lower", height, radius, 0.8 * radius)];
    case "crater": return [round("raise", 0.3 * height, radius, 0.4 * radius), round("lower", 1.3 * height, 0.7 * radius, 0.55 * radius)];
    case "volcano": return [...cone(height, radius), round("lower", 0.3 * height, 0.25 * radius, 0.2 * radius)];
  }
}

const metres = (value: number): string => `${Number(value.toPrecision(6))} m`;

function regionOf({ ratio, azimuth, radius, soft }: Outline, x: number, y: number): Record<string, unknown> {
  const place = { x: metres(x), y: metres(y) };
  const shape = ratio > 0
    ? { rectangle: { ...place, width: metres(2 * ratio * radius), height: metres(2 * radius), azimuth: `${azimuth} degree` } }
    : { circle: { ...place, radius: metres(radius) } };
  return { ...shape, soft: metres(soft) };
}

/** Put a form on the land, at m from the north-west corner. */
export async function placeForm(engine: Engine, land: Land, parts: Part[], x: number, z: number): Promise<void> {
  let joins = false;
  for (const { edit, amount, outline } of parts) {
    const key = edit === "raise" ? "height" : "depth";
    for (const [east, south] of copiesOf(land, reachOf(outline), x, z)) {
      await engine.command({ type: "edit", joins, edit: { [edit]: { [key]: metres(amount), ...regionOf(outline, east, land.extentZ - south) } } });
      joins = true;
    }
  }
}
