import { embedded } from '@latchkey/adapters/embedded'
import { solanaAdapter } from '@latchkey/adapters/solana'
import { createLatchkey } from '@latchkey/core'
import type { Network } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import { ConnectButton, LatchkeyProvider, useAccount, useProvider } from '@latchkey/react'
import { type ReactNode, StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { askSolana, transferOf } from '../support/solanaTransfer.ts'

interface SolanaWorld {
  readonly connect: string
  readonly keys: string
  readonly projectId: string
  readonly solana: { readonly chainId: ChainId<'solana'>; readonly url: string }
}

const world = (await (await fetch('/environment.json')).json()) as SolanaWorld
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
const latchkey = createLatchkey({
  app: { name: 'Host on Solana' },
  server: world.connect,
  projectId: world.projectId,
  adapters: [solanaAdapter({ networks: [network] })],
  wallets: [embedded({ url: world.keys })],
})
const shop = '5ZWj7a1f8tWkjBESHKgrLmXshuXxqeY9SYcfbshpAqPG'

function Till(): ReactNode {
  const { address } = useAccount()
  const provider = useProvider('solana') as
    | { request(call: { method: string; params: unknown }): Promise<unknown> }
    | undefined
  const [output, setOutput] = useState('')
  const pay = async (): Promise<void> => {
    const transaction = await transferOf(url, { from: address ?? '', to: shop, lamports: 500_000_000 })
    const answer = await provider?.request({ method: 'solana_signAndSendTransaction', params: { transaction } })
    setOutput(`Paid ${(answer as { signature: string }).signature}`)
  }
  return (
    <>
      <output aria-label="Address">{address}</output>
      <button type="button" onClick={() => void askSolana(url, 'requestAirdrop', [address, 2_000_000_000])}>
        Get test money
      </button>
      <button
        type="button"
        disabled={!provider}
        onClick={() => pay().catch((error: Error) => setOutput(error.message))}
      >
        Pay half a SOL
      </button>
      <output aria-label="Receipt">{output}</output>
    </>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <LatchkeyProvider latchkey={latchkey}>
      <h1>A host on Solana</h1>
      <ConnectButton />
      <Till />
    </LatchkeyProvider>
  </StrictMode>,
)
