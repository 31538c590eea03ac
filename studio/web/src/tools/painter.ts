// SPDX-License-Identifier: MIT
// What the pointer does on the land: strokes, polygons, and points that a panel asks for.
import type { App } from "../app.ts";
import type { Readout } from "../ui/readout.ts";
import type { Toolbar } from "../ui/toolbar.ts";
import { guard, note, show } from "../ui/dom.ts";
import type { Place } from "../view/pick.ts";
import type { PointerUser } from "./pointer.ts";
import type { Overlay } from "../ui/overlay.ts";
import { mapTargets, nameOf } from "./map_targets.ts";
import { MapStroke, sendPieces } from "./map_stroke.ts";
import { MapStamp } from "./map_stamp.ts";
import { previewTouch } from "./preview.ts";
import { forms, partsOf, placeForm } from "./primitives.ts";
import { Stroke } from "./stroke.ts";
import type { MapSpot } from "../engine/messages.ts";
import type { Shape } from "../view/marks.ts";
import { brushShapes, isBrush, outlineOf } from "./tools.ts";

type Press = Pick<PointerEvent, "button" | "altKey" | "timeStamp"> & { clientX?: number; clientY?: number };

const GRAB = 14; // pixels from the middle of an emitter

const REST = 0.12; // s between touches of a pointer that rests

export class Painter implements PointerUser {
  /** Resolves when the engine has taken the last stroke. */
  painting: Promise<void> = Promise.resolve();
  private stroke: Stroke | null = null;
  private mapStroke: MapStroke | MapStamp | null = null;
  private spot: MapSpot | null = null; // emitter that is held
  private isSpotMoved = false;
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
    toolbar.onCorners = (applies) => void this.closePolygon(applies);
  }

  /** The keyboard's touch: in the middle of the view, which the arrow keys move. */
  touchMiddle(isOpposite: boolean): void {
    const box = document.getElementById("view")?.getBoundingClientRect();
    const place = box && this.app.view.pickAt(box.left + box.width / 2, box.top + box.height / 2);
    if (!place || !isBrush(this.app.tool)) return;
    // never a double click, also where the key repeats
    this.pressed = -1e9;
    if (this.press(place, { button: 0, altKey: isOpposite, timeStamp: performance.now() })) this.release();
    this.hover(place);
  }

  press(place: Place, event: Press): boolean {
    const { app } = this;
    if (event.button !== 0) return false;
    if (app.drawing) return this.setPoint(place);
    if (app.tool.placesForms) return this.pressForm(place, event);
    if (app.tool.paintsMap && this.grabSpot(event)) return true;
    if (app.tool.paintsMap && app.brush.shape !== "polygon") return this.pressMap(place, event);
    if ((!app.tool.edit && !app.tool.paintsMap) || !app.engine.land) return false;
    if (app.brush.shape === "polygon") return this.addCorner(place, event);
    const edit = (event.altKey && app.tool.opposite ? app.tool.opposite : app.tool.edit) as string;
    const amount = app.tool.layer === "surface" ? app.engine.land.heightAt(place.x, place.z) : app.brush.strength;
    const kind = { edit, layer: app.tool.layer, amount, ...outlineOf(app.brush) };
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
    else if (this.spot) this.moveSpot(place);
    else if (this.app.drawing) this.setPoint(place);
  }

  release(): void {
    const stroke = this.stroke;
    this.stroke = null;
    if (stroke) this.painting = stroke.done();
    const mapStroke = this.mapStroke;
    this.mapStroke = null;
    if (mapStroke) this.painting = this.finishMap(mapStroke);
    const spot = this.spot;
    this.spot = null;
    // a click changes nothing, and is no event
    if (spot && this.isSpotMoved) this.painting = this.finishSpot(spot);
    if ((stroke || mapStroke || spot) && this.wasPlaying) guard(this.painting.then(() => this.app.play(true, this.app.rate)));
    this.app.drawing?.onDone();
    this.app.marks.redraw();
  }

  private pressMap(place: Place, event: Press): boolean {
    const { app } = this;
    const { land } = app.engine;
    const target = mapTargets(app.engine).find((other) => app.target && nameOf(other) === nameOf(app.target));
    if (!target || !land) return false;
    const outline = outlineOf(app.brush);
    const value = event.altKey ? target.base : app.brush.value;
    this.holdClock();
    const before = this.overlay.valuesOf(nameOf(target)) ?? new Float32Array(land.surface.length).fill(target.base);
    const show = (values: Float32Array): void => this.overlay.preview(target, values);
    this.mapStroke = outline.ratio > 0
      ? new MapStamp(app.engine, land, target, value, outline, before, show)
      : new MapStroke(app.engine, land, target, { value, radius: outline.radius, soft: outline.soft }, before, show);
    const inside = this.begin(place);
    this.mapStroke.moveTo(inside.x, inside.z);
    return true;
  }

  // A form of the ground is there at once: it takes no drag.
  private pressForm(place: Place, event: Press): boolean {
    const { app } = this;
    const { land } = app.engine;
    if (!land) return false;
    const height = event.altKey ? -app.form.height : app.form.height;
    const parts = partsOf({ ...app.form, height }, app.brush.radius, app.brush.azimuth)
      .map((part) => (part.amount < 0 ? { ...part, amount: -part.amount, edit: part.edit === "raise" ? "lower" as const : "raise" as const } : part));
    const { x, z } = this.wrap(place);
    this.holdClock();
    for (const { edit, amount, outline } of parts)
      previewTouch(land, { edit, amount, x, z, ...outline }).forEach((r) => app.view.touch(r, false));
    this.painting = placeForm(app.engine, land, parts, Number(x.toFixed(3)), Number(z.toFixed(3))).catch((error: unknown) => note(String((error as Error).message)));
    if (this.wasPlaying) guard(this.painting.then(() => app.play(true, app.rate)));
    return true;
  }

  // ---- emitters: spots of a painted map, which are moved by their middle

  private grabSpot(event: Press): boolean {
    const { app } = this;
    const { land } = app.engine;
    if (!land || event.clientX === undefined || event.clientY === undefined) return false;
    const box = document.getElementById("view")?.getBoundingClientRect();
    const [left, top] = [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)];
    const near = app.spots.find(({ x, y }) => {
      const at = app.marks.project(x, y, land);
      return at !== null && Math.hypot(at[0] - left, at[1] - top) < GRAB;
    });
    if (!near) return false;
    this.holdClock();
    this.spot = near;
    this.isSpotMoved = false;
    return true;
  }

  private moveSpot(place: Place): void {
    const { x, y } = this.toMap(place);
    if (this.spot) Object.assign(this.spot, { x, y });
    this.isSpotMoved = true;
    this.app.marks.redraw();
  }

  private async finishSpot({ stroke, x, y }: MapSpot): Promise<void> {
    const { engine, target } = this.app;
    if (!target) return;
    const points = [[Number(x.toFixed(2)), Number(y.toFixed(2))]];
    try {
      await engine.command({ type: "repaint", process: target.process, map: target.map, stroke, points });
    } catch (error) {
      note(String((error as Error).message));
    }
    this.overlay.set(0, nameOf(target));
  }

  private async finishMap(stroke: MapStroke | MapStamp): Promise<void> {
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
    const shows = place !== null && isBrush(app.tool) && (app.tool.placesForms === true || app.brush.shape !== "polygon") && !app.drawing;
    const before = ring.z;
    if (shows) this.showOutline(place);
    else ring.z = 0;
    if (shows || before > 0) app.view.redraw();
    this.readout.point(place && app.engine.land ? this.wrap(place) : null);
  }

  // The ring under the pointer.
  private showOutline(place: Place): void {
    const { uBrush, uBrushShape } = this.app.view.uniforms;
    const { brush, form, tool } = this.app;
    const isLong = forms.find((info) => info.name === form.name)?.isLong;
    const { radius, soft, ratio, azimuth } = tool.placesForms
      ? { ...brush, soft: 0, ratio: isLong ? form.ratio : 0 }
      : outlineOf(brush);
    const turn = (azimuth * Math.PI) / 180;
    uBrush.value.set(place.x, place.z, radius, soft);
    uBrushShape.value.set(ratio, Math.sin(turn), Math.cos(turn));
  }

  private showChanged(): void {
    const ring = this.app.view.uniforms.uBrush.value;
    if (ring.z > 0) this.showOutline({ x: ring.x, z: ring.y });
    this.app.view.redraw();
  }

  wheelRadius(factor: number): void {
    this.toolbar.setRadius(Math.min(1e5, Math.max(this.app.engine.scene?.cell ?? 1, this.app.brush.radius * factor)));
    this.showChanged();
  }

  /** The next shape of the brush. */
  nextShape(): void {
    const { brush } = this.app;
    this.toolbar.setShape(brushShapes[(brushShapes.indexOf(brush.shape) + 1) % brushShapes.length]);
    this.showChanged();
  }

  /** Turn a rectangle clockwise by some degrees. */
  turn(degrees: number): void {
    const { brush } = this.app;
    this.toolbar.setAzimuth((((brush.azimuth + degrees) % 180) + 180) % 180);
    this.showChanged();
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
    const { tool, engine } = this.app;
    if (corners.length < 3 || !applies || !isBrush(tool)) return corners.length > 0;
    if (tool.paintsMap) this.painting = this.paintPolygon(corners);
    else guard(engine.command({ type: "edit", edit: this.polygonEdit(corners) }));
    return true;
  }

  private async paintPolygon(corners: { x: number; y: number }[]): Promise<void> {
    const { engine, brush } = this.app;
    const target = mapTargets(engine).find((other) => this.app.target && nameOf(other) === nameOf(this.app.target));
    if (!target) return;
    const points = corners.map(({ x, y }): [number, number] => [Number(x.toFixed(2)), Number(y.toFixed(2))]);
    try {
      await sendPieces(engine, target, { value: brush.value, soft: brush.falloff, area: true }, points);
    } catch (error) {
      note(String((error as Error).message));
    }
    this.overlay.set(0, nameOf(target));
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

  private addCorner(place: Place, event: Press): boolean {
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
    const region = { polygon, soft: brush.falloff };
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
    const shapes: Shape[] = [];
    for (const spot of this.app.tool.paintsMap ? this.app.spots : [])
      shapes.push({ points: [{ x: spot.x, y: spot.y, label: `${show(spot.value)} ${this.app.target?.unit ?? ""}` }], isLine: false, colour: "#8fd0ff" },
        { points: circleOf(spot), isLine: true, isClosed: true, hasDots: false, colour: "#8fd0ff" });
    if (this.corners.length > 0) shapes.push({ points: this.corners, isLine: true, isClosed: true, colour: "#ffd28a" });
    if (drawing) shapes.push({ points: drawing.points(), isLine: drawing.isLine, colour: "#8fd0ff" });
    return shapes;
  }
}

function circleOf({ x, y, radius }: MapSpot): { x: number; y: number }[] {
  return Array.from({ length: 24 }, (_, k) => ({ x: x + radius * Math.cos((k * Math.PI) / 12), y: y + radius * Math.sin((k * Math.PI) / 12) }));
}
