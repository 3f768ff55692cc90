import type { Latchkey } from '@latchkey/core'
import { LatchkeyProvider, type Slots } from '@latchkey/react'
import { type ReactNode, useMemo, useState } from 'react'
import { App } from './App.tsx'
import type { Environment } from './environment.ts'
import { enableTestWallet, isTestWalletEnabled } from './testWallet/enableTestWallet.ts'

/** Renders the shop and its wallet modal. Users without a wallet can try the test wallet from the page or the wallet list. */
export function ShopPage({ world, latchkey }: { readonly world: Environment; readonly latchkey: Latchkey }): ReactNode {
  const [offered, setOffered] = useState(isTestWalletEnabled)
  const [slots, tryTestWallet] = useMemo(() => {
    const offer = async (): Promise<void> => {
      await enableTestWallet(world)
      setOffered(true)
    }
    const row = {
      key: 'test',
      label: 'Try with a test wallet',
      detail: 'Runs in this page and pays with test money',
      // Reset the view so that keyboard focus is not lost when this row disappears.
      onClick: () => void offer().then(() => latchkey.modal.reset('Connect')),
    }
    return [offered ? {} : ({ connectRows: [row] } satisfies Slots), offered ? undefined : offer]
  }, [world, latchkey, offered])
  return (
    <LatchkeyProvider latchkey={latchkey} slots={slots}>
      <App world={world} tryTestWallet={tryTestWallet} />
    </LatchkeyProvider>
  )
}
