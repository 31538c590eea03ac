// SPDX-License-Identifier: MIT
// The sky behind the land.
import * as THREE from "three";
import { skyCode, uniformsCode } from "./glsl.ts";
import type { Uniforms } from "./uniforms.ts";

const vertex = /* glsl */ `
varying vec3 vRay;
uniform mat4 uBack;
void main() {
  vec4 far = uBack * vec4(position.xy, 1.0, 1.0);
  vRay = far.xyz / far.w - cameraPosition;
  gl_Position = vec4(position.xy, 1.0, 1.0);
}`;

const fragment = /* glsl */ `
${uniformsCode}
varying vec3 vRay;
${skyCode}
void main() {
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
