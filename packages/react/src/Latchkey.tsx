'use client'

/** Latchkey in one import and one element: `<Latchkey />`. */
import type { LatchkeyOptions } from '@latchkey/core'
import { type ReactNode, useState } from 'react'
import { ButtonStyles } from './buttons/ButtonStyles.tsx'
import { ConnectButton, type ConnectButtonProps } from './buttons/ConnectButton.tsx'
import { createEvmLatchkey } from './createEvmLatchkey.ts'
import { LatchkeyProvider, type LatchkeyProviderProps } from './LatchkeyProvider.tsx'
import { useWarnOptionsChanged } from './useWarnOptionsChanged.ts'

/** Props of `Latchkey`. All are optional. */
export interface LatchkeyProps
  extends Pick<LatchkeyProviderProps, 'locale' | 'messages' | 'slots' | 'children'>,
    Omit<ConnectButtonProps, 'namespace'> {
  /** Read once. [the EVM wallets of this browser, everything else at its default] */
  readonly options?: LatchkeyOptions | undefined
}

/**
 * The provider, the connect button and the EVM wallets in one component. Its children can use the hooks.
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
