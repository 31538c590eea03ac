// SPDX-License-Identifier: MIT
// The rose of winds: each petal points to where its wind comes from, is as long as the wind is fast,
// and as wide as its share of the year. Petals are dragged; a double click adds or removes one.
import type { App } from "../app.ts";
import type { ProcessInfo } from "../engine/messages.ts";
import { parseTable } from "../files/csv.ts";
import { el, find, guard, show } from "./dom.ts";

interface Wind {
  direction: number; // degree, from
  speed: number; // m/s
  share: number; // of the year
}

const FASTEST = 24; // m/s at the rim
const SIZE = 180;
const rad = Math.PI / 180;

export class Rose {
  private readonly root = find("rose");
  private readonly canvas = el("canvas", { width: SIZE * 2, height: SIZE * 2, tabindex: 0, role: "img" });
  private readonly share = el("input", { type: "range", min: 0.01, max: 1, step: 0.01, "aria-label": "Share of the year" });
  private readonly text = el("div", { "aria-live": "polite" });
  private winds: Wind[] = [];
  private picked = 0;
  private process: ProcessInfo | null = null;
  private isTable = false;
  private isDragging = false;
  private timer = 0;

  constructor(private readonly app: App) {
    const picker = el("input", { type: "file", accept: ".csv,text/csv", hidden: true, onchange: () => picker.files?.[0] && guard(this.load(picker.files[0])) });
    this.root.append(this.canvas, this.text, el("div", { class: "more" }, this.share,
      el("div", { class: "buttons" },
        el("button", { type: "button", title: "Another wind", onclick: () => this.add(0, 10) }, "Add"),
        el("button", { type: "button", title: "Remove the chosen wind", onclick: () => this.remove() }, "Remove"),
        el("button", { type: "button", title: "Columns direction, speed, share", onclick: () => picker.click() }, "CSV"), picker)));
    this.canvas.addEventListener("pointerdown", (event) => this.press(event));
    this.canvas.addEventListener("pointermove", (event) => this.drag(event));
    this.canvas.addEventListener("pointerup", () => this.drop());
    this.canvas.addEventListener("dblclick", (event) => this.double(event));
    this.canvas.addEventListener("keydown", (event) => this.key(event));
    this.share.addEventListener("change", () => this.setShare(Number(this.share.value)));
  }

  /** Follow the process that blows. */
  watch(): void {
    const later = (): void => {
      clearTimeout(this.timer);
      this.timer = window.setTimeout(() => guard(this.read()), 150);
    };
    this.app.engine.on("events", later);
    this.app.engine.on("scene", later);
    let before = "";
    this.app.engine.on("clock", (clock) => {
      const now = clock.processes.map((p) => `${p.name}${p.running}`).join();
      if (now !== before) later();
      before = now;
    });
  }

  private async read(): Promise<void> {
    const { engine } = this.app;
    const blower = engine.clock?.processes.find((p) => p.running && (p.name === "dunes" || p.name === "wind"));
    this.root.hidden = !blower;
    if (!blower || this.isDragging) return;
    const [info] = await engine.describe(blower.name);
    const value = (name: string): number => {
      const field = info.fields.find((f) => f.name === name);
      return Number(field?.value ?? field?.default ?? 0);
    };
    const rows = info.tables.find((table) => table.name === "rose")?.rows;
    this.process = info;
    this.isTable = !!rows && rows.length > 0;
    this.winds = this.isTable
      ? (rows as number[][]).map(([direction, speed, share]) => ({ direction, speed, share }))
      : [{ direction: value("direction"), speed: value("speed"), share: value("blowing") }];
    this.picked = Math.min(this.picked, this.winds.length - 1);
    const drift = this.winds[0];
    if (drift) this.app.view.uniforms.uWind.value.set(-Math.sin(drift.direction * rad), Math.cos(drift.direction * rad));
    this.draw();
  }

  private send(): void {
    if (!this.process) return;
    const { name, fields } = this.process;
    const usual = (key: string): unknown => fields.find((f) => f.name === key)?.default;
    const one = this.winds[0];
    const single = { direction: one?.direction, speed: one?.speed, blowing: one?.share };
    const winds = this.withCalms();
    const table = { rose: winds, direction: usual("direction"), speed: usual("speed"), blowing: usual("blowing") };
    const values = this.winds.length === 1 && !this.isTable ? single : table;
    guard(this.app.engine.command({ type: "change", process: name, with: values }).finally(() => this.read()));
  }

  // The shares of a rose add up to 1: the rest of the year is calm.
  private withCalms(): Wind[] {
    const blowing = this.winds.filter((wind) => wind.speed > 0);
    const sum = blowing.reduce((total, wind) => total + wind.share, 0);
    const winds = sum > 1 ? blowing.map((wind) => ({ ...wind, share: wind.share / sum })) : [...blowing];
    if (sum < 0.9999) winds.push({ direction: 0, speed: 0, share: Number((1 - sum).toFixed(6)) });
    return winds;
  }

  private async load(file: File): Promise<void> {
    const rows = parseTable(await file.text(), ["direction", "speed", "share"]);
    this.winds = rows as unknown as Wind[];
    this.isTable = true;
    this.send();
  }

  private add(direction: number, speed: number): void {
    this.winds = this.winds.filter((wind) => wind.speed > 0);
    this.winds.push({ direction, speed, share: 0.05 });
    this.picked = this.winds.length - 1;
    this.isTable = true;
    this.send();
  }

  private remove(): void {
    if (this.winds.length < 2) return;
    this.winds.splice(this.picked, 1);
    this.picked = 0;
    this.send();
  }

  private setShare(share: number): void {
    const wind = this.winds[this.picked];
    if (!wind) return;
    wind.share = share;
    this.send();
  }

  private at(event: MouseEvent): { direction: number; speed: number } {
    const box = this.canvas.getBoundingClientRect();
    const east = (event.clientX - box.left) / box.width - 0.5;
    const north = 0.5 - (event.clientY - box.top) / box.height;
    const direction = (Math.round(Math.atan2(east, north) / rad) + 360) % 360;
    return { direction, speed: Math.min(FASTEST, Math.round((Math.hypot(east, north) / 0.42) * FASTEST * 2) / 2) };
  }

  private nearest(spot: { direction: number; speed: number }): number {
    const gap = (wind: Wind): number => {
      const turn = Math.abs(((wind.direction - spot.direction + 540) % 360) - 180);
      return wind.speed > 0 ? turn : 1e3;
    };
    let best = 0;
    this.winds.forEach((wind, k) => (best = gap(wind) < gap(this.winds[best]) ? k : best));
    return best;
  }

  private press(event: PointerEvent): void {
    this.picked = this.nearest(this.at(event));
    this.isDragging = true;
    this.canvas.setPointerCapture(event.pointerId);
    this.draw();
  }

  private drag(event: PointerEvent): void {
    const wind = this.winds[this.picked];
    if (!this.isDragging || !wind) return;
    Object.assign(wind, this.at(event));
    this.draw();
  }

  private drop(): void {
    if (!this.isDragging) return;
    this.isDragging = false;
    this.send();
  }

  private double(event: MouseEvent): void {
    const spot = this.at(event);
    const near = this.winds[this.nearest(spot)];
    const turn = near ? Math.abs(((near.direction - spot.direction + 540) % 360) - 180) : 360;
    if (turn < 12 && this.winds.length > 1) this.remove();
    else this.add(spot.direction, Math.max(6, spot.speed));
  }

  private key(event: KeyboardEvent): void {
    const wind = this.winds[this.picked];
    const change: Record<string, [number, number]> = { ArrowLeft: [-5, 0], ArrowRight: [5, 0], ArrowUp: [0, 0.5], ArrowDown: [0, -0.5] };
    if (!wind || !change[event.key]) return;
    wind.direction = (wind.direction + change[event.key][0] + 360) % 360;
    wind.speed = Math.min(FASTEST, Math.max(0, wind.speed + change[event.key][1]));
    event.preventDefault();
    event.stopPropagation();
    this.draw();
    this.send();
  }

  private draw(): void {
    const c = this.canvas.getContext("2d") as CanvasRenderingContext2D;
    const style = getComputedStyle(this.root);
    const r = SIZE * 2 * 0.42;
    c.setTransform(1, 0, 0, 1, 0, 0);
    c.clearRect(0, 0, SIZE * 2, SIZE * 2);
    c.translate(SIZE, SIZE);
    c.strokeStyle = c.fillStyle = style.getPropertyValue("--dim");
    c.lineWidth = 1.5;
    c.font = "20px system-ui, sans-serif";
    c.textAlign = "center";
    c.textBaseline = "middle";
    for (const ring of [1, 2, 3]) {
      c.beginPath();
      c.arc(0, 0, (r * ring) / 3, 0, 7);
      c.stroke();
    }
    ["N", "E", "S", "W"].forEach((name, k) => c.fillText(name, Math.sin(k * 90 * rad) * (r + 16), -Math.cos(k * 90 * rad) * (r + 16)));
    this.winds.forEach((wind, k) => this.drawPetal(c, wind, r, k === this.picked, style));
    this.tell();
  }

  private drawPetal(c: CanvasRenderingContext2D, wind: Wind, r: number, isPicked: boolean, style: CSSStyleDeclaration): void {
    if (wind.speed <= 0) return;
    const long = (wind.speed / FASTEST) * r;
    const half = (6 + 20 * Math.min(1, wind.share * 2)) * rad;
    const a = wind.direction * rad - Math.PI / 2;
    c.fillStyle = style.getPropertyValue(isPicked ? "--accent" : "--blue");
    c.beginPath();
    c.moveTo(0, 0);
    c.lineTo(Math.cos(a - half) * long, Math.sin(a - half) * long);
    c.lineTo(Math.cos(a + half) * long, Math.sin(a + half) * long);
    c.fill();
    c.beginPath();
    c.arc(Math.cos(a) * long, Math.sin(a) * long, 9, 0, 7);
    c.fill();
  }

  private tell(): void {
    const wind = this.winds[this.picked];
    if (!wind) return;
    this.share.value = String(wind.share);
    this.text.textContent = `from ${wind.direction}° · ${show(wind.speed)} m/s · ${Math.round(100 * wind.share)} %`;
    this.canvas.setAttribute("aria-label", `Rose of ${this.winds.length} winds. Chosen: ${this.text.textContent}. Arrow keys turn and change it.`);
  }
}
