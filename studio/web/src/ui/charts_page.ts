// SPDX-License-Identifier: MIT
// Ledger, rates and charts over time.
import type { App } from "../app.ts";
import type { Ledger } from "../engine/messages.ts";
import type uPlot from "uplot";
import { el, show } from "./dom.ts";
import type { Page } from "./side.ts";

const KEPT = 2000; // points of a chart

interface Series {
  years: number[];
  values: Record<string, number[]>;
}

export class ChartsPage implements Page {
  readonly title = "Charts";
  readonly element = el("div");
  private readonly table = el("div");
  private readonly area = el("div");
  private readonly pick = el("select", { id: "chart-of", onchange: () => this.restart() });
  private readonly history: Series = { years: [], values: {} };
  private chart: uPlot | null = null;

  constructor(private readonly app: App) {
    this.element.append(el("h2", {}, "Books"), this.table,
      el("h2", {}, "Chart"), el("div", { class: "row" }, el("label", { for: "chart-of" }, "over time"), this.pick, el("span")), this.area);
    app.engine.on("ledger", (ledger) => this.take(ledger));
    app.engine.on("scene", () => this.forget());
  }

  shown(): void {
    this.restart();
  }

  private forget(): void {
    this.history.years = [];
    this.history.values = {};
    this.pick.replaceChildren();
    this.restart();
  }

  private take(ledger: Ledger): void {
    this.showTable(ledger);
    const year = this.app.engine.clock?.year ?? 0;
    this.cutBack(year);
    this.history.years.push(year);
    for (const row of ledger.rows) {
      this.keep(`${row.material}, volume [m3]`, row.after);
      this.keep(`${row.material}, eroded [m3]`, row.eroded);
      this.keep(`${row.material}, deposited [m3]`, row.deposited);
      this.keep(`${row.material}, in transit [m3]`, row.transit);
    }
    this.keep("rate [yr/s]", this.app.engine.clock?.rate ?? 0);
    this.fillPick();
    if (this.element.isConnected) this.update();
  }

  // After a seek the later points are no longer true.
  private cutBack(year: number): void {
    const { years, values } = this.history;
    while (years.length > 0 && (years[years.length - 1] >= year || years.length >= KEPT)) {
      const isLate = years[years.length - 1] >= year;
      if (isLate) years.pop();
      else years.shift();
      for (const list of Object.values(values)) void (isLate ? list.pop() : list.shift());
    }
  }

  private keep(name: string, value: number): void {
    const list = (this.history.values[name] ??= new Array<number>(this.history.years.length - 1).fill(NaN));
    list.push(value);
  }

  private fillPick(): void {
    const names = Object.keys(this.history.values);
    if (this.pick.options.length === names.length) return;
    const before = this.pick.value;
    this.pick.replaceChildren(...names.map((name) => el("option", { value: name }, name)));
    this.pick.value = names.includes(before) ? before : (names.find((name) => name.startsWith("sediment")) ?? names[0] ?? "");
  }

  private showTable({ rows }: Ledger): void {
    const columns = ["before", "edited", "in", "out", "lost", "converted", "transit", "after", "residual"] as const;
    const table = el("table", {}, el("tr", {}, el("th", {}, "m3"), ...rows.map((row) => el("th", {}, row.material))));
    for (const name of columns) {
      const cells = rows.map((row) => el("td", {}, show(name === "out" ? row.out.reduce((a, b) => a + b, 0) : row[name])));
      table.append(el("tr", {}, el("td", {}, name), ...cells));
    }
    this.table.replaceChildren(table);
  }

  private restart(): void {
    this.chart?.destroy();
    this.chart = null;
    this.update();
  }

  private update(): void {
    const values = this.history.values[this.pick.value];
    if (!values || !this.element.isConnected) return;
    const data: [number[], number[]] = [this.history.years, values];
    if (this.chart) this.chart.setData(data);
    else void this.make(data);
  }

  private async make(data: [number[], number[]]): Promise<void> {
    const [{ default: Plot }] = await Promise.all([import("uplot"), import("uplot/dist/uPlot.min.css")]);
    if (this.chart || !this.element.isConnected) return;
    const colour = getComputedStyle(this.element).color;
    const axis = { stroke: colour, grid: { stroke: "#8883", width: 1 } };
    this.chart = new Plot({
      width: 300, height: 180, scales: { x: { time: false } }, legend: { show: false },
      axes: [{ ...axis, label: "yr" }, { ...axis, size: 62, values: (_u: uPlot, ticks: number[]) => ticks.map((tick) => show(tick)) }],
      series: [{}, { stroke: "#d9973a", width: 2 }],
    }, data, this.area);
  }
}
