// SPDX-License-Identifier: MIT
// A new land to begin with: its size, edges and ground, chosen in a dialog. It is the text of a scene.
import type { App } from "../app.ts";
import { dialog, el, guard } from "./dom.ts";
import type { Gallery } from "./gallery.ts";

interface Ground {
  label: string;
  /** Sources of the terrain for an extent of the shorter side [m]. */
  terrain(extent: number): string;
}

const round = (value: number): number => Number(value.toPrecision(3));

const grounds: Ground[] = [
  { label: "flat", terrain: () => "flat: 0 m" },
  { label: "rolling", terrain: (m) => `noise: {relief: ${round(m / 40)} m, wavelength: ${round(m / 3)} m}` },
  { label: "hills", terrain: (m) => `noise: {relief: ${round(m / 10)} m, wavelength: ${round(m / 2)} m}` },
  { label: "knolls of rock", terrain: (m) => `noise: {kind: ridged, relief: ${round(m / 11)} m, wavelength: ${round(m / 2.5)} m}` },
];

export interface NewLand {
  cells: number;
  cell: number; // m
  edges: "periodic" | "open";
  ground: number; // of the list above
  sand: number; // m
}

/** The text of the scene. Layers that brushes paint exist from the start. */
export function sceneOf(land: NewLand): string {
  return `wadi: 1
name: land
doc: A land that was made in the studio.
seed: 7
terrain:
  size: [${land.cells}, ${land.cells}]
  cell: ${land.cell} m
  edges: ${land.edges}
  ${grounds[land.ground].terrain(land.cells * land.cell)}
layers:
  sediment: ${land.sand} m
  water: 0 m
  vegetation: 0
  hardness: {noise: {base: 0, relief: 1, wavelength: ${round(18 * land.cell)} m, octaves: 1}}
steps:
  - add_sand: 0 m
`;
}

export function askNewLand(app: App, gallery: Gallery): void {
  const list = (label: string, choices: [string, string][], usual: string): HTMLSelectElement => {
    const select = el("select", { "aria-label": label }, ...choices.map(([value, name]) => el("option", { value }, name)));
    select.value = usual;
    return select;
  };
  const cells = list("Cells of a side", ["64", "96", "128", "192", "256", "512", "1024"].map((n) => [n, `${n} × ${n} cells`]), "256");
  const cell = list("Size of a cell", ["1", "2", "5", "10", "30", "90"].map((n) => [n, `${n} m`]), "2");
  const edges = list("Edges", [["periodic", "the land repeats"], ["open", "the land is cut"]], "periodic");
  const ground = list("Ground", grounds.map(({ label }, k) => [String(k), label]), "0");
  const sand = list("Sand", ["0", "0.5", "1.5", "5"].map((n) => [n, `${n} m`]), "0");
  const tick = list("Step of the clock", ["0.05", "0.1", "1", "100", "1000", "5000"].map((n) => [n, `${n} yr`]), "0.1");
  const row = (name: string, box: HTMLElement): HTMLElement => el("div", { class: "row" }, el("span", {}, name), box, el("span"));
  const open = async (): Promise<void> => {
    const text = sceneOf({
      cells: Number(cells.value), cell: Number(cell.value), edges: edges.value as NewLand["edges"],
      ground: Number(ground.value), sand: Number(sand.value),
    });
    await gallery.open(text, "land", { tick: Number(tick.value), run: false });
    app.setTool(app.tool);
  };
  const box = dialog("New land", row("size", cells), row("cell", cell), row("edges", edges), row("ground", ground),
    row("sand", sand), row("clock", tick),
    el("p", {}, "Dunes: cells of 1 to 5 m and steps below a year. Rivers and mountains: cells of 10 m and more, steps of centuries."),
    el("div", { class: "buttons" }, el("button", { class: "main", type: "button", onclick: () => { box.close(); guard(open()); } }, "Make")));
}
