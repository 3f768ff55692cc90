import type { ConnectorInfo, LatchkeyOptions, State } from '@latchkey/core'
import type { Network } from '@latchkey/core/adapter'
import { fakeNetwork, withAccount } from '@latchkey/core/testing'
import type { Wallet } from '@latchkey/protocol/http/publicRoutes'

/** The user's address. */
export const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'

/** Two announced wallets. */
export const announcedConnectors: readonly ConnectorInfo[] = ['Marlin', 'Hearth'].map((name) => ({
  id: `example.${name.toLowerCase()}`,
  name,
  type: 'ANNOUNCED',
  namespace: 'eip155',
  rdns: `example.${name.toLowerCase()}`,
}))

/** The host's three networks. */
export const networks: readonly Network<'eip155'>[] = [
  fakeNetwork('eip155:1', {
    name: 'Ethereum',
    blockExplorers: { default: { name: 'Etherscan', url: 'https://etherscan.io/' } },
  }),
  fakeNetwork('eip155:10', { name: 'Optimism' }),
  fakeNetwork('eip155:8453', { name: 'Base' }),
]

/** Options that configure a server, and therefore a directory. */
export const server: LatchkeyOptions = { server: 'https://connect.example', projectId: 'test' }

/** Returns a state in which both wallets are available. */
export function withConnectors(state: State): State {
  return {
    ...state,
    networks: { known: networks, active: 'eip155:1', namespace: 'eip155' },
    wallets: { ...state.wallets, connectors: announcedConnectors },
  }
}

/** Returns a state in which Marlin is connected on Ethereum. */
export function withConnection(state: State, more: { health?: 'ok' | 'silent' } = {}): State {
  return withAccount(withConnectors(state), `eip155:1:${address}`, 'example.marlin', more)
}

/** Creates `count` directory wallets. */
export function wallets(count: number): readonly Wallet[] {
  return Array.from({ length: count }, (_, at) => ({
    id: `w${at}`,
    name: `Wallet ${at}`,
    homepage: 'https://wallet.example/',
  }))
}
