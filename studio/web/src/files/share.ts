// SPDX-License-Identifier: MIT
// A link that holds the scene and everything that was done, compressed into its fragment.
import type { App } from "../app.ts";
import { note } from "../ui/dom.ts";

const MOST = 10000; // characters of a fragment that chat programs and mail leave whole

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const body = new Response(bytes as BodyInit).body;
  if (!body) throw new Error("no data");
  return new Uint8Array(await new Response(body.pipeThrough(stream as ReadableWritablePair<Uint8Array, Uint8Array>)).arrayBuffer());
}

const toText = (bytes: Uint8Array): string => {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

const fromText = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

export async function makeLink(scene: string, year: number): Promise<string> {
  const packed = toText(await through(new TextEncoder().encode(scene), new CompressionStream("deflate-raw")));
  const fragment = `#y=${year}&s=${packed}`;
  if (fragment.length > MOST)
    throw new Error(`the record needs ${fragment.length} characters, and a link takes ${MOST}; save the scene as a file instead`);
  return location.origin + location.pathname + fragment;
}

export async function readLink(fragment: string): Promise<{ scene: string; year: number } | null> {
  const match = /^#y=([0-9.e+-]+)&s=([\w-]+)$/.exec(fragment);
  if (!match) return null;
  const bytes = await through(fromText(match[2]), new DecompressionStream("deflate-raw"));
  return { year: Number(match[1]), scene: new TextDecoder().decode(bytes) };
}

/** Open the scene of the address, if it holds one, in the year in which it was shared. */
export async function openFromLink(app: App): Promise<boolean> {
  try {
    const link = await readLink(location.hash);
    if (!link) return false;
    await app.engine.open(link.scene, { name: "shared" });
    app.sceneText = link.scene;
    await app.engine.command({ type: "seek", year: link.year });
    return true;
  } catch (error) {
    note(`This link cannot be opened: ${String((error as Error).message)}`);
    return false;
  }
}
