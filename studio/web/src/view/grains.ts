// SPDX-License-Identifier: MIT
// Grains of a slide on their way as lit spheres: a quad for each grain that faces the eye, on which the shader draws
// the sphere with its own depth.
import * as THREE from "three";
import { skyCode, uniformsCode } from "./glsl.ts";
import type { Uniforms } from "./uniforms.ts";

const vertex = /* glsl */ `
${uniformsCode}
attribute vec4 aGrain;  // m from the south-west corner, height, radius
varying vec2 vCorner;
varying vec3 vMiddle;   // in the eye's frame
varying vec3 vPlace;
varying float vRadius;
varying vec2 vUv;
varying float vTone;
void main() {
  vPlace = vec3(aGrain.x, aGrain.z * uTall, uExtent.y - aGrain.y);
  vUv = vPlace.xz / uExtent;
  vCorner = position.xy;
  vRadius = aGrain.w;
  vTone = fract(sin(float(gl_InstanceID) * 12.9898) * 43758.5453);
  vMiddle = (viewMatrix * vec4(vPlace, 1.0)).xyz;
  gl_Position = projectionMatrix * vec4(vMiddle + vec3(position.xy, 0.0) * vRadius, 1.0);
}`;

const fragment = /* glsl */ `
${uniformsCode}
uniform vec3 uSandDark, uSandLight, uRockLight;
uniform mat4 projectionMatrix;
varying vec2 vCorner;
varying vec3 vMiddle;
varying vec3 vPlace;
varying float vRadius;
varying vec2 vUv;
varying float vTone;
${skyCode}
void main() {
  float rim = dot(vCorner, vCorner);
  if (rim > 1.0) discard;
  vec3 bulge = vec3(vCorner, sqrt(1.0 - rim));
  vec4 clip = projectionMatrix * vec4(vMiddle + bulge * vRadius, 1.0);
  gl_FragDepth = 0.5 * clip.z / clip.w + 0.5;
  vec3 normal = bulge * mat3(viewMatrix);
  vec4 light = texture(uLight, vUv);
  vec3 colour = mix(mix(uSandDark, uSandLight, vTone), uRockLight, 0.35 * fract(vTone * 7.0)) * (0.75 + 0.4 * vTone);
  vec3 lit = uSunColour * max(dot(normal, uSun), 0.0) * mix(0.35, 1.0, light.r);
  lit += uSkyColour * (0.55 + 0.45 * normal.y);
  lit += vec3(0.34, 0.27, 0.20) * (0.45 - 0.25 * normal.y);
  gl_FragColor = vec4(display(hazed(colour * lit, vPlace + normal * vRadius)), 1.0);
}`;

export class Grains {
  readonly mesh: THREE.Mesh;
  private readonly geometry = new THREE.InstancedBufferGeometry();

  constructor(uniforms: Uniforms) {
    const corners = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
    this.geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const material = new THREE.ShaderMaterial({ uniforms, vertexShader: vertex, fragmentShader: fragment });
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
  }

  /** Four numbers a grain: east and north of the south-west corner, height, radius [m]. */
  set(grains: Float32Array): void {
    const known = this.geometry.getAttribute("aGrain") as THREE.InstancedBufferAttribute | undefined;
    if (known && known.array.length >= grains.length) {
      known.array.set(grains);
      known.needsUpdate = true;
    } else {
      // the former buffer is freed with the geometry
      this.geometry.dispose();
      const attribute = new THREE.InstancedBufferAttribute(grains.slice(), 4);
      attribute.setUsage(THREE.DynamicDrawUsage);
      this.geometry.setAttribute("aGrain", attribute);
    }
    this.geometry.instanceCount = grains.length / 4;
    this.mesh.visible = grains.length > 0;
  }
}
