// SPDX-License-Identifier: MIT
// The toolbar: tools, and the settings of the brush.
import type { App } from "../app.ts";
import type { FieldInfo } from "../engine/messages.ts";
import { el, find } from "./dom.ts";
import { makeControl, type Control } from "./field.ts";
import { mapTargets, nameOf, type MapTarget } from "../tools/map_targets.ts";
import { isBrush, tools, type Tool } from "../tools/tools.ts";

const field = (name: string, unit: string, min: number, max: number, usual: number, doc: string): FieldInfo => ({
  name, unit, min, max, doc, type: "double", default: usual, value: usual,
});

export class Toolbar {
  private readonly root = find("tools");
  private readonly buttons = new Map<Tool, HTMLButtonElement>();
  private readonly settings = el("div", { class: "settings", hidden: true });
  private radius: Control | null = null;

  constructor(private readonly app: App) {
    for (const tool of tools) {
      const button = el(
        "button",
        { type: "button", class: "tool", title: tool.doc, "aria-pressed": "false", onclick: () => app.setTool(tool) },
        tool.name,
        el("kbd", {}, tool.key),
      );
      if (tool.key) button.setAttribute("aria-keyshortcuts", tool.key);
      this.buttons.set(tool, button);
      this.root.append(button);
    }
    this.root.append(this.settings);
    app.onTool = () => this.show();
    // other processes take other maps
    app.engine.on("clock", () => {
      if (app.tool.paintsMap && this.offered !== this.namesOffered()) this.show();
    });
    this.show();
  }

  /** The scene names the edits that it takes; tools without one are hidden. */
  offer(edits: string[], cell: number, extent: number): void {
    for (const [tool, button] of this.buttons) button.hidden = tool.edit !== undefined && !edits.includes(tool.edit);
    this.app.brush.radius = Number((Math.max(10 * cell, extent / 24)).toPrecision(2));
    this.show();
  }

  setRadius(radius: number): void {
    this.app.brush.radius = Number(radius.toPrecision(3));
    this.radius?.set(this.app.brush.radius);
  }

  private show(): void {
    const { tool, brush } = this.app;
    for (const [other, button] of this.buttons) button.setAttribute("aria-pressed", String(other === tool));
    this.settings.hidden = !isBrush(tool);
    this.settings.replaceChildren();
    if (!isBrush(tool)) return;
    if (tool.paintsMap && !this.showTargets()) return;
    const extent = this.app.engine.scene?.extent[0] ?? 500;
    this.radius = this.add(field("radius", "m", extent / 500, extent / 2, brush.radius, "Radius of the brush"), brush.radius, (v) => (brush.radius = v));
    if (tool.amount !== undefined)
      this.add(field("strength", tool.unit ?? "", 0.001, tool.most ?? 1, tool.amount, "Amount of one touch; a stroke has a touch every quarter of the radius"), brush.strength, (v) => (brush.strength = v));
    this.add(field("falloff", "m", 0, 1, 0.6, "Width of the soft rim, as a share of the radius"), brush.falloff, (v) => (brush.falloff = v), "of r");
    if (tool.paintsMap) return;
    const isPolygon = el("input", { type: "checkbox", checked: brush.isPolygon, onchange: () => this.setPolygon(isPolygon.checked) });
    this.settings.append(el("label", { title: "Click corners; double click, or Enter, applies the edit once" }, isPolygon, " polygon"));
  }

  private offered = "";
  private namesOffered(): string {
    return mapTargets(this.app.engine).map(nameOf).join(" ");
  }

  // The map that is painted, and its value. False: no process takes a map.
  private showTargets(): boolean {
    const { app } = this;
    this.offered = this.namesOffered();
    const targets = mapTargets(app.engine);
    const known = targets.find((target) => app.target && nameOf(target) === nameOf(app.target));
    if (!known) this.setTarget(targets[0] ?? null);
    const { target } = app;
    if (!target) {
      this.settings.append(el("p", {}, "Start a process that takes a map, such as hydraulic."));
      return false;
    }
    const list = el("select", { "aria-label": "Map to paint", title: target.doc, onchange: () => {
      this.setTarget(targets.find((other) => nameOf(other) === list.value) ?? null);
      this.show();
    } });
    for (const other of targets) list.append(el("option", { value: nameOf(other) }, `${other.map.replaceAll("_", " ")} (${other.process})`));
    list.value = nameOf(target);
    this.settings.append(list);
    this.add(field("value", target.unit, target.min, target.max, app.brush.value, `What the brush sets: ${target.doc}`), app.brush.value, (v) => (app.brush.value = v));
    return true;
  }

  // Begin with twice the number that holds now, so that a first stroke shows.
  private setTarget(target: MapTarget | null): void {
    this.app.target = target;
    if (target) this.app.brush.value = Math.min(target.max, Number((2 * target.base || 0.1 * target.max).toPrecision(2)));
  }

  private setPolygon(isPolygon: boolean): void {
    this.app.brush.isPolygon = isPolygon;
    this.app.view.uniforms.uBrush.value.z = 0;
  }

  private add(info: FieldInfo, value: number, onChange: (value: number) => void, unit?: string): Control {
    const control = makeControl(unit ? { ...info, unit } : info, value, (v) => onChange(Number(v)));
    control.element.classList.add("narrow");
    this.settings.append(control.element);
    return control;
  }
}
