// SPDX-License-Identifier: MIT
// The bar of time: play, the year, events that can be moved and removed, undo, redo, branches.
import type { App } from "../app.ts";
import type { Clock, Command, EventItem, Events } from "../engine/messages.ts";
import { changeEvent } from "./change_event.ts";
import { dialog, el, find, guard, showYears } from "./dom.ts";

const names: Record<string, string> = { add_sand: "add sand", remove_sand: "take sand", add_water: "water", set_layer: "set layer" };

const isSame = (a: EventItem, b: EventItem): boolean => a.year === b.year && a.name === b.name && a.kind === b.kind;

export class Timeline {
  private readonly root = find("bar");
  private readonly playButton = el("button", { type: "button", class: "play", "aria-label": "Play", title: "Play or pause (Space)", onclick: () => this.toggle() }, "▶");
  private readonly stepButton = el("button", { type: "button", "aria-label": "Step", title: "One step of the clock (.)", onclick: () => this.step() }, "▸|");
  private readonly year = el("span", { class: "year" }, "0 yr");
  private readonly done = el("div", { class: "done" });
  private readonly marks = el("div");
  private readonly kept = el("div");
  private readonly track = el("div", {
    class: "track", role: "slider", tabindex: 0, "aria-label": "Year", "aria-valuemin": 0,
    title: "Click to go to a year. Arrow keys step.",
  });
  private readonly undo = el("button", { type: "button", title: "Undo (Ctrl+Z)", "aria-label": "Undo", onclick: () => this.send("undo") }, "↶");
  private readonly redo = el("button", { type: "button", title: "Redo (Ctrl+Y)", "aria-label": "Redo", onclick: () => this.send("redo") }, "↷");
  private readonly branch = el("select", { "aria-label": "Branch", title: "Branches of the run", onchange: () => this.pickBranch() });
  private readonly speed = el("select", { "aria-label": "Speed", title: "Years in a second", onchange: () => this.setRate(Number(this.speed.value)) });
  private readonly stats = el("span", { class: "stats" });
  private span = 10;
  private events: Events | null = null;
  private isSeeking = false;
  private travels = 0; // timer of the latest word of a replay

  constructor(private readonly app: App) {
    this.track.append(this.done, this.kept, this.marks);
    this.root.append(this.playButton, this.stepButton, this.year, this.undo, this.redo, this.track, this.branch, this.speed, this.stats);
    this.setRates(0.05);
    this.track.addEventListener("pointerdown", (event) => this.seekTo(event));
    this.track.addEventListener("keydown", (event) => this.trackKey(event));
    app.engine.on("clock", (clock) => this.showClock(clock));
    app.engine.on("events", (events) => this.showEvents(events));
    app.engine.on("travel", ({ year }) => this.showTravel(year));
    app.engine.on("snapshots", ({ years }) => this.showKept(years));
    app.engine.on("scene", (scene) => this.setRates(scene.tick));
  }

  toggle(): void {
    guard(this.app.play(!this.app.engine.clock?.playing, this.app.rate));
  }

  send(type: "undo" | "redo"): void {
    guard(this.app.engine.command({ type }));
  }

  step(): void {
    guard(this.app.engine.command({ type: "step", ticks: 1 }));
  }

  private setRates(tick: number): void {
    const most = Number((tick * 20).toPrecision(2));
    this.speed.replaceChildren(el("option", { value: 0 }, "fastest"));
    for (const factor of [5, 1, 0.2, 0.05]) this.speed.append(el("option", { value: most * factor }, `${showYears(most * factor)}/s`));
    this.speed.value = "0";
    this.app.rate = 0;
  }

  private setRate(rate: number): void {
    this.app.rate = rate;
    if (this.app.engine.clock?.playing) guard(this.app.play(true, rate));
  }

  private showClock(clock: Clock): void {
    this.playButton.textContent = clock.playing ? "❚❚" : "▶";
    this.playButton.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    this.year.textContent = showYears(clock.year);
    this.undo.disabled = !clock.can_undo;
    this.redo.disabled = !clock.can_redo;
    this.grow(clock.year);
    this.done.style.width = `${(100 * clock.year) / this.span}%`;
    this.track.setAttribute("aria-valuenow", String(clock.year));
    this.track.setAttribute("aria-valuetext", showYears(clock.year));
    this.showBranches(clock);
    const scene = this.app.engine.scene;
    const size = scene ? `${scene.width}×${scene.height}` : "";
    if (this.travels !== 0) return;
    const rate = clock.playing && clock.rate ? ` · ${showYears(clock.rate)}/s` : "";
    this.stats.textContent = `${size}${rate} · ${clock.slice_ms.toFixed(0)} ms a slice`;
  }

  /** Escape: end a replay. False: there is none. */
  cancel(): boolean {
    if (this.travels === 0) return false;
    guard(this.app.engine.command({ type: "cancel" }));
    return true;
  }

  // A replay that takes long tells which year it has reached.
  private showTravel(year: number): void {
    clearTimeout(this.travels);
    this.stats.textContent = `replaying, at ${showYears(year)} · Esc ends it`;
    this.travels = window.setTimeout(() => {
      this.travels = 0;
      if (this.app.engine.clock) this.showClock(this.app.engine.clock);
    }, 400);
  }

  private grow(year: number): void {
    const latest = Math.max(year, this.events?.end ?? 0, ...(this.events?.list ?? []).map((e) => e.year));
    const needed = Math.max(latest, 10 * (this.app.engine.clock?.tick ?? 1));
    if (needed > this.span || needed < this.span / 4) {
      this.span = needed * 1.25;
      this.placeMarks();
    }
    this.track.setAttribute("aria-valuemax", String(this.span));
  }

  private showBranches(clock: Clock): void {
    const wanted = [...clock.branches, "+"].join("\n");
    if (this.branch.dataset.list !== wanted) {
      this.branch.dataset.list = wanted;
      this.branch.replaceChildren(...clock.branches.map((name) => el("option", { value: `=${name}` }, name)));
      this.branch.append(el("option", { value: "+" }, "new branch…"));
    }
    if (document.activeElement !== this.branch) this.branch.value = `=${clock.branch}`;
  }

  private pickBranch(): void {
    const { engine } = this.app;
    if (this.branch.value !== "+") return guard(engine.command({ type: "switch", name: this.branch.value.slice(1) }));
    const name = el("input", { type: "text", "aria-label": "Name", value: `branch ${engine.clock?.branches.length ?? 1}`, maxlength: 40 });
    const box = dialog("A branch from here", el("p", {}, "The present branch stays as it is. Go on under another name:"), name,
      el("div", { class: "buttons" }, el("button", { class: "main", onclick: () => {
        guard(engine.command({ type: "branch", name: name.value }));
        box.close();
      } }, "Branch")));
    this.branch.value = `=${engine.clock?.branch}`;
  }

  private showEvents(events: Events): void {
    this.events = events;
    this.grow(this.app.engine.clock?.year ?? 0);
    this.placeMarks();
  }

  private showKept(years: number[]): void {
    this.kept.replaceChildren(...years.map((year) => {
      const mark = el("div", { class: "kept" });
      mark.style.left = `${(100 * year) / this.span}%`;
      return mark;
    }));
  }

  private placeMarks(): void {
    // the touches of a stroke have one mark
    const all = this.events?.list ?? [];
    const list = all.filter((event, k) => k === 0 || !isSame(all[k - 1], event));
    this.marks.replaceChildren(...list.map((event) => this.makeMark(event)));
  }

  private makeMark(event: EventItem): HTMLElement {
    const name = names[event.name] ?? event.name;
    const label = `${name} at ${showYears(event.year)}`;
    const mark = el("button", {
      type: "button", class: `event ${event.kind}`, "aria-label": label,
      title: `${label}\nDrag to move, click for more, Delete removes`,
    });
    mark.style.left = `${(100 * event.year) / this.span}%`;
    mark.addEventListener("pointerdown", (press) => this.dragMark(press, event, mark));
    mark.addEventListener("keydown", (key) => {
      if (key.key === "Delete" || key.key === "Backspace") this.remove(event);
      else if (key.key === "ArrowLeft" || key.key === "ArrowRight") this.move(event, event.year + (key.key === "ArrowLeft" ? -1 : 1) * (this.app.engine.clock?.tick ?? 1));
      else if (key.key === "Enter") this.openMark(event, name);
      else return;
      key.stopPropagation();
      key.preventDefault();
    });
    return mark;
  }

  private dragMark(press: PointerEvent, event: EventItem, mark: HTMLElement): void {
    press.stopPropagation();
    mark.setPointerCapture(press.pointerId);
    let year = event.year;
    const move = (drag: PointerEvent): void => {
      if (Math.abs(drag.clientX - press.clientX) < 4 && year === event.year) return;
      year = this.yearAt(drag);
      mark.style.left = `${(100 * year) / this.span}%`;
    };
    const end = (): void => {
      mark.removeEventListener("pointermove", move);
      mark.removeEventListener("pointerup", end);
      if (year !== event.year) this.move(event, year);
      else this.openMark(event, names[event.name] ?? event.name);
    };
    mark.addEventListener("pointermove", move);
    mark.addEventListener("pointerup", end);
  }

  private openMark(event: EventItem, name: string): void {
    const year = el("input", { type: "number", step: "any", min: 0, value: event.year, "aria-label": "Year" });
    const finish = (work: () => void): void => {
      box.close();
      work();
    };
    const box = dialog(`${name}, year ${showYears(event.year)}`,
      el("div", { class: "row" }, el("span", {}, "year"), year, el("span", {}, "yr")),
      el("div", { class: "buttons" },
        el("button", { class: "main", onclick: () => finish(() => this.move(event, Number(year.value))) }, "Move"),
        el("button", { onclick: () => finish(() => this.remove(event)) }, "Delete"),
        el("button", { onclick: () => finish(() => guard(this.app.engine.command({ type: "seek", year: event.year }))) }, "Go there"),
        el("button", { onclick: () => finish(() => this.change(event, name)), title: "Other values, at the same year" }, "Change")));
  }

  private change(event: EventItem, name: string): void {
    const events = (this.events?.list ?? []).filter((other) => isSame(other, event));
    guard(changeEvent(this.app, events, `${name}, year ${showYears(event.year)}`));
  }

  private move(event: EventItem, year: number): void {
    guard(this.forAll(event, (index) => ({ type: "move", index, year: Math.max(0, year) })).finally(() => this.placeMarks()));
  }

  private remove(event: EventItem): void {
    guard(this.forAll(event, (index) => ({ type: "remove", index })));
  }

  // Indices change with each command, so the list is looked through anew. All touches of a stroke are one undo.
  private async forAll(event: EventItem, command: (index: number) => Command): Promise<void> {
    const count = this.events?.list.filter((other) => isSame(other, event)).length ?? 0;
    for (let k = 0; k < count; ++k) {
      const next = this.events?.list.find((other) => isSame(other, event));
      if (next) await this.app.engine.command(command(next.index));
    }
    if (count > 1) await this.app.engine.command({ type: "merge", commands: count });
  }

  private yearAt(event: PointerEvent): number {
    const box = this.track.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * this.span;
  }

  private seekTo(event: PointerEvent): void {
    if ((event.target as HTMLElement).classList.contains("event")) return;
    this.seek(this.yearAt(event));
  }

  seek(year: number): void {
    if (this.isSeeking) return;
    this.isSeeking = true;
    guard(this.app.engine.command({ type: "seek", year: Math.max(0, year) }).finally(() => (this.isSeeking = false)));
  }

  private trackKey(event: KeyboardEvent): void {
    const clock = this.app.engine.clock;
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageDown: -20, PageUp: 20 };
    if (!clock) return;
    if (event.key === "Home") this.seek(0);
    else if (event.key === "End") this.seek(this.events?.end ?? clock.year);
    else if (steps[event.key]) this.seek(clock.year + steps[event.key] * clock.tick);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
