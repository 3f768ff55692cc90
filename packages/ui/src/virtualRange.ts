/** The layout and scroll position of a virtual list. */
export interface VirtualRangeParameters {
  readonly count: number
  readonly columns: number
  readonly rowHeight: number
  readonly gap: number
  readonly scrollTop: number
  readonly height: number
  /** The number of extra rows to render above and below the visible area. */
  readonly overscan: number
}

/** Returns the range of items to render as `[from, to)`, the offset of the first rendered item, and the total height. */
export function virtualRange(params: VirtualRangeParameters): {
  from: number
  to: number
  offset: number
  total: number
} {
  const rows = Math.ceil(params.count / params.columns)
  const step = params.rowHeight + params.gap
  const total = rows === 0 ? 0 : rows * step - params.gap
  const first = Math.min(Math.max(0, Math.floor(params.scrollTop / step) - params.overscan), Math.max(0, rows - 1))
  const last = Math.min(rows, Math.ceil((params.scrollTop + params.height) / step) + params.overscan)
  return {
    from: first * params.columns,
    to: Math.min(params.count, Math.max(first, last) * params.columns),
    offset: first * step,
    total,
  }
}
