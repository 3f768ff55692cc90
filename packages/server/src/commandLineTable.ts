/** A command that was written wrongly; its message is one sentence for the person at the terminal. */
export class UsageError extends Error {}

/** Rows as a table of text. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (columns, row) => row.map((cell, at) => Math.max(columns[at] ?? 0, cell.length)),
    [],
  )
  return `${rows.map((row) => row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd((widths[at] ?? 0) + 2))).join('')).join('\n')}\n`
}
