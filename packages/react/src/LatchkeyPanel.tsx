import type { ReactNode } from 'react'
import { useLatchkey } from './hooks/useLatchkey.ts'
import { ModalHost } from './ModalHost.tsx'

/**
 * Renders the modal inline, for `embedded: true`: no backdrop, always open, up to 360 px wide. Render it once.
 * @throws an `Error` without that option.
 *
 * @example
 * <LatchkeyProvider options={{ adapters: [evm()], embedded: true }}>
 *   <LatchkeyPanel />
 * </LatchkeyProvider>
 */
export function LatchkeyPanel(): ReactNode {
  const { options } = useLatchkey()
  if (options.embedded !== true) throw new Error('<LatchkeyPanel> needs the option `embedded: true`.')
  return <ModalHost inline />
}
