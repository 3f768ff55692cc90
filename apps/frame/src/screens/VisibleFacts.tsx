import type { ReactNode } from 'react'

/**
 * The decisive facts: the requester, the amount or effect, the recipient and the cost. An approval is only enabled after all of them
 * were visible. Explanations are outside. Each child must be fully visible as a unit.
 */
export function VisibleFacts({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="deciding" data-deciding>
      {children}
    </div>
  )
}
