// SPDX-License-Identifier: MIT
// A way to an engine. Both ways carry the same messages.

export interface Transport {
  readonly kind: "worker" | "server";
  onText: (text: string) => void;
  onBinary: (bytes: ArrayBuffer) => void;
  onClose: (reason: string) => void;
  sendText(text: string): void;
  sendBinary(bytes: ArrayBuffer): void;
}

const KEY = "wadi-studio-key";

/** The key of a local server. It leaves the address at once, so that no history holds it. */
export function takeServerKey(): string | null {
  const match = /(?:^#|&)key=([0-9a-f]{32})/.exec(location.hash);
  if (match) {
    sessionStorage.setItem(KEY, match[1]);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem(KEY);
}
