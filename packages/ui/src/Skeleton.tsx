import type { ReactNode } from 'react'

/** Props for `Skeleton`. */
export interface SkeletonProps {
  /**
   * `row` is a list row, `tile` is a grid tile, `text` is a line, and `square` fills the width of its container. Default: `text`.
   */
  readonly kind?: 'row' | 'tile' | 'text' | 'square' | undefined
  /** The number of placeholders. Default: 1. */
  readonly count?: number | undefined
  /** The width of a line of text, as a CSS value. Default: `60%`. */
  readonly width?: string | undefined
}

/**
 * Renders a placeholder with the final size of content that is loading. It is hidden from screen readers, so announce loading
 * once in a `LiveRegion`.
 */
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
