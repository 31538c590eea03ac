// SPDX-License-Identifier: MIT
// Changes the values of an event in the past or future: a stroke's amount, radius and rim, a region, fields of a
// process. The event is taken away and put back with its new values, and the world is replayed to the present year.
import type { App } from "../app.ts";
import type { Command, EventItem } from "../engine/messages.ts";
import { dialog, el, guard } from "./dom.ts";

type Value = string | Value[] | { [key: string]: Value };
type Values = { [key: string]: Value };

interface Field {
  path: string[];
  value: string;
}

/** Values that can be typed; lists of corners and rows of tables stay as they are. */
export function fieldsOf(value: Value, path: string[] = []): Field[] {
  if (typeof value === "string") return [{ path, value }];
  if (Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => fieldsOf(inner, [...path, key]));
}

/** The value with another text at a path. */
export function withField(value: Value, path: string[], text: string): Value {
  if (path.length === 0) return text;
  const map = value as Values;
  return { ...map, [path[0]]: withField(map[path[0]], path.slice(1), text) };
}

// A change of a process that a later one of the same year replaces is not in the record.
const isReplaced = (list: EventItem[], event: EventItem): boolean =>
  event.kind === "change" && list.some((other) => other.kind === "change" && other.name === event.name && other.year === event.year && other.index > event.index);

// The values of events as the record writes them, with all scalars as texts.
async function valuesOf(app: App, events: EventItem[]): Promise<Value[]> {
  const { engine } = app;
  const clock = engine.clock;
  // the record goes to the present year
  if (clock && events[0].year >= clock.year - 1e-9) await engine.command({ type: "seek", year: events[0].year + clock.tick });
  const { text } = await engine.ask({ type: "record" }, "record");
  const { parse } = await import("yaml");
  const tree = parse(text, { schema: "failsafe" }) as { timeline?: { events?: Values[] } };
  const list = engine.events?.list ?? [];
  const written = list.filter((event) => !isReplaced(list, event));
  return events.map(({ index, name }) => {
    const value = tree.timeline?.events?.[written.findIndex((event) => event.index === index)]?.[name];
    if (value === undefined) throw new Error(`the record holds no event '${name}' at this place`);
    return value;
  });
}

const put = (event: EventItem, value: Value, joins: boolean): Command =>
  event.kind === "edit"
    ? { type: "edit", edit: { [event.name]: value }, joins }
    : { type: "change", process: event.name, with: value };

// Takes all events away and puts some of them back. Returns the number of commands that it gave, and what failed, if
// anything did.
async function replace(app: App, all: EventItem[], events: EventItem[], before: Value[], after: Value[]): Promise<[number, unknown]> {
  const { engine } = app;
  const year = events[0].year;
  // from the last: the places of the others stay
  for (const { index } of [...all].reverse()) await engine.command({ type: "remove", index });
  await engine.command({ type: "seek", year });
  let failure: unknown = null;
  for (const [k, event] of events.entries()) {
    try {
      await engine.command(put(event, after[k], k > 0));
    } catch (error) {
      failure ??= error;
      await engine.command(put(event, before[k], k > 0));
    }
  }
  // touches that join a stroke are no commands of their own
  return [all.length + 1, failure];
}

/** Puts events back with other values, as one command of the record, and returns to the present year. */
async function replaceEvents(app: App, all: EventItem[], events: EventItem[], before: Value[], after: Value[]): Promise<void> {
  const { engine } = app;
  const now = engine.clock?.year ?? 0;
  const [commands, failure] = await replace(app, all, events, before, after).finally(() => engine.command({ type: "seek", year: now }));
  await engine.command({ type: "merge", commands });
  if (failure) throw failure;
}

/** `all`: the touches of a stroke, or the changes of a process at one year, of which the last holds. */
export async function changeEvent(app: App, all: EventItem[], title: string): Promise<void> {
  const events = all[0].kind === "change" ? all.slice(-1) : all;
  const now = app.engine.clock?.year ?? 0;
  const before = await valuesOf(app, events);
  const isStroke = events.length > 1;
  // the places of a stroke's touches differ
  const fields = fieldsOf(before[0]).filter(({ path }) => !isStroke || !["x", "y"].includes(path[path.length - 1]));
  const boxes = fields.map(({ path, value }) => el("input", { type: "text", value, "aria-label": path.join(" ") || events[0].name }));
  const apply = async (): Promise<void> => {
    const changed = fields.filter((field, k) => boxes[k].value !== field.value);
    const after = before.map((value) => changed.reduce((sum, field) => withField(sum, field.path, boxes[fields.indexOf(field)].value), value));
    await app.engine.command({ type: "seek", year: now });
    if (changed.length > 0) await replaceEvents(app, all, events, before, after);
  };
  const box = dialog(title,
    el("p", {}, isStroke ? `Values of all ${events.length} touches of this stroke.` : "Values of this event. Units are written behind numbers."),
    ...fields.map(({ path }, k) => el("div", { class: "row" }, el("span", {}, path.join(" ").replaceAll("_", " ") || "value"), boxes[k], el("span"))),
    el("div", { class: "buttons" }, el("button", { class: "main", type: "button", onclick: () => { box.close(); guard(apply()); } }, "Apply")));
}
