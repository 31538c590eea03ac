// SPDX-License-Identifier: MIT
// Reads tables: commas, semicolons or tabs, names of the columns in the first line.

export function parseTable(text: string, columns: string[]): Record<string, number>[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  if (lines.length < 2) throw new Error("a table needs a line of names and at least one row");
  const separator = [";", "\t", ","].find((mark) => lines[0].includes(mark)) ?? ",";
  const names = lines[0].split(separator).map((name) => name.trim().toLowerCase());
  const unknown = names.filter((name) => !columns.includes(name));
  if (unknown.length > 0) throw new Error(`unknown column '${unknown[0]}'; expected ${columns.join(", ")}`);
  return lines.slice(1).map((line, k) => {
    const cells = line.split(separator);
    return Object.fromEntries(names.map((name, i) => {
      const value = Number(cells[i]);
      if (!Number.isFinite(value)) throw new Error(`row ${k + 1}: '${cells[i]}' is not a number`);
      return [name, value];
    }));
  });
}
