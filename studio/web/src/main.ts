// SPDX-License-Identifier: MIT
// The page of the studio: puts its parts together and opens the first scene.
import "./style.css";
import { App } from "./app.ts";
import { Engine } from "./engine/engine.ts";
import type { SceneInfo } from "./engine/messages.ts";
import { openFromLink } from "./files/share.ts";
import { SocketTransport } from "./transport/socket.ts";
import { takeServerKey, type Transport } from "./transport/transport.ts";
import { WorkerTransport } from "./transport/worker.ts";
import { Painter } from "./tools/painter.ts";
import { nameOf } from "./tools/map_targets.ts";
import { PointerInput } from "./tools/pointer.ts";
import { el, find, guard, note, warn } from "./ui/dom.ts";
import { Gallery } from "./ui/gallery.ts";
import { bindKeys } from "./ui/keys.ts";
import { MapsPage } from "./ui/maps_page.ts";
import { Overlay } from "./ui/overlay.ts";
import { ProcessesPage } from "./ui/processes_page.ts";
import { Readout } from "./ui/readout.ts";
import { Rose } from "./ui/rose.ts";
import { Side } from "./ui/side.ts";
import { Timeline } from "./ui/timeline.ts";
import { Toolbar } from "./ui/toolbar.ts";
import { ViewPage } from "./ui/view_page.ts";
import { ChartsPage } from "./ui/charts_page.ts";
import { FilesPage } from "./ui/files_page.ts";
import { bindTheme } from "./ui/theme.ts";
import { View } from "./view/view.ts";
import { Marks } from "./view/marks.ts";
import { desert, land as landPalette } from "./view/palette.ts";

const key = takeServerKey();
const transport: Transport = key ? new SocketTransport(key, new URLSearchParams(location.search).has("take")) : new WorkerTransport();
const engine = new Engine(transport);
const view = new View(find<HTMLCanvasElement>("view"));
const marks = new Marks(find<HTMLCanvasElement>("marks"), view, () => engine.land);
const app = new App(engine, view, marks);

const theme = bindTheme();
const toolbar = new Toolbar(app);
const timeline = new Timeline(app);
const gallery = new Gallery(app);
const overlay = new Overlay(app);
const rose = new Rose(app);
const readout = new Readout(app);
const painter = new Painter(app, toolbar, readout, overlay);
toolbar.emitters.onPlaced = (target) => overlay.set(0, nameOf(target));
const viewPage = new ViewPage(app, theme);
const files = new FilesPage(app, gallery);
const side = new Side([new ProcessesPage(app), viewPage, new MapsPage(app, overlay), new ChartsPage(app), files]);
new PointerInput(find<HTMLCanvasElement>("view"), view, painter);
bindKeys({ app, timeline, toolbar, overlay, viewPage, files, gallery, painter });

function addMenus(): void {
  const show = (id: string, isShown: boolean): void => {
    find(id).classList.toggle("shown", isShown);
    find(id).classList.toggle("folded", !isShown);
  };
  const toggle = (id: string): void => {
    const isSeen = getComputedStyle(find(id)).display !== "none";
    // a phone has room for one of them
    if (!isSeen && innerWidth < 620) for (const other of ["tools", "side", "rose"]) show(other, false);
    show(id, !isSeen);
  };
  for (const [label, id] of [["Tools", "tools"], ["Panels", "side"], ["Winds", "rose"]])
    find("head").append(el("button", { type: "button", class: "menu", "aria-controls": id, title: `Show or hide: ${label}`, onclick: () => toggle(id) }, label));
}

function showScene(scene: SceneInfo): void {
  find("scene-button").textContent = scene.name;
  document.title = `${scene.name} · Wadi studio`;
  const isDesert = /dune|sand|wind|knoll|yardang|barchan/.test(`${scene.name} ${scene.doc}`) || scene.cell <= 3;
  view.setPalette(isDesert ? desert : landPalette);
  view.setSea(scene.sea_level);
  toolbar.offer(scene.edits.map((edit) => edit.name), scene.cell, scene.extent[0]);
  viewPage.reset(isDesert);
}

function nameEngine(): void {
  const { ready } = engine;
  if (!ready) return;
  const where = transport.kind === "worker" ? "WebAssembly" : ["native", ready.isa].filter(Boolean).join(", ");
  const threads = ready.threads === 1 ? "1 thread" : `${ready.threads} threads`;
  find("engine-name").textContent = `${where}, ${threads}`;
}

engine.on("land", (land) => view.setLand(land));
engine.on("scene", showScene);
engine.on("grains", (grains) => view.setGrains(grains));
engine.on("tiles", ({ rectangles, hasWater, isFirst }) => {
  for (const rectangle of rectangles) view.touch(rectangle, hasWater);
  if (isFirst) view.settle();
});
engine.on("note", ({ text, warns }) => (warns ? warn(text) : note(text, true)));
engine.on("error", (failure) => note(failure.text));
engine.on("closed", (reason) => {
  note(reason);
  if (transport.kind === "server" && reason.startsWith("Another page")) offerTakeOver();
});
let framesMarked = -1;
view.onFrame = (seconds) => {
  painter.frame(seconds);
  // the camera or the ground may have moved in a frame that was drawn
  marks.update(view.frames !== framesMarked);
  framesMarked = view.frames;
};

function offerTakeOver(): void {
  const take = (): void => location.assign(`${location.pathname}?take`);
  find("notes").append(el("button", { type: "button", class: "main", onclick: take }, "Take over here"));
}

async function begin(): Promise<void> {
  const server = transport.kind === "server" ? await engine.next("server") : null;
  await engine.command({ type: "hello", version: 1 });
  nameEngine();
  guard(engine.describe());
  if (server?.open) await engine.command({ type: "refresh" });
  else if (!(await openFromLink(app))) await gallery.openFirst();
}

document.body.classList.toggle("plain", view.isSoftware);
new ResizeObserver(() => view.resize()).observe(find("view"));
view.resize();
addMenus();
side.show(0);
rose.watch();
begin().catch((error: unknown) => note(`The engine did not start: ${String((error as Error).message)}`));

// for tests and for the console of the browser
Object.assign(window, { wadiStudio: { app, engine, view, painter } });
