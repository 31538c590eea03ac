// SPDX-License-Identifier: MIT
// The land: a flat grid that the vertex shader lifts, and coarser copies around it where the world
// repeats, so that a desert reaches to the horizon.
import * as THREE from "three";
import { groundCode, reliefCode, skyCode, toolCode, uniformsCode } from "./glsl.ts";
import type { Uniforms } from "./uniforms.ts";

const vertex = /* glsl */ `
${uniformsCode}
attribute vec2 aTile;
attribute float aSkirt;
varying vec2 vUv;
varying vec3 vPlace;
uniform vec2 uOrigin;  // m, of the middle tile
void main() {
  vUv = position.xy;
  vec2 flat_ = (vUv + aTile) * uExtent + uOrigin;
  float height = textureLod(uSurface, vUv, 0.0).r;
  if (!(height > -1e6)) height = 0.0;
  vPlace = vec3(flat_.x, height * uTall - aSkirt * uCell * 3.0, flat_.y);
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}`;

// A grid of one quad a cell, or two, or four, from a corner of the land.
export const patchCode = /* glsl */ `
uniform vec3 uPatch;   // first column, first row, cells of a quad
uniform float uQuads;  // of a side
uniform vec2 uWrap;    // 1: repeats over the edges
vec2 patchFree() { return (uPatch.xy + 0.5 + floor(position.xy * uQuads + 0.5) * uPatch.z) / uGrid; }
vec2 patchUv() {
  vec2 uv = patchFree();
  return mix(clamp(uv, 0.5 / uGrid, 1.0 - 0.5 / uGrid), uv, uWrap);
}`;

export const patchVertex = /* glsl */ `
${uniformsCode}
attribute float aSkirt;
varying vec2 vUv;
varying vec3 vPlace;
${patchCode}
void main() {
  vUv = patchUv();
  float height = textureLod(uSurface, vUv, 0.0).r;
  if (!(height > -1e6)) height = 0.0;
  // the skirt of a grid that reaches beyond the land would lie on the cut side
  float skirt = all(lessThan(abs(patchFree() - vUv), 0.1 / uGrid)) ? aSkirt : 0.0;
  vPlace = vec3(vUv.x * uExtent.x, height * uTall - skirt * uCell * uPatch.z * 2.0, vUv.y * uExtent.y);
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}`;

const fragment = /* glsl */ `
${uniformsCode}
varying vec2 vUv;
varying vec3 vPlace;
uniform vec4 uHole;  // m, west, north, east, south: a finer grid is drawn there
${skyCode}
${reliefCode}
${groundCode}
${toolCode}
void main() {
  if (all(greaterThan(vPlace.xz, uHole.xy)) && all(lessThan(vPlace.xz, uHole.zw))) discard;
  float raw = heightAt(vUv);
  if (!(raw > -1e6)) discard;
  vec2 place = vPlace.xz;
  float far = length(vPlace - uEye);
  float pixel = max(length(fwidth(place)) * 0.7, 1e-3);
  vec3 colour;
  if (uShade > 0.5) {
    vec2 slope = slopeAt(vUv, 1.0) * uTall;
    vec3 n = normalize(vec3(-slope.x, 1.0, -slope.y));
    float lit = max(dot(n, normalize(vec3(-0.5, 0.75, -0.5))), 0.0);
    colour = vec3(pow(0.12 + 0.88 * lit, 2.2));
    colour = mix(colour, colour * vec3(0.45, 0.62, 1.0), step(0.02, texture(uWater, vUv).r));
  } else {
    Ground ground = groundAt(vUv, place, far);
    colour = litGround(ground, vUv, vPlace);
    float wet = smoothstep(0.0, 0.05, texture(uWater, vUv).r);
    colour *= 1.0 - 0.35 * wet;
    colour = hazed(colour, vPlace);
  }
  colour = uShade > 0.5 ? pow(colour, vec3(1.0 / 2.2)) : display(colour);
  if (uOverlayOn > 0.0) {
    float value = texture(uOverlay, vUv).r;
    vec4 paint = texture(uColours, vec2(clamp(value, 0.002, 0.998), 0.5));
    float shade = 0.55 + 0.6 * dot(colour, vec3(0.3, 0.5, 0.2));
    colour = mix(colour, paint.rgb * shade, uOverlayOn * step(-0.001, value));
  }
  colour = mix(colour, vec3(0.08, 0.05, 0.03), contourLine(raw));
  colour = mix(colour, vec3(1.0), brushRing(place, pixel) * 0.85);
  gl_FragColor = vec4(colour, 1.0);
}`;

/** A grid over the unit square with a skirt that hides cracks between grids of other fineness. */
export function makeGrid(columns: number, rows: number, insetX: number, insetY: number): THREE.BufferGeometry {
  const nx = columns + 3;
  const ny = rows + 3;
  const position = new Float32Array(3 * nx * ny);
  const skirt = new Float32Array(nx * ny);
  const along = (k: number, count: number, inset: number): number =>
    inset + (Math.min(count, Math.max(0, k - 1)) / count) * (1 - 2 * inset);
  for (let j = 0; j < ny; ++j) {
    for (let i = 0; i < nx; ++i) {
      const p = j * nx + i;
      const isRim = (inset: number, k: number, n: number): boolean => inset === 0 && (k === 0 || k === n - 1);
      position[3 * p] = along(i, columns, insetX);
      position[3 * p + 1] = along(j, rows, insetY);
      skirt[p] = isRim(insetX, i, nx) || isRim(insetY, j, ny) ? 1 : 0;
    }
  }
  const index = new Uint32Array(6 * (nx - 1) * (ny - 1));
  let k = 0;
  for (let j = 0; j + 1 < ny; ++j) {
    for (let i = 0; i + 1 < nx; ++i) {
      const a = j * nx + i;
      index.set([a, a + nx, a + 1, a + 1, a + nx, a + nx + 1], k);
      k += 6;
    }
  }
  const grid = new THREE.InstancedBufferGeometry();
  grid.setAttribute("position", new THREE.BufferAttribute(position, 3));
  grid.setAttribute("aSkirt", new THREE.BufferAttribute(skirt, 1));
  grid.setIndex(new THREE.BufferAttribute(index, 1));
  return grid;
}

export interface Fineness {
  quads: number; // largest number of quads of a side
  rings: number[]; // quads of a side of the copies, from the inside
}

export function makeTileMesh(
  uniforms: Uniforms,
  shape: { width: number; height: number; wrapX: boolean; wrapY: boolean },
  fineness: Fineness,
  shaders: { vertex: string; fragment: string },
): THREE.Group {
  const material = new THREE.ShaderMaterial({
    uniforms: uniforms as unknown as Record<string, THREE.IUniform>,
    vertexShader: shaders.vertex,
    fragmentShader: shaders.fragment,
    side: THREE.DoubleSide,
  });
  const group = new THREE.Group();
  [fineness.quads, ...fineness.rings].forEach((quads, ring) => {
    const tiles = tilesOfRing(ring, shape.wrapX, shape.wrapY);
    if (tiles.length === 0) return;
    const longest = Math.max(shape.width, shape.height);
    const columns = Math.max(2, Math.round((Math.min(quads, longest) * shape.width) / longest));
    const rows = Math.max(2, Math.round((Math.min(quads, longest) * shape.height) / longest));
    const insetX = shape.wrapX ? 0 : 0.5 / shape.width;
    const insetY = shape.wrapY ? 0 : 0.5 / shape.height;
    const grid = makeGrid(columns, rows, insetX, insetY) as THREE.InstancedBufferGeometry;
    grid.setAttribute("aTile", new THREE.InstancedBufferAttribute(new Float32Array(tiles.flat()), 2));
    grid.instanceCount = tiles.length;
    const mesh = new THREE.Mesh(grid, material);
    mesh.frustumCulled = false;
    group.add(mesh);
  });
  return group;
}

function tilesOfRing(ring: number, wrapX: boolean, wrapY: boolean): [number, number][] {
  const tiles: [number, number][] = [];
  for (let j = -ring; j <= ring; ++j) {
    for (let i = -ring; i <= ring; ++i) {
      const isInRing = Math.max(Math.abs(i), Math.abs(j)) === ring;
      if (isInRing && (wrapX || i === 0) && (wrapY || j === 0)) tiles.push([i, j]);
    }
  }
  return tiles;
}

export const terrainShaders = { vertex, fragment };
