import { createStyleAdopter, ScreenFrameContext, StyleSheetContext, uiStyles } from '@latchkey/ui'
import { createRoot } from 'react-dom/client'
import frameCss from '../screens/frame.css?inline'
import { t } from '../screens/messages.ts'
import { getNavigationSource } from './navigationSource.ts'
import { WalletPage } from './WalletPage.tsx'
import { createWalletController } from './walletController.ts'
import css from './walletPage.css?inline'

/** Draws the page on which owners look after their wallet. In a frame it does nothing: somebody else would stand around it. */
export function startWalletPage(window: Window & typeof globalThis): void {
  const { document, location, history } = window
  if (window.top !== window) {
    document.body.textContent = t('pageAlone')
    return
  }
  // What it was opened for is read once; it is nobody's to come back to.
  const request = decodeURIComponent(location.hash.slice(1))
  if (request !== '') history.replaceState(null, '', location.pathname)
  // What a page goes back to from the browser's memory is loaded anew, and says then that it was.
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
        <WalletPage desk={createWalletController({ window })} intent={request} arrival={arrival} window={window} />
      </ScreenFrameContext.Provider>
    </StyleSheetContext.Provider>,
  )
}
