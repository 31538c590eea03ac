// SPDX-License-Identifier: MIT
// The keyboard map, and the list of it behind "?".
import type { App } from "../app.ts";
import type { FilesPage } from "./files_page.ts";
import type { Gallery } from "./gallery.ts";
import type { Overlay } from "./overlay.ts";
import type { Timeline } from "./timeline.ts";
import type { Toolbar } from "./toolbar.ts";
import type { ViewPage } from "./view_page.ts";
import type { Painter } from "../tools/painter.ts";
import { tools } from "../tools/tools.ts";
import { dialog, el } from "./dom.ts";
import { startTour } from "./tour.ts";

export interface Parts {
  app: App;
  timeline: Timeline;
  toolbar: Toolbar;
  overlay: Overlay;
  viewPage: ViewPage;
  files: FilesPage;
  gallery: Gallery;
  painter: Painter;
}

const help: [string, string][] = [
  ["Space", "play or pause"],
  [".", "one step"],
  ["1 – 9, 0", "tools"],
  ["[ ]", "radius of the brush"],
  ["Shift + wheel", "radius of the brush"],
  ["Q", "next shape of the brush"],
  ["Z, X", "turn a square or rectangle"],
  ["B", "a touch of the brush, or a corner, in the middle of the view"],
  ["Alt + drag", "the opposite of the brush"],
  ["Enter, Esc", "close or drop a polygon"],
  ["Ctrl + Z, Ctrl + Y", "undo, redo"],
  ["M", "next map over the land"],
  ["P", "plan view"],
  ["F", "show the whole land"],
  ["S", "save a picture"],
  ["G", "gallery"],
  ["T", "tour"],
  ["arrows, + −", "move and zoom the view"],
  ["Shift + arrows", "turn the view"],
  ["?", "this list"],
];

export function showKeys(): void {
  const rows = help.map(([key, text]) => el("div", {}, el("kbd", {}, key), el("span", {}, text)));
  dialog("Keys", el("div", { class: "keys" }, ...rows), el("p", {}, "Left button: the tool. Right button: pan. Wheel: zoom. One finger: the tool; two fingers: pan and zoom."));
}

function actions(p: Parts): Record<string, () => void> {
  const { camera } = p.app.view;
  return {
    " ": () => p.timeline.toggle(),
    ".": () => p.timeline.step(),
    "[": () => p.painter.wheelRadius(1 / 1.2),
    "]": () => p.painter.wheelRadius(1.2),
    q: () => p.painter.nextShape(),
    z: () => p.painter.turn(-15),
    x: () => p.painter.turn(15),
    b: () => p.painter.touchMiddle(false),
    B: () => p.painter.touchMiddle(true),
    m: () => p.overlay.next(),
    p: () => p.viewPage.plan(!camera.isPlan),
    f: () => p.app.view.lookHome(),
    s: () => p.files.savePicture(),
    g: () => p.gallery.show(),
    t: () => startTour(p.app),
    "?": showKeys,
    "+": () => camera.zoom(0.85),
    "=": () => camera.zoom(0.85),
    "-": () => camera.zoom(1 / 0.85),
    Enter: () => void p.painter.closePolygon(true),
    Escape: () => void (p.timeline.cancel() || p.painter.closePolygon(false)),
  };
}

function moveView(p: Parts, event: KeyboardEvent): boolean {
  const moves: Record<string, [number, number]> = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const move = moves[event.key];
  if (!move) return false;
  if (event.shiftKey) p.app.view.camera.orbit(move[0] * 15, -move[1] * 12);
  else p.app.view.camera.pan(move[0] * 40, move[1] * 40, 800);
  return true;
}

export function bindKeys(p: Parts): void {
  const table = actions(p);
  addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    if (target.matches("input:not([type=checkbox]), select, textarea") || document.querySelector("dialog[open]")) return;
    if (event.ctrlKey || event.metaKey) return control(p, event);
    const isButton = target.matches("button, summary, input");
    if (isButton && (event.key === " " || event.key === "Enter")) return;
    const tool = tools.find((t) => t.key === event.key);
    if (tool) p.app.setTool(tool);
    else if (table[event.key]) table[event.key]();
    else if (!moveView(p, event)) return;
    event.preventDefault();
  });
}

function control(p: Parts, event: KeyboardEvent): void {
  const letter = event.key.toLowerCase();
  if (letter === "z" && !event.shiftKey) p.timeline.send("undo");
  else if (letter === "y" || letter === "z") p.timeline.send("redo");
  else return;
  event.preventDefault();
}
