import { createLatchkey, type Latchkey, type LatchkeyOptions } from '@latchkey/core'
import { type ReactNode, useEffect, useState } from 'react'
import { LatchkeyContext } from './context.ts'
import { createDoor, DoorContext } from './door.ts'
import { TextProvider, type TextProviderProps } from './i18n/TextProvider.tsx'
import { ModalHost } from './ModalHost.tsx'
import { type Slots, SlotsContext } from './slots.ts'
import { useReadOnce } from './useReadOnce.ts'

/** What a provider needs: an instance, or the options to make one with (read once). */
export type LatchkeyProviderProps = (
  | { readonly latchkey: Latchkey; readonly options?: never }
  | { readonly options: LatchkeyOptions; readonly latchkey?: never }
) &
  Pick<TextProviderProps, 'locale' | 'messages'> & {
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
  const [made] = useState(() => latchkey ?? createLatchkey(options ?? {}))
  useReadOnce(options)
  const [door] = useState(createDoor)
  const now = latchkey ?? made
  useEffect(() => now.start(), [now])

  return (
    <LatchkeyContext.Provider value={now}>
      <DoorContext.Provider value={door}>
        <SlotsContext.Provider value={slots}>
          <TextProvider locale={locale} messages={messages}>
            {children}
            {now.options.embedded !== true && <ModalHost />}
          </TextProvider>
        </SlotsContext.Provider>
      </DoorContext.Provider>
    </LatchkeyContext.Provider>
  )
}
