'use client'

/** The quick start: `<Latchkey />` combines the provider, the connect button and the EVM wallets. */
import type { LatchkeyOptions } from '@latchkey/core'
import { type ReactNode, useState } from 'react'
import { ButtonStyles } from './buttons/ButtonStyles.tsx'
import { ConnectButton, type ConnectButtonProps } from './buttons/ConnectButton.tsx'
import { createEvmLatchkey } from './createEvmLatchkey.ts'
import { LatchkeyProvider, type LatchkeyProviderProps } from './LatchkeyProvider.tsx'
import { useWarnOptionsChanged } from './useWarnOptionsChanged.ts'

/** Props for `Latchkey`. All of them are optional. */
export interface LatchkeyProps
  extends Pick<LatchkeyProviderProps, 'locale' | 'messages' | 'slots' | 'children'>,
    Omit<ConnectButtonProps, 'namespace'> {
  /** The options, which are read once. By default, the user can connect the EVM wallets that are installed in the browser. */
  readonly options?: LatchkeyOptions | undefined
}

/**
 * Renders the provider and the connect button, with support for EVM wallets. Its children can use the hooks.
 *
 * @example
 * import { Latchkey } from '@latchkey/react/quick'
 * <Latchkey />
 */
export function Latchkey({ options, locale, messages, slots, children, ...button }: LatchkeyProps): ReactNode {
  const [latchkey] = useState(() => createEvmLatchkey(options))
  useWarnOptionsChanged(options)
  return (
    <LatchkeyProvider latchkey={latchkey} locale={locale} messages={messages} slots={slots}>
      <ButtonStyles />
      <ConnectButton {...button} />
      {children}
    </LatchkeyProvider>
  )
}
