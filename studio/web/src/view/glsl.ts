// SPDX-License-Identifier: MIT
// Shader code that the land, the water and the cut sides share.

export const uniformsCode = /* glsl */ `
precision highp float;
precision highp sampler2D;
uniform sampler2D uSurface;  // m
uniform sampler2D uMatter;   // loose matter, water, plants, hardness
uniform sampler2D uWater;    // m
uniform sampler2D uLight;    // sun, sky
uniform sampler2D uGrainShade; // sun that grains on their way let through
uniform sampler2D uNoise;    // value, slopes, fine value
uniform sampler2D uOverlay;  // map value, 0..1; below 0: no data
uniform sampler2D uColours;  // colour map
uniform vec2 uGrid;          // cells
uniform vec2 uExtent;        // m
uniform float uCell;         // m
uniform float uTall;         // exaggeration of heights
uniform vec3 uSun;           // towards it
uniform vec3 uSunColour;
uniform vec3 uSkyColour;
uniform vec3 uEye;
uniform float uHaze;         // m
uniform float uTime;         // s
`;

export const skyCode = /* glsl */ `
vec3 filmic(vec3 c) {
  c *= 0.62;
  return clamp((c * (2.51 * c + 0.03)) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
}
vec3 display(vec3 c) {
  float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
  return pow(filmic(c), vec3(1.0 / 2.2)) + (grain - 0.5) / 255.0;
}
vec3 skyOf(vec3 ray) {
  float up = max(ray.y, 0.0);
  float low = 1.0 - smoothstep(0.0, 0.30, up);
  float toSun = max(dot(ray, uSun), 0.0);
  float day = clamp(uSun.y * 5.0 + 0.15, 0.04, 1.0);
  vec3 zenith = vec3(0.15, 0.30, 0.60) * day;
  vec3 horizon = mix(vec3(0.66, 0.62, 0.56), vec3(0.72, 0.78, 0.86), smoothstep(0.25, 0.7, uSun.y)) * day;
  horizon += vec3(0.42, 0.21, 0.06) * pow(toSun, 4.0) * (1.0 - smoothstep(0.15, 0.6, uSun.y)) * day;
  vec3 c = mix(zenith, horizon, pow(low, 1.3));
  c += uSunColour * (0.05 * pow(toSun, 40.0) + 2.0 * smoothstep(0.99955, 0.9998, toSun));
  return c * 1.05;
}
vec3 hazed(vec3 c, vec3 place) {
  vec3 ray = place - uEye;
  float d = length(ray);
  float thin = exp(-max(place.y, 0.0) / (uHaze * 0.5));
  float fog = 1.0 - exp(-pow(d / uHaze, 1.35) * mix(0.6, 1.0, thin));
  vec3 dir = ray / max(d, 1e-3);
  return mix(c, skyOf(normalize(vec3(dir.x, max(dir.y, 0.015), dir.z))), fog);
}
`;

export const reliefCode = /* glsl */ `
float heightAt(vec2 uv) { return texture(uSurface, uv).r; }
// Slopes to the east and south. At a crest the steeper side counts, so that brinks stay sharp.
vec2 slopeAt(vec2 uv, float reach) {
  vec2 d = reach / uGrid;
  float run = reach * uCell;
  float h = heightAt(uv);
  float west = (h - heightAt(uv - vec2(d.x, 0.0))) / run;
  float east = (heightAt(uv + vec2(d.x, 0.0)) - h) / run;
  float north = (h - heightAt(uv - vec2(0.0, d.y))) / run;
  float south = (heightAt(uv + vec2(0.0, d.y)) - h) / run;
  vec2 mean = 0.5 * vec2(west + east, north + south);
  vec2 steep = vec2(abs(west) > abs(east) ? west : east, abs(north) > abs(south) ? north : south);
  vec2 bend = vec2(west - east, north - south);
  vec2 crest = smoothstep(vec2(0.12), vec2(0.42), bend);
  return mix(mean, steep, crest * 0.85);
}
`;

export const groundCode = /* glsl */ `
uniform vec3 uSandDark, uSandLight, uRockDark, uRockLight, uPlain, uPlant;
uniform float uSandFull;     // m of loose matter that hide the rock
uniform float uRipples;      // 1: sand has wind ripples, decoration
uniform float uSnowLine;     // m
uniform vec2 uWind;          // towards
uniform float uGrain;        // length of the noise, m

vec4 noiseAt(vec2 p, float size) { return texture(uNoise, p / (size * 32.0)); }

float thicknessOf(float code) { return (exp2(code * 9.645658) - 1.0) / 8.0; }

struct Ground { vec3 colour; vec3 normal; float sand; };

Ground groundAt(vec2 uv, vec2 place, float far) {
  float reach = clamp(far * 0.0011 / uCell, 1.0, 8.0);
  vec2 slope = slopeAt(uv, reach) * uTall;
  vec4 matter = texture(uMatter, uv);
  float height = heightAt(uv);
  float loose = thicknessOf(matter.r);
  float steep = length(slope);
  float g = uGrain;
  vec4 broad = noiseAt(place, 22.0 * g / 8.0);
  vec4 close = noiseAt(place + 37.0, 0.55 * g);
  vec4 tiny = noiseAt(place - 11.0, 0.09 * g);
  float near = exp(-far / (160.0 * g));
  float ragged = loose + (broad.r - 0.5) * uSandFull * 0.25 + (close.r - 0.5) * uSandFull * 0.35;
  float sand = smoothstep(0.05 * uSandFull, uSandFull, max(ragged, loose * 0.55));

  // rock: beds in warped height, blocks from noise
  float bed = height / (2.2 * g) + broad.r * 2.5 + dot(place, vec2(0.004, 0.0027)) / g;
  float beds = texture(uNoise, vec2(0.37, bed * 0.031)).r * 0.65 + texture(uNoise, vec2(0.81, bed * 0.11)).a * 0.35;
  vec3 rock = mix(uRockDark, uRockLight, beds * 0.75 + close.r * 0.35);
  rock *= 0.80 + 0.30 * tiny.a + 0.12 * close.a;
  rock *= 1.0 + 0.25 * (0.5 - matter.a);
  float gravel = (1.0 - smoothstep(0.06, 0.28, steep));
  float stones = smoothstep(0.52, 0.78, tiny.a) * 0.5 + smoothstep(0.6, 0.75, close.a) * 0.2;
  vec3 plain = uPlain * (0.86 + 0.22 * broad.r + 0.10 * close.r) * (1.0 - 0.22 * stones * (0.35 + near));
  rock = mix(rock, plain, gravel);
  vec2 rough = (close.gb - 0.5) * 1.5 + (tiny.gb - 0.5) * 1.1 * near;
  vec2 pebbles = (tiny.gb - 0.5) * 0.9 * near + (close.gb - 0.5) * 0.25;
  vec2 rockBump = mix(rough * (0.5 + 0.9 * beds), pebbles, gravel) * exp(-far / (700.0 * g));

  // sand: two tones by broad noise, darker in the troughs of ripples
  vec3 sandColour = mix(uSandDark, uSandLight, broad.r * 0.8 + close.r * 0.2);
  sandColour *= 0.965 + 0.07 * tiny.a * near;
  vec2 sandBump = (tiny.gb - 0.5) * 0.10 * near;
  float rippleFade = uRipples * exp(-far / 38.0) * (1.0 - smoothstep(0.38, 0.56, steep));
  if (rippleFade > 0.01) {
    vec4 warp = noiseAt(place, 1.6);
    float along = dot(place, uWind) * 7.5 + warp.r * 9.0 + noiseAt(place, 0.5).r * 2.4;
    sandBump += uWind * (cos(along) * 0.085 + cos(2.0 * along) * 0.025) * rippleFade;
  }

  vec3 colour = mix(rock, sandColour, sand);
  vec2 bump = mix(rockBump, sandBump, sand);

  // plants: clumps, denser with the cover
  float cover = matter.b;
  if (cover > 0.004) {
    vec4 tuft = noiseAt(place + 5.0, 0.22 * g);
    float grown = smoothstep(1.0 - cover, 1.12 - cover, tuft.a * 0.75 + close.r * 0.37);
    colour = mix(colour, uPlant * (0.55 + 0.7 * tuft.r + 0.3 * broad.r), grown * 0.92);
    bump += (tuft.gb - 0.5) * 1.3 * grown * exp(-far / (240.0 * g));
  }

  float snow = smoothstep(0.0, 0.06 * abs(uSnowLine) + 4.0 * g, height - uSnowLine + (broad.r - 0.5) * 30.0 * g)
             * (1.0 - smoothstep(0.75, 1.25, steep + (close.r - 0.5) * 0.4));
  colour = mix(colour, vec3(0.80, 0.84, 0.90), snow);
  bump *= 1.0 - 0.8 * snow;

  slope += bump;
  return Ground(colour, normalize(vec3(-slope.x, 1.0, -slope.y)), sand);
}

vec3 litGround(Ground ground, vec2 uv, vec3 place) {
  vec4 light = texture(uLight, uv);
  light.r *= texture(uGrainShade, uv).r;
  float facing = dot(ground.normal, uSun);
  float sun = max(facing, 0.0) * light.r;
  // sand scatters light beyond the edge of its own shade
  sun += ground.sand * 0.06 * smoothstep(-0.25, 0.2, facing) * light.r;
  float sky = light.g * light.g;
  vec3 toEye = normalize(uEye - place);
  float back = max(dot(ground.normal, normalize(vec3(-uSun.x, 0.35, -uSun.z))), 0.0);
  vec3 lit = uSunColour * sun;
  lit += uSkyColour * sky * (0.55 + 0.45 * ground.normal.y);
  lit += vec3(0.34, 0.27, 0.20) * (0.30 + 0.22 * back) * light.g * (0.15 + min(uSun.y * 3.0, 0.85));
  float sheen = ground.sand * pow(1.0 - max(dot(ground.normal, toEye), 0.0), 4.0) * 0.10;
  return ground.colour * lit * (1.0 + sheen);
}
`;

export const toolCode = /* glsl */ `
uniform vec4 uBrush;         // x, z, radius, width of the falloff [m]; radius 0: none
uniform vec3 uBrushShape;    // ratio of a rectangle, 0: a circle; sine and cosine of its azimuth
uniform float uContours;     // m, 0: none
uniform float uOverlayOn;    // opacity
uniform float uShade;        // 1: hillshade in place of materials

float brushRing(vec2 place, float pixel) {
  if (uBrush.z <= 0.0) return 0.0;
  vec2 d = place - uBrush.xy;
  vec2 box = vec2(uBrushShape.x, 1.0) * uBrush.z
           - abs(vec2(d.x * uBrushShape.z + d.y * uBrushShape.y, d.x * uBrushShape.y - d.y * uBrushShape.z));
  float depth = uBrushShape.x > 0.0 ? min(box.x, box.y) : uBrush.z - length(d);
  float line = 1.0 - smoothstep(1.0, 2.2, abs(depth) / pixel);
  float dots = (1.0 - smoothstep(0.6, 1.6, abs(depth - uBrush.w) / pixel)) * 0.45 * step(0.02 * uBrush.z, uBrush.w);
  return max(line, dots);
}
float contourLine(float height) {
  if (uContours <= 0.0) return 0.0;
  float k = height / uContours;
  float width = max(fwidth(k), 1e-5);
  float fine = 1.0 - smoothstep(0.6, 1.5, abs(fract(k + 0.5) - 0.5) / width);
  float k5 = k / 5.0;
  float bold = 1.0 - smoothstep(0.9, 2.0, abs(fract(k5 + 0.5) - 0.5) / max(fwidth(k5), 1e-5));
  return max(fine * 0.35, bold * 0.6) * (1.0 - smoothstep(0.25, 0.5, width));
}
`;
