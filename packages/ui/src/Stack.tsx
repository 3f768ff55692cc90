import type { ReactNode } from 'react'

/** Props for `Stack`. */
export interface StackProps {
  /** The gap in px. Default: 12. */
  readonly gap?: 0 | 4 | 8 | 12 | 16 | 20 | 24 | undefined
  /** The direction in which the elements are placed. Default: `column`. */
  readonly direction?: 'column' | 'row' | undefined
  /** The alignment of the elements. Default: `stretch`. */
  readonly align?: 'stretch' | 'start' | 'center' | undefined
  readonly children: ReactNode
}

/** Renders a column or row of elements with equal gaps. */
export function Stack({ gap = 12, direction = 'column', align = 'stretch', children }: StackProps): ReactNode {
  return (
    <div className="stack" data-direction={direction} data-align={align} style={{ gap }}>
      {children}
    </div>
  )
}
