// SPDX-License-Identifier: MIT
// How the land is shown: sun, heights, plan, shade, contours, snow. Nothing here changes the world.
import type { App } from "../app.ts";
import type { FieldInfo } from "../engine/messages.ts";
import { desert, land as landPalette } from "../view/palette.ts";
import { el } from "./dom.ts";
import { makeControl } from "./field.ts";
import type { Page } from "./side.ts";
import type { Theme, ThemeControl } from "./theme.ts";

const field = (name: string, unit: string, min: number, max: number, usual: number, doc: string): FieldInfo => ({
  name, unit, min, max, doc, type: "double", default: usual, value: usual,
});

export class ViewPage implements Page {
  readonly title = "View";
  readonly element = el("div");
  private hour = 8.2;
  private turn = 0;

  constructor(
    private readonly app: App,
    private readonly theme: ThemeControl,
  ) {}

  reset(isDesert: boolean): void {
    const { view, engine } = this.app;
    const relief = (engine.scene?.extent[0] ?? 500) / 10;
    this.hour = isDesert ? 7.4 : 8.4;
    this.turn = 0;
    view.setSun(this.hour, this.turn);
    view.uniforms.uSnowLine.value = 1e6;
    this.element.replaceChildren(
      this.slider(field("sun", "h", 6, 18, this.hour, "Hour of the day"), (v) => view.setSun((this.hour = v), this.turn)),
      this.slider(field("sun turned by", "degree", -180, 180, 0, "Turns the course of the sun"), (v) => view.setSun(this.hour, (this.turn = v))),
      this.slider(field("exaggeration", "x", 0.5, 5, 1, "Heights in the picture only"), (v) => view.setTall(v)),
      this.slider(field("haze", "m", 200, 50000, Math.round(view.uniforms.uHaze.value), "Distance at which the air hides the land"), (v) => this.set(() => (view.uniforms.uHaze.value = v))),
      this.slider(field("contours", "m", 0, relief, 0, "Interval of contour lines, 0: none"), (v) => this.set(() => (view.uniforms.uContours.value = v))),
      el("div", { class: "buttons" }, el("button", { type: "button", title: "Show the whole land (F)", onclick: () => view.lookHome() }, "Whole land")),
      this.check("plan view (P)", view.camera.isPlan, (on) => this.plan(on)),
      this.check("hillshade only", view.uniforms.uShade.value > 0, (on) => this.set(() => (view.uniforms.uShade.value = on ? 1 : 0))),
      this.check("desert colours", isDesert, (on) => view.setPalette(on ? desert : landPalette)),
      el("h2", {}, "Decoration"),
      el("p", {}, "These are drawn by the picture alone. The engine does not know them, and no export holds them."),
      this.check("wind ripples on sand", isDesert, (on) => this.set(() => (view.uniforms.uRipples.value = on ? 1 : 0))),
      this.snow(),
      el("h2", {}, "Page"),
      this.themeList(),
    );
  }

  plan(isPlan: boolean): void {
    this.set(() => (this.app.view.camera.isPlan = isPlan));
    const box = this.element.querySelector<HTMLInputElement>("input[data-name='plan view (P)']");
    if (box) box.checked = isPlan;
  }

  private set(change: () => void): void {
    change();
    this.app.view.redraw();
    this.app.marks.redraw();
  }

  private slider(info: FieldInfo, onChange: (value: number) => void): HTMLElement {
    const control = makeControl(info, Number(info.default), (v) => onChange(Number(v)));
    const range = control.element.querySelector<HTMLInputElement>("input[type=range]");
    const box = control.element.querySelector<HTMLInputElement>("input[type=number]");
    range?.addEventListener("input", () => onChange(Number(box?.value)));
    return control.element;
  }

  private check(name: string, isOn: boolean, onChange: (on: boolean) => void): HTMLElement {
    const box = el("input", { type: "checkbox", checked: isOn, "data-name": name, onchange: () => onChange(box.checked) });
    return el("div", {}, el("label", {}, box, ` ${name}`));
  }

  private snow(): HTMLElement {
    const [low, high] = [0, 9000];
    const line = field("snow line", "m", low, high, high, "Snow lies above this height");
    return this.slider(line, (v) => this.set(() => (this.app.view.uniforms.uSnowLine.value = v >= high ? 1e6 : v)));
  }

  private themeList(): HTMLElement {
    const list = el("select", { id: "theme", onchange: () => this.theme.set(list.value as Theme) });
    for (const name of ["auto", "dark", "light"]) list.append(el("option", { value: name }, name));
    list.value = this.theme.get();
    return el("div", { class: "row" }, el("label", { for: "theme" }, "colours"), list, el("span"));
  }
}
