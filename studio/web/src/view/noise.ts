// SPDX-License-Identifier: MIT
// A tile of noise for the shaders: value, its two slopes, and a second value. Decoration only.
import * as THREE from "three";

const SIZE = 256;

function lattice(period: number, seed: number): Float32Array {
  const values = new Float32Array(period * period);
  let state = seed >>> 0;
  for (let i = 0; i < values.length; ++i) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    values[i] = state / 4294967296;
  }
  return values;
}

function addOctave(out: Float32Array, period: number, weight: number, seed: number): void {
  const values = lattice(period, seed);
  for (let y = 0; y < SIZE; ++y) {
    const fy = (y * period) / SIZE;
    const j = Math.floor(fy);
    const v = (fy - j) * (fy - j) * (3 - 2 * (fy - j));
    const rowA = j * period;
    const rowB = ((j + 1) % period) * period;
    for (let x = 0; x < SIZE; ++x) {
      const fx = (x * period) / SIZE;
      const i = Math.floor(fx);
      const u = (fx - i) * (fx - i) * (3 - 2 * (fx - i));
      const k = (i + 1) % period;
      const a = values[rowA + i] * (1 - u) + values[rowA + k] * u;
      const b = values[rowB + i] * (1 - u) + values[rowB + k] * u;
      out[y * SIZE + x] += weight * (a * (1 - v) + b * v);
    }
  }
}

function fractal(first: number, octaves: number, seed: number): Float32Array {
  const out = new Float32Array(SIZE * SIZE);
  let weight = 0.5;
  for (let k = 0; k < octaves; ++k, weight *= 0.55) addOctave(out, first << k, weight, seed + 977 * k);
  let low = Infinity;
  let high = -Infinity;
  for (const n of out) {
    low = Math.min(low, n);
    high = Math.max(high, n);
  }
  return out.map((n) => (n - low) / (high - low));
}

function slopeByte(slope: number): number {
  return Math.max(0, Math.min(255, Math.round(127.5 + 127.5 * slope * 8)));
}

export function makeNoise(): THREE.DataTexture {
  const rough = fractal(8, 5, 12345);
  const fine = fractal(32, 3, 777);
  const data = new Uint8Array(4 * SIZE * SIZE);
  const at = (x: number, y: number): number => rough[(y & (SIZE - 1)) * SIZE + (x & (SIZE - 1))];
  for (let y = 0; y < SIZE; ++y) {
    for (let x = 0; x < SIZE; ++x) {
      const i = y * SIZE + x;
      data[4 * i] = Math.round(255 * rough[i]);
      data[4 * i + 1] = slopeByte(at(x + 1, y) - at(x - 1, y));
      data[4 * i + 2] = slopeByte(at(x, y + 1) - at(x, y - 1));
      data[4 * i + 3] = Math.round(255 * fine[i]);
    }
  }
  const texture = new THREE.DataTexture(data, SIZE, SIZE, THREE.RGBAFormat);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.minFilter = THREE.LinearMipmapLinearFilter;
  texture.magFilter = THREE.LinearFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}
