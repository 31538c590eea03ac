// SPDX-License-Identifier: MIT
// Long contents travel in pieces of at most 60 kB: up as "wadp", down as "wadx".

const PIECE = 60000 - 256;

export function* piecesOf(name: string, content: Uint8Array): Generator<ArrayBuffer> {
  const label = new TextEncoder().encode(name);
  const head = 16 + Math.ceil(label.length / 4) * 4;
  for (let offset = 0; offset < content.length; offset += PIECE) {
    const size = Math.min(PIECE, content.length - offset);
    const bytes = new Uint8Array(head + size);
    const view = new DataView(bytes.buffer);
    bytes.set(new TextEncoder().encode("wadp"));
    view.setUint32(4, offset, true);
    view.setUint32(8, size, true);
    view.setUint32(12, label.length, true);
    bytes.set(label, 16);
    bytes.set(content.subarray(offset, offset + size), head);
    yield bytes.buffer;
  }
}

/** Collects the pieces of files that the engine sends. */
export class Inbox {
  private readonly open = new Map<number, { bytes: Uint8Array; got: number }>();

  announce(seq: number, size: number): void {
    this.open.set(seq, { bytes: new Uint8Array(size), got: 0 });
  }

  /** Returns the whole content with its last piece. */
  take(message: ArrayBuffer): { seq: number; bytes: Uint8Array } | null {
    const view = new DataView(message);
    const seq = view.getUint32(4, true);
    const offset = view.getUint32(8, true);
    const size = view.getUint32(12, true);
    const file = this.open.get(seq);
    if (!file) return null;
    file.bytes.set(new Uint8Array(message, 16, size), offset);
    file.got += size;
    if (file.got < file.bytes.length) return null;
    this.open.delete(seq);
    return { seq, bytes: file.bytes };
  }
}
