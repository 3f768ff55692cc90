import type { ReactNode } from 'react'

/** Props of `Skeleton`. */
export interface SkeletonProps {
  /** `row` is a list row, `tile` a grid tile, `text` a line, `square` fills its container's width. [text] */
  readonly kind?: 'row' | 'tile' | 'text' | 'square' | undefined
  /** The number of placeholders. [1] */
  readonly count?: number | undefined
  /** The width of a line of text, as CSS. [60%] */
  readonly width?: string | undefined
}

/** A placeholder of the final size for content that is loading. Hidden from screen readers: announce loading once in a `LiveRegion`. */
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
