// SPDX-License-Identifier: MIT
// The surface as a mesh, Wavefront OBJ: x to the east, y to the north, z up, in metres.
import type { Land } from "../land/land.ts";

export function makeObj(land: Land): string {
  const { width, height, cell } = land.shape;
  const lines: string[] = ["# surface, metres; x east, y north, z up"];
  for (let j = 0; j < height; ++j)
    for (let i = 0; i < width; ++i) {
      const z = land.surface[j * width + i];
      lines.push(`v ${(i + 0.5) * cell} ${(height - j - 0.5) * cell} ${Number.isFinite(z) ? z : 0}`);
    }
  const isLand = (at: number): boolean => Number.isFinite(land.surface[at]);
  for (let j = 0; j + 1 < height; ++j)
    for (let i = 0; i + 1 < width; ++i) {
      const a = j * width + i;
      const corners = [a, a + width, a + width + 1, a + 1];
      if (corners.every(isLand)) lines.push(`f ${corners.map((c) => c + 1).join(" ")}`);
    }
  return `${lines.join("\n")}\n`;
}
