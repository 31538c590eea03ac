// SPDX-License-Identifier: MIT
// Values that all shaders share. The objects are shared, so one assignment reaches each shader.
import * as THREE from "three";
import { desert, type Palette } from "./palette.ts";

const value = <T>(v: T): { value: T } => ({ value: v });

/** No grain hides the sun. */
export const noShade = new THREE.DataTexture(new Uint8Array([255, 255, 255, 255]), 1, 1);
noShade.needsUpdate = true;

export function makeUniforms(noise: THREE.Texture, colours: THREE.Texture) {
  return {
    uSurface: value<THREE.Texture | null>(null),
    uMatter: value<THREE.Texture | null>(null),
    uWater: value<THREE.Texture | null>(null),
    uLight: value<THREE.Texture | null>(null),
    uGrainShade: value<THREE.Texture>(noShade),
    uNoise: value(noise),
    uOverlay: value<THREE.Texture | null>(null),
    uColours: value(colours),
    uGrid: value(new THREE.Vector2(1, 1)),
    uExtent: value(new THREE.Vector2(1, 1)),
    uOrigin: value(new THREE.Vector2(0, 0)),
    uCell: value(1),
    uTall: value(1),
    uSun: value(new THREE.Vector3(0.5, 0.3, 0.5).normalize()),
    uSunColour: value(new THREE.Vector3(4.3, 3.35, 2.15)),
    uSkyColour: value(new THREE.Vector3(0.36, 0.46, 0.62)),
    uEye: value(new THREE.Vector3()),
    uHaze: value(1500),
    uTime: value(0),
    uTable: value(-1e9),
    uSandDark: value(new THREE.Vector3()),
    uSandLight: value(new THREE.Vector3()),
    uRockDark: value(new THREE.Vector3()),
    uRockLight: value(new THREE.Vector3()),
    uPlain: value(new THREE.Vector3()),
    uPlant: value(new THREE.Vector3()),
    uSandFull: value(0.5),
    uRipples: value(1),
    uSnowLine: value(1e6),
    uWind: value(new THREE.Vector2(1, 0)),
    uGrain: value(1),
    uSea: value(-1e7),
    uBrush: value(new THREE.Vector4(0, 0, 0, 0)),
    uBrushShape: value(new THREE.Vector3(0, 0, 1)),
    uContours: value(0),
    uOverlayOn: value(0),
    uShade: value(0),
    uKeep: value(new THREE.Vector4(-1e9, -1e9, 1e9, 1e9)),
    uHole: value(new THREE.Vector4(1e9, 1e9, -1e9, -1e9)),
  };
}

export type Uniforms = ReturnType<typeof makeUniforms>;

export function applyPalette(uniforms: Uniforms, palette: Palette): void {
  uniforms.uSandDark.value.set(...palette.sandDark);
  uniforms.uSandLight.value.set(...palette.sandLight);
  uniforms.uRockDark.value.set(...palette.rockDark);
  uniforms.uRockLight.value.set(...palette.rockLight);
  uniforms.uPlain.value.set(...palette.plain);
  uniforms.uPlant.value.set(...palette.plant);
  uniforms.uRipples.value = palette === desert ? 1 : 0;
  uniforms.uSandFull.value = palette.sandFull;
}
