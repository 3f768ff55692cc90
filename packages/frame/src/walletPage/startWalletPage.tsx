import { createStyleAdopter, ScreenFrameContext, StyleSheetContext, uiStyles } from '@latchkey/ui'
import { createRoot } from 'react-dom/client'
import frameCss from '../screens/frame.css?inline'
import { t } from '../texts/translations.ts'
import { getNavigationSource } from './navigationSource.ts'
import { WalletPage } from './WalletPage.tsx'
import css from './walletPage.css?inline'
import { createWalletPageController } from './walletPageController.ts'

/** Renders the wallet page. In a frame, only shows a message, because another page would control the frame's surroundings. */
export function startWalletPage(window: Window & typeof globalThis): void {
  const { document, location, history } = window
  if (window.top !== window) {
    document.body.textContent = t('pageAlone')
    return
  }
  // The purpose of the page is read once and removed from the URL.
  const request = decodeURIComponent(location.hash.slice(1))
  if (request !== '') history.replaceState(null, '', location.pathname)
  // A page restored from the back/forward cache is reloaded, so that its navigation source is reported correctly.
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
