// SPDX-License-Identifier: MIT
// The probe under the pointer, and a summary in words for screen readers.
import type { App } from "../app.ts";
import type { Probe } from "../engine/messages.ts";
import type { Place } from "../view/pick.ts";
import { find, show, showYears } from "./dom.ts";

export class Readout {
  private readonly line = find("readout");
  private place: Place | null = null;
  private isAsking = false;

  constructor(private readonly app: App) {
    setInterval(() => this.summarize(), 5000);
  }

  point(place: Place | null): void {
    this.place = place;
    if (!place) this.line.textContent = "";
    else void this.ask();
  }

  private async ask(): Promise<void> {
    const { engine } = this.app;
    if (this.isAsking || !this.place || !engine.land) return;
    this.isAsking = true;
    const { x, z } = this.place;
    try {
      const probe = await engine.ask({ type: "probe", at: [x, engine.land.extentZ - z] }, "probe");
      if (this.place) this.line.textContent = this.text(probe);
    } catch {
      this.line.textContent = "";
    }
    setTimeout(() => {
      this.isAsking = false;
      if (this.place && (this.place.x !== x || this.place.z !== z)) void this.ask();
    }, 120);
  }

  private text(probe: Probe): string {
    if (probe.void) return "no data";
    const parts = [
      `${probe.at[0].toFixed(0)}, ${probe.at[1].toFixed(0)} m`,
      `height ${show(probe.surface)} m`,
      `slope ${probe.slope?.toFixed(0) ?? "–"}°`,
    ];
    for (const [name, value] of Object.entries(probe.layers)) parts.push(`${name} ${show(value)} m`);
    if (probe.water > 0) parts.push(`water ${show(probe.water)} m`);
    if (probe.vegetation > 0) parts.push(`plants ${Math.round(100 * probe.vegetation)} %`);
    if (probe.slots[0] !== null && probe.slots[0] !== undefined) parts.push(`map ${show(probe.slots[0])}`);
    return parts.join(" · ");
  }

  private summarize(): void {
    const { engine } = this.app;
    if (!engine.scene || !engine.land || !engine.clock) return;
    const [low, high] = engine.land.range();
    const text = `${engine.scene.name}, year ${showYears(engine.clock.year)}, ${engine.clock.playing ? "playing" : "paused"}, heights ${show(low)} to ${show(high)} m.`;
    const summary = find("summary");
    if (summary.textContent !== text) summary.textContent = text;
  }
}
