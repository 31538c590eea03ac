// SPDX-License-Identifier: MIT
// Cut sides of a map with open or closed edges: rock in beds below, loose matter on top.
import * as THREE from "three";
import { groundCode, reliefCode, skyCode, uniformsCode } from "./glsl.ts";
import type { Land } from "../land/land.ts";
import type { Uniforms } from "./uniforms.ts";

const vertex = /* glsl */ `
${uniformsCode}
attribute float aDown;
attribute vec2 aOut;
varying vec2 vUv;
varying vec3 vPlace;
varying vec2 vOut;
uniform float uFloor;
void main() {
  vUv = position.xy;
  vOut = aOut;
  float height = textureLod(uSurface, vUv, 0.0).r;
  if (!(height > -1e6)) height = uFloor;
  vPlace = vec3(vUv.x * uExtent.x, mix(height, uFloor, aDown) * uTall, vUv.y * uExtent.y);
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}`;

const fragment = /* glsl */ `
${uniformsCode}
varying vec2 vUv;
varying vec3 vPlace;
varying vec2 vOut;
${skyCode}
${reliefCode}
${groundCode}
void main() {
  float surface = heightAt(vUv);
  float below = surface - vPlace.y / uTall;
  float loose = thicknessOf(texture(uMatter, vUv).r);
  vec2 face = vec2(dot(vPlace.xz, vec2(abs(vOut.y), abs(vOut.x))), vPlace.y / uTall);
  vec4 broad = noiseAt(face * vec2(1.0, 3.0), 6.0 * uGrain);
  vec4 tiny = noiseAt(face, 0.4 * uGrain);
  float bed = face.y / (3.0 * uGrain) + broad.r * 0.8;
  float beds = texture(uNoise, vec2(0.37, bed * 0.031)).r * 0.6 + texture(uNoise, vec2(0.81, bed * 0.13)).a * 0.4;
  vec3 rock = mix(uRockDark * 0.75, uRockLight * 1.1, beds) * (0.85 + 0.3 * tiny.a);
  vec3 colour = mix(rock, uSandLight * (0.85 + 0.2 * tiny.r), step(below, loose));
  vec3 normal = normalize(vec3(vOut.x, 0.0, vOut.y) + vec3(tiny.g - 0.5, 0.0, tiny.b - 0.5) * 0.3);
  vec3 lit = uSunColour * max(dot(normal, uSun), 0.0) * 0.8 + uSkyColour * 0.5 + vec3(0.10, 0.08, 0.06);
  gl_FragColor = vec4(display(hazed(colour * lit, vPlace)), 1.0);
}`;

function wall(points: [number, number][], out: [number, number]): THREE.BufferGeometry {
  const position: number[] = [];
  const down: number[] = [];
  const outwards: number[] = [];
  const index: number[] = [];
  points.forEach(([u, v], k) => {
    position.push(u, v, 0, u, v, 0);
    down.push(0, 1);
    outwards.push(...out, ...out);
    if (k > 0) index.push(2 * k - 2, 2 * k - 1, 2 * k, 2 * k, 2 * k - 1, 2 * k + 1);
  });
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(position, 3));
  geometry.setAttribute("aDown", new THREE.Float32BufferAttribute(down, 1));
  geometry.setAttribute("aOut", new THREE.Float32BufferAttribute(outwards, 2));
  geometry.setIndex(index);
  return geometry;
}

/** Height of the ground around a land that is cut [m]. */
export function floorOf(land: Land): number {
  const [low, high] = land.range();
  return low - Math.max(0.06 * Math.max(land.extentX, land.extentZ), 0.15 * (high - low));
}

export function makeSides(uniforms: Uniforms, land: Land): THREE.Group {
  const { width, height, wrapX, wrapY } = land.shape;
  const material = new THREE.ShaderMaterial({
    uniforms: { ...(uniforms as unknown as Record<string, THREE.IUniform>), uFloor: { value: floorOf(land) } },
    vertexShader: vertex,
    fragmentShader: fragment,
    side: THREE.DoubleSide,
  });
  const group = new THREE.Group();
  const add = (points: [number, number][], out: [number, number]): void => {
    const mesh = new THREE.Mesh(wall(points, out), material);
    mesh.frustumCulled = false;
    group.add(mesh);
  };
  const row = (v: number): [number, number][] =>
    Array.from({ length: width }, (_, i) => [(i + 0.5) / width, v] as [number, number]);
  const column = (u: number): [number, number][] =>
    Array.from({ length: height }, (_, j) => [u, (j + 0.5) / height] as [number, number]);
  if (!wrapY) {
    add(row(0.5 / height), [0, -1]);
    add(row(1 - 0.5 / height), [0, 1]);
  }
  if (!wrapX) {
    add(column(0.5 / width), [-1, 0]);
    add(column(1 - 0.5 / width), [1, 0]);
  }
  return group;
}
