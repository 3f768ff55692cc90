import { evm } from '@latchkey/adapters/evm'
import { createLatchkey, type InitialState, type Latchkey } from '@latchkey/core'
import { ConnectButton, LatchkeyProvider, useAccount } from '@latchkey/react'
import type { ReactNode } from 'react'
import type { PageWorld } from './pageOptions.ts'

/** Creates the page's Latchkey instance, both on the server and in the browser. */
export function latchkeyOf(world: PageWorld, state: InitialState | undefined): Latchkey {
  return createLatchkey({
    app: { name: 'Rendered', url: world.connect },
    adapters: [evm({ chains: world.chains })],
    cookie: true,
    ...(state ? { initialState: state } : {}),
  })
}

function Status(): ReactNode {
  const account = useAccount()
  return (
    <output aria-label="Status">
      {account.status} {account.address} {account.chain}
    </output>
  )
}

/** The page, which is rendered on the server and hydrated in the browser. */
export function Rendered({ latchkey }: { readonly latchkey: Latchkey }): ReactNode {
  return (
    <LatchkeyProvider latchkey={latchkey}>
      <h1>A host rendered on its server</h1>
      <ConnectButton />
      <Status />
    </LatchkeyProvider>
  )
}
