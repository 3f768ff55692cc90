import type { ReactNode } from 'react'

/** Renders text that only screen readers read. */
export function VisuallyHidden({ children }: { readonly children: ReactNode }): ReactNode {
  return <span className="hidden">{children}</span>
}
