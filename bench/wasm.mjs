// SPDX-License-Identifier: MIT
// Processor time of processes in WebAssembly over that of native SSE2, and the gain of a second thread:
//   node bench/wasm.mjs [CASE...] [--repeat N] [--size N]
// after studio/wasm/build.sh. Builds native SSE2 in build/sse2. Native runs and those of the module take
// turns, and each row has the medians of their ratios. Times are of the thread that plays: V8 compiles in
// other threads, and a first run without a clock lets it. With two threads this thread works or waits for the
// other one, so its time is that of the clock on a quiet machine.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { argv, exit, pid } from 'node:process';
import { fileURLToPath } from 'node:url';
import { open } from '../test/studio/module.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const option = (name, preset) => {
  const at = argv.indexOf(`--${name}`);
  return at > 0 ? Number(argv.splice(at, 2)[1]) : preset;
};
const repeat = option('repeat', 3);
const size = option('size', 256);

const sand = '  edges: periodic\n  noise: {relief: 10 m, wavelength: 200 m}\nlayers:\n  sediment: 1.5 m\n';
const rock = '  noise: {relief: 300 m, wavelength: 3 km, octaves: 6}\n';
// Terrain, cell and a step that takes about half a second.
const cases = {
  'dunes flux': [2, sand, 'dunes: {for: 4 yr}', 1.4],
  'dunes slabs': [2, sand, 'dunes: {model: slab, for: 0.5 yr}', 1.4],
  'wind parcels': [4, sand, 'wind: {for: 3 yr}', 1.5],
  'wind paper': [4, sand, 'wind: {preset: paper, for: 2 yr}', 1.5],
  'hydraulic streams': [30, rock, 'hydraulic: {for: 50 kyr}', 1.4],
  'hydraulic droplets': [30, rock, 'hydraulic: {preset: paper, for: 6 kyr}', 1.4],
  talus: [4, '  noise: {relief: 300 m, wavelength: 200 m, octaves: 7}\n', 'talus: {for: 300 yr}', 1.4],
  'riverbed graded': [10, '  ramp: {azimuth: 90 deg, slope: 0.01}\nlayers:\n  sediment: 5 m\n', 'riverbed: {for: 4 yr}', 1.4],
  uplift: [30, rock, 'uplift: {for: 1 Myr}', 1.4],
};
const text = (cell, ground, step) =>
  `wadi: 1\nseed: 5\nterrain:\n  size: [${size}, ${size}]\n  cell: ${cell} m\n${ground}steps:\n  - ${step}\n`;

function build() {
  const folder = join(root, 'build/sse2');
  const say = (...line) => {
    const run = spawnSync(line[0], line.slice(1), { cwd: root, encoding: 'utf8' });
    if (run.status !== 0) throw new Error(`${line.join(' ')}\n${run.stdout}${run.stderr}`);
  };
  say('cmake', '-S', root, '-B', folder, '-G', 'Ninja', '-DCMAKE_BUILD_TYPE=Release', '-DWADI_TESTS=ON', '-DWADI_STUDIO=ON',
    '-DCMAKE_C_FLAGS=-DWADI_ISA_BASE_ONLY');
  say('cmake', '--build', folder, '--target', 'studio_play');
  return join(folder, 'test/studio_play');
}

// Processor time of this thread so far [s].
const spent = () => Number(readFileSync(`/proc/self/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;

function play(engine, json, year) {
  engine.say({ type: 'open', id: 1, scene: json });
  const [cpu, clock] = [spent(), performance.now()];
  engine.say({ type: 'seek', id: 2, year });
  const times = { cpu: spent() - cpu, clock: (performance.now() - clock) / 1000 };
  return { ...times, hash: engine.say({ type: 'hash' }).find(({ type }) => type === 'hash')?.end };
}

const median = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

async function measure(name, native, folder) {
  const [cell, ground, step, target] = cases[name];
  const file = join(folder, 'scene.yaml');
  writeFileSync(file, text(cell, ground, step));
  const run = () => {
    const { status, stdout, stderr } = spawnSync(native, [file], { encoding: 'utf8', maxBuffer: 1 << 26 });
    if (status !== 0) throw new Error(`${name}: ${stderr}`);
    const [json, result] = stdout.split('\n');
    const [year, hash, seconds] = result.split(' ');
    return { json, hash, year: Number(year), seconds: Number(seconds) };
  };
  const { json, year, hash } = run();
  const modules = [await open(join(root, 'out/studio/wadi.wasm')), await open(join(root, 'out/studio/wadi-threads.wasm'), 1),
    await open(join(root, 'out/studio/wadi-threads.wasm'), 2)];
  for (const module of modules) {
    if (play(module, json, year).hash !== hash) throw new Error(`${name}: the module comes to another hash`);
  }
  const times = [];
  for (let i = 0; i < repeat; ++i) {
    times.push({ native: run().seconds, modules: modules.map((module) => play(module, json, year)) });
  }
  await Promise.all(modules.map((module) => module.close()));
  const of = (f) => median(times.map(f)).toFixed(2);
  console.log([name, of((t) => t.native), of((t) => t.modules[0].cpu), of((t) => t.modules[0].cpu / t.native), target,
    of((t) => t.modules[1].cpu / t.native), of((t) => t.modules[1].cpu / t.modules[2].cpu),
    of((t) => t.modules[1].clock / t.modules[2].clock), 1.6].join(','));
}

const wanted = argv.slice(2);
const names = Object.keys(cases).filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
if (names.length === 0) {
  console.error(`cases: ${Object.keys(cases).join(', ')}`);
  exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'wadi-wasm-'));
const native = build();
console.log(`# ${size} x ${size} cells, ${availableParallelism()} cores, node ${process.version}; medians of ${repeat}`);
console.log('case,sse2 s,wasm s,wasm over sse2,target,module with threads over sse2,two threads over one,by the clock,target');
for (const name of names) await measure(name, native, folder);
rmSync(folder, { recursive: true });
