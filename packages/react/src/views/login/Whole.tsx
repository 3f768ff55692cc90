import type { ReactNode } from 'react'

/** An address as it is, whatever the language around it. */
export function Whole({ children }: { readonly children: string }): ReactNode {
  return (
    <bdi className="whole" dir="ltr">
      {children}
    </bdi>
  )
}
