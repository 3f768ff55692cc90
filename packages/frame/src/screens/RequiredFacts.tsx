import type { ReactNode } from 'react'

/**
 * The required facts: the requester, the amount or effect, the recipient and the cost. An approval is enabled only after all of them
 * have been visible. Explanatory text goes outside this component.
 */
export function RequiredFacts({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="deciding" data-deciding>
      {children}
    </div>
  )
}
