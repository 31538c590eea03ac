// SPDX-License-Identifier: MIT
// A map over the land (slot 0) and maps pinned beside it (slots 1 to 3), each with a legend in units.
import * as THREE from "three";
import type { App } from "../app.ts";
import type { MapMessage } from "../engine/tiles.ts";
import { nameOf, type MapTarget } from "../tools/map_targets.ts";
import { viridis, viridisGradient } from "../view/colours.ts";
import { el, find, guard, show } from "./dom.ts";

const NO_DATA = 65535;

/** Values as shares of the range of the legend; below 0: no data. */
function shares(map: MapMessage): Float32Array {
  const [low, high] = legendRange(map);
  const scale = (map.max - map.min) / 65534;
  const span = high - low || 1;
  return Float32Array.from(map.codes, (code) =>
    code === NO_DATA ? -1 : Math.min(1, Math.max(0, (map.min + code * scale - low) / span)));
}

const legendRange = (map: MapMessage): [number, number] => (map.high > map.low ? [map.low, map.high] : [map.min, map.max]);

export class Overlay {
  readonly slots: (string | null)[] = [null, null, null, null];
  opacity = 0.8;
  onChange: () => void = () => {};
  private shown: MapMessage | null = null; // in slot 0
  private texture: THREE.DataTexture | null = null;
  private isReserved = false;
  private readonly boxes = new Map<number, HTMLElement>();

  constructor(private readonly app: App) {
    app.engine.on("map", (map) => this.take(map));
    app.engine.on("scene", () => this.clear());
    app.engine.on("maps", () => this.dropPainted());
  }

  set(slot: number, name: string | null): void {
    this.slots[slot] = name;
    if (!name) this.hide(slot);
    guard(this.app.engine.command({ type: "show", slot, map: name }));
    this.onChange();
  }

  /** The next map over the land, and none after the last. */
  next(): void {
    const names = (this.app.engine.maps?.list ?? []).map((map) => map.name);
    const at = this.slots[0] ? names.indexOf(this.slots[0]) : -1;
    this.set(0, names[at + 1] ?? null);
  }

  pin(name: string): void {
    const open = this.isReserved ? [1] : [1, 2, 3];
    this.set(open.find((slot) => !this.slots[slot]) ?? open[open.length - 1], name);
  }

  /** Arrows take the slots 2 and 3, and give them back. */
  reserve(isReserved: boolean): void {
    this.isReserved = isReserved;
    for (const slot of isReserved ? [2, 3] : []) {
      this.slots[slot] = null;
      this.hide(slot);
    }
  }

  setOpacity(opacity: number): void {
    this.opacity = opacity;
    if (this.slots[0]) this.app.view.setOverlay(this.texture, opacity);
  }

  /** Values of the map over the land; null: another one is there, or none. */
  valuesOf(name: string): Float32Array | null {
    const map = this.shown;
    if (map?.name !== name) return null;
    const scale = (map.max - map.min) / 65534;
    return Float32Array.from(map.codes, (code) => (code === NO_DATA ? NaN : map.min + code * scale));
  }

  /** Show values that the engine does not have yet. */
  preview(target: MapTarget, values: Float32Array): void {
    const shape = this.app.engine.land?.shape;
    if (!shape) return;
    let [min, max] = [Infinity, -Infinity];
    for (const value of values) {
      if (value < min) min = value;
      if (value > max) max = value;
    }
    const scale = 65534 / (max - min || 1);
    const codes = Uint16Array.from(values, (value) => (Number.isNaN(value) ? NO_DATA : (value - min) * scale + 0.5));
    const name = nameOf(target);
    this.slots[0] = name;
    this.take({ seq: 0, slot: 0, name, unit: target.unit, doc: target.doc, year: 0, min, max, low: min, high: max, width: shape.width, height: shape.height, codes });
  }

  // A stroke was undone, and its process takes no map any more.
  private dropPainted(): void {
    const name = this.slots[0];
    const names = (this.app.engine.maps?.list ?? []).map((map) => map.name);
    if (!name?.includes(".") || names.includes(name)) return;
    if (names.some((other) => other.startsWith(`${name.split(".")[0]}.`))) this.set(0, null);
  }

  private clear(): void {
    for (const slot of [0, 1, 2, 3]) {
      this.slots[slot] = null;
      this.hide(slot);
    }
    this.onChange();
  }

  private hide(slot: number): void {
    this.boxes.get(slot)?.remove();
    this.boxes.delete(slot);
    if (slot === 0) {
      this.shown = null;
      this.app.view.setOverlay(null, 0);
    }
  }

  private take(map: MapMessage): void {
    if (this.slots[map.slot] !== map.name) return;
    if (map.slot === 0) this.shown = map;
    // a painted map is even but for its strokes, so percentiles would cut these off
    const { target } = this.app;
    if (target && map.name === nameOf(target)) [map.low, map.high] = [map.min, map.max];
    const values = shares(map);
    const box = this.boxes.get(map.slot) ?? this.makeBox(map.slot);
    this.showLegend(box, map);
    if (map.slot === 0) this.drape(map, values);
    else this.paint(box.querySelector("canvas") as HTMLCanvasElement, map, values);
  }

  private drape(map: MapMessage, values: Float32Array): void {
    this.texture?.dispose();
    const texture = new THREE.DataTexture(values, map.width, map.height, THREE.RedFormat, THREE.FloatType);
    const shape = this.app.engine.land?.shape;
    texture.wrapS = shape?.wrapX ? THREE.RepeatWrapping : THREE.ClampToEdgeWrapping;
    texture.wrapT = shape?.wrapY ? THREE.RepeatWrapping : THREE.ClampToEdgeWrapping;
    texture.minFilter = texture.magFilter = THREE.LinearFilter;
    texture.needsUpdate = true;
    this.texture = texture;
    this.app.view.setOverlay(texture, this.opacity);
  }

  private paint(canvas: HTMLCanvasElement, map: MapMessage, values: Float32Array): void {
    canvas.width = map.width;
    canvas.height = map.height;
    const context = canvas.getContext("2d") as CanvasRenderingContext2D;
    const image = context.createImageData(map.width, map.height);
    const table = Array.from({ length: 256 }, (_, k) => viridis(k / 255));
    values.forEach((value, i) => {
      const colour = value < 0 ? [90, 90, 90] : table[Math.round(255 * value)];
      image.data.set([...colour, 255], 4 * i);
    });
    context.putImageData(image, 0, 0);
  }

  private makeBox(slot: number): HTMLElement {
    const box = el("div", { class: "inset legend" },
      slot > 0 ? el("canvas", { role: "img" }) : null,
      el("div", { class: "name" }),
      el("div", { class: "ramp" }),
      el("div", { class: "ends" }, el("span"), el("span")),
      el("button", { type: "button", "aria-label": "Close this map", onclick: () => this.set(slot, null) }, "×"));
    (box.querySelector(".ramp") as HTMLElement).style.background = viridisGradient();
    this.boxes.set(slot, box);
    find("insets").append(box);
    return box;
  }

  private showLegend(box: HTMLElement, map: MapMessage): void {
    const [low, high] = legendRange(map);
    const unit = map.unit === "1" ? "" : ` ${map.unit}`;
    (box.querySelector(".name") as HTMLElement).textContent = map.name.replaceAll("_", " ");
    box.title = map.doc;
    const ends = box.querySelectorAll(".ends span");
    ends[0].textContent = `${show(low)}${unit}`;
    ends[1].textContent = `${show(high)}${unit}`;
    box.querySelector("canvas")?.setAttribute("aria-label", `map of ${map.name}, ${show(low)} to ${show(high)}${unit}`);
  }
}
