// SPDX-License-Identifier: MIT
// The panel on the right: pages behind tabs.
import { el, find } from "./dom.ts";

export interface Page {
  readonly title: string;
  readonly element: HTMLElement;
  shown?(): void;
}

export class Side {
  private readonly tabs: HTMLButtonElement[] = [];
  private readonly body = el("div", { class: "page", role: "tabpanel", id: "side-page" });

  constructor(private readonly pages: Page[]) {
    const bar = el("div", { class: "tabs", role: "tablist", "aria-label": "Panels" });
    pages.forEach((page, k) => {
      const tab = el("button", { type: "button", role: "tab", "aria-controls": "side-page", onclick: () => this.show(k) }, page.title);
      this.tabs.push(tab);
      bar.append(tab);
    });
    bar.addEventListener("keydown", (event) => this.key(event));
    find("side").append(bar, this.body);
  }

  show(index: number): void {
    this.tabs.forEach((tab, k) => {
      tab.setAttribute("aria-selected", String(k === index));
      tab.tabIndex = k === index ? 0 : -1;
    });
    this.body.replaceChildren(this.pages[index].element);
    this.body.setAttribute("aria-label", this.pages[index].title);
    this.pages[index].shown?.();
  }

  private key(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const at = this.tabs.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
    const next = (at + step + this.tabs.length) % this.tabs.length;
    this.show(next);
    this.tabs[next].focus();
    event.stopPropagation();
  }
}
