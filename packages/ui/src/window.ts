/** What a windowed list must know to draw only what can be seen. */
export interface Scroll {
  readonly count: number
  readonly columns: number
  readonly rowHeight: number
  readonly gap: number
  readonly top: number
  readonly height: number
  /** Rows drawn beyond the edges. */
  readonly over: number
}

/** The entries to draw, `[from, to)`, the offset of the first and the height of all. */
export function visible(now: Scroll): { from: number; to: number; offset: number; total: number } {
  const rows = Math.ceil(now.count / now.columns)
  const step = now.rowHeight + now.gap
  const total = rows === 0 ? 0 : rows * step - now.gap
  const first = Math.min(Math.max(0, Math.floor(now.top / step) - now.over), Math.max(0, rows - 1))
  const last = Math.min(rows, Math.ceil((now.top + now.height) / step) + now.over)
  return {
    from: first * now.columns,
    to: Math.min(now.count, Math.max(first, last) * now.columns),
    offset: first * step,
    total,
  }
}
