// SPDX-License-Identifier: MIT
// The shaders of water: a second grid at its level, which runs on a little under the shore.
import { groundCode, reliefCode, skyCode, toolCode, uniformsCode } from "./glsl.ts";
import { patchCode } from "./terrain.ts";

const levelCode = /* glsl */ `
varying vec2 vUv;
varying vec3 vPlace;
varying float vWet;
uniform float uSea;  // m; below -1e6: none
// The level of the water at a place or beside it, and below the ground where there is none.
float waterLevel() {
  vec2 d = 1.0 / uGrid;
  float level = 0.0;
  float weight = 0.0;
  for (int j = -1; j <= 1; ++j) {
    for (int i = -1; i <= 1; ++i) {
      vec2 at = vUv + vec2(float(i), float(j)) * d;
      float depth = textureLod(uWater, at, 0.0).r;
      float w = step(0.015, depth) * (i == 0 && j == 0 ? 40.0 : 1.0);
      level += w * (textureLod(uSurface, at, 0.0).r + depth);
      weight += w;
    }
  }
  float own = textureLod(uSurface, vUv, 0.0).r;
  level = weight > 0.0 ? level / weight : own - uCell;
  if (uSea > -1e6 && uSea > own) { level = max(level, uSea); weight = 1.0; }
  vWet = min(weight, 1.0);
  return level > -1e6 ? level : 0.0;
}`;

const vertex = /* glsl */ `
${uniformsCode}
attribute vec2 aTile;
uniform vec2 uOrigin;
${levelCode}
void main() {
  vUv = position.xy;
  float level = waterLevel();
  vec2 flat_ = (vUv + aTile) * uExtent + uOrigin;
  vPlace = vec3(flat_.x, level * uTall, flat_.y);
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}`;

// A finer grid around the place that is looked at.
const patchVertex = /* glsl */ `
${uniformsCode}
${levelCode}
${patchCode}
void main() {
  vUv = patchUv();
  vPlace = vec3(vUv.x * uExtent.x, waterLevel() * uTall, vUv.y * uExtent.y);
  gl_Position = projectionMatrix * viewMatrix * vec4(vPlace, 1.0);
}`;

const fragment = /* glsl */ `
${uniformsCode}
varying vec2 vUv;
varying vec3 vPlace;
varying float vWet;
uniform vec4 uHole;  // m, west, north, east, south: a finer grid is drawn there
uniform vec4 uKeep;  // m: and this one only here, so that no water is drawn twice
bool isIn(vec4 box) { return all(greaterThan(vPlace.xz, box.xy)) && all(lessThan(vPlace.xz, box.zw)); }
${skyCode}
${reliefCode}
${groundCode}
${toolCode}
void main() {
  if (uShade > 0.5 || vWet < 0.05 || isIn(uHole) || !isIn(uKeep)) discard;
  float depth = vPlace.y / uTall - heightAt(vUv);
  if (!(depth > 0.0)) discard;
  float far = length(vPlace - uEye);
  vec2 place = vPlace.xz;
  // small waves are decoration
  vec4 wave = noiseAt(place + uTime * vec2(0.5, 0.21), 0.35);
  vec4 wave2 = noiseAt(place - uTime * vec2(0.3, 0.44), 0.8);
  vec2 tilt = ((wave.gb - 0.5) * 0.10 + (wave2.gb - 0.5) * 0.14) * (0.12 + 0.88 * exp(-far / 220.0));
  vec3 normal = normalize(vec3(-tilt.x, 1.0, -tilt.y));
  vec3 toEye = normalize(uEye - vPlace);
  vec2 bent = vUv - (toEye.xz * 0.35 + tilt) * min(depth, 2.0) / uExtent;
  Ground bed = groundAt(bent, place, far);
  vec3 under = litGround(bed, bent, vPlace) * 0.72;
  float path = depth * (1.0 + 0.6 / max(toEye.y, 0.15));
  vec3 through = exp(-path * vec3(0.9, 0.35, 0.22) * 0.8);
  vec3 body = vec3(0.035, 0.105, 0.115) * (0.25 + 2.2 * max(uSun.y, 0.0));
  vec3 colour = mix(body, under, through);
  float fresnel = 0.02 + 0.98 * pow(1.0 - max(dot(normal, toEye), 0.0), 5.0);
  vec3 mirror = reflect(-toEye, normal);
  vec3 sky = skyOf(normalize(vec3(mirror.x, abs(mirror.y) + 0.02, mirror.z)));
  float shine = pow(max(dot(mirror, uSun), 0.0), 220.0) * texture(uLight, vUv).r;
  colour = mix(colour, sky, fresnel) + uSunColour * shine * 1.2;
  // a thin bright line where water meets land
  float shore = (1.0 - smoothstep(0.0, 0.10 * max(1.0, uGrain), depth)) * smoothstep(0.35, 0.7, wave.r);
  colour = mix(colour, vec3(0.75), shore * 0.25);
  float cover = smoothstep(0.0, 0.04 * max(1.0, uGrain * 0.5), depth);
  vec3 shown = display(hazed(colour, vPlace));
  if (uOverlayOn > 0.0) {
    float value = texture(uOverlay, vUv).r;
    vec3 paint = texture(uColours, vec2(clamp(value, 0.002, 0.998), 0.5)).rgb;
    shown = mix(shown, paint, uOverlayOn * step(-0.001, value));
  }
  shown = mix(shown, vec3(1.0), brushRing(place, max(length(fwidth(place)) * 0.7, 1e-3)) * 0.85);
  gl_FragColor = vec4(shown, cover);
}`;

export const waterShaders = { vertex, patchVertex, fragment };
