// SPDX-License-Identifier: MIT
// What the pointer does on the land: strokes, polygons, and points that a panel asks for.
import type { App } from "../app.ts";
import type { Readout } from "../ui/readout.ts";
import type { Toolbar } from "../ui/toolbar.ts";
import { guard, note } from "../ui/dom.ts";
import type { Place } from "../view/pick.ts";
import type { PointerUser } from "./pointer.ts";
import type { Overlay } from "../ui/overlay.ts";
import { mapTargets, nameOf } from "./map_targets.ts";
import { MapStroke } from "./map_stroke.ts";
import { Stroke } from "./stroke.ts";
import { isBrush } from "./tools.ts";

const REST = 0.12; // s between touches of a pointer that rests

export class Painter implements PointerUser {
  /** Resolves when the engine has taken the last stroke. */
  painting: Promise<void> = Promise.resolve();
  private stroke: Stroke | null = null;
  private mapStroke: MapStroke | null = null;
  private rested = 0;
  private shift = { x: 0, z: 0 }; // of the stroke, to the middle tile
  private corners: { x: number; y: number }[] = [];
  private pressed = 0;
  private wasPlaying = false;

  constructor(
    private readonly app: App,
    private readonly toolbar: Toolbar,
    private readonly readout: Readout,
    private readonly overlay: Overlay,
  ) {
    app.marks.shapes = () => this.shapes();
  }

  press(place: Place, event: PointerEvent): boolean {
    const { app } = this;
    if (event.button !== 0) return false;
    if (app.drawing) return this.setPoint(place);
    if (app.tool.paintsMap) return this.pressMap(place, event);
    if (!app.tool.edit || !app.engine.land) return false;
    if (app.brush.isPolygon) return this.addCorner(place, event);
    const edit = event.altKey && app.tool.opposite ? app.tool.opposite : app.tool.edit;
    const amount = app.tool.layer === "surface" ? app.engine.land.heightAt(place.x, place.z) : app.brush.strength;
    const { radius, falloff } = app.brush;
    const kind = { edit, layer: app.tool.layer, amount, radius, soft: falloff * radius };
    this.rested = 0;
    this.holdClock();
    const inside = this.begin(place);
    this.stroke = new Stroke(app.engine, app.engine.land, kind, inside.x, inside.z,
      (rectangles) => rectangles.forEach((r) => app.view.touch(r, edit === "add_water")),
      (text) => note(text));
    return true;
  }

  drag(place: Place): void {
    const [x, z] = [place.x + this.shift.x, place.z + this.shift.z];
    this.rested = 0;
    if (this.stroke) this.stroke.moveTo(x, z);
    else if (this.mapStroke) this.mapStroke.moveTo(x, z);
    else if (this.app.drawing) this.setPoint(place);
  }

  release(): void {
    const stroke = this.stroke;
    this.stroke = null;
    if (stroke) this.painting = stroke.done();
    const mapStroke = this.mapStroke;
    this.mapStroke = null;
    if (mapStroke) this.painting = this.finishMap(mapStroke);
    if ((stroke || mapStroke) && this.wasPlaying) guard(this.painting.then(() => this.app.play(true, this.app.rate)));
    this.app.drawing?.onDone();
    this.app.marks.redraw();
  }

  private pressMap(place: Place, event: PointerEvent): boolean {
    const { app } = this;
    const { land } = app.engine;
    const target = mapTargets(app.engine).find((other) => app.target && nameOf(other) === nameOf(app.target));
    if (!target || !land) return false;
    const { radius, falloff, value } = app.brush;
    const brush = { value: event.altKey ? target.base : value, radius, soft: falloff * radius };
    this.holdClock();
    const before = this.overlay.valuesOf(nameOf(target)) ?? new Float32Array(land.surface.length).fill(target.base);
    this.mapStroke = new MapStroke(app.engine, land, target, brush, before, (values) => this.overlay.preview(target, values));
    const inside = this.begin(place);
    this.mapStroke.moveTo(inside.x, inside.z);
    return true;
  }

  private async finishMap(stroke: MapStroke): Promise<void> {
    try {
      await stroke.done();
    } catch (error) {
      note(String((error as Error).message));
    }
    this.overlay.set(0, nameOf(stroke.target));
  }

  // The clock waits during a stroke, so that all its touches are one event and one undo. A stroke does not wait for the
  // tick that runs, if the engine can go back to its beginning.
  private holdClock(): void {
    this.wasPlaying = this.app.engine.clock?.playing === true;
    if (this.wasPlaying) guard(this.app.engine.command({ type: "hold" }));
  }

  hover(place: Place | null): void {
    const { app } = this;
    const ring = app.view.uniforms.uBrush.value;
    const shows = place !== null && isBrush(app.tool) && (!app.brush.isPolygon || app.tool.paintsMap === true) && !app.drawing;
    const before = ring.z;
    if (shows) ring.set(place.x, place.z, app.brush.radius, app.brush.falloff);
    else ring.z = 0;
    if (shows || before > 0) app.view.redraw();
    this.readout.point(place && app.engine.land ? this.wrap(place) : null);
  }

  wheelRadius(factor: number): void {
    this.toolbar.setRadius(Math.min(1e5, Math.max(this.app.engine.scene?.cell ?? 1, this.app.brush.radius * factor)));
    this.app.view.uniforms.uBrush.value.z = this.app.brush.radius;
    this.app.view.redraw();
  }

  frame(seconds: number): void {
    if (!this.stroke) return;
    this.rested += seconds;
    if (this.rested > REST) {
      this.rested = 0;
      this.stroke.rest();
    }
  }

  /** Enter: apply the polygon. Escape: forget it. */
  closePolygon(applies: boolean): boolean {
    const corners = this.corners;
    this.corners = [];
    this.app.marks.redraw();
    if (this.app.drawing && !applies) this.app.draw(null);
    if (corners.length < 3 || !applies || !this.app.tool.edit) return corners.length > 0;
    guard(this.app.engine.command({ type: "edit", edit: this.polygonEdit(corners) }));
    return true;
  }

  // Over periodic edges the picture repeats; the engine takes places of the middle tile.
  private wrap(place: Place): Place {
    return this.app.engine.land?.fold(place.x, place.z) ?? place;
  }

  // A stroke begins in the middle tile and may leave it: its line does not jump at the seam.
  private begin(place: Place): Place {
    const inside = this.wrap(place);
    this.shift = { x: inside.x - place.x, z: inside.z - place.z };
    return inside;
  }

  private toMap(place: Place): { x: number; y: number } {
    const inside = this.wrap(place);
    return { x: inside.x, y: (this.app.engine.land?.extentZ ?? 0) - inside.z };
  }

  private setPoint(place: Place): boolean {
    const { x, y } = this.toMap(place);
    this.app.drawing?.onPoint(Number(x.toPrecision(5)), Number(y.toPrecision(5)));
    this.app.marks.redraw();
    return true;
  }

  private addCorner(place: Place, event: PointerEvent): boolean {
    const isDouble = event.timeStamp - this.pressed < 300;
    this.pressed = event.timeStamp;
    if (isDouble) this.closePolygon(true);
    else this.corners.push(this.toMap(place));
    this.app.marks.redraw();
    return true;
  }

  private polygonEdit(corners: { x: number; y: number }[]): Record<string, unknown> {
    const { tool, brush, engine } = this.app;
    const polygon = corners.map(({ x, y }) => [x, y]);
    const region = { polygon, soft: brush.falloff * brush.radius };
    const edit = tool.edit as string;
    if (edit === "set_layer") {
      const heights = corners.map(({ x, y }) => engine.land?.heightAt(x, engine.land.extentZ - y) ?? 0);
      const level = tool.layer === "surface" ? heights.reduce((a, b) => a + b, 0) / heights.length : brush.strength;
      return { set_layer: { [tool.layer as string]: level, ...region } };
    }
    const amount = engine.scene?.edits.find((info) => info.name === edit)?.amount ?? "depth";
    return { [edit]: { [amount]: brush.strength, ...region } };
  }

  private shapes() {
    const { drawing } = this.app;
    const shapes = [];
    if (this.corners.length > 0) shapes.push({ points: this.corners, isLine: true, isClosed: true, colour: "#ffd28a" });
    if (drawing) shapes.push({ points: drawing.points(), isLine: drawing.isLine, colour: "#8fd0ff" });
    return shapes;
  }
}
