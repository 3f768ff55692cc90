import { ConnectButton, NetworkButton, useAccount } from '@latchkey/react'
import { type ReactNode, useEffect, useState } from 'react'
import type { Environment } from './environment.ts'
import { linkProps, usePath } from './router.ts'
import { type Basket, countOf, emptyBasket } from './shop/basket.ts'
import { Checkout } from './shop/Checkout.tsx'
import { ProductList } from './shop/ProductList.tsx'
import { Receipt } from './shop/Receipt.tsx'
import { ThemeSwitch } from './ThemeSwitch.tsx'
import { TryTestWallet } from './testWallet/TryTestWallet.tsx'

/** The bakery shop, which has three pages, a basket and an on-chain checkout. */
export function App({
  world,
  tryTestWallet,
}: {
  readonly world: Environment
  /** Enables the test wallet. `undefined` once the test wallet is enabled. */
  readonly tryTestWallet: (() => Promise<void>) | undefined
}): ReactNode {
  const path = usePath()
  const [basket, setBasket] = useState<Basket>(storedBasket)
  useEffect(() => sessionStorage.setItem('crumb:basket', JSON.stringify(basket)), [basket])
  const { status } = useAccount()
  const count = countOf(basket)

  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="top">
        <a className="brand" {...linkProps('/')}>
          <img src="/loaf.svg" alt="" width="36" height="36" />
          Crumb
        </a>
        <nav aria-label="Pages">
          <a {...linkProps('/')} aria-current={path === '/' ? 'page' : undefined}>
            Shop
          </a>
          <a {...linkProps('/order')} aria-current={path === '/order' ? 'page' : undefined}>
            Basket{count > 0 && <span className="count">{count}</span>}
          </a>
        </nav>
        <ThemeSwitch />
        <div className="wallet">
          {status !== 'disconnected' && <NetworkButton />}
          <ConnectButton label="Connect wallet" />
        </div>
      </header>
      <main id="content">
        {path === '/order' ? (
          <Checkout world={world} basket={basket} change={setBasket} />
        ) : path.startsWith('/receipt/') ? (
          <Receipt key={path} world={world} path={path} />
        ) : (
          <ProductList basket={basket} change={setBasket} />
        )}
      </main>
      <footer>
        {tryTestWallet && <TryTestWallet offer={tryTestWallet} />}
        <p>
          A demo shop on a chain that runs on your machine. Nothing here costs real money.{' '}
          <a href="/gallery">Gallery</a>
        </p>
      </footer>
    </>
  )
}

function storedBasket(): Basket {
  try {
    return { ...emptyBasket, ...(JSON.parse(sessionStorage.getItem('crumb:basket') ?? '{}') as Basket) }
  } catch {
    return emptyBasket
  }
}
