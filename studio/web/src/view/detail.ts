// SPDX-License-Identifier: MIT
// Finer grids around the place that the camera looks at, for lands with more cells than the grid of the whole has
// quads: each is twice as fine as the one around it, down to one quad a cell, and the coarser ones leave it out.
import * as THREE from "three";
import type { Land } from "../land/land.ts";
import type { Pose } from "./camera.ts";
import { makeGrid, patchVertex, terrainShaders } from "./terrain.ts";
import type { Uniforms } from "./uniforms.ts";
import { waterShaders } from "./water.ts";

interface Level {
  step: number; // cells of a quad
  patch: THREE.Vector3; // first column, first row, cells of a quad
  hole: THREE.Vector4; // m, which the finer grid covers
}

const NONE = 1e9;

export class Detail {
  readonly group = new THREE.Group();
  readonly water = new THREE.Group(); // the same grids, at the level of the water
  private readonly levels: Level[] = [];

  /** `coarse`: cells of a quad of the grid of the whole. */
  constructor(
    private readonly uniforms: Uniforms,
    private readonly land: Land,
    coarse: number,
    private readonly quads: number,
  ) {
    const grid = makeGrid(quads, quads, 0, 0) as THREE.InstancedBufferGeometry;
    grid.instanceCount = 1;
    let keep = uniforms.uHole.value;
    for (let step = 2 ** Math.ceil(Math.log2(coarse) - 1); step >= 1; step /= 2) {
      const level = { step, patch: new THREE.Vector3(0, 0, step), hole: new THREE.Vector4(NONE, NONE, -NONE, -NONE) };
      const own = {
        ...(uniforms as unknown as Record<string, THREE.IUniform>),
        uPatch: { value: level.patch },
        uQuads: { value: quads },
        uWrap: { value: new THREE.Vector2(land.shape.wrapX ? 1 : 0, land.shape.wrapY ? 1 : 0) },
        uHole: { value: level.hole },
        uKeep: { value: keep },
      };
      const add = (group: THREE.Group, vertexShader: string, fragmentShader: string, transparent: boolean): void => {
        const mesh = new THREE.Mesh(grid, new THREE.ShaderMaterial({ uniforms: own, vertexShader, fragmentShader, transparent, side: THREE.DoubleSide }));
        mesh.frustumCulled = false;
        if (transparent) mesh.renderOrder = 20;
        group.add(mesh);
      };
      add(this.group, patchVertex, terrainShaders.fragment, false);
      add(this.water, waterShaders.patchVertex, waterShaders.fragment, true);
      keep = level.hole;
      this.levels.push(level);
    }
  }

  /** Lay the grids around the middle between the camera and what it looks at. */
  follow(pose: Pose, eye: THREE.Vector3): void {
    const { cell } = this.land.shape;
    const x = 0.5 * (pose.x + eye.x);
    const z = 0.5 * (pose.z + eye.z);
    let hole = this.uniforms.uHole.value;
    for (const level of this.levels) {
      // corners on quads of the coarser grid
      const coarse = 2 * level.step;
      const corner = (at: number): number => Math.round((at / cell - 0.5 * this.quads * level.step) / coarse) * coarse;
      level.patch.set(corner(x), corner(z), level.step);
      const end = this.quads * level.step;
      const rim = 0.6 * coarse;
      hole.set(
        (level.patch.x + 0.5 + rim) * cell, (level.patch.y + 0.5 + rim) * cell,
        (level.patch.x + 0.5 + end - rim) * cell, (level.patch.y + 0.5 + end - rim) * cell,
      );
      hole = level.hole;
    }
  }

  dispose(): void {
    this.uniforms.uHole.value.set(NONE, NONE, -NONE, -NONE);
  }
}
