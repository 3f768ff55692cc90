import { embedded } from '@latchkey/adapters/embedded'
import { evm } from '@latchkey/adapters/evm'
import { createLatchkey } from '@latchkey/core'
import type { Adapter, Network } from '@latchkey/core/adapter'
import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { createRoot } from 'react-dom/client'
import { loadLocalEnvironment } from './localEnvironment.ts'

// The code that a page adds to offer the embedded wallet. It is the same for every wallet kit.

const world = await loadLocalEnvironment()
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
  // An EOA's signatures can be verified without a node, unlike a contract account's signatures.
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
