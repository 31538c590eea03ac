// SPDX-License-Identifier: MIT
// The view of the land: owns the renderer, the textures and the frame loop.
import * as THREE from "three";
import type { Land } from "../land/land.ts";
import { OrbitCamera } from "./camera.ts";
import { viridisTexture } from "./colours.ts";
import { Detail } from "./detail.ts";
import { Grains } from "./grains.ts";
import { LightMap } from "./light.ts";
import { makeNoise } from "./noise.ts";
import { type Place, pick } from "./pick.ts";
import { floorOf, makeSides } from "./sides.ts";
import { Sky } from "./sky.ts";
import { makeTileMesh, terrainShaders } from "./terrain.ts";
import { LandTextures, type Rectangle } from "./textures.ts";
import { applyPalette, makeUniforms, type Uniforms } from "./uniforms.ts";
import { waterShaders } from "./water.ts";
import { desert, type Palette } from "./palette.ts";

const rad = Math.PI / 180;
const LATE = 90; // ms between frames above which a software renderer draws fewer pixels
const REST = 500; // ms without motion after which it draws all of them
const COARSEST = 0.4; // of the pixels of a side

export class View {
  readonly uniforms: Uniforms;
  readonly camera = new OrbitCamera();
  readonly renderer: THREE.WebGLRenderer;
  readonly isSoftware: boolean;
  onFrame: (seconds: number) => void = () => {};
  frames = 0;

  private land: Land | null = null;
  private textures: LandTextures | null = null;
  private light: LightMap | null = null;
  private readonly scene = new THREE.Scene();
  private readonly content = new THREE.Group();
  private detail: Detail | null = null;
  private waterMesh: THREE.Group | null = null;
  private grains: Grains | null = null;
  private lightIsOld = true;
  private lightDrawn = 0;
  private needsFrame = true;
  private last = 0;
  private drawnLast = false;
  private moved = 0; // ms, when something changed last
  private coarse = 1; // share of the pixels of a side while something changes
  private share = 1; // the present one

  constructor(private readonly canvas: HTMLCanvasElement) {
    const gl = canvas.getContext("webgl2", { antialias: !guessSoftware(), powerPreference: "high-performance" });
    if (!gl) throw new Error("this browser has no WebGL 2");
    this.isSoftware = guessSoftware(gl);
    this.renderer = new THREE.WebGLRenderer({ canvas, context: gl });
    this.renderer.toneMapping = THREE.NoToneMapping;
    this.renderer.outputColorSpace = THREE.LinearSRGBColorSpace;
    gl.getExtension("OES_texture_float_linear");
    this.uniforms = makeUniforms(makeNoise(), viridisTexture());
    applyPalette(this.uniforms, desert);
    this.scene.add(new Sky(this.uniforms).mesh, this.content);
    this.setSun(7.4, 0);
    requestAnimationFrame((now) => this.frame(now));
  }

  setLand(land: Land): void {
    this.textures?.dispose();
    this.light?.dispose();
    this.detail?.dispose();
    this.detail = null;
    this.setGrains(new Float32Array());
    this.content.clear();
    this.land = land;
    const { shape } = land;
    const u = this.uniforms;
    this.textures = new LandTextures(this.renderer, land);
    this.light = new LightMap(u, shape, this.isSoftware ? 256 : 1024);
    u.uSurface.value = this.textures.surface;
    u.uMatter.value = this.textures.matter;
    u.uWater.value = this.textures.water;
    u.uLight.value = this.light.target.texture;
    u.uOverlayOn.value = 0;
    u.uGrid.value.set(shape.width, shape.height);
    u.uExtent.value.set(land.extentX, land.extentZ);
    u.uCell.value = shape.cell;
    u.uGrain.value = Math.max(1, shape.cell / 2);
    u.uHaze.value = Math.max(shape.wrapX ? 1500 : 4000, Math.max(land.extentX, land.extentZ) * (shape.wrapX ? 3 : 9));
    const fineness = this.isSoftware
      ? { quads: 256, rings: [96, 48, 32] }
      : { quads: 512, rings: [256, 128, 64] };
    this.content.add(makeTileMesh(u, shape, fineness, terrainShaders));
    const coarse = Math.max(shape.width, shape.height) / fineness.quads;
    if (coarse > 1) {
      this.detail = new Detail(u, land, coarse, fineness.quads / 2);
      this.detail.water.visible = false;
      this.content.add(this.detail.group, this.detail.water);
    }
    this.waterMesh = makeTileMesh(u, shape, { quads: 512, rings: [128, 48] }, waterShaders);
    for (const mesh of this.waterMesh.children as THREE.Mesh[]) {
      (mesh.material as THREE.ShaderMaterial).transparent = true;
      mesh.renderOrder = 20;
    }
    this.waterMesh.visible = false;
    this.content.add(this.waterMesh);
    this.lightIsOld = true;
    this.needsFrame = true;
  }

  /** Once the first tiles are in: the sides reach below the lowest ground, and the camera fits. */
  settle(): void {
    if (!this.land) return;
    const { wrapX, wrapY } = this.land.shape;
    this.uniforms.uTable.value = wrapX && wrapY ? -1e9 : floorOf(this.land);
    if (!wrapX || !wrapY) this.content.add(makeSides(this.uniforms, this.land));
    this.lookHome();
  }

  /** Show all of the land. */
  lookHome(): void {
    const land = this.land;
    if (!land) return;
    const extent = Math.max(land.extentX, land.extentZ);
    const isEndless = land.shape.wrapX && land.shape.wrapY;
    const x = land.extentX / 2;
    const z = land.extentZ / 2;
    const tall = this.uniforms.uTall.value;
    const pose = this.camera.isPlan
      ? { x, z, y: land.heightAt(x, z) * tall, distance: 1.36 * extent, azimuth: 0, elevation: 89 }
      : isEndless
      ? { x, z, y: land.heightAt(x, z) * tall, distance: extent * 0.6, azimuth: 4, elevation: 15 }
      : { x, z, y: land.heightAt(x, z) * tall, distance: extent * 1.45, azimuth: 28, elevation: 27 };
    this.camera.frame(pose, extent);
    this.redraw();
  }

  /** Cells of a rectangle have changed. */
  touch(rectangle: Rectangle, hasWater: boolean): void {
    this.textures?.touch(rectangle);
    if (hasWater) this.showWater();
    this.needsFrame = true;
  }

  /** Grains on their way; none: the slide is over. */
  setGrains(grains: Float32Array): void {
    if (!this.grains && grains.length > 0) this.scene.add((this.grains = new Grains(this.uniforms, this.isSoftware ? 512 : 2048)).mesh);
    this.grains?.set(grains);
    this.redraw();
  }

  private showWater(): void {
    if (this.waterMesh) this.waterMesh.visible = true;
    if (this.detail) this.detail.water.visible = true;
  }

  setSea(level: number | null): void {
    this.uniforms.uSea.value = level ?? -1e7;
    if (level !== null) this.showWater();
    this.redraw();
  }

  setPalette(palette: Palette): void {
    applyPalette(this.uniforms, palette);
    this.redraw();
  }

  /** Sun by the hour, 6 to 18, over a land at about 30 degrees of latitude; turned by an angle. */
  setSun(hour: number, turn: number): void {
    const t = ((hour - 12) / 6) * 90 * rad;
    const tilt = 35 * rad;
    const south = Math.cos(t) * Math.sin(tilt);
    const up = Math.cos(t) * Math.cos(tilt);
    const east = -Math.sin(t);
    const a = turn * rad;
    const sun = this.uniforms.uSun.value.set(
      east * Math.cos(a) - south * Math.sin(a),
      Math.max(up, 0.03),
      east * Math.sin(a) + south * Math.cos(a),
    );
    sun.normalize();
    const high = Math.min(1, Math.max(0, (sun.y - 0.05) / 0.6));
    const strength = 4.3 * Math.min(1, sun.y * 7 + 0.1);
    this.uniforms.uSunColour.value.set(strength, strength * (0.74 + 0.2 * high), strength * (0.44 + 0.42 * high));
    const sky = 0.86 * Math.min(1, 0.35 + sun.y * 2.4);
    this.uniforms.uSkyColour.value.set(0.42 * sky, 0.53 * sky, 0.72 * sky);
    this.lightIsOld = true;
    this.needsFrame = true;
  }

  setTall(factor: number): void {
    this.uniforms.uTall.value = factor;
    this.lightIsOld = true;
    this.lookHome();
  }

  setOverlay(texture: THREE.Texture | null, opacity: number): void {
    this.uniforms.uOverlay.value = texture;
    this.uniforms.uOverlayOn.value = texture ? opacity : 0;
    this.redraw();
  }

  redraw(): void {
    this.needsFrame = true;
  }

  pickAt(clientX: number, clientY: number): Place | null {
    if (!this.land) return null;
    const box = this.canvas.getBoundingClientRect();
    const x = ((clientX - box.left) / box.width) * 2 - 1;
    const y = 1 - ((clientY - box.top) / box.height) * 2;
    return pick(this.land, this.camera.active, x, y, this.uniforms.uTall.value);
  }

  resize(): void {
    const ratio = this.isSoftware ? this.share * Math.min(1, devicePixelRatio) : Math.min(2, devicePixelRatio);
    const width = Math.max(1, this.canvas.clientWidth);
    const height = Math.max(1, this.canvas.clientHeight);
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(width, height, false);
    this.camera.setAspect(width / height);
    this.needsFrame = true;
  }

  /** Draw now, and keep what was drawn for a picture. */
  drawNow(): void {
    this.moveCamera(0);
    this.draw(performance.now(), true);
  }

  private frame(now: number): void {
    requestAnimationFrame((next) => this.frame(next));
    const gap = now - this.last;
    const seconds = Math.min(0.1, gap / 1000);
    this.last = now;
    this.onFrame(seconds);
    if (!this.land) return;
    const moved = this.moveCamera(seconds);
    const flows = !this.isSoftware && this.waterMesh?.visible === true;
    const draws = moved || this.needsFrame || flows;
    if (this.isSoftware) this.adapt(now, gap, draws);
    this.drawnLast = draws;
    if (draws || this.needsFrame) this.draw(now, false);
  }

  // A software renderer is slow by the pixel: fewer of them while something changes.
  private adapt(now: number, gap: number, draws: boolean): void {
    if (this.drawnLast && gap > LATE) this.coarse = Math.max(COARSEST, this.coarse * 0.7);
    if (draws) this.moved = now;
    const share = now - this.moved < REST ? this.coarse : 1;
    if (share === this.share) return;
    this.share = share;
    this.resize();
  }

  private moveCamera(seconds: number): boolean {
    const land = this.land;
    const tall = this.uniforms.uTall.value;
    return this.camera.update(seconds, (x, z) => (land?.isInside(x, z) ? land.heightAt(x, z) * tall : NaN));
  }

  private draw(now: number, isPicture: boolean): void {
    const land = this.land;
    if (!land || !this.textures) return;
    this.needsFrame = false;
    if (this.textures.flush()) this.lightIsOld = true;
    const wait = this.isSoftware ? 400 : 0;
    if (this.lightIsOld && (isPicture || now - this.lightDrawn >= wait)) {
      this.light?.draw(this.renderer);
      this.lightIsOld = false;
      this.lightDrawn = now;
    } else if (this.lightIsOld) this.needsFrame = true;
    this.grains?.drawShade(this.renderer, !this.lightIsOld && this.lightDrawn === now);
    const u = this.uniforms;
    const { pose } = this.camera;
    u.uOrigin.value.set(
      land.shape.wrapX ? Math.floor(pose.x / land.extentX) * land.extentX : 0,
      land.shape.wrapY ? Math.floor(pose.z / land.extentZ) * land.extentZ : 0,
    );
    u.uEye.value.copy(this.camera.isPlan ? this.camera.flat.position : this.camera.perspective.position);
    if (this.camera.isPlan) u.uEye.value.y = pose.distance + land.range()[1];
    this.detail?.follow(pose, u.uEye.value);
    u.uTime.value = now / 1000;
    this.renderer.render(this.scene, this.camera.active);
    this.frames++;
  }
}

function guessSoftware(gl?: WebGL2RenderingContext): boolean {
  const probe = gl ?? document.createElement("canvas").getContext("webgl2");
  if (!probe) return true;
  const info = probe.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(probe.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}
