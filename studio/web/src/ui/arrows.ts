// SPDX-License-Identifier: MIT
// Arrows over the land: a pair of maps of a process, such as the flux of sand to the east and to the north, or the
// wind that the rose names first. They take the slots 2 and 3 of the engine.
import type { App } from "../app.ts";
import type { MapMessage } from "../engine/tiles.ts";
import type { Arrow } from "../view/marks.ts";
import { guard } from "./dom.ts";
import type { Overlay } from "./overlay.ts";

const ACROSS = 26; // arrows along the longer side
const WIND = "wind of the rose";

export class Arrows {
  private name = "";
  private readonly maps: (MapMessage | null)[] = [null, null];

  constructor(
    private readonly app: App,
    private readonly overlay: Overlay,
  ) {
    app.marks.arrows = () => this.list();
    app.engine.on("map", (map) => {
      if (map.slot < 2 || !this.name || map.name !== this.parts()[map.slot - 2]) return;
      this.maps[map.slot - 2] = map;
      app.marks.redraw();
      app.view.redraw();
    });
    app.engine.on("scene", () => this.set(""));
  }

  /** What arrows may show now. */
  names(): string[] {
    const maps = new Set((this.app.engine.maps?.list ?? []).map((map) => map.name));
    const pairs = [...maps].filter((name) => name.endsWith("_x") && maps.has(`${name.slice(0, -2)}_y`)).map((name) => name.slice(0, -2));
    return [...pairs, WIND];
  }

  get shown(): string {
    return this.name;
  }

  set(name: string): void {
    const { engine, marks, view } = this.app;
    const hadMaps = this.name !== "" && this.name !== WIND;
    this.name = name;
    this.maps.fill(null);
    const parts = name && name !== WIND ? this.parts() : [null, null];
    this.overlay.reserve(parts[0] !== null);
    if (hadMaps || parts[0]) parts.forEach((map, k) => guard(engine.command({ type: "show", slot: 2 + k, map })));
    marks.redraw();
    view.redraw();
  }

  private parts(): string[] {
    return [`${this.name}_x`, `${this.name}_y`];
  }

  private list(): Arrow[] {
    const { land } = this.app.engine;
    if (!land || !this.name) return [];
    const gap = Math.max(land.extentX, land.extentZ) / ACROSS;
    const spots: [number, number][] = [];
    for (let y = gap / 2; y < land.extentZ; y += gap) for (let x = gap / 2; x < land.extentX; x += gap) spots.push([x, y]);
    if (this.name === WIND) {
      const wind = this.app.view.uniforms.uWind.value;
      return spots.map(([x, y]) => ({ x, y, east: 0.7 * gap * wind.x, north: -0.7 * gap * wind.y }));
    }
    return this.fromMaps(spots, gap, land.shape.cell);
  }

  // Lengths go with the root of the value, so that weak and strong ones are both seen.
  private fromMaps(spots: [number, number][], gap: number, cell: number): Arrow[] {
    const [east, north] = this.maps;
    if (!east || !north) return [];
    const value = (map: MapMessage, at: number): number => (map.codes[at] === 65535 ? 0 : map.min + (map.codes[at] * (map.max - map.min)) / 65534);
    const most = Math.max(...[east, north].flatMap((map) => [Math.abs(map.low), Math.abs(map.high)])) || 1;
    const arrows: Arrow[] = [];
    for (const [x, y] of spots) {
      const at = Math.min(east.height - 1, east.height - 1 - Math.floor(y / cell)) * east.width + Math.min(east.width - 1, Math.floor(x / cell));
      const [u, v] = [value(east, at), value(north, at)];
      const size = Math.hypot(u, v);
      if (size < 0.004 * most) continue;
      const long = 0.95 * gap * Math.sqrt(Math.min(1, size / most));
      arrows.push({ x, y, east: (long * u) / size, north: (long * v) / size });
    }
    return arrows;
  }
}
