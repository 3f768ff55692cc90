import { embedded } from '@latchkey/adapters/embedded'
import { evm } from '@latchkey/adapters/evm'
import { createLatchkey } from '@latchkey/core'
import { ConnectButton, LatchkeyProvider, useAccount, useProvider, useSmartSessions } from '@latchkey/react'
import { type ReactNode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { PageWorld } from './pageOptions.ts'

const friend = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** A host that requests a permission once and then sends calls without prompts. */
function Tips(): ReactNode {
  const provider = useProvider('eip155')
  const { address } = useAccount()
  const { grant } = useSmartSessions()
  const [context, setContext] = useState<string>()
  const [output, setOutput] = useState('')
  const show = (promise: Promise<unknown> | undefined): void => {
    setOutput('…')
    promise?.then(
      (answer) => setOutput(`done ${JSON.stringify(answer)}`),
      (error: Error) => setOutput(`failed: ${error.message}`),
    )
  }
  const allow = async (): Promise<string> => {
    const session = await grant({
      expiry: Math.floor(Date.now() / 1000) + 86_400,
      permissions: [{ type: 'native-token-recurring-allowance', data: { allowance: 10n ** 17n, period: 3_600 } }],
      policies: [{ type: 'recipients', data: { addresses: [friend] } }],
    })
    setContext(session.context)
    return session.state
  }
  const send = (): Promise<unknown> | undefined =>
    provider?.request({
      method: 'wallet_sendCalls',
      params: [{ version: '2.0.0', calls: [{ to: friend, value: '0x1' }], capabilities: { permissions: { context } } }],
    })
  return (
    <>
      <button type="button" disabled={!provider} onClick={() => show(allow())}>
        Allow tips
      </button>
      <button type="button" disabled={!context} onClick={() => show(send())}>
        Send a tip
      </button>
      <output aria-label="Account">{address}</output>
      <output aria-label="Said">{output}</output>
    </>
  )
}

const world = (await (await fetch('/environment.json')).json()) as PageWorld & { keys: string }
const latchkey = createLatchkey({
  app: { name: 'Tips' },
  server: world.connect,
  projectId: world.projectId,
  adapters: [evm({ chains: world.chains })],
  wallets: [embedded({ url: world.keys })],
  defaultAccountTypes: { eip155: 'eoa' },
  features: { smartSessions: true },
})
createRoot(document.getElementById('root') as HTMLElement).render(
  <LatchkeyProvider latchkey={latchkey}>
    <h1>Tips</h1>
    <ConnectButton />
    <Tips />
  </LatchkeyProvider>,
)
