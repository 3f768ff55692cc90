import type { Latchkey, LatchkeyOptions } from '@latchkey/core'
import { createRoot } from 'react-dom/client'
import { ButtonStyles } from '../buttons/ButtonStyles.tsx'
import { ConnectButton, type ConnectButtonProps } from '../buttons/ConnectButton.tsx'
import { createQuickLatchkey } from '../createQuickLatchkey.ts'
import { LatchkeyPanel } from '../LatchkeyPanel.tsx'
import { LatchkeyProvider, type LatchkeyProviderProps } from '../LatchkeyProvider.tsx'

/** What `mountLatchkey` takes: the options of `createLatchkey`, the looks of the button, and words. */
export interface MountOptions
  extends LatchkeyOptions,
    Pick<LatchkeyProviderProps, 'locale' | 'messages'>,
    Pick<ConnectButtonProps, 'label' | 'size' | 'showBalance'> {
  /** An instance that you made yourself, in place of the options. */
  readonly latchkey?: Latchkey
  /** Bring the looks of the button. [true] */
  readonly styles?: boolean
}

/** A mounted button. */
export interface MountedLatchkey {
  readonly latchkey: Latchkey
  unmount(): void
}

/**
 * Draws the connect button into `element` (or, with `embedded`, the modal itself), in a page that has no React of its own.
 *
 * @example
 * const { latchkey } = mountLatchkey(document.querySelector('#wallet'))
 * latchkey.on('connect', ({ account }) => …)
 */
export function mountLatchkey(element: Element, options: MountOptions = {}): MountedLatchkey {
  const { latchkey: provided, locale, messages, label, size, showBalance, styles = true, ...rest } = options
  const latchkey = provided ?? createQuickLatchkey(rest)
  const root = createRoot(element)
  root.render(
    <LatchkeyProvider latchkey={latchkey} locale={locale} messages={messages}>
      {styles && <ButtonStyles />}
      {latchkey.options.embedded === true ? (
        <LatchkeyPanel />
      ) : (
        <ConnectButton label={label} size={size} showBalance={showBalance} />
      )}
    </LatchkeyProvider>,
  )
  return { latchkey, unmount: () => root.unmount() }
}
