// SPDX-License-Identifier: MIT
// The surface as a mesh, Wavefront OBJ, as the command writes it: metres, x to the east, y up, z to the south, the
// middle of the grid is the origin. Faces that touch a void are left out.
import type { Land } from "../land/land.ts";

// Nine digits that count, as printf("%.9g") writes them: halves go to the even digit.
function nineDigits(value: number): string {
  const digits = Math.abs(value).toPrecision(40).replace(/^0*\.?0*/, "").replace(".", "");
  const isEvenTie = /^50*$/.test(digits.slice(9)) && Number(digits[8]) % 2 === 0;
  return String(Number((isEvenTie ? value * (1 - 1e-12) : value).toPrecision(9)));
}

export function makeObj(land: Land): string {
  const { width, height, cell } = land.shape;
  const isLand = (...corners: number[]): boolean => corners.every((at) => !Number.isNaN(land.surface[at]));
  const faces: number[][] = [];
  for (let j = 0; j + 1 < height; ++j)
    for (let i = 0; i + 1 < width; ++i) {
      const a = j * width + i;
      const [b, c, d] = [a + 1, a + width, a + width + 1];
      if (isLand(a, c, b)) faces.push([a, c, b]);
      if (isLand(b, c, d)) faces.push([b, c, d]);
    }
  const number = new Int32Array(width * height);
  const lines: string[] = ["# metres, y up, x east, z south"];
  let count = 0;
  for (let at = 0; at < width * height; ++at) {
    if (!isLand(at)) continue;
    number[at] = ++count;
    const place = [((at % width) - (width - 1) / 2) * cell, land.surface[at], (Math.floor(at / width) - (height - 1) / 2) * cell];
    lines.push(`v ${place.map((v) => nineDigits(Math.fround(v))).join(" ")}`);
  }
  for (const face of faces) lines.push(`f ${face.map((at) => number[at]).join(" ")}`);
  return `${lines.join("\n")}\n`;
}
