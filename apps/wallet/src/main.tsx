import { createStyleAdopter, ScreenFrameContext, StyleSheetContext, uiStyles } from '@latchkey/ui'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import css from './app.css?inline'
import { takeDeepLink } from './deepLink.ts'

// Run this first so that the link's secret does not stay in the address bar.
const link = takeDeepLink(window)
const adopt = createStyleAdopter(document)
for (const sheet of [uiStyles, css]) adopt(sheet)
const frame = { headingId: 'title', level: 2 as const, arrived: (heading: HTMLElement) => heading.focus() }
createRoot(document.getElementById('root') as HTMLElement).render(
  <StyleSheetContext.Provider value={adopt}>
    <ScreenFrameContext.Provider value={frame}>
      <App link={link} window={window} />
    </ScreenFrameContext.Provider>
  </StyleSheetContext.Provider>,
)
