import { createStyleAdopter, ScreenFrameContext, StyleSheetContext, uiStyles } from '@latchkey/ui'
import { createRoot } from 'react-dom/client'
import frameCss from '../screens/frame.css?inline'
import { t } from '../screens/translations.ts'
import { getNavigationSource } from './navigationSource.ts'
import { WalletPage } from './WalletPage.tsx'
import css from './walletPage.css?inline'
import { createWalletPageController } from './walletPageController.ts'

/** Renders the wallet page. Does nothing in a frame, as another page would control its surroundings. */
export function startWalletPage(window: Window & typeof globalThis): void {
  const { document, location, history } = window
  if (window.top !== window) {
    document.body.textContent = t('pageAlone')
    return
  }
  // Read the purpose of the page once and remove it from the URL.
  const request = decodeURIComponent(location.hash.slice(1))
  if (request !== '') history.replaceState(null, '', location.pathname)
  // Reload a page restored from the back/forward cache, so that its navigation source is reported correctly.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
  const arrival = getNavigationSource(window)
  document.title = t('pageTitle')
  const adopt = createStyleAdopter(document)
  for (const sheet of [uiStyles, frameCss, css]) adopt(sheet)
  const place = document.createElement('div')
  document.body.append(place)
  const frame = { headingId: 'title', level: 1 as const, arrived: (heading: HTMLElement) => heading.focus() }
  createRoot(place).render(
    <StyleSheetContext.Provider value={adopt}>
      <ScreenFrameContext.Provider value={frame}>
        {import.meta.env.CUSTODY === 'assisted' && <p className="operator">{t('operatorCanSign')}</p>}
        <WalletPage
          controller={createWalletPageController({ window })}
          intent={request}
          arrival={arrival}
          window={window}
        />
      </ScreenFrameContext.Provider>
    </StyleSheetContext.Provider>,
  )
}
