// SPDX-License-Identifier: MIT
// Light or dark: as the system says, until somebody chooses.

const KEY = "wadi-studio-theme";
export type Theme = "auto" | "light" | "dark";

export interface ThemeControl {
  get(): Theme;
  set(theme: Theme): void;
}

function stored(): Theme {
  const value = localStorage.getItem(KEY);
  return value === "light" || value === "dark" ? value : "auto";
}

export function bindTheme(): ThemeControl {
  const system = matchMedia("(prefers-color-scheme: light)");
  const apply = (): void => {
    const theme = stored();
    document.documentElement.dataset.theme = theme === "auto" ? (system.matches ? "light" : "dark") : theme;
  };
  system.addEventListener("change", apply);
  apply();
  return {
    get: stored,
    set(theme) {
      localStorage.setItem(KEY, theme);
      apply();
    },
  };
}
