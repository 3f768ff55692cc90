import type { Token } from '@latchkey/core'
import { VirtualList } from '@latchkey/ui'
import type { ReactNode } from 'react'

/** Renders a virtualized list of tokens. */
export function LongTokenList({
  tokens,
  label,
  draw,
}: {
  readonly tokens: readonly Token[]
  readonly label: string
  readonly draw: (token: Token) => ReactNode
}): ReactNode {
  return (
    <VirtualList label={label} items={tokens} keyOf={({ id }) => id} rowHeight={60} gap={4} isPlain height="324px">
      {draw}
    </VirtualList>
  )
}
