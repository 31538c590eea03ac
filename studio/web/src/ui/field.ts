// SPDX-License-Identifier: MIT
// One field of a table of fields as a control: slider and box, list, or check box.
import type { FieldInfo } from "../engine/messages.ts";
import { el, show } from "./dom.ts";

export type FieldValue = number | string | boolean;

/** How a slider of 0..1 maps to values: by logarithm where the range is wide. */
export interface Scale {
  toShare(value: number): number;
  toValue(share: number): number;
}

export function scaleOf(min: number, max: number, usual: number): Scale {
  if (min > 0 && max / min > 100) {
    const span = Math.log(max / min);
    return { toShare: (v) => Math.log(Math.max(min, v) / min) / span, toValue: (s) => min * Math.exp(s * span) };
  }
  const wide = usual > 0 && min === 0 && max / usual > 50;
  if (wide) {
    // zero is reached, and half of the way is the usual value
    const power = Math.log(usual / max) / Math.log(0.4);
    return { toShare: (v) => Math.max(0, v / max) ** (1 / power), toValue: (s) => max * s ** power };
  }
  return { toShare: (v) => (v - min) / (max - min), toValue: (s) => min + s * (max - min) };
}

export interface Control {
  element: HTMLElement;
  set(value: FieldValue): void;
}

const plain = (unit: string): string => (unit === "1" ? "" : unit);

export function makeControl(field: FieldInfo, value: FieldValue, onChange: (value: FieldValue) => void): Control {
  const title = [field.doc, field.source ? `Source: ${field.source}` : "", `default ${String(field.default)} ${plain(field.unit)}`]
    .filter(Boolean)
    .join("\n");
  const label = field.name.replaceAll("_", " ");
  if (field.type === "enum") return listControl(field, label, title, value, onChange);
  if (field.type === "bool") return checkControl(label, title, value, onChange);
  return numberControl(field, label, title, Number(value), onChange);
}

let nextId = 0;
const makeId = (): string => `field-${++nextId}`;

function listControl(
  field: FieldInfo,
  label: string,
  title: string,
  value: FieldValue,
  onChange: (value: FieldValue) => void,
): Control {
  const id = makeId();
  const list = el("select", { id, onchange: () => onChange(list.value) });
  for (const name of field.names ?? []) list.append(el("option", { value: name }, name));
  list.value = String(value);
  const element = el("div", { class: "row", title }, el("label", { for: id }, label), list, el("span"));
  return { element, set: (v) => (list.value = String(v)) };
}

function checkControl(label: string, title: string, value: FieldValue, onChange: (v: FieldValue) => void): Control {
  const id = makeId();
  const box = el("input", { id, type: "checkbox", checked: value === true, onchange: () => onChange(box.checked) });
  const element = el("div", { class: "row", title }, el("label", { for: id }, label), box, el("span"));
  return { element, set: (v) => (box.checked = v === true) };
}

function numberControl(
  field: FieldInfo,
  label: string,
  title: string,
  value: number,
  onChange: (value: FieldValue) => void,
): Control {
  const id = makeId();
  const usual = Number(field.default);
  const isWhole = field.type === "int32";
  const min = field.min ?? 0;
  const max = field.max ?? Math.max(1, usual * 10);
  const scale = scaleOf(min, max, usual);
  const tidy = (v: number): number => (isWhole ? Math.round(v) : Number(v.toPrecision(3)));
  const slider = el("input", { type: "range", min: 0, max: 1, step: 0.002, "aria-label": `${label}, slider` });
  const box = el("input", { id, type: "number", step: "any", min: field.min, max: field.max });
  const set = (v: FieldValue): void => {
    box.value = show(Number(v)).replace("–", "");
    slider.value = String(scale.toShare(Number(v)));
    slider.setAttribute("aria-valuetext", `${box.value} ${plain(field.unit)}`);
    element.classList.toggle("changed", Number(v) !== usual);
  };
  slider.addEventListener("input", () => (box.value = String(tidy(scale.toValue(Number(slider.value))))));
  slider.addEventListener("change", () => onChange(Number(box.value)));
  box.addEventListener("change", () => onChange(Number(box.value)));
  const element = el(
    "div",
    { class: "row", title },
    el("label", { for: id }, label),
    slider,
    el("span", { class: "box" }, box, el("span", { class: "unit" }, plain(field.unit))),
  );
  set(value);
  return { element, set };
}
