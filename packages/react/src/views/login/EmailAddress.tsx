import type { ReactNode } from 'react'

/** An address as it is, whatever the language around it. */
export function EmailAddress({ children }: { readonly children: string }): ReactNode {
  return (
    <bdi className="whole" dir="ltr">
      {children}
    </bdi>
  )
}
