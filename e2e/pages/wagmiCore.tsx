import { latchkeyConnector } from '@latchkey/adapters/wagmi'
import { createLatchkey } from '@latchkey/core'
import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import * as wagmi3 from '@wagmi/core'
import { type ReactNode, useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import * as wagmi2 from 'wagmi-core-2'
import { optionsFor, type PageWorld } from './pageOptions.ts'

// A page that uses wagmi 2 or 3 (`?wagmi=`). `&discovery` enables wagmi's own EIP-6963 discovery.

const query = new URLSearchParams(location.search)
// The v2 types are different, but the actions take the same parameters.
const wagmi = query.get('wagmi') === '2' ? (wagmi2 as unknown as typeof wagmi3) : wagmi3

const world = (await (await fetch('/environment.json')).json()) as PageWorld
const [home, market] = world.chains
const latchkey = createLatchkey(optionsFor(world))
const config = wagmi.createConfig({
  chains: [home, market],
  connectors: [latchkeyConnector(latchkey)],
  multiInjectedProviderDiscovery: query.has('discovery'),
  transports: { [home.id]: wagmi.http(), [market.id]: wagmi.http() },
})

const read = (): string => {
  const { status, address = '' } = wagmi.getAccount(config)
  const connectorNames = [...config.state.connections.values()].map(({ connector }) => connector.name)
  return `${status}${address && ` ${address}`} by ${connectorNames.join(' and ') || 'nothing'}`
}

function App(): ReactNode {
  const [text, setText] = useState(read)
  const [restored, setRestored] = useState(false)
  useEffect(
    () =>
      config.subscribe(
        (state) => state,
        () => setText(read()),
      ),
    [],
  )
  useEffect(() => {
    void wagmi.reconnect(config).then(() => setRestored(true))
  }, [])
  return (
    <>
      <output aria-label="wagmi">{restored ? text : 'restoring'}</output>
      <button type="button" onClick={() => wagmi.disconnect(config)}>
        Leave by wagmi
      </button>
      <ul aria-label="wagmi’s own wallets">
        {config.connectors
          .filter((connector) => (connector.type as string) === 'injected')
          .map((connector) => (
            <li key={connector.uid}>
              <button type="button" onClick={() => wagmi.connect(config, { connector })}>
                {connector.name} by wagmi
              </button>
            </li>
          ))}
      </ul>
    </>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <LatchkeyProvider latchkey={latchkey}>
    <h1>A page with wagmi’s core</h1>
    <ConnectButton />
    <App />
  </LatchkeyProvider>,
)
