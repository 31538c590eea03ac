// SPDX-License-Identifier: MIT
// The outline of a brush, with the weights that the engine computes: 0 on the outline, rising smoothly to 1 at the
// width of the falloff inside.

export interface Outline {
  ratio: number; // 0: a circle; else a rectangle: its width over its height
  azimuth: number; // degrees clockwise, of a rectangle
  radius: number; // m; of a rectangle half its height
  soft: number; // m, width of the falloff
}

/** Distance inside the outline [m] at a place from its centre: m east and north. Below 0: outside. */
export function depthInside(outline: Outline, east: number, north: number): number {
  const { ratio, radius } = outline;
  if (ratio <= 0) return radius - Math.hypot(east, north);
  const turn = (outline.azimuth * Math.PI) / 180;
  const [s, c] = [Math.sin(turn), Math.cos(turn)];
  return Math.min(ratio * radius - Math.abs(east * c - north * s), radius - Math.abs(east * s + north * c));
}

export function weightOf(depth: number, soft: number): number {
  if (depth <= 0) return 0;
  if (soft <= 0) return 1;
  const t = Math.min(1, depth / soft);
  return t * t * (3 - 2 * t);
}

/** How far the outline reaches from its centre [m]. */
export const reachOf = ({ radius, ratio }: Outline): number => radius * Math.hypot(1, Math.max(0, ratio));

/** Corners of a rectangle as places on the map, m from the south-west corner. */
export function cornersOf(outline: Outline, x: number, y: number): [number, number][] {
  const turn = (outline.azimuth * Math.PI) / 180;
  const [s, c] = [Math.sin(turn), Math.cos(turn)];
  const [wide, tall] = [outline.ratio * outline.radius, outline.radius];
  return [[-wide, -tall], [wide, -tall], [wide, tall], [-wide, tall]].map(([u, v]) => [
    Number((x + u * c + v * s).toFixed(3)), Number((y - u * s + v * c).toFixed(3)),
  ]);
}
