// SPDX-License-Identifier: MIT
// The tools of the toolbar. A brush is an edit of the engine; its strength is an amount a touch.
import type { Outline } from "./outline.ts";

export interface Tool {
  key: string;
  name: string;
  doc: string;
  edit?: string; // a name of scene.edits
  layer?: string; // of set_layer
  opposite?: string; // edit with Alt
  amount?: number; // usual amount of a touch
  unit?: string;
  most?: number;
  paintsMap?: boolean; // a map that a process takes
  placesForms?: boolean; // domes, ridges, craters
}

export const isBrush = (tool: Tool): boolean => tool.edit !== undefined || tool.paintsMap === true || tool.placesForms === true;

export const tools: Tool[] = [
  { key: "1", name: "Look", doc: "Drag to orbit, right button or two fingers to pan, wheel to zoom." },
  { key: "2", name: "Add sand", doc: "Adds loose matter: sand in a desert, soil elsewhere.", edit: "add_sand", opposite: "remove_sand", amount: 0.5, unit: "m", most: 10 },
  { key: "3", name: "Take sand", doc: "Takes loose matter away.", edit: "remove_sand", opposite: "add_sand", amount: 0.5, unit: "m", most: 10 },
  { key: "4", name: "Raise rock", doc: "Raises the rock.", edit: "raise", opposite: "lower", amount: 1, unit: "m", most: 50 },
  { key: "5", name: "Lower rock", doc: "Lowers the rock.", edit: "lower", opposite: "raise", amount: 1, unit: "m", most: 50 },
  { key: "6", name: "Water", doc: "Pours water; with Alt it is drained.", edit: "add_water", opposite: "remove_water", amount: 0.2, unit: "m", most: 10 },
  { key: "7", name: "Plant", doc: "Plants; with Alt plants are removed.", edit: "plant", opposite: "uproot", amount: 0.6, unit: "", most: 1 },
  { key: "8", name: "Clear plants", doc: "Removes plants.", edit: "uproot", opposite: "plant", amount: 0.6, unit: "", most: 1 },
  { key: "9", name: "Smooth", doc: "Smooths the surface.", edit: "smooth", amount: 0.5, unit: "", most: 1 },
  { key: "0", name: "Flatten", doc: "Brings the surface to the height at which the stroke begins.", edit: "set_layer", layer: "surface" },
  { key: "", name: "Drain", doc: "Takes water away; with Alt it is poured.", edit: "remove_water", opposite: "add_water", amount: 0.2, unit: "m", most: 10 },
  { key: "", name: "Hardness", doc: "Sets the hardness of the rock.", edit: "set_layer", layer: "hardness", amount: 0.8, unit: "", most: 1 },
  { key: "", name: "Forms", doc: "Puts domes, cones, mesas, ridges, valleys and craters of rock on the land, by a click; with Alt the opposite.", placesForms: true },
  { key: "", name: "Rain, maps", doc: "Paints the rain of running water, or another map that a process takes, in its unit; with Alt the number of the panel comes back.", paintsMap: true },
];

export interface BrushSettings {
  radius: number; // m
  strength: number; // in the unit of the tool
  value: number; // of a map that is painted, in its unit
  falloff: number; // m, width of the soft rim; a smaller brush has no wider one than its radius
  shape: BrushShape;
  ratio: number; // of a rectangle: its width over its height
  azimuth: number; // degrees clockwise, of a rectangle
}

export type BrushShape = "round" | "square" | "rectangle" | "polygon";
export const brushShapes: BrushShape[] = ["round", "square", "rectangle", "polygon"];

/** The outline of a touch; polygons have their own. */
export function outlineOf(brush: BrushSettings): Outline {
  const { radius, shape, azimuth } = brush;
  const ratio = shape === "square" ? 1 : shape === "rectangle" ? brush.ratio : 0;
  return { radius, ratio, azimuth, soft: Math.min(brush.falloff, radius) };
}
