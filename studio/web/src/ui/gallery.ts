// SPDX-License-Identifier: MIT
// Scenes to start from, with pictures and times. The texts are those of the folder scenes/.
import type { App } from "../app.ts";
import { dialog, el, find, guard } from "./dom.ts";
import { askNewLand } from "./new_land.ts";
import knolls from "../../../../scenes/knolls.yaml?raw";

const texts = import.meta.glob<string>(
  [
    "../../../../scenes/{dunes-barchans,dunes-star,dunes-linear,dunes-transverse,dunes-parabolic,dunes-network}.yaml",
    "../../../../scenes/{dunes-plants,first,range,mesa,talus,uplift,delta,coast,flood,landslide}.yaml",
  ],
  { query: "?raw", import: "default" },
);
const pictures = import.meta.glob<string>("../../pictures/*.jpg", { query: "?url", import: "default", eager: true });

interface Card {
  name: string;
  title: string;
  text: string;
}

const cards: Card[] = [
  { name: "knolls", title: "Knolls and sand", text: "20 years of west wind" },
  { name: "dunes-barchans", title: "Barchans", text: "crescents on bare ground" },
  { name: "dunes-star", title: "Star dune", text: "winds from three sides" },
  { name: "dunes-linear", title: "Linear dunes", text: "two winds in turn" },
  { name: "dunes-transverse", title: "Transverse dunes", text: "much sand, one wind" },
  { name: "dunes-parabolic", title: "Parabolic dunes", text: "sand held by plants" },
  { name: "dunes-network", title: "Network", text: "winds that change" },
  { name: "dunes-plants", title: "Dunes and plants", text: "growth against burial" },
  { name: "first", title: "First valley", text: "rain on noise, thousands of years" },
  { name: "range", title: "Range", text: "uplift and rain" },
  { name: "mesa", title: "Mesa", text: "hard beds over soft ones" },
  { name: "talus", title: "Talus", text: "screes below cliffs" },
  { name: "uplift", title: "Uplift", text: "faults and domes" },
  { name: "delta", title: "Delta", text: "a river meets a lake" },
  { name: "coast", title: "Coast", text: "waves wear a shore" },
  { name: "landslide", title: "Landslides", text: "slopes that fail after rain" },
  { name: "flood", title: "Flood", text: "a valley, then high water" },
];

export class Gallery {
  constructor(private readonly app: App) {
    find("scene-button").addEventListener("click", () => this.show());
  }

  async openFirst(): Promise<void> {
    await this.open(knolls, "knolls");
    await this.app.play(true, 0);
  }

  /** Open the text of a scene. */
  async open(text: string, name: string, options: Record<string, unknown> = {}): Promise<void> {
    await this.app.engine.open(text, { name, ...options });
    this.app.sceneText = text;
  }

  show(): void {
    const make = el("button", { type: "button", onclick: () => { box.close(); askNewLand(this.app, this); } }, "New land…");
    const box = dialog("Gallery", el("div", { class: "buttons" }, make), el("div", { class: "cards" }, ...cards.filter((card) => this.has(card)).map((card) => {
      const picture = pictures[`../../pictures/${card.name}.jpg`];
      return el("button", { type: "button", class: "card", onclick: () => { box.close(); guard(this.pick(card)); } },
        picture ? el("img", { src: picture, alt: "", loading: "lazy", width: 320, height: 200 }) : null,
        el("span", {}, card.title, el("small", {}, card.text)));
    })));
  }

  private has(card: Card): boolean {
    return card.name === "knolls" || `../../../../scenes/${card.name}.yaml` in texts;
  }

  private async pick(card: Card): Promise<void> {
    const text = card.name === "knolls" ? knolls : await texts[`../../../../scenes/${card.name}.yaml`]();
    await this.open(text, card.name);
    await this.app.play(true, 0);
  }
}
