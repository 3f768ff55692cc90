import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { createConfig, http, useConnect, useDisconnect, WagmiProvider } from 'wagmi'
import { loadLocalEnvironment } from './localEnvironment.ts'
import { Signer } from './SignButton.tsx'

const { chains } = await loadLocalEnvironment()
const [home, market] = chains
const config = createConfig({ chains, transports: { [home.id]: http(), [market.id]: http() } })

function Wallets(): ReactNode {
  const { connectors, connect } = useConnect()
  const { disconnect } = useDisconnect()
  return (
    <section aria-label="Wallets">
      {connectors.map((connector) => (
        <button type="button" key={connector.uid} onClick={() => connect({ connector })}>
          {connector.name}
        </button>
      ))}
      <button type="button" onClick={() => disconnect()}>
        Disconnect
      </button>
    </section>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <Wallets />
      <Signer />
    </QueryClientProvider>
  </WagmiProvider>,
)
