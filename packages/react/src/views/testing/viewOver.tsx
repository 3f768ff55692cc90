import type { BuiltView, Views } from '@latchkey/core'
import { type FakeLatchkey, type FakeSetup, fakeLatchkey } from '@latchkey/core/testing'
import { AdoptContext, createAdopt, uiStyles } from '@latchkey/ui'
import { type ComponentType, type ReactNode, StrictMode } from 'react'
import { LatchkeyContext } from '../../context.ts'
import type { Locale } from '../../i18n/locales.ts'
import { TextProvider } from '../../i18n/TextProvider.tsx'
import type { ViewProps } from '../../modal/viewProps.ts'
import { type Slots, SlotsContext } from '../../slots.ts'
import { ConsentProvider } from '../connect/Consent.tsx'

/** What a shown view is told. */
export type Shown = FakeSetup & { readonly slots?: Slots; readonly locale?: Locale }

/** One view over a fake, as the modal would draw it, in strict mode; and the fake. */
export function viewOver<Name extends BuiltView>(
  View: ComponentType<ViewProps<Name>>,
  data: Views[Name],
  setup: Shown = {},
): { readonly latchkey: FakeLatchkey; readonly page: ReactNode } {
  const { slots = {}, locale, ...told } = setup
  const latchkey = fakeLatchkey(told)
  const adopt = createAdopt(document)
  adopt(uiStyles.replaceAll(':host', ':root'))
  const page = (
    <StrictMode>
      <main style={{ width: 360 }}>
        <h1>Bakery</h1>
        <LatchkeyContext.Provider value={latchkey}>
          <AdoptContext.Provider value={adopt}>
            <SlotsContext.Provider value={slots}>
              <TextProvider locale={locale}>
                <ConsentProvider>
                  <View data={data} />
                </ConsentProvider>
              </TextProvider>
            </SlotsContext.Provider>
          </AdoptContext.Provider>
        </LatchkeyContext.Provider>
      </main>
    </StrictMode>
  )
  return { latchkey, page }
}
