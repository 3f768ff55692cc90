import { createLatchkey } from '@latchkey/core'
import type { Eip1193Provider } from '@latchkey/core/adapter'
import { ConnectButton, LatchkeyProvider, NetworkButton, useAccount, useProvider } from '@latchkey/react'
import { type ReactNode, StrictMode, useState, version } from 'react'
import { createRoot } from 'react-dom/client'
import { optionsFor, type PageWorld } from './pageOptions.ts'

function Status(): ReactNode {
  const account = useAccount()
  const provider = useProvider('eip155')
  const [signature, setSignature] = useState('')
  return (
    <>
      <output aria-label="Status">
        {account.status} {account.address} {account.chain} {account.health}
      </output>
      <button
        type="button"
        disabled={!provider}
        onClick={() => {
          provider?.request({ method: 'personal_sign', params: ['0x6869', account.address] }).then(
            (made) => setSignature(String(made)),
            (error: { code?: number }) => setSignature(`refused ${error.code}`),
          )
        }}
      >
        Sign
      </button>
      <output aria-label="Signature">{signature}</output>
    </>
  )
}

// Lets tests send a request that needs no approval through the session's provider.
Object.assign(window, {
  askBlock: () => {
    const provider = latchkey.session('eip155')?.provider as Eip1193Provider | undefined
    provider?.request({ method: 'eth_blockNumber' }).catch(() => undefined)
  },
})

const world = (await (await fetch('/environment.json')).json()) as PageWorld
const latchkey = createLatchkey(optionsFor(world))
createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <LatchkeyProvider latchkey={latchkey}>
      <h1>A plain host on React {version}</h1>
      <button type="button">Before</button>
      <ConnectButton />
      <NetworkButton />
      <Status />
    </LatchkeyProvider>
  </StrictMode>,
)
