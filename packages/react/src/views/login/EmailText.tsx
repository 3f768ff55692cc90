import type { ReactNode } from 'react'

/** Renders an email address from left to right, regardless of the direction of the surrounding text. */
export function EmailText({ children }: { readonly children: string }): ReactNode {
  return (
    <bdi className="whole" dir="ltr">
      {children}
    </bdi>
  )
}
