// SPDX-License-Identifier: MIT
// Heights and masks as PNG of 16 bits, made from the engine's float rows.

export interface Range {
  min: number;
  max: number;
}

export async function makePng16(values: Float32Array, width: number, height: number): Promise<Range & { bytes: Uint8Array }> {
  const { encode } = await import("fast-png");
  let min = Infinity;
  let max = -Infinity;
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
  }
  const span = max - min || 1;
  const data = Uint16Array.from(values, (v) => (Number.isFinite(v) ? Math.round(((v - min) / span) * 65535) : 0));
  return { min, max, bytes: encode({ width, height, data, depth: 16, channels: 1 }) as Uint8Array };
}
