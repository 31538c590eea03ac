// SPDX-License-Identifier: MIT
// A tour of a minute: six stops of ten seconds, each may be skipped.
import type { App } from "../app.ts";
import { tools } from "../tools/tools.ts";
import { el, guard } from "./dom.ts";

interface Stop {
  text: string;
  act?: (app: App) => void;
}

const stops: Stop[] = [
  { text: "This land is computed while you watch. Drag to look around, turn the wheel to come closer.", act: (app) => guard(app.play(true, 0)) },
  { text: "Sand moves with the wind. With key 2 you add sand: drag over the land and see where the wind takes it.", act: (app) => app.setTool(tools[1]) },
  { text: "The rose holds the winds. Drag a petal to turn the wind; a double click adds another one.", act: (app) => app.setTool(tools[0]) },
  { text: "All values of each process stand in the panel on the right. Changes begin at the next step and are recorded." },
  { text: "The bar below is time. Click it to go back, drag a mark to move an event; Ctrl+Z undoes anything." },
  { text: "Maps shows fluxes and layers over the land. Files saves, exports and shares. The question mark lists all keys." },
];

let stopTour: (() => void) | null = null;

export function startTour(app: App): void {
  stopTour?.();
  let at = 0;
  let timer = 0;
  const text = el("p", { "aria-live": "polite" });
  const next = el("button", { type: "button", class: "main", onclick: () => go(at + 1) }, "Next");
  const box = el("section", { class: "tour", "aria-label": "Tour" }, text,
    el("div", { class: "buttons" }, el("button", { type: "button", onclick: () => end() }, "End"), next));
  const end = (): void => {
    clearTimeout(timer);
    box.remove();
    stopTour = null;
  };
  const go = (index: number): void => {
    clearTimeout(timer);
    at = index;
    const stop = stops[at];
    if (!stop) return end();
    text.textContent = `${at + 1} of ${stops.length}. ${stop.text}`;
    next.textContent = at + 1 === stops.length ? "Done" : "Next";
    stop.act?.(app);
    timer = window.setTimeout(() => go(at + 1), 10000);
  };
  stopTour = end;
  document.body.append(box);
  go(0);
}
