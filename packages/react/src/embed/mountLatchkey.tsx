import type { Latchkey, LatchkeyOptions } from '@latchkey/core'
import { createRoot } from 'react-dom/client'
import { ButtonStyles } from '../buttons/ButtonStyles.tsx'
import { ConnectButton, type ConnectButtonProps } from '../buttons/ConnectButton.tsx'
import { createEvmLatchkey } from '../createEvmLatchkey.ts'
import { LatchkeyPanel } from '../LatchkeyPanel.tsx'
import { LatchkeyProvider, type LatchkeyProviderProps } from '../LatchkeyProvider.tsx'

/** Options for `mountLatchkey`: the options for `createLatchkey`, and the button's appearance and text. */
export interface MountOptions
  extends LatchkeyOptions,
    Pick<LatchkeyProviderProps, 'locale' | 'messages'>,
    Pick<ConnectButtonProps, 'label' | 'size' | 'showBalance'> {
  /** An existing instance, used instead of creating an instance from the options. */
  readonly latchkey?: Latchkey
  /** Whether to add the button's styles to the page. Defaults to `true`. */
  readonly styles?: boolean
}

/** A mounted button or panel. */
export interface MountedLatchkey {
  /** The instance that was passed, or the instance created from the options. */
  readonly latchkey: Latchkey
  /** Removes the button or panel from the element and stops the instance, unless the instance is still used elsewhere. */
  unmount(): void
}

/**
 * Renders the connect button into `element`, or the modal itself if the option `embedded` is set. For pages without React.
 *
 * @example
 * const { latchkey } = mountLatchkey(document.querySelector('#wallet'))
 * latchkey.on('connect', ({ account }) => …)
 */
export function mountLatchkey(element: Element, options: MountOptions = {}): MountedLatchkey {
  const { latchkey: provided, locale, messages, label, size, showBalance, styles = true, ...rest } = options
  const latchkey = provided ?? createEvmLatchkey(rest)
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
