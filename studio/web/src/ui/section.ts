// SPDX-License-Identifier: MIT
// Draws a section: rock, loose matter, water, with heights and distances at the edges.
import type { Section } from "../engine/messages.ts";
import { show } from "./dom.ts";

type Line = (number | null)[];

export function drawSection(canvas: HTMLCanvasElement, section: Section): void {
  const c = canvas.getContext("2d") as CanvasRenderingContext2D;
  const { width, height } = canvas;
  const level = section.surface.map((h, i) => (h === null ? null : h + (section.water[i] ?? 0)));
  const known = [...section.bedrock, ...level].filter((h): h is number => h !== null);
  const low = Math.min(...known);
  const high = Math.max(...known);
  const pad = 0.08 * (high - low || 1);
  const far = section.distance[section.distance.length - 1] || 1;
  const toX = (d: number): number => 46 + (d / far) * (width - 56);
  const toY = (h: number): number => height - 22 - ((h - low + pad) / (high - low + 2 * pad)) * (height - 32);
  const fill = (line: Line, colour: string): void => {
    c.fillStyle = colour;
    c.beginPath();
    c.moveTo(toX(0), height - 22);
    line.forEach((h, i) => c.lineTo(toX(section.distance[i]), h === null ? height - 22 : toY(h)));
    c.lineTo(toX(far), height - 22);
    c.fill();
  };
  c.clearRect(0, 0, width, height);
  fill(level, "#4d8fb8");
  fill(section.surface, "#d9a55a");
  fill(section.bedrock, "#6e5a4b");
  c.fillStyle = getComputedStyle(canvas).color;
  c.font = "15px system-ui, sans-serif";
  c.fillText(`${show(high)} m`, 0, toY(high) + 5);
  c.fillText(`${show(low)} m`, 0, toY(low) + 5);
  c.fillText("0", toX(0), height - 4);
  c.fillText(`${show(far)} m`, width - 64, height - 4);
}
