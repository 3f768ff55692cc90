import type { ReactNode } from 'react'

/** What a skeleton needs. */
export interface SkeletonProps {
  /** `row` is a list row, `tile` a tile of the grid, `text` one line, `square` as wide as its place. [text] */
  readonly kind?: 'row' | 'tile' | 'text' | 'square' | undefined
  /** How many of them. [1] */
  readonly count?: number | undefined
  /** Of a line of text, as CSS. [60%] */
  readonly width?: string | undefined
}

/** Room kept for what is on its way, at its final size. Hidden from screen readers: say "loading" once, in a `Live`. */
export function Skeleton({ kind = 'text', count = 1, width }: SkeletonProps): ReactNode {
  const bones = Array.from({ length: count }, (_, at) => at)
  return (
    <span className="skeletons" data-kind={kind} aria-hidden="true">
      {bones.map((at) => (
        <span key={at} className="skeleton" style={width === undefined ? undefined : { inlineSize: width }} />
      ))}
    </span>
  )
}
