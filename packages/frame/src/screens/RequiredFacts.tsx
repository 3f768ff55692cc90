import type { ReactNode } from 'react'

/**
 * Wraps the required facts: the requester, the amount or effect, the recipient and the cost. The approve button is only enabled
 * after all of them have been visible. Explanatory text belongs outside this component.
 */
export function RequiredFacts({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="deciding" data-deciding>
      {children}
    </div>
  )
}
