// SPDX-License-Identifier: MIT
// Maps that can be painted: those that the running processes take, such as the rain of hydraulic.
import type { Engine } from "../engine/engine.ts";

export interface MapTarget {
  process: string;
  map: string;
  unit: string;
  doc: string;
  min: number;
  max: number;
  base: number; // the number that the map takes the place of
}

export const nameOf = (target: MapTarget): string => `${target.process}.${target.map}`;

export function mapTargets(engine: Engine): MapTarget[] {
  const targets: MapTarget[] = [];
  for (const running of engine.clock?.processes ?? []) {
    const info = running.running ? engine.processes.get(running.name) : undefined;
    for (const { name, unit, doc, input, models } of info?.maps ?? []) {
      if (!input || (running.model && models.length > 0 && !models.includes(running.model))) continue;
      const field = info?.fields.find((f) => f.name === name);
      targets.push({
        process: running.name, map: name, unit, doc,
        min: field?.min ?? 0,
        max: field?.max ?? (unit === "1" ? 1 : 100),
        base: Number(field?.value ?? field?.default ?? 0),
      });
    }
  }
  // rain is what is painted most
  return targets.sort((a, b) => Number(b.map === "rain") - Number(a.map === "rain"));
}
