// SPDX-License-Identifier: MIT
// Emitters: round spots of a painted map, such as clouds of rain. They are placed by a click, moved on the land by their
// middle, and changed or deleted here, from the present year on; each act is an event on the timeline.
import type { App } from "../app.ts";
import type { MapSpot } from "../engine/messages.ts";
import { nameOf, type MapTarget } from "../tools/map_targets.ts";
import { outlineOf } from "../tools/tools.ts";
import { el, guard, note, show } from "./dom.ts";

export class Emitters {
  readonly element = el("div", { class: "emitters" });
  private timer = 0;

  /** Called when an emitter of a map has been placed. */
  onPlaced: (target: MapTarget) => void = () => {};

  constructor(private readonly app: App) {
    app.engine.on("events", () => this.refreshSoon());
    app.engine.on("scene", () => this.take([]));
  }

  /** List the emitters of the map that is painted now. */
  refreshSoon(): void {
    clearTimeout(this.timer);
    if (this.app.tool.paintsMap) this.timer = window.setTimeout(() => guard(this.refresh()), 120);
  }

  private async refresh(): Promise<void> {
    const { target, engine } = this.app;
    if (!target) return this.take([]);
    const [info] = await engine.describe(target.process);
    if (this.app.target && nameOf(this.app.target) === nameOf(target))
      this.take(info.maps.find((map) => map.name === target.map && map.input)?.spots ?? []);
  }

  private take(spots: MapSpot[]): void {
    this.app.spots = spots;
    this.app.marks.redraw();
    const { target } = this.app;
    this.element.replaceChildren();
    if (!target) return;
    this.element.append(el("div", { class: "buttons" },
      el("button", { type: "button", title: "An emitter is a round spot with the value, radius and falloff above. Drag its middle to move it.", onclick: () => this.place(target) }, "Place an emitter")));
    if (spots.length > 0)
      this.element.append(el("div", { class: "emitter", "aria-hidden": "true" }, el("span", {}), el("small", {}, target.unit), el("small", {}, "radius, m"), el("span", {})));
    spots.forEach((spot, k) => this.element.append(this.row(target, spot, k)));
  }

  private row(target: MapTarget, spot: MapSpot, k: number): HTMLElement {
    const repaint = (values: Record<string, unknown>): void =>
      guard(this.app.engine.command({ type: "repaint", process: target.process, map: target.map, stroke: spot.stroke, ...values }));
    const box = (name: string, value: number, send: (value: number) => void): HTMLElement => {
      const input = el("input", { type: "number", step: "any", value: show(value), "aria-label": `${name} of emitter ${k + 1}`, title: name, onchange: () => send(Number(input.value)) });
      return input;
    };
    return el("div", { class: "emitter" }, el("b", {}, String(k + 1)),
      box(`value in ${target.unit}`, spot.value, (value) => repaint({ value })),
      box("radius in m", spot.radius, (radius) => repaint({ radius, soft: Math.min(spot.soft, radius) })),
      el("button", { type: "button", "aria-label": `Delete emitter ${k + 1}`, onclick: () => repaint({ remove: true }) }, "×"));
  }

  private place(target: MapTarget): void {
    const { app } = this;
    const { radius, soft } = outlineOf(app.brush);
    note("Click on the land to place the emitter. Escape ends.", true);
    let spot: [number, number] | null = null;
    app.draw({
      isLine: false,
      points: () => (spot ? [{ x: spot[0], y: spot[1] }] : []),
      onPoint: (x, y) => (spot = [x, y]),
      onDone: () => {
        app.draw(null);
        if (!spot) return;
        const command = { type: "paint", process: target.process, map: target.map, value: app.brush.value, radius, soft, points: [spot] };
        guard(app.engine.command(command).then(() => this.onPlaced(target)));
      },
    });
  }
}
