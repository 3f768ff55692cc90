/** Thrown for invalid command-line arguments. The message is shown to the user. */
export class UsageError extends Error {}

/** Formats rows as a plain-text table. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (columns, row) => row.map((cell, at) => Math.max(columns[at] ?? 0, cell.length)),
    [],
  )
  return `${rows.map((row) => row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd((widths[at] ?? 0) + 2))).join('')).join('\n')}\n`
}
