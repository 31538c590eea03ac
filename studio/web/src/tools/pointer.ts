// SPDX-License-Identifier: MIT
// Mouse, pen and fingers on the view: look, paint, or set points on the map.
import type { Place } from "../view/pick.ts";
import type { View } from "../view/view.ts";

export interface PointerUser {
  /** Begin to paint. False: the drag moves the camera. */
  press(place: Place, event: PointerEvent): boolean;
  drag(place: Place, event: PointerEvent): void;
  release(): void;
  hover(place: Place | null, event: PointerEvent): void;
  wheelRadius(factor: number): void;
}

export class PointerInput {
  private readonly fingers = new Map<number, PointerEvent>();
  private mode: "none" | "orbit" | "pan" | "paint" | "pinch" = "none";

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly view: View,
    private readonly user: PointerUser,
  ) {
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", (event) => this.up(event));
    canvas.addEventListener("pointerleave", (event) => this.user.hover(null, event));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  private down(event: PointerEvent): void {
    this.canvas.focus({ preventScroll: true });
    try {
      this.canvas.setPointerCapture(event.pointerId);
    } catch {
      // a pointer made by a script has no capture
    }
    this.fingers.set(event.pointerId, event);
    if (this.fingers.size === 2) {
      if (this.mode === "paint") this.user.release();
      this.mode = "pinch";
      return;
    }
    if (event.button === 2 || event.button === 1) this.mode = "pan";
    else this.mode = this.tryPaint(event) ? "paint" : event.shiftKey ? "pan" : "orbit";
  }

  private tryPaint(event: PointerEvent): boolean {
    const place = this.view.pickAt(event.clientX, event.clientY);
    return place !== null && this.user.press(place, event);
  }

  private move(event: PointerEvent): void {
    const before = this.fingers.get(event.pointerId);
    if (this.mode === "none" || !before) {
      this.user.hover(this.view.pickAt(event.clientX, event.clientY), event);
      return;
    }
    const dx = event.clientX - before.clientX;
    const dy = event.clientY - before.clientY;
    if (this.mode === "pinch") this.pinch(event, before);
    this.fingers.set(event.pointerId, event);
    if (this.mode === "orbit" && this.view.camera.isPlan) this.view.camera.pan(dx, dy, this.canvas.clientHeight);
    else if (this.mode === "orbit") this.view.camera.orbit(dx, dy);
    else if (this.mode === "pan") this.view.camera.pan(dx, dy, this.canvas.clientHeight);
    else if (this.mode === "paint") this.paint(event);
  }

  private paint(event: PointerEvent): void {
    const place = this.view.pickAt(event.clientX, event.clientY);
    if (!place) return;
    this.user.drag(place, event);
    this.user.hover(place, event);
  }

  private pinch(event: PointerEvent, before: PointerEvent): void {
    const other = [...this.fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
    if (!other) return;
    const gap = (a: PointerEvent): number => Math.hypot(a.clientX - other.clientX, a.clientY - other.clientY);
    this.view.camera.zoom(gap(before) / Math.max(1, gap(event)));
    const dx = (event.clientX - before.clientX) / 2;
    const dy = (event.clientY - before.clientY) / 2;
    this.view.camera.pan(dx, dy, this.canvas.clientHeight);
  }

  private up(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    if (this.mode === "paint") this.user.release();
    if (this.fingers.size === 0) this.mode = "none";
  }

  private wheel(event: WheelEvent): void {
    event.preventDefault();
    const amount = event.deltaY || event.deltaX;
    if (event.shiftKey) this.user.wheelRadius(Math.exp(-amount * 0.0015));
    else this.view.camera.zoom(Math.exp(amount * 0.0012));
  }
}
