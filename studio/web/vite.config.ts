// SPDX-License-Identifier: MIT
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: {
    target: "es2022",
    outDir: process.env.STUDIO_OUT ?? "../../out/studio",
    emptyOutDir: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  worker: { format: "es" },
});
