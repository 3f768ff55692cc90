import { embedded } from '@latchkey/adapters/embedded'
import { evm } from '@latchkey/adapters/evm'
import { walletConnect } from '@latchkey/adapters/walletconnect'
import { createLatchkey } from '@latchkey/core'
import { lazy, StrictMode, Suspense } from 'react'
import { createRoot } from 'react-dom/client'
import { loadEnvironment } from './environment.ts'
import { ShopPage } from './ShopPage.tsx'
import { restoreTestWallet } from './testWallet/enableTestWallet.ts'
import '@latchkey/react/styles.css'
import './page.css'

const root = createRoot(document.getElementById('root') as HTMLElement)

if (location.pathname.startsWith('/gallery')) {
  const Gallery = lazy(() => import('./gallery/index.tsx').then((gallery) => ({ default: gallery.Gallery })))
  root.render(
    <StrictMode>
      <Suspense>
        <Gallery />
      </Suspense>
    </StrictMode>,
  )
} else {
  const world = await loadEnvironment()
  restoreTestWallet(world)
  const latchkey = createLatchkey({
    app: { name: 'Crumb', description: 'A small bakery', url: location.origin, icons: [`${location.origin}/loaf.svg`] },
    server: world.connect,
    projectId: world.projectId,
    adapters: [evm({ chains: world.chains })],
    wallets: [embedded({ url: world.keys }), walletConnect({ relay: world.relay, projectId: world.projectId })],
    // Smart accounts need a bundler, which the local environment downloads and starts on demand. Users can still select
    // a smart account in the settings.
    defaultAccountTypes: { eip155: 'eoa' },
    themeVariables: { accent: 'light-dark(#8a4b1f, #d08a4e)', hue: '60' },
    features: { passkey: true },
    ...(world.exchange && { swapExchanges: { [`eip155:${world.chains[0].id}`]: world.exchange.contracts } }),
  })
  root.render(
    <StrictMode>
      <ShopPage world={world} latchkey={latchkey} />
    </StrictMode>,
  )
}
