// SPDX-License-Identifier: MIT
// Maps over the land and pinned, wind arrows, and a section through the ground.
import type { App } from "../app.ts";
import type { Section } from "../engine/messages.ts";
import { Arrows } from "./arrows.ts";
import { drawSection } from "./section.ts";
import { el, guard } from "./dom.ts";
import type { Overlay } from "./overlay.ts";
import type { Page } from "./side.ts";

export class MapsPage implements Page {
  readonly title = "Maps";
  readonly element = el("div");
  private readonly list = el("select", { id: "map-list", onchange: () => this.overlay.set(0, this.list.value || null) });
  private readonly arrows: Arrows;
  private readonly arrowList = el("select", { id: "arrow-list", onchange: () => this.arrows.set(this.arrowList.value) });
  private readonly doc = el("p");
  private readonly section = el("canvas", { width: 600, height: 240, role: "img", "aria-label": "Section through the ground", hidden: true });
  private ends: { x: number; y: number }[] = [];

  constructor(
    private readonly app: App,
    private readonly overlay: Overlay,
  ) {
    this.arrows = new Arrows(app, overlay);
    const opacity = el("input", { type: "range", min: 0.1, max: 1, step: 0.05, value: overlay.opacity, "aria-label": "Opacity", oninput: () => overlay.setOpacity(Number(opacity.value)) });
    this.section.style.width = "100%";
    this.element.append(
      el("div", { class: "row" }, el("label", { for: "map-list" }, "over the land"), this.list,
        el("button", { type: "button", title: "Keep this map beside the view", onclick: () => this.pin() }, "Pin")),
      el("div", { class: "row" }, el("span", {}, "opacity"), opacity, el("span")),
      this.doc,
      el("div", { class: "row" }, el("label", { for: "arrow-list" }, "arrows"), this.arrowList, el("span")),
      el("h2", {}, "Section"),
      el("div", { class: "buttons" },
        el("button", { type: "button", onclick: () => this.drawLine() }, "Draw a line"),
        el("button", { type: "button", onclick: () => guard(this.cut()) }, "Cut again")),
      this.section,
    );
    app.engine.on("maps", () => this.fill());
    overlay.onChange = () => this.follow();
  }

  private fill(): void {
    const maps = this.app.engine.maps?.list ?? [];
    this.list.replaceChildren(el("option", { value: "" }, "none"));
    for (const map of maps) this.list.append(el("option", { value: map.name }, map.unit === "1" ? map.name : `${map.name} [${map.unit}]`));
    this.arrowList.replaceChildren(el("option", { value: "" }, "none"), ...this.arrows.names().map((name) => el("option", { value: name }, name.replaceAll("_", " "))));
    this.arrowList.value = this.arrows.shown;
    this.follow();
  }

  private follow(): void {
    this.list.value = this.overlay.slots[0] ?? "";
    this.doc.textContent = this.app.engine.maps?.list.find((map) => map.name === this.overlay.slots[0])?.doc ?? "";
  }

  private pin(): void {
    if (this.list.value) this.overlay.pin(this.list.value);
  }

  private drawLine(): void {
    this.ends = [];
    this.app.draw({
      isLine: true,
      points: () => this.ends,
      onPoint: (x, y) => {
        if (this.ends.length < 2) this.ends.push({ x, y });
        else this.ends[1] = { x, y };
      },
      onDone: () => {
        if (this.ends.length === 2) guard(this.cut());
      },
    });
  }

  private async cut(): Promise<void> {
    if (this.ends.length < 2) return;
    const [from, to] = this.ends.map(({ x, y }) => [x, y]);
    const answer: Section = await this.app.engine.ask({ type: "section", from, to, count: 300 }, "section");
    this.section.hidden = false;
    drawSection(this.section, answer);
  }
}
