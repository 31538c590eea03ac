// SPDX-License-Identifier: MIT
// The ground as textures. A changed rectangle is uploaded alone; three.js would send all of it.
import * as THREE from "three";
import type { Land } from "../land/land.ts";

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

function makeTexture(land: Land, data: Float32Array | Uint8Array, isFloat: boolean): THREE.DataTexture {
  const { width, height, wrapX, wrapY } = land.shape;
  const texture = new THREE.DataTexture(
    data,
    width,
    height,
    isFloat ? THREE.RedFormat : THREE.RGBAFormat,
    isFloat ? THREE.FloatType : THREE.UnsignedByteType,
  );
  texture.wrapS = wrapX ? THREE.RepeatWrapping : THREE.ClampToEdgeWrapping;
  texture.wrapT = wrapY ? THREE.RepeatWrapping : THREE.ClampToEdgeWrapping;
  texture.minFilter = texture.magFilter = THREE.LinearFilter;
  texture.generateMipmaps = false;
  texture.unpackAlignment = 1;
  texture.needsUpdate = true;
  return texture;
}

export class LandTextures {
  readonly surface: THREE.DataTexture;
  readonly matter: THREE.DataTexture;
  readonly water: THREE.DataTexture;
  private dirty: Rectangle[] = [];

  constructor(
    private readonly renderer: THREE.WebGLRenderer,
    private readonly land: Land,
  ) {
    this.surface = makeTexture(land, land.surface, true);
    this.matter = makeTexture(land, land.matter, false);
    this.water = makeTexture(land, land.water, true);
  }

  touch(rectangle: Rectangle): void {
    this.dirty.push(rectangle);
  }

  /** Upload what changed. Returns whether anything did. */
  flush(): boolean {
    if (this.dirty.length === 0) return false;
    const { width, height } = this.land.shape;
    const cells = this.dirty.reduce((sum, r) => sum + r.width * r.height, 0);
    const rectangles = cells > 0.75 * width * height ? [{ x: 0, y: 0, width, height }] : this.dirty;
    this.send(this.surface, this.land.surface, rectangles);
    this.send(this.water, this.land.water, rectangles);
    this.send(this.matter, this.land.matter, rectangles);
    this.dirty = [];
    return true;
  }

  dispose(): void {
    this.surface.dispose();
    this.matter.dispose();
    this.water.dispose();
  }

  private send(texture: THREE.DataTexture, data: Float32Array | Uint8Array, parts: Rectangle[]): void {
    const gl = this.renderer.getContext() as WebGL2RenderingContext;
    const handle = (this.renderer.properties.get(texture) as { __webglTexture?: WebGLTexture }).__webglTexture;
    if (!handle) {
      texture.needsUpdate = true;
      return;
    }
    const isFloat = data instanceof Float32Array;
    const format = isFloat ? gl.RED : gl.RGBA;
    this.renderer.state.activeTexture(gl.TEXTURE0);
    this.renderer.state.bindTexture(gl.TEXTURE_2D, handle);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, false);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, this.land.shape.width);
    for (const part of parts) {
      gl.pixelStorei(gl.UNPACK_SKIP_PIXELS, part.x);
      gl.pixelStorei(gl.UNPACK_SKIP_ROWS, part.y);
      const type = isFloat ? gl.FLOAT : gl.UNSIGNED_BYTE;
      gl.texSubImage2D(gl.TEXTURE_2D, 0, part.x, part.y, part.width, part.height, format, type, data);
    }
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, 0);
    gl.pixelStorei(gl.UNPACK_SKIP_PIXELS, 0);
    gl.pixelStorei(gl.UNPACK_SKIP_ROWS, 0);
    this.renderer.state.unbindTexture();
  }
}
