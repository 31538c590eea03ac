// SPDX-License-Identifier: MIT
// Makes elements: el("button", {class: "main", onclick: f}, "Play").

type Attributes = Record<string, unknown>;

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Node | string | null | undefined)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else if (name === "value") (element as HTMLInputElement).value = String(value);
    else if (name === "checked") (element as HTMLInputElement).checked = true;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function find<T extends HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no element #${id}`);
  return element as T;
}

export function note(text: string, isGood = false): void {
  const element = el("div", { class: isGood ? "note good" : "note" }, text);
  find("notes").append(element);
  setTimeout(() => element.remove(), isGood ? 3500 : 8000);
}

/** A warning that stays until it is closed; the same one is shown once. */
export function warn(text: string): void {
  const notes = find("notes");
  if ([...notes.querySelectorAll(".note.warning span")].some((shown) => shown.textContent === text)) return;
  const element = el("div", { class: "note warning" }, el("span", {}, text));
  element.append(el("button", { type: "button", "aria-label": "Close this warning", onclick: () => element.remove() }, "×"));
  notes.append(element);
}

/** Run something that may fail, and show its failure. */
export function guard(work: Promise<unknown>): void {
  work.catch((error: unknown) => note(error instanceof Error ? error.message : String(error)));
}

export function dialog(title: string, ...children: Node[]): HTMLDialogElement {
  const box = el("dialog", { "aria-label": title }, el("h2", {}, title), ...children);
  box.addEventListener("close", () => box.remove());
  box.addEventListener("click", (event) => {
    if (event.target === box) box.close();
  });
  document.body.append(box);
  box.showModal();
  return box;
}

/** A number with about four digits that count. */
export function show(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 1e6 || size < 1e-3) return Number(value.toPrecision(3)).toExponential();
  return String(Number(value.toPrecision(4)));
}

export function showYears(years: number): string {
  const size = Math.abs(years);
  if (size >= 1e6) return `${(years / 1e6).toFixed(3)} Myr`;
  if (size >= 1e4) return `${(years / 1e3).toFixed(2)} kyr`;
  return `${years.toFixed(size < 100 ? 2 : 0)} yr`;
}
