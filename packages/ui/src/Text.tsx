import type { ReactNode } from 'react'

/** Props for `Text`. */
export interface TextProps {
  /** The size and weight: 20/600 for `title`, 16/500 for `row`, 14/400 for `body`, and 12/500 for `label`. Default: `body`. */
  readonly kind?: 'title' | 'row' | 'body' | 'label' | undefined
  /** The color. Default: `strong`. */
  readonly tone?: 'strong' | 'soft' | 'danger' | 'success' | undefined
  readonly children: ReactNode
}

/** Renders a paragraph in one of four sizes. */
export function Text({ kind = 'body', tone = 'strong', children }: TextProps): ReactNode {
  return (
    <p className="text" data-kind={kind} data-tone={tone}>
      {children}
    </p>
  )
}
