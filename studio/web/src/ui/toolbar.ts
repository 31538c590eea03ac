// SPDX-License-Identifier: MIT
// The toolbar: tools, and the settings of the brush.
import type { App } from "../app.ts";
import type { FieldInfo } from "../engine/messages.ts";
import { el, find } from "./dom.ts";
import { Emitters } from "./emitters.ts";
import { makeControl, type Control } from "./field.ts";
import { mapTargets, nameOf, type MapTarget } from "../tools/map_targets.ts";
import { forms, type FormName } from "../tools/primitives.ts";
import { brushShapes, isBrush, tools, type BrushShape, type Tool } from "../tools/tools.ts";

const field = (name: string, unit: string, min: number, max: number, usual: number, doc: string): FieldInfo => ({
  name, unit, min, max, doc, type: "double", default: usual, value: usual,
});

export class Toolbar {
  private readonly root = find("tools");
  private readonly buttons = new Map<Tool, HTMLButtonElement>();
  private readonly settings = el("div", { class: "settings", hidden: true });
  private radius: Control | null = null;
  private azimuth: Control | null = null;
  readonly emitters: Emitters;

  constructor(private readonly app: App) {
    this.emitters = new Emitters(app);
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
    this.app.brush.falloff = Number((0.6 * this.app.brush.radius).toPrecision(2));
    this.app.form.height = Number((0.5 * this.app.brush.radius).toPrecision(2));
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
    if (tool.placesForms) return this.showForms();
    const extent = this.app.engine.scene?.extent[0] ?? 500;
    this.radius = this.add(field("radius", "m", extent / 500, extent / 2, brush.radius, "Radius of the brush"), brush.radius, (v) => (brush.radius = v));
    if (tool.amount !== undefined)
      this.add(field("strength", tool.unit ?? "", 0.001, tool.most ?? 1, tool.amount, "Amount of one touch; a stroke has a touch every quarter of the radius"), brush.strength, (v) => (brush.strength = v));
    this.add(field("falloff", "m", 0, extent / 4, 0.6 * brush.radius, "Width of the soft rim inside the outline; at most the radius"), brush.falloff, (v) => (brush.falloff = v));
    this.showShapes();
    if (!tool.paintsMap) return;
    this.settings.append(this.emitters.element);
    this.emitters.refreshSoon();
  }

  private showForms(): void {
    const { brush, form } = this.app;
    const extent = this.app.engine.scene?.extent[0] ?? 500;
    const list = el("select", { "aria-label": "Form", onchange: () => {
      form.name = list.value as FormName;
      this.show();
    } });
    for (const { name, doc } of forms) list.append(el("option", { value: name, title: doc }, name));
    list.value = form.name;
    this.settings.append(list);
    this.radius = this.add(field("radius", "m", extent / 500, extent / 2, brush.radius, "Radius, or half the length, of the form"), brush.radius, (v) => (brush.radius = v));
    this.add(field("height", "m", 0.1, extent / 2, form.height, "Height of the form, or its depth"), form.height, (v) => (form.height = v));
    if (!forms.find((info) => info.name === form.name)?.isLong) return;
    this.add(field("ratio", "", 0.02, 1, 0.3, "Width over length of the form"), form.ratio, (v) => (form.ratio = v));
    this.azimuth = this.add(field("turned", "°", 0, 180, 0, "Turned clockwise by this angle (Z, X)"), brush.azimuth, (v) => (brush.azimuth = v));
  }

  private showShapes(): void {
    const { brush } = this.app;
    const list = el("select", { "aria-label": "Shape of the brush", title: "Shape of the brush (Q). Polygon: click corners; Apply, Enter or a double click applies the edit once", onchange: () => this.setShape(list.value as BrushShape) });
    for (const shape of brushShapes) list.append(el("option", { value: shape }, shape));
    list.value = brush.shape;
    this.settings.append(list);
    if (brush.shape === "rectangle")
      this.add(field("ratio", "", 0.02, 1, 0.3, "Width over height of the rectangle, whose half height is the radius"), brush.ratio, (v) => (brush.ratio = v));
    if (brush.shape === "rectangle" || brush.shape === "square")
      this.azimuth = this.add(field("turned", "°", 0, 180, 0, "Turned clockwise by this angle (Z, X)"), brush.azimuth, (v) => (brush.azimuth = v));
    if (brush.shape === "polygon") this.showCorners();
  }

  /** Set by the painter: applies or drops the corners of a polygon. */
  onCorners: (applies: boolean) => void = () => {};

  // Fingers have no Enter key.
  private showCorners(): void {
    this.settings.append(el("p", {}, "Click or tap the corners on the land; a double click or tap there applies, too."), el("div", { class: "buttons" },
      el("button", { type: "button", class: "main", onclick: () => this.onCorners(true) }, "Apply"),
      el("button", { type: "button", onclick: () => this.onCorners(false) }, "Drop")));
  }

  setShape(shape: BrushShape): void {
    this.app.brush.shape = shape;
    if (shape === "polygon") this.app.view.uniforms.uBrush.value.z = 0;
    this.onCorners(false);
    this.show();
  }

  setAzimuth(azimuth: number): void {
    this.app.brush.azimuth = azimuth;
    this.azimuth?.set(azimuth);
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

  private add(info: FieldInfo, value: number, onChange: (value: number) => void): Control {
    const control = makeControl(info, value, (v) => onChange(Number(v)));
    control.element.classList.add("narrow");
    this.settings.append(control.element);
    return control;
  }
}
