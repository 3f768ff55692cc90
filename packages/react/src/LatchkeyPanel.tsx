import type { ReactNode } from 'react'
import { useLatchkey } from './hooks/useLatchkey.ts'
import { ModalHost } from './ModalHost.tsx'

/** The modal in the page's flow, for `embedded: true`: no backdrop, always open, as wide as its place up to 360 px. Put it once. */
export function LatchkeyPanel(): ReactNode {
  const { options } = useLatchkey()
  if (options.embedded !== true) throw new Error('<LatchkeyPanel> needs the option `embedded: true`.')
  return <ModalHost inline />
}
