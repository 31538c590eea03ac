// SPDX-License-Identifier: MIT
// The sky behind the land.
import * as THREE from "three";
import { skyCode, uniformsCode } from "./glsl.ts";
import type { Uniforms } from "./uniforms.ts";

const vertex = /* glsl */ `
varying vec3 vRay;
varying vec3 vFrom;
uniform mat4 uBack;
void main() {
  vec4 far = uBack * vec4(position.xy, 1.0, 1.0);
  vec4 near = uBack * vec4(position.xy, -1.0, 1.0);
  vFrom = near.xyz / near.w;
  vRay = far.xyz / far.w - vFrom;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}`;

const fragment = /* glsl */ `
${uniformsCode}
varying vec3 vRay;
varying vec3 vFrom;
uniform float uTable;        // m, of the ground around a cut land; below -1e8: none
uniform vec3 uPlain;
${skyCode}
// The ground around a cut land is decoration: a plain with the land's shade on it.
vec3 tableAt(vec3 place) {
  vec2 half_ = 0.5 * uExtent;
  float size = max(uExtent.x, uExtent.y);
  float gap = length(max(abs(place.xz - half_) - half_, 0.0)) / size;
  vec2 leeward = place.xz + uSun.xz / max(uSun.y, 0.2) * 0.05 * size;
  float shaded = length(max(abs(leeward - half_) - half_, 0.0)) / size;
  float broad = texture(uNoise, place.xz / (size * 1.7)).r;
  float close = texture(uNoise, place.xz / (size * 0.23)).r;
  vec3 colour = mix(uPlain, vec3(dot(uPlain, vec3(0.333))), 0.5) * (0.52 + 0.30 * broad + 0.14 * close);
  float sun = max(uSun.y, 0.0) * (1.0 - 0.85 * exp(-shaded * 60.0));
  float sky = 1.0 - 0.55 * exp(-gap * 22.0);
  return hazed(colour * (uSunColour * sun + uSkyColour * sky), place);
}
void main() {
  if (uTable > -1e8 && vRay.y < -1e-4 * length(vRay) && vFrom.y > uTable * uTall) {
    vec3 place = vFrom + vRay * ((uTable * uTall - vFrom.y) / vRay.y);
    gl_FragColor = vec4(display(tableAt(place)), 1.0);
    return;
  }
  vec3 ray = normalize(vRay);
  vec4 cloud = texture(uNoise, ray.xz / (abs(ray.y) + 0.22) * 0.09 + uTime * 0.0004);
  vec4 wisp = texture(uNoise, ray.xz / (abs(ray.y) + 0.22) * 0.31 - uTime * 0.0007);
  float veil = smoothstep(0.52, 0.95, cloud.r * 0.75 + wisp.r * 0.3) * smoothstep(0.02, 0.3, ray.y);
  vec3 colour = skyOf(vec3(ray.x, max(ray.y, 0.015), ray.z));
  colour = mix(colour, (uSunColour * 0.17 + uSkyColour * 0.5), veil * 0.55);
  gl_FragColor = vec4(display(colour), 1.0);
}`;

export class Sky {
  readonly mesh: THREE.Mesh;
  private readonly back = new THREE.Matrix4();

  constructor(uniforms: Uniforms) {
    const triangle = new THREE.BufferGeometry();
    triangle.setAttribute("position", new THREE.BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    const material = new THREE.ShaderMaterial({
      uniforms: { ...(uniforms as unknown as Record<string, THREE.IUniform>), uBack: { value: this.back } },
      vertexShader: vertex,
      fragmentShader: fragment,
      depthWrite: false,
      depthTest: true,
      depthFunc: THREE.LessEqualDepth,
    });
    this.mesh = new THREE.Mesh(triangle, material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 10;
    this.mesh.onBeforeRender = (_r, _s, camera) => {
      this.back.multiplyMatrices(camera.matrixWorld, camera.projectionMatrixInverse);
    };
  }
}
