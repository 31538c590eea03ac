// SPDX-License-Identifier: MIT
// A table of a process as a grid of numbers. Tables with places can be drawn on the map: emitters of
// rivers, faults, domes, local winds.
import type { App } from "../app.ts";
import type { TableInfo } from "../engine/messages.ts";
import { parseTable } from "../files/csv.ts";
import { el, guard, note } from "./dom.ts";

type Row = Record<string, number>;

// Values of a row that is drawn on the map: first by table and column, then by column. Lengths are shares of the
// land's longer side.
const usual: Record<string, number> = {
  discharge: 20, rate: 1, radius: 50, soft: 25, speed: 8, share: 0.1, quantity: 1, until: 1000, years: 1, size: 1,
  left_reach: 0, right_reach: 0, "domes.rate": 2, "faults.left": 2, "faults.right": 0,
};
const shares: Record<string, number> = { width: 0.04, "domes.length": 0.3, "domes.width": 0.2, "faults.width": 0.02, length: 0.2 };

export function makeTable(app: App, process: string, table: TableInfo): HTMLElement {
  const names = table.columns.map((column) => column.name);
  let rows: Row[] = (table.rows ?? []).map((row) => Object.fromEntries(names.map((name, k) => [name, row[k]])));
  const body = el("div");
  const hasPlace = names.includes("x") && names.includes("y");
  const send = (): void => {
    const value = rows.length > 0 ? rows : "none";
    guard(app.engine.command({ type: "change", process, with: { [table.name]: value } }));
    fill();
  };
  const fill = (): void => {
    body.replaceChildren(rows.length > 0 ? gridOf(table, rows, send) : el("p", {}, "No rows."));
  };
  const extent = (): number => Math.max(...(app.engine.scene?.extent ?? [1000]));
  const valueOf = (column: string): number | undefined => {
    const share = shares[`${table.name}.${column}`] ?? shares[column];
    return share === undefined ? (usual[`${table.name}.${column}`] ?? usual[column]) : Number((share * extent()).toPrecision(2));
  };
  const blank = (): Row =>
    Object.fromEntries(table.columns.filter((c) => !c.optional || valueOf(c.name) !== undefined).map((c) => [c.name, valueOf(c.name) ?? Math.max(0, c.min ?? 0)]));
  // Rivers flow towards the middle of the land.
  const inwards = (x: number, y: number): number => {
    const [east, north] = app.engine.scene?.extent ?? [0, 0];
    return Math.round((Math.atan2(east / 2 - x, north / 2 - y) * 180) / Math.PI + 360) % 360;
  };
  const draw = (): void => {
    // each drawing is another trace
    const trace = 1 + Math.max(0, ...rows.map((row) => row.fault ?? 0));
    note("Click on the land to set points. Escape ends.", true);
    app.draw({
      isLine: names.includes("fault") || names.length === 2,
      points: () => rows.map((row, k) => ({ x: row.x, y: row.y, label: String(k + 1) })),
      onPoint: (x, y) => {
        const row: Row = { ...blank(), x, y };
        if (names.includes("fault")) row.fault = trace;
        if (table.name === "emitters") row.azimuth = inwards(x, y);
        rows.push(row);
      },
      onDone: send,
    });
  };
  const load = async (file: File): Promise<void> => {
    rows = parseTable(await file.text(), names);
    send();
  };
  const picker = el("input", { type: "file", accept: ".csv,text/csv", hidden: true, onchange: () => picker.files?.[0] && guard(load(picker.files[0])) });
  fill();
  return el("details", { title: table.doc }, el("summary", {}, `table ${table.name.replaceAll("_", " ")} (${rows.length})`), body,
    el("div", { class: "buttons" },
      hasPlace ? el("button", { type: "button", onclick: draw }, "Draw on the map") : null,
      el("button", { type: "button", onclick: () => { rows.push(blank()); fill(); } }, "Add row"),
      el("button", { type: "button", onclick: () => picker.click() }, "From CSV"),
      el("button", { type: "button", onclick: () => { rows = []; send(); } }, "Clear"), picker));
}

function gridOf(table: TableInfo, rows: Row[], send: () => void): HTMLTableElement {
  const head = el("tr", {}, ...table.columns.map((c) => el("th", { title: c.unit === "1" ? "" : c.unit }, c.name)), el("th"));
  const grid = el("table", {}, head);
  rows.forEach((row, k) => {
    const line = el("tr");
    for (const column of table.columns) {
      const box = el("input", {
        type: "number", step: "any", value: row[column.name] ?? "", "aria-label": `${column.name}, row ${k + 1}`,
        onchange: () => {
          row[column.name] = Number(box.value);
          send();
        },
      });
      line.append(el("td", {}, box));
    }
    line.append(el("td", {}, el("button", { type: "button", "aria-label": `Delete row ${k + 1}`, onclick: () => { rows.splice(k, 1); send(); } }, "×")));
    grid.append(line);
  });
  return grid;
}
