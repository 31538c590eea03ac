// SPDX-License-Identifier: MIT
// Reads height maps that are dropped on the page: PNG of 8 or 16 bits, GeoTIFF, ASC, R16 and R32.

export interface Grid {
  width: number;
  height: number;
  values: Float32Array; // rows from the north; NaN: no data
  cell: number | null; // m, where the file says it
  isMetres: boolean; // false: codes that need a scale
}

export async function readGrid(file: File): Promise<Grid> {
  const ending = file.name.toLowerCase().split(".").pop() ?? "";
  const bytes = await file.arrayBuffer();
  if (ending === "png") return readPng(bytes);
  if (ending === "tif" || ending === "tiff") return readTiff(bytes);
  if (ending === "asc") return readAsc(new TextDecoder().decode(bytes));
  if (ending === "r16" || ending === "raw") return readRaw(Float32Array.from(new Uint16Array(bytes)), false);
  if (ending === "r32") return readRaw(new Float32Array(bytes), true);
  throw new Error(`'${file.name}' is not a height map that the page reads: PNG, GeoTIFF, ASC, R16 or R32`);
}

async function readPng(bytes: ArrayBuffer): Promise<Grid> {
  const { decode } = await import("fast-png");
  const { width, height, data, channels } = decode(new Uint8Array(bytes));
  const values = Float32Array.from({ length: width * height }, (_, i) => data[i * channels]);
  return { width, height, values, cell: null, isMetres: false };
}

async function readTiff(bytes: ArrayBuffer): Promise<Grid> {
  const { fromArrayBuffer } = await import("geotiff");
  const image = await (await fromArrayBuffer(bytes)).getImage();
  const [band] = (await image.readRasters({ samples: [0] })) as unknown as [ArrayLike<number>];
  const none = image.getGDALNoData();
  const values = Float32Array.from(band, (v) => (v === none ? NaN : v));
  const geographic = image.getGeoKeys()?.GTModelTypeGeoKey === 2;
  let cell: number | null = null;
  try {
    cell = Math.abs(image.getResolution()[0]);
    if (geographic) cell *= 111195 * Math.cos(((image.getBoundingBox()[1] + image.getBoundingBox()[3]) / 2) * (Math.PI / 180));
  } catch {
    // a plain TIFF has no place on the earth
  }
  return { width: image.getWidth(), height: image.getHeight(), values, cell, isMetres: true };
}

function readAsc(text: string): Grid {
  const words = text.split(/\s+/).filter(Boolean);
  const head: Record<string, number> = {};
  let at = 0;
  while (at < words.length && /^[a-z]/i.test(words[at])) {
    head[words[at].toLowerCase()] = Number(words[at + 1]);
    at += 2;
  }
  const { ncols: width, nrows: height, cellsize } = head;
  if (!width || !height || words.length - at < width * height) throw new Error("this ASC file has no whole grid");
  const none = head.nodata_value ?? -9999;
  const values = Float32Array.from({ length: width * height }, (_, i) => {
    const value = Number(words[at + i]);
    return value === none ? NaN : value;
  });
  return { width, height, values, cell: cellsize ?? null, isMetres: true };
}

function readRaw(values: Float32Array, isMetres: boolean): Grid {
  const side = Math.sqrt(values.length);
  if (!Number.isInteger(side)) throw new Error("a raw file must be square");
  return { width: side, height: side, values, cell: null, isMetres };
}

/** Every k-th cell, so that no side has more than `most` cells. */
export function thinOut(grid: Grid, most: number): Grid {
  const step = Math.ceil(Math.max(grid.width, grid.height) / most);
  if (step <= 1) return grid;
  const width = Math.floor(grid.width / step);
  const height = Math.floor(grid.height / step);
  const values = new Float32Array(width * height);
  for (let j = 0; j < height; ++j)
    for (let i = 0; i < width; ++i) values[j * width + i] = meanOf(grid, i * step, j * step, step);
  return { ...grid, width, height, values, cell: grid.cell === null ? null : grid.cell * step };
}

function meanOf(grid: Grid, x: number, y: number, step: number): number {
  let sum = 0;
  for (let j = 0; j < step; ++j) for (let i = 0; i < step; ++i) sum += grid.values[(y + j) * grid.width + x + i];
  return sum / (step * step);
}
