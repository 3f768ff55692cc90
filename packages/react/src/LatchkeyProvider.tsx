import { createLatchkey, type Latchkey, type LatchkeyOptions } from '@latchkey/core'
import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { createModalLoader } from './createModalLoader.ts'
import { TranslationsProvider, type TranslationsProviderProps } from './i18n/TranslationsProvider.tsx'
import { LatchkeyContext } from './LatchkeyContext.ts'
import { LazyModal } from './LazyModal.tsx'
import { ModalLoaderContext } from './ModalLoaderContext.ts'
import { type Slots, SlotsContext } from './slots.ts'
import { useWarnOptionsChanged } from './useWarnOptionsChanged.ts'

/** Props for `LatchkeyProvider`. Pass either an instance or the options for creating an instance. Options are read once. */
export type LatchkeyProviderProps = (
  | { readonly latchkey: Latchkey; readonly options?: never }
  | { readonly options: LatchkeyOptions; readonly latchkey?: never }
) &
  Pick<TranslationsProviderProps, 'locale' | 'messages'> & {
    /** Custom content that the host renders inside Latchkey's views. */
    readonly slots?: Slots | undefined
    readonly children?: ReactNode
  }

const empty: Slots = {}

/**
 * Provides a Latchkey instance to its children, starts the instance in the browser and renders the modal. Render the provider
 * once, near the root of your app.
 *
 * @example
 * <LatchkeyProvider options={{ adapters: [evm({ chains: [mainnet] })] }}>
 *   <ConnectButton />
 * </LatchkeyProvider>
 */
export function LatchkeyProvider({
  latchkey,
  options,
  locale,
  messages,
  slots = empty,
  children,
}: LatchkeyProviderProps): ReactNode {
  const [created] = useState(() => latchkey ?? createLatchkey(options ?? {}))
  useWarnOptionsChanged(options)
  const instance = latchkey ?? created
  const loader = useMemo(() => createModalLoader(instance.options), [instance])
  useEffect(() => instance.start(), [instance])

  return (
    <LatchkeyContext.Provider value={instance}>
      <ModalLoaderContext.Provider value={loader}>
        <SlotsContext.Provider value={slots}>
          <TranslationsProvider locale={locale} messages={messages}>
            {children}
            {instance.options.embedded !== true && <LazyModal />}
          </TranslationsProvider>
        </SlotsContext.Provider>
      </ModalLoaderContext.Provider>
    </LatchkeyContext.Provider>
  )
}
