// SPDX-License-Identifier: MIT
// Grains of a slide on their way as lit spheres: a quad for each grain that faces the eye, on which the shader draws
// the sphere with its own depth.
import * as THREE from "three";
import { skyCode, uniformsCode } from "./glsl.ts";
import { noShade, type Uniforms } from "./uniforms.ts";

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

// The shade of each grain on the ground: the sphere seen from the sun, laid on the plane. Drawn into a map of its own, in
// which the darkest counts, since shades that overlap are no darker than one.
const shadeVertex = /* glsl */ `
${uniformsCode}
attribute vec4 aGrain;
varying vec2 vCorner;
void main() {
  vec2 middle = vec2(aGrain.x, uExtent.y - aGrain.y);
  float ground = textureLod(uSurface, middle / uExtent, 0.0).r * uTall;
  float up = max(uSun.y, 0.12);
  vec2 away = -uSun.xz / max(length(uSun.xz), 1e-3);
  float height = max(aGrain.z * uTall - ground, 0.0);
  vec2 centre = middle + away * min(height * length(uSun.xz) / up, 12.0 * aGrain.w);
  vec2 across = vec2(-away.y, away.x);
  vCorner = position.xy * 1.3;
  vec2 place = centre + aGrain.w * (across * vCorner.x + away * vCorner.y / up);
  gl_Position = vec4(place / uExtent * 2.0 - 1.0, 0.0, 1.0);
}`;

const shadeFragment = /* glsl */ `
precision highp float;
varying vec2 vCorner;
void main() {
  gl_FragColor = vec4(vec3(smoothstep(0.72, 1.25, length(vCorner))), 1.0);
}`;

/** The map of the shades of all grains: 1 where the sun is not hidden by one. */
class Shade {
  readonly target: THREE.WebGLRenderTarget;
  private readonly scene = new THREE.Scene();
  private readonly camera = new THREE.Camera();

  constructor(uniforms: Uniforms, geometry: THREE.BufferGeometry, size: number) {
    this.target = new THREE.WebGLRenderTarget(size, size, { depthBuffer: false });
    const { uGrainShade: _own, ...others } = uniforms as unknown as Record<string, THREE.IUniform>;
    const material = new THREE.ShaderMaterial({
      uniforms: others, vertexShader: shadeVertex, fragmentShader: shadeFragment, depthTest: false, depthWrite: false, side: THREE.DoubleSide,
      transparent: true, blending: THREE.CustomBlending, blendEquation: THREE.MinEquation, blendSrc: THREE.OneFactor, blendDst: THREE.OneFactor,
    });
    const mesh = new THREE.Mesh(geometry, material);
    mesh.frustumCulled = false;
    this.scene.add(mesh);
  }

  draw(renderer: THREE.WebGLRenderer): void {
    const before = renderer.getRenderTarget();
    const colour = renderer.getClearColor(new THREE.Color());
    const alpha = renderer.getClearAlpha();
    renderer.setRenderTarget(this.target);
    renderer.setClearColor(0xffffff, 1);
    renderer.clear();
    renderer.render(this.scene, this.camera);
    renderer.setClearColor(colour, alpha);
    renderer.setRenderTarget(before);
  }
}

export class Grains {
  readonly mesh: THREE.Mesh;
  private readonly geometry = new THREE.InstancedBufferGeometry();
  private readonly shade: Shade;
  private isOld = false;

  /** `finest`: texels of a side of the map of their shades. */
  constructor(private readonly uniforms: Uniforms, finest: number) {
    const corners = new Float32Array([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]);
    this.geometry.setAttribute("position", new THREE.BufferAttribute(corners, 3));
    this.geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const material = new THREE.ShaderMaterial({ uniforms, vertexShader: vertex, fragmentShader: fragment });
    this.mesh = new THREE.Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.visible = false;
    this.shade = new Shade(uniforms, this.geometry, finest);
  }

  /** Before a frame: draw the shades if grains or the sun have moved. */
  drawShade(renderer: THREE.WebGLRenderer, sunMoved: boolean): void {
    this.uniforms.uGrainShade.value = this.mesh.visible ? this.shade.target.texture : noShade;
    if (!this.mesh.visible || (!this.isOld && !sunMoved)) return;
    this.isOld = false;
    this.shade.draw(renderer);
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
    this.isOld = true;
  }
}
