// SPDX-License-Identifier: MIT
// Files: open and save scenes, bring in height maps, export, pictures, video, links.
import type { App } from "../app.ts";
import { importFile } from "../files/import_dialog.ts";
import { makeObj } from "../files/mesh.ts";
import { makePng16 } from "../files/png16.ts";
import { saveFile } from "../files/save.ts";
import { makeLink } from "../files/share.ts";
import { dialog, el, find, guard, note, show } from "./dom.ts";
import type { Gallery } from "./gallery.ts";
import { showKeys } from "./keys.ts";
import type { Page } from "./side.ts";
import { startTour } from "./tour.ts";

export class FilesPage implements Page {
  readonly title = "Files";
  readonly element = el("div");
  private readonly what = el("select", { id: "export-what" });
  private readonly format = el("select", { id: "export-format" });
  private recorder: MediaRecorder | null = null;
  private readonly video = el("button", { type: "button", onclick: () => this.toggleVideo() }, "Record video");

  constructor(
    private readonly app: App,
    private readonly gallery: Gallery,
  ) {
    const picker = el("input", { type: "file", hidden: true, accept: ".yaml,.yml,.png,.tif,.tiff,.asc,.r16,.r32,.raw", onchange: () => this.take(picker.files) });
    for (const [value, name] of [["png16", "PNG, 16 bits"], ["r16", "R16"], ["r32", "R32"], ["asc", "ASC grid"], ["obj", "OBJ mesh"]])
      this.format.append(el("option", { value }, name));
    const button = (name: string, work: () => unknown, title = ""): HTMLElement =>
      el("button", { type: "button", title, onclick: () => work() }, name);
    this.element.append(
      el("h2", {}, "Scene"),
      el("div", { class: "buttons" },
        button("Open a file", () => picker.click(), "A scene, or a height map: PNG, GeoTIFF, ASC, R16. You may also drop it on the page."),
        button("Save scene", () => guard(this.saveScene()), "The scene with everything that was done; wadi run repeats it"),
        button("Share a link", () => guard(this.share())),
        button("Hash", () => guard(this.showHash()), "What wadi run prints for the saved scene"), picker),
      el("h2", {}, "Export"),
      el("div", { class: "row" }, el("label", { for: "export-what" }, "map"), this.what, el("span")),
      el("div", { class: "row" }, el("label", { for: "export-format" }, "format"), this.format, button("Export", () => guard(this.export()))),
      el("h2", {}, "Picture"),
      el("div", { class: "buttons" }, button("Save picture", () => this.savePicture()), this.video),
      el("h2", {}, "Help"),
      el("div", { class: "buttons" }, button("Tour", () => startTour(this.app)), button("Keys", showKeys), button("Gallery", () => this.gallery.show())),
    );
    app.engine.on("maps", () => this.fill());
    this.watchDrops();
  }

  savePicture(): void {
    const { view } = this.app;
    const canvas = find<HTMLCanvasElement>("view");
    const ring = view.uniforms.uBrush.value.z;
    view.uniforms.uBrush.value.z = 0;
    view.drawNow();
    canvas.toBlob((blob) => blob && saveFile(blob, `${this.name()}.png`, "image/png"));
    view.uniforms.uBrush.value.z = ring;
  }

  private name(): string {
    return (this.app.engine.scene?.name ?? "wadi").replace(/[^\w-]/g, "_");
  }

  private fill(): void {
    const names = (this.app.engine.maps?.list ?? []).map((map) => map.name);
    const before = this.what.value || "surface";
    this.what.replaceChildren(...names.map((name) => el("option", { value: name }, name)));
    this.what.value = names.includes(before) ? before : (names[0] ?? "");
  }

  private async export(): Promise<void> {
    const { engine } = this.app;
    const format = this.format.value;
    const name = `${this.name()}-${this.what.value.replace(".", "-")}`;
    if (format === "obj" && engine.land) return saveFile(makeObj(engine.land), `${this.name()}.obj`, "model/obj");
    const file = await engine.download(this.what.value, format === "png16" ? "r32" : format);
    if (format !== "png16") {
      saveFile(file.bytes as BlobPart, `${name}.${format}`, "application/octet-stream");
      const { min, max } = file.info.info ?? {};
      if (min !== undefined) note(`0 is ${show(min)}, 65535 is ${show(max)}`, true);
      return;
    }
    const scene = engine.scene;
    if (!scene) return;
    const png = await makePng16(new Float32Array(file.bytes.buffer, file.bytes.byteOffset, scene.width * scene.height), scene.width, scene.height);
    saveFile(png.bytes as BlobPart, `${name}.png`, "image/png");
    note(`0 is ${show(png.min)}, 65535 is ${show(png.max)}`, true);
  }

  private async saveScene(): Promise<void> {
    const record = await this.app.engine.ask({ type: "record" }, "record");
    saveFile(record.text, `${this.name()}.yaml`, "application/yaml");
  }

  private async share(): Promise<void> {
    const record = await this.app.engine.ask({ type: "record" }, "record");
    const link = await makeLink(record.text, record.year);
    const box = el("input", { type: "text", value: link, readonly: true, "aria-label": "Link" });
    box.style.width = "100%";
    dialog("A link to this world", el("p", {}, `It holds the scene and everything that was done, in ${link.length} characters.`), box,
      el("div", { class: "buttons" }, el("button", { class: "main", type: "button", onclick: () => guard(this.copy(link)) }, "Copy")));
    box.select();
  }

  private async copy(text: string): Promise<void> {
    await navigator.clipboard.writeText(text);
    note("Copied.", true);
  }

  private async showHash(): Promise<void> {
    const hash = await this.app.engine.ask({ type: "hash" }, "hash");
    dialog("Hash", el("p", {}, "wadi run prints this hash for the saved scene:"), el("p", {}, el("code", {}, hash.end)),
      el("p", {}, "The world as it lives now, with what its processes carry:"), el("p", {}, el("code", {}, hash.living)));
  }

  private toggleVideo(): void {
    if (this.recorder) return this.recorder.stop();
    const stream = find<HTMLCanvasElement>("view").captureStream(30);
    const recorder = new MediaRecorder(stream, { mimeType: "video/webm", videoBitsPerSecond: 12e6 });
    const parts: Blob[] = [];
    recorder.ondataavailable = (event) => void parts.push(event.data);
    recorder.onstop = () => {
      this.recorder = null;
      this.video.textContent = "Record video";
      saveFile(new Blob(parts), `${this.name()}.webm`, "video/webm");
    };
    recorder.start(1000);
    this.recorder = recorder;
    this.video.textContent = "Stop recording";
  }

  private take(files: FileList | null | undefined): void {
    if (files?.[0]) guard(importFile(this.app, this.gallery, files[0]));
  }

  private watchDrops(): void {
    addEventListener("dragover", (event) => {
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    addEventListener("dragleave", () => document.body.classList.remove("dropping"));
    addEventListener("drop", (event) => {
      event.preventDefault();
      document.body.classList.remove("dropping");
      this.take(event.dataTransfer?.files);
    });
  }
}
