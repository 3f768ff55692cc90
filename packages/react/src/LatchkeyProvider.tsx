import { createLatchkey, type Latchkey, type LatchkeyOptions } from '@latchkey/core'
import { type ReactNode, useEffect, useState } from 'react'
import { TranslationsProvider, type TranslationsProviderProps } from './i18n/TranslationsProvider.tsx'
import { LatchkeyContext } from './LatchkeyContext.ts'
import { ModalHost } from './ModalHost.tsx'
import { createModalLoader, ModalLoaderContext } from './modalLoader.ts'
import { type Slots, SlotsContext } from './slots.ts'
import { useWarnOptionsChanged } from './useWarnOptionsChanged.ts'

/** What a provider needs: an instance, or the options to make one with (read once). */
export type LatchkeyProviderProps = (
  | { readonly latchkey: Latchkey; readonly options?: never }
  | { readonly options: LatchkeyOptions; readonly latchkey?: never }
) &
  Pick<TranslationsProviderProps, 'locale' | 'messages'> & {
    /** What the host puts into our views. */
    readonly slots?: Slots | undefined
    readonly children?: ReactNode
  }

const empty: Slots = {}

/** Holds one Latchkey, starts it in the browser, and draws its modal. Put it once, high in the tree. */
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
  const [loader] = useState(createModalLoader)
  const instance = latchkey ?? created
  useEffect(() => instance.start(), [instance])

  return (
    <LatchkeyContext.Provider value={instance}>
      <ModalLoaderContext.Provider value={loader}>
        <SlotsContext.Provider value={slots}>
          <TranslationsProvider locale={locale} messages={messages}>
            {children}
            {instance.options.embedded !== true && <ModalHost />}
          </TranslationsProvider>
        </SlotsContext.Provider>
      </ModalLoaderContext.Provider>
    </LatchkeyContext.Provider>
  )
}
