import type { BuiltView, Views } from '@latchkey/core'
import { type FakeLatchkey, type FakeSetup, fakeLatchkey } from '@latchkey/core/testing'
import type { Language } from '@latchkey/i18n/languages'
import { createStyleAdopter, StyleSheetContext, uiStyles } from '@latchkey/ui'
import { type ComponentType, type ReactNode, StrictMode } from 'react'
import { TranslationsProvider } from '../../i18n/TranslationsProvider.tsx'
import { LatchkeyContext } from '../../LatchkeyContext.ts'
import { type Slots, SlotsContext } from '../../slots.ts'
import { createDirectoryLoader, DirectoryLoaderContext } from '../directoryLoader.ts'
import { ConsentProvider } from '../LegalConsent.tsx'
import * as legal from '../LegalTexts.tsx'
import type { ViewProps } from '../viewProps.ts'

/** Options for `viewFixture`. */
export type ViewSetup = FakeSetup & { readonly slots?: Slots; readonly locale?: Language }

/**
 * Returns a page that renders a view in Strict Mode with the modal's styles and contexts. Also returns the fake Latchkey that the
 * view uses.
 */
export function viewFixture<Name extends BuiltView>(
  View: ComponentType<ViewProps<Name>>,
  data: Views[Name],
  setup: ViewSetup = {},
): { readonly latchkey: FakeLatchkey; readonly page: ReactNode } {
  const { slots = {}, locale, ...latchkeySetup } = setup
  const latchkey = fakeLatchkey({
    ...latchkeySetup,
    // Views are normally rendered while the modal is open.
    state(quiet) {
      const open = { ...quiet, modal: { ...quiet.modal, open: true } }
      return setup.state?.(open) ?? open
    },
  })
  const adopt = createStyleAdopter(document)
  adopt(uiStyles.replaceAll(':host', ':root'))
  const page = (
    <StrictMode>
      <main style={{ width: 360 }}>
        <h1>Bakery</h1>
        <LatchkeyContext.Provider value={latchkey}>
          <StyleSheetContext.Provider value={adopt}>
            <SlotsContext.Provider value={slots}>
              <TranslationsProvider locale={locale}>
                <DirectoryLoaderContext.Provider value={createDirectoryLoader(latchkey, true)}>
                  <ConsentProvider legal={legal}>
                    <View data={data} />
                  </ConsentProvider>
                </DirectoryLoaderContext.Provider>
              </TranslationsProvider>
            </SlotsContext.Provider>
          </StyleSheetContext.Provider>
        </LatchkeyContext.Provider>
      </main>
    </StrictMode>
  )
  return { latchkey, page }
}
