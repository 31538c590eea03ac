// SPDX-License-Identifier: MIT
// A table of a process as a grid of numbers. Tables with places can be drawn on the map: emitters of
// rivers, faults, domes, local winds.
import type { App } from "../app.ts";
import type { TableInfo } from "../engine/messages.ts";
import { parseTable } from "../files/csv.ts";
import { el, guard, note } from "./dom.ts";

type Row = Record<string, number>;

// Usual values of a row that is drawn on the map.
const usual: Record<string, number> = {
  discharge: 20, rate: 0.001, width: 20, radius: 50, soft: 25, speed: 8, share: 0.1, left: 0.001, right: 0,
  length: 2000, quantity: 1, until: 1000, years: 1, size: 1, left_reach: 0, right_reach: 0,
};

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
  const blank = (): Row =>
    Object.fromEntries(table.columns.filter((c) => !c.optional || usual[c.name] !== undefined).map((c) => [c.name, usual[c.name] ?? Math.max(0, c.min ?? 0)]));
  const draw = (): void => {
    note("Click on the land to set points. Escape ends.", true);
    app.draw({
      isLine: names.includes("fault") || names.length === 2,
      points: () => rows.map((row, k) => ({ x: row.x, y: row.y, label: String(k + 1) })),
      onPoint: (x, y) => rows.push({ ...blank(), x, y }),
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
