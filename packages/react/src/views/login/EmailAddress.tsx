import type { ReactNode } from 'react'

/** An email address, isolated from the writing direction of the surrounding text. */
export function EmailAddress({ children }: { readonly children: string }): ReactNode {
  return (
    <bdi className="whole" dir="ltr">
      {children}
    </bdi>
  )
}
