// SPDX-License-Identifier: MIT
// The light map: how much of the sun and of the sky each cell sees. Drawn anew when heights or the
// sun change.
import * as THREE from "three";
import { uniformsCode } from "./glsl.ts";
import type { Uniforms } from "./uniforms.ts";

const fragment = /* glsl */ `
${uniformsCode}
varying vec2 vUv;
float heightOf(vec2 uv) { return textureLod(uSurface, uv, 0.0).r * uTall; }
float sunSeen(float h0) {
  vec2 step_ = uSun.xz / max(length(uSun.xz), 1e-3) / uExtent;
  float rise = uSun.y / max(length(uSun.xz), 1e-3);
  float open = 1.0;
  float s = 0.9;
  for (int k = 0; k < 24; ++k) {
    float metres = s * uCell;
    float above = heightOf(vUv + step_ * metres) - h0 - metres * rise;
    open = min(open, 1.0 - above / (0.35 * uCell + 0.045 * metres));
    s += 0.2 * s + 0.45;
  }
  return clamp(open, 0.0, 1.0) * smoothstep(-0.03, 0.03, uSun.y);
}
float skySeen(float h0) {
  float sum = 0.0;
  for (int k = 0; k < 6; ++k) {
    float angle = float(k) * 1.0471976 + 0.4;
    vec2 dir = vec2(cos(angle), sin(angle));
    float m = 0.0;
    float r = 1.5;
    for (int i = 0; i < 4; ++i) {
      m = max(m, (heightOf(vUv + dir * r / uGrid) - h0) / (r * uCell));
      r *= 2.6;
    }
    sum += 1.0 - m / sqrt(1.0 + m * m);
  }
  return sum / 6.0;
}
void main() {
  float h0 = heightOf(vUv);
  gl_FragColor = vec4(sunSeen(h0), skySeen(h0), 0.0, 1.0);
}`;

const vertex = /* glsl */ `
varying vec2 vUv;
void main() { vUv = position.xy * 0.5 + 0.5; gl_Position = vec4(position.xy, 0.0, 1.0); }`;

export class LightMap {
  readonly target: THREE.WebGLRenderTarget;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.Camera();
  private readonly material: THREE.ShaderMaterial;

  constructor(
    uniforms: Uniforms,
    shape: { width: number; height: number; wrapX: boolean; wrapY: boolean },
    finest: number,
  ) {
    const scale = Math.min(1, finest / Math.max(shape.width, shape.height));
    this.target = new THREE.WebGLRenderTarget(Math.round(shape.width * scale), Math.round(shape.height * scale), {
      depthBuffer: false,
      wrapS: shape.wrapX ? THREE.RepeatWrapping : THREE.ClampToEdgeWrapping,
      wrapT: shape.wrapY ? THREE.RepeatWrapping : THREE.ClampToEdgeWrapping,
    });
    const { uLight: _own, ...others } = uniforms as unknown as Record<string, THREE.IUniform>;
    this.material = new THREE.ShaderMaterial({ uniforms: others, vertexShader: vertex, fragmentShader: fragment });
    const triangle = new THREE.BufferGeometry();
    triangle.setAttribute("position", new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    const mesh = new THREE.Mesh(triangle, this.material);
    mesh.frustumCulled = false;
    this.scene.add(mesh);
  }

  draw(renderer: THREE.WebGLRenderer): void {
    const before = renderer.getRenderTarget();
    renderer.setRenderTarget(this.target);
    renderer.render(this.scene, this.camera);
    renderer.setRenderTarget(before);
  }

  dispose(): void {
    this.target.dispose();
    this.material.dispose();
  }
}
