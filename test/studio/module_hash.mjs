// SPDX-License-Identifier: MIT
// labels: medium
// The WebAssembly module comes to the hash of the native engine:
//   node module_hash.mjs STUDIO_PLAY FOLDER_OF_MODULES SCENE...
// FOLDER has wadi.wasm and wadi-threads.wasm. Without them, or where they are older than the native
// engine, the test is skipped: studio/wasm/build.sh builds them.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { argv, exit } from 'node:process';
import { open } from './module.mjs';

const [play, folder, ...scenes] = argv.slice(2);
const builds = [['wadi.wasm', 1], ['wadi-threads.wasm', 1], ['wadi-threads.wasm', 2]]
  .filter(([name]) => existsSync(join(folder, name)) &&
    statSync(join(folder, name)).mtimeMs > statSync(play).mtimeMs);
if (builds.length === 0) {
  console.log(`no module in ${folder} that is newer than ${play}; run studio/wasm/build.sh`);
  exit(77);
}

let failed = 0;
for (const scene of scenes) {
  const native = spawnSync(play, [scene], { encoding: 'utf8', maxBuffer: 1 << 26 });
  if (native.status === 77) {
    console.log(`${basename(scene)}: not for a session: ${native.stderr.slice(0, 160).trim()}`);
    continue;
  }
  const [json, result = ''] = native.stdout.split('\n');
  const [year, hash, seconds] = result.split(' ');
  const line = [];
  for (const [name, threads] of builds) {
    const engine = await open(join(folder, name), threads);
    engine.say({ type: 'open', id: 1, scene: json });
    const begin = performance.now();
    const sought = engine.say({ type: 'seek', id: 2, year: Number(year) });
    const used = (performance.now() - begin) / 1000;
    const answer = engine.say({ type: 'hash' }).find(({ type }) => type === 'hash');
    const same = answer?.end === hash;
    failed += same ? 0 : 1;
    line.push(`${name} x${threads} ${same ? 'same' : `DIFFERS ${answer?.end} ${JSON.stringify(sought.at(-1))}`} ${used.toFixed(2)} s`);
    await engine.close();
  }
  console.log(`${basename(scene)}: ${hash} ${seconds} s; ${line.join('; ')}`);
}
exit(failed > 0 ? 1 : 0);
