// SPDX-License-Identifier: MIT
// The colour map viridis (Smith, van der Walt; CC0), as 16 knots.
import * as THREE from "three";

const KNOTS: [number, number, number][] = [
  [68, 1, 84], [72, 26, 108], [71, 47, 125], [65, 68, 135], [57, 86, 140], [49, 104, 142], [42, 120, 142],
  [35, 136, 142], [31, 152, 139], [34, 168, 132], [53, 183, 121], [84, 197, 104], [122, 209, 81], [165, 219, 54],
  [210, 226, 27], [253, 231, 37],
];

/** Colour at t from 0 to 1, as bytes. */
export function viridis(t: number): [number, number, number] {
  const x = Math.min(0.9999, Math.max(0, t)) * (KNOTS.length - 1);
  const i = Math.floor(x);
  const f = x - i;
  const a = KNOTS[i];
  const b = KNOTS[i + 1];
  return [0, 1, 2].map((k) => Math.round(a[k] * (1 - f) + b[k] * f)) as [number, number, number];
}

export function viridisTexture(): THREE.DataTexture {
  const data = new Uint8Array(4 * 256);
  for (let i = 0; i < 256; ++i) data.set([...viridis(i / 255), 255], 4 * i);
  const texture = new THREE.DataTexture(data, 256, 1, THREE.RGBAFormat);
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

export const viridisGradient = (): string =>
  `linear-gradient(to right, ${KNOTS.map((k) => `rgb(${k.join(",")})`).join(", ")})`;
