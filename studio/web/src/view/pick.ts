// SPDX-License-Identifier: MIT
// The place on the land under a pixel, found by a march along the ray through the page's own copy.
import * as THREE from "three";
import type { Land } from "../land/land.ts";

export interface Place {
  x: number; // m from the west, unwrapped
  z: number; // m from the north, unwrapped
}

export function pick(land: Land, camera: THREE.Camera, ndcX: number, ndcY: number, tall: number): Place | null {
  const from = new THREE.Vector3(ndcX, ndcY, -1).unproject(camera);
  const to = new THREE.Vector3(ndcX, ndcY, 1).unproject(camera);
  const ray = to.sub(from).normalize();
  if (Math.abs(ray.y) > 0.9999) return land.isInside(from.x, from.z) ? { x: from.x, z: from.z } : null;
  const [low, high] = land.range();
  const start = ray.y < 0 ? Math.max(0, (high * tall + 1 - from.y) / ray.y) : 0;
  const end = ray.y < 0 ? (low * tall - 1 - from.y) / ray.y : Math.max(land.extentX, land.extentZ) * 4;
  const above = (t: number): number => {
    const x = from.x + ray.x * t;
    const z = from.z + ray.z * t;
    return land.isInside(x, z) ? from.y + ray.y * t - land.heightAt(x, z) * tall : 1;
  };
  let before = start;
  let stride = land.shape.cell * 0.5;
  for (let t = start; t <= end + stride && stride < 1e6; t += stride, stride *= 1.01) {
    if (above(t) <= 0) return bisect(from, ray, before, t, above);
    before = t;
  }
  return null;
}

function bisect(
  from: THREE.Vector3,
  ray: THREE.Vector3,
  a: number,
  b: number,
  above: (t: number) => number,
): Place {
  for (let k = 0; k < 14; ++k) {
    const middle = 0.5 * (a + b);
    if (above(middle) > 0) a = middle;
    else b = middle;
  }
  return { x: from.x + ray.x * b, z: from.z + ray.z * b };
}
