import type { ReactNode } from 'react'

/**
 * The facts that decide: who asks, how much or what follows, who gets it, what it costs. An approval arms only when all of them were
 * seen; what merely explains stands outside. Each child is one piece that has to be whole on screen.
 */
export function VisibleFacts({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <div className="deciding" data-deciding>
      {children}
    </div>
  )
}
