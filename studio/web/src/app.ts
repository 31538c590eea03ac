// SPDX-License-Identifier: MIT
// What the parts of the page share.
import type { Engine } from "./engine/engine.ts";
import type { MapTarget } from "./tools/map_targets.ts";
import type { BrushSettings, Tool } from "./tools/tools.ts";
import { isBrush, tools } from "./tools/tools.ts";
import type { FormSettings } from "./tools/primitives.ts";
import type { MapSpot as Spot } from "./engine/messages.ts";
import type { View } from "./view/view.ts";
import type { Marks } from "./view/marks.ts";

export interface MapDrawing {
  /** A point was set or moved on the map; m from the south-west corner. */
  onPoint(x: number, y: number): void;
  points(): { x: number; y: number; label?: string }[];
  isLine: boolean;
  onDone(): void;
}

export class App {
  tool: Tool = tools[0];
  readonly brush: BrushSettings = { radius: 20, strength: 0.5, value: 1, falloff: 12, shape: "round", ratio: 0.3, azimuth: 0 };
  target: MapTarget | null = null; // map that is painted
  readonly form: FormSettings = { name: "dome", height: 20, ratio: 0.3 };
  spots: Spot[] = []; // emitters of the map that is painted
  drawing: MapDrawing | null = null;
  sceneText = "";
  rate = 0; // yr/s, 0: as fast as it goes
  onTool: () => void = () => {};

  constructor(
    readonly engine: Engine,
    readonly view: View,
    readonly marks: Marks,
  ) {}

  setTool(tool: Tool): void {
    this.tool = tool;
    if (tool.amount !== undefined) this.brush.strength = tool.amount;
    if (!isBrush(tool)) this.view.uniforms.uBrush.value.z = 0;
    this.drawing = null;
    this.marks.redraw();
    this.view.redraw();
    this.onTool();
  }

  draw(drawing: MapDrawing | null): void {
    this.drawing = drawing;
    this.marks.redraw();
  }

  async play(isPlaying: boolean, rate: number): Promise<void> {
    if (isPlaying) await this.engine.command({ type: "play", ...(rate > 0 ? { rate } : {}) });
    else await this.engine.command({ type: "pause" });
  }
}
