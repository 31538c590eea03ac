// SPDX-License-Identifier: MIT
// Panels of the processes, made from their tables of fields.
import type { App } from "../app.ts";
import type { FieldInfo, ProcessInfo } from "../engine/messages.ts";
import { el, guard } from "./dom.ts";
import { makeControl, type Control, type FieldValue } from "./field.ts";
import type { Page } from "./side.ts";
import { makeTable } from "./table.ts";

const FIRST = 8; // fields that show without opening the rest

export class ProcessesPage implements Page {
  readonly title = "Processes";
  readonly element = el("div");
  private readonly list = el("div");
  private readonly add = el("select", { "aria-label": "Start a process", onchange: () => this.start() });
  private running = "";
  private readonly controls = new Map<string, { field: FieldInfo; control: Control }>();

  constructor(private readonly app: App) {
    this.element.append(this.list, el("div", { class: "buttons" }, this.add));
    app.engine.on("clock", (clock) => {
      const running = clock.processes.filter((process) => process.running).map((process) => process.name).join(" ");
      if (running !== this.running) guard(this.rebuild((this.running = running)));
    });
    app.engine.on("scene", () => (this.running = "?"));
    app.engine.on("events", () => this.refreshSoon());
  }

  private refreshTimer = 0;
  // After undo, redo or a seek the values may be others.
  private refreshSoon(): void {
    clearTimeout(this.refreshTimer);
    this.refreshTimer = window.setTimeout(() => guard(this.refresh()), 250);
  }

  private async refresh(): Promise<void> {
    for (const name of this.running.split(" ").filter(Boolean)) {
      if (name === "?") return;
      const [info] = await this.app.engine.describe(name);
      for (const field of info.fields) {
        const known = this.controls.get(`${name}.${field.name}`);
        if (known && !known.control.element.contains(document.activeElement)) known.control.set(field.value ?? field.default);
      }
    }
  }

  private async rebuild(running: string): Promise<void> {
    const names = running.split(" ").filter(Boolean);
    const infos: ProcessInfo[] = [];
    for (const name of names) infos.push(...(await this.app.engine.describe(name)));
    this.controls.clear();
    this.list.replaceChildren(...infos.map((info) => this.panel(info)));
    if (infos.length === 0) this.list.append(el("p", {}, "No process runs. Start one below, then press play."));
    this.fillAdd(names);
  }

  private fillAdd(running: string[]): void {
    this.add.replaceChildren(el("option", { value: "" }, "Start a process…"));
    for (const { name, doc } of this.app.engine.ready?.processes ?? [])
      if (!running.includes(name)) this.add.append(el("option", { value: name, title: doc }, name));
  }

  private start(): void {
    const process = this.add.value;
    this.add.value = "";
    if (process) guard(this.begin(process));
  }

  // Slides of one step are those of one storm, however long the step is: a storm each ten years of a
  // step of centuries takes minutes.
  private async begin(process: string): Promise<void> {
    const { engine } = this.app;
    const tick = engine.clock?.tick ?? 0;
    const info = engine.processes.get(process);
    const interval = process === "landslide" ? info?.fields.find((field) => field.name === "interval") : undefined;
    const isLong = interval !== undefined && tick > Number(interval.default);
    await engine.command({ type: "start", process, ...(isLong ? { with: { interval: `${tick} yr` } } : {}) });
  }

  private change(process: string, values: Record<string, unknown>): void {
    guard(this.app.engine.command({ type: "change", process, with: values }));
  }

  private panel(info: ProcessInfo): HTMLElement {
    const model = String(info.fields.find((field) => field.name === "model")?.value ?? "");
    const fields = info.fields.filter((field) => !model || !field.models?.length || field.models.includes(model));
    const panel = el("section", { "aria-label": info.name }, this.heading(info, fields));
    const groups = groupsOf(fields);
    const [first, rest] = groups.size > 1 ? splitGroups(groups) : splitLong(fields);
    panel.append(...first.map((field) => this.row(info, field)));
    for (const [name, members] of rest)
      panel.append(el("details", {}, el("summary", {}, `${name} (${members.length})`), ...members.map((field) => this.row(info, field))));
    if (info.tables.length > 0)
      panel.append(el("details", {}, el("summary", {}, `tables (${info.tables.length})`), ...info.tables.map((table) => makeTable(this.app, info.name, table))));
    return panel;
  }

  private heading(info: ProcessInfo, fields: FieldInfo[]): HTMLElement {
    const presets = el("select", { "aria-label": `Preset of ${info.name}`, title: "Presets", onchange: () => this.preset(info, presets.value) });
    presets.append(el("option", { value: "" }, "preset…"));
    for (const preset of info.presets) presets.append(el("option", { value: preset.name, title: preset.doc }, preset.name));
    presets.style.maxWidth = "8em";
    const defaults = Object.fromEntries(fields.filter((f) => f.name !== "model").map((f) => [f.name, f.default]));
    return el("h2", { title: info.doc }, info.name, el("span", { class: "grow" }),
      info.presets.length > 0 ? presets : null,
      el("button", { type: "button", title: "All values back to their defaults", onclick: () => this.change(info.name, defaults) }, "Reset"),
      el("button", { type: "button", title: "End this process now", onclick: () => guard(this.app.engine.command({ type: "stop", process: info.name })) }, "Stop"));
  }

  private preset(info: ProcessInfo, name: string): void {
    const preset = info.presets.find((p) => p.name === name);
    if (preset) this.change(info.name, { preset: name });
  }

  private row(info: ProcessInfo, field: FieldInfo): HTMLElement {
    const value = field.value ?? field.default;
    const control = makeControl(field, value as FieldValue, (v) => this.changeField(info.name, field, v, control));
    this.controls.set(`${info.name}.${field.name}`, { field, control });
    return control.element;
  }

  private changeField(process: string, field: FieldInfo, value: FieldValue, control: Control): void {
    const sent = this.app.engine.command({ type: "change", process, with: { [field.name]: value } });
    sent.then(() => {
      field.value = value;
      control.set(value);
      if (field.name === "model") this.running = "?";
    }, () => control.set((field.value ?? field.default) as FieldValue));
    guard(sent);
  }
}

function groupsOf(fields: FieldInfo[]): Map<string, FieldInfo[]> {
  const groups = new Map<string, FieldInfo[]>();
  for (const field of fields) {
    const name = field.group ?? "main";
    groups.set(name, [...(groups.get(name) ?? []), field]);
  }
  return groups;
}

type Split = [first: FieldInfo[], rest: [string, FieldInfo[]][]];

// The leading groups show, as far as they have few fields, and at least two of them: the first is often the model alone.
function splitGroups(groups: Map<string, FieldInfo[]>): Split {
  const first: FieldInfo[] = [];
  const rest: [string, FieldInfo[]][] = [];
  for (const [index, [name, members]] of [...groups].entries()) {
    if (rest.length === 0 && (index < 2 || first.length + members.length <= FIRST)) first.push(...members);
    else rest.push([name, members]);
  }
  return [first, rest];
}

function splitLong(fields: FieldInfo[]): Split {
  return [fields.slice(0, FIRST), fields.length > FIRST ? [["more", fields.slice(FIRST)]] : []];
}
