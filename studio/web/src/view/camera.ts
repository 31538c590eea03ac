// SPDX-License-Identifier: MIT
// A camera that orbits a point on the land. Movements ease out unless less motion is preferred.
import * as THREE from "three";

const rad = Math.PI / 180;

export interface Pose {
  x: number; // m east
  z: number; // m south
  y: number; // m up
  distance: number; // m
  azimuth: number; // degree, of the direction of view, clockwise from north
  elevation: number; // degree above the horizon
}

export class OrbitCamera {
  readonly perspective = new THREE.PerspectiveCamera(42, 1, 0.5, 1e4);
  readonly flat = new THREE.OrthographicCamera(-1, 1, 1, -1, 0, 1e5);
  isPlan = false;
  pose: Pose = { x: 0, z: 0, y: 0, distance: 100, azimuth: 60, elevation: 20 };
  private goal: Pose = { ...this.pose };
  private extent = 100;
  private aspect = 1;
  private readonly calm = matchMedia("(prefers-reduced-motion: reduce)");

  get active(): THREE.Camera {
    return this.isPlan ? this.flat : this.perspective;
  }
  get target(): Pose {
    return this.goal;
  }

  frame(pose: Pose, extent: number): void {
    this.extent = extent;
    this.goal = { ...pose };
    this.pose = { ...pose };
  }

  setAspect(aspect: number): void {
    this.aspect = aspect;
    this.perspective.aspect = aspect;
  }

  orbit(dx: number, dy: number): void {
    if (this.isPlan) return;
    this.goal.azimuth += dx * 0.3;
    this.goal.elevation = Math.min(89, Math.max(2, this.goal.elevation + dy * 0.25));
  }

  /** Move by pixels of a view of a height. */
  pan(dx: number, dy: number, viewHeight: number): void {
    const metres = (2 * this.goal.distance * Math.tan(21 * rad)) / viewHeight;
    const a = this.isPlan ? 0 : this.goal.azimuth * rad;
    const depth = this.isPlan ? 1 : 1 / Math.max(0.35, Math.sin(this.goal.elevation * rad));
    const east = -dx * metres;
    const ahead = dy * metres * depth;
    this.goal.x += Math.cos(a) * east + Math.sin(a) * ahead;
    this.goal.z += Math.sin(a) * east - Math.cos(a) * ahead;
  }

  zoom(factor: number): void {
    this.goal.distance = Math.min(this.extent * 6, Math.max(this.extent * 0.01, this.goal.distance * factor));
  }

  turn(dx: number, dz: number): void {
    this.goal.x += dx;
    this.goal.z += dz;
  }

  /** Ease towards the goal. Returns whether the camera moved. */
  update(seconds: number, groundAt: (x: number, z: number) => number): boolean {
    const t = this.calm.matches ? 1 : 1 - Math.exp(-seconds * 12);
    let moved = false;
    for (const key of ["x", "z", "y", "distance", "azimuth", "elevation"] as const) {
      const step = this.goal[key] - this.pose[key];
      if (Math.abs(step) > 1e-5 * this.extent || (key === "azimuth" && Math.abs(step) > 0.01)) moved = true;
      this.pose[key] += step * t;
    }
    this.place(groundAt);
    return moved;
  }

  private place(groundAt: (x: number, z: number) => number): void {
    const { x, y, z, distance, azimuth, elevation } = this.pose;
    const flat = Math.cos(elevation * rad) * distance;
    const eye = new THREE.Vector3(
      x - Math.sin(azimuth * rad) * flat,
      y + Math.sin(elevation * rad) * distance,
      z + Math.cos(azimuth * rad) * flat,
    );
    const floor = groundAt(eye.x, eye.z);
    if (Number.isFinite(floor)) eye.y = Math.max(eye.y, floor + 0.004 * this.extent);
    this.perspective.position.copy(eye);
    this.perspective.lookAt(x, y, z);
    this.perspective.near = Math.max(0.05, distance * 0.01);
    this.perspective.far = this.extent * 16 + distance * 2;
    this.perspective.updateProjectionMatrix();
    const half = distance * Math.tan(21 * rad);
    this.flat.left = -half * this.aspect;
    this.flat.right = half * this.aspect;
    this.flat.top = half;
    this.flat.bottom = -half;
    this.flat.position.set(x, 5e4, z);
    this.flat.up.set(0, 0, -1);
    this.flat.lookAt(x, 0, z);
    this.flat.near = 1;
    this.flat.far = 1e5;
    this.flat.updateProjectionMatrix();
    this.flat.updateMatrixWorld();
    this.perspective.updateMatrixWorld();
  }
}
