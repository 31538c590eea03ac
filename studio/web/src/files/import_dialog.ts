// SPDX-License-Identifier: MIT
// Asks for the scale of a dropped height map, then opens it as a scene.
import type { App } from "../app.ts";
import type { Gallery } from "../ui/gallery.ts";
import { dialog, el, guard, show } from "../ui/dom.ts";
import { type Grid, readGrid, thinOut } from "./import.ts";

const MOST = 1024; // cells of a side in the page

export async function importFile(app: App, gallery: Gallery, file: File): Promise<void> {
  if (/\.ya?ml$/i.test(file.name)) return gallery.open(await file.text(), file.name.replace(/\.ya?ml$/i, ""));
  ask(app, gallery, file.name, await readGrid(file));
}

function ask(app: App, gallery: Gallery, name: string, whole: Grid): void {
  const grid = thinOut(whole, MOST);
  const [low, high] = rangeOf(grid.values);
  const cell = box("Size of a cell [m]", grid.cell ? show(grid.cell) : "10");
  const bottom = box(grid.isMetres ? "Lowest point [m]" : "Lowest code is [m]", grid.isMetres ? show(low) : "0");
  const top = box(grid.isMetres ? "Highest point [m]" : "Highest code is [m]", grid.isMetres ? show(high) : "500");
  const soil = box("Loose matter [m]", "1");
  const edges = el("select", { "aria-label": "Edges" }, ...["open", "closed", "periodic"].map((e) => el("option", { value: e }, e)));
  const thin = grid === whole ? "" : `, thinned out from ${whole.width} × ${whole.height}`;
  const open = (): void => {
    window_.close();
    const a = Number(bottom.input.value);
    const scale = (Number(top.input.value) - a) / (high - low || 1);
    const values = grid.values.map((v) => a + (v - low) * scale);
    guard(send(app, gallery, name, { ...grid, values }, Number(cell.input.value), Number(soil.input.value), edges.value));
  };
  const window_ = dialog(`Open ${name}`,
    el("p", {}, `${grid.width} × ${grid.height} cells${thin}, values ${show(low)} to ${show(high)}.`),
    cell.row, bottom.row, top.row, soil.row,
    el("div", { class: "row" }, el("span", {}, "Edges"), edges, el("span")),
    el("div", { class: "buttons" }, el("button", { class: "main", type: "button", onclick: open }, "Open")));
}

function box(label: string, value: string): { row: HTMLElement; input: HTMLInputElement } {
  const id = `import-${label.replace(/\W+/g, "-")}`;
  const input = el("input", { id, type: "number", step: "any", value });
  return { input, row: el("div", { class: "row" }, el("label", { for: id }, label), el("span"), input) };
}

function rangeOf(values: Float32Array): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

async function send(
  app: App,
  gallery: Gallery,
  name: string,
  grid: Grid,
  cell: number,
  soil: number,
  edges: string,
): Promise<void> {
  const file = `${name.replace(/\.[^.]*$/, "").replace(/[^\w-]/g, "_") || "map"}.tif`;
  const bytes = new Uint8Array(new Float32Array(grid.values).buffer);
  const { width, height } = grid;
  await app.engine.upload({ type: "grid", name: file, width, height, cell, bytes: bytes.length }, file, bytes);
  const scene = [
    "wadi: 1",
    `name: ${file.replace(".tif", "")}`,
    "terrain:",
    `  import: {file: ${file}, cell: ${cell} m}`,
    `  edges: ${edges}`,
    "steps:",
    `  - set_layer: {sediment: ${soil} m}`,
  ].join("\n");
  await gallery.open(scene, file.replace(".tif", ""), { tick: tickOf(cell) });
}

// Dunes move metres a year, rivers take millennia: coarse cells get long ticks.
function tickOf(cell: number): number {
  if (cell <= 4) return 0.05;
  return cell <= 15 ? 10 : 250;
}
