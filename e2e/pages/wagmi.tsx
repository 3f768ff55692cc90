import { latchkeyConnector } from '@latchkey/adapters/wagmi'
import { createLatchkey } from '@latchkey/core'
import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { createConfig, http, useConnection, useDisconnect, useSignMessage, useSwitchChain, WagmiProvider } from 'wagmi'
import { optionsFor, type PageWorld } from './pageOptions.ts'

function App(): ReactNode {
  const { status, address, chainId } = useConnection()
  const { mutate: sign, data, error } = useSignMessage()
  const { mutate: switchTo } = useSwitchChain()
  const { mutate: leave } = useDisconnect()
  return (
    <>
      <output aria-label="wagmi">
        {status} {address} {chainId}
      </output>
      <button type="button" onClick={() => sign({ message: 'hi' })}>
        Sign
      </button>
      <output aria-label="Signature">{data ?? error?.name}</output>
      <button type="button" onClick={() => switchTo({ chainId: 31338 })}>
        Switch by wagmi
      </button>
      <button type="button" onClick={() => leave()}>
        Leave by wagmi
      </button>
    </>
  )
}

const world = (await (await fetch('/environment.json')).json()) as PageWorld
const [home, market] = world.chains
const latchkey = createLatchkey(optionsFor(world))
const config = createConfig({
  chains: [home, market],
  connectors: [latchkeyConnector(latchkey)],
  transports: { [home.id]: http(), [market.id]: http() },
})
createRoot(document.getElementById('root') as HTMLElement).render(
  <WagmiProvider config={config}>
    <QueryClientProvider client={new QueryClient()}>
      <LatchkeyProvider latchkey={latchkey}>
        <h1>A wagmi app</h1>
        <ConnectButton />
        <App />
      </LatchkeyProvider>
    </QueryClientProvider>
  </WagmiProvider>,
)
