import type { ReactNode } from 'react'
import { useLatchkey } from './hooks/useLatchkey.ts'
import { LazyModal } from './LazyModal.tsx'

/**
 * Renders the modal inline instead of as a dialog. The panel is always open, up to 360 px wide, and has no backdrop. Render only
 * one panel.
 * @throws an `Error` unless the option `embedded` is `true`.
 *
 * @example
 * <LatchkeyProvider options={{ adapters: [evm()], embedded: true }}>
 *   <LatchkeyPanel />
 * </LatchkeyProvider>
 */
export function LatchkeyPanel(): ReactNode {
  const { options } = useLatchkey()
  if (options.embedded !== true) throw new Error('<LatchkeyPanel> needs the option `embedded: true`.')
  return <LazyModal inline />
}
