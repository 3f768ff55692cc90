import { embedded } from '@latchkey/adapters/embedded'
import { evm } from '@latchkey/adapters/evm'
import { createLatchkey } from '@latchkey/core'
import type { Adapter, Network } from '@latchkey/core/adapter'
import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { createRoot } from 'react-dom/client'
import { worldHere } from './world.ts'

// All that a page of another kit adds to offer the embedded wallet. Nothing here knows of the kit, nor the kit of this.

const world = await worldHere()
const { url, chainId } = world.solana
const network: Network<'solana'> = {
  id: chainId.slice('solana:'.length),
  name: 'Local Solana',
  nativeCurrency: { name: 'Sol', symbol: 'SOL', decimals: 9 },
  rpcUrls: { default: { http: [url] } },
  testnet: true,
  chainNamespace: 'solana',
  caipNetworkId: chainId,
}
const solana: Adapter<'solana'> = { namespace: 'solana', networks: [network], discover() {} }
const latchkey = createLatchkey({
  app: { name: 'A shop' },
  server: world.connect,
  projectId: world.projectId,
  // A contract's signature is told by its chain alone; a key's, by anybody.
  defaultAccountTypes: { eip155: 'eoa' },
  adapters: [evm({ chains: world.chains }), solana],
  wallets: [embedded({ url: world.keys, announce: true })],
})

createRoot(document.getElementById('latchkey') as HTMLElement).render(
  <LatchkeyProvider latchkey={latchkey}>
    <section aria-label="Latchkey">
      <ConnectButton />
    </section>
  </LatchkeyProvider>,
)
