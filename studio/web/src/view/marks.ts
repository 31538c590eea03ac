// SPDX-License-Identifier: MIT
// A flat canvas over the view for marks on the land: polygons, sections, emitters, faults, arrows.
import * as THREE from "three";
import type { View } from "./view.ts";
import type { Land } from "../land/land.ts";

export interface Shape {
  points: { x: number; y: number; label?: string }[]; // m from the south-west corner
  isLine: boolean;
  isClosed?: boolean;
  hasDots?: boolean; // at its points; true unless it is false
  colour: string;
}
export interface Arrow {
  x: number;
  y: number;
  east: number;
  north: number;
}

export class Marks {
  shapes: () => Shape[] = () => [];
  arrows: () => Arrow[] = () => [];
  private isOld = true;
  private readonly context: CanvasRenderingContext2D;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly view: View,
    private readonly land: () => Land | null,
  ) {
    this.context = canvas.getContext("2d") as CanvasRenderingContext2D;
  }

  redraw(): void {
    this.isOld = true;
  }

  /** Draw when something changed; the camera may have moved. */
  update(cameraMoved: boolean): void {
    const land = this.land();
    if (!land || (!this.isOld && !cameraMoved)) return;
    this.isOld = false;
    const ratio = devicePixelRatio;
    const width = Math.round(this.canvas.clientWidth * ratio);
    const height = Math.round(this.canvas.clientHeight * ratio);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    for (const shape of this.shapes()) this.drawShape(shape, land);
    for (const arrow of this.arrows()) this.drawArrow(arrow, land);
  }

  /** Place on the screen of a point on the land, or null behind the camera. */
  project(x: number, y: number, land: Land): [number, number] | null {
    const z = land.extentZ - y;
    const inside = land.isInside(x, z) ? land.heightAt(x, z) : 0;
    const height = (Number.isFinite(inside) ? inside : 0) * this.view.uniforms.uTall.value;
    const at = new THREE.Vector3(x, height, z).project(this.view.camera.active);
    if (at.z > 1 || at.z < -1) return null;
    return [((at.x + 1) / 2) * this.canvas.clientWidth, ((1 - at.y) / 2) * this.canvas.clientHeight];
  }

  private drawShape(shape: Shape, land: Land): void {
    const c = this.context;
    const spots = shape.points.map((p) => this.project(p.x, p.y, land));
    c.strokeStyle = shape.colour;
    c.fillStyle = shape.colour;
    c.lineWidth = 2;
    if (shape.isLine) this.drawLine(shape, land);
    if (shape.hasDots === false) return;
    c.font = "12px system-ui, sans-serif";
    spots.forEach((spot, k) => {
      if (!spot) return;
      c.beginPath();
      c.arc(spot[0], spot[1], 5, 0, 7);
      c.fill();
      const label = shape.points[k].label;
      if (label) drawText(c, label, spot[0] + 8, spot[1] - 6);
    });
  }

  // Lines follow the ground, so each is cut into short pieces.
  private drawLine(shape: Shape, land: Land): void {
    const c = this.context;
    const corners = shape.isClosed ? [...shape.points, shape.points[0]] : shape.points;
    c.beginPath();
    let isDown = false;
    for (let k = 0; k + 1 < corners.length; ++k) {
      const [a, b] = [corners[k], corners[k + 1]];
      const pieces = shape.hasDots === false ? 2 : 24;
      for (let i = 0; i <= pieces; ++i) {
        const at = this.project(a.x + ((b.x - a.x) * i) / pieces, a.y + ((b.y - a.y) * i) / pieces, land);
        if (at && isDown) c.lineTo(at[0], at[1]);
        else if (at) c.moveTo(at[0], at[1]);
        isDown = at !== null;
      }
    }
    c.stroke();
  }

  private drawArrow(arrow: Arrow, land: Land): void {
    const from = this.project(arrow.x, arrow.y, land);
    const to = this.project(arrow.x + arrow.east, arrow.y + arrow.north, land);
    if (!from || !to) return;
    const c = this.context;
    const angle = Math.atan2(to[1] - from[1], to[0] - from[0]);
    const head = Math.min(8, 0.5 * Math.hypot(to[0] - from[0], to[1] - from[1]));
    c.strokeStyle = c.fillStyle = "rgb(22 74 122 / 0.95)";
    c.lineWidth = 1.8;
    c.beginPath();
    c.moveTo(...from);
    c.lineTo(...to);
    c.stroke();
    c.beginPath();
    c.moveTo(...to);
    for (const side of [-0.45, 0.45]) c.lineTo(to[0] - head * Math.cos(angle + side), to[1] - head * Math.sin(angle + side));
    c.fill();
  }
}

// With a dark rim, to be read over any ground and map.
function drawText(c: CanvasRenderingContext2D, text: string, x: number, y: number): void {
  const colour = c.strokeStyle;
  c.strokeStyle = "rgb(0 0 0 / 0.65)";
  c.lineWidth = 3;
  c.strokeText(text, x, y);
  c.fillText(text, x, y);
  c.strokeStyle = colour;
  c.lineWidth = 2;
}
