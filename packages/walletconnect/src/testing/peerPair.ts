import type { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { type FakeClock, fakeClock } from '@latchkey/protocol/testing'
import { type Client, createClient } from '../client.ts'
import type { CryptoSource } from '../crypto/primitives.ts'
import type { RelayState } from '../relay/relayTransport.ts'
import { createProposer, type Proposer } from '../sign/proposer.ts'
import { createResponder, type ProposalEvent, type Responder } from '../sign/responder.ts'
import type { GrantedNamespaces, Metadata, ProposedNamespaces, Session } from '../sign/schemas.ts'
import { type KeyValueStorage, memoryStorage } from '../storage.ts'
import { type MemoryRelay, memoryRelay } from './memoryRelay.ts'

/** The wallet's account in tests. */
export const account = 'eip155:1:0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** The namespaces requested by the page in tests. */
export const optionalNamespaces: ProposedNamespaces = {
  eip155: { chains: ['eip155:1'], methods: ['personal_sign', 'eth_sendTransaction'], events: ['chainChanged'] },
}
/** The namespaces granted by the wallet in tests. */
export const namespaces = {
  eip155: { chains: ['eip155:1'], methods: ['personal_sign'], events: ['chainChanged'], accounts: [account] },
} satisfies GrantedNamespaces
/** The page's metadata in tests. */
export const page: Metadata = { name: 'Shop', description: '', url: 'https://shop.example', icons: [] }
/** The wallet's metadata in tests. */
export const pocket: Metadata = { name: 'Pocket', description: '', url: 'https://pocket.example', icons: [] }

/** A page and a wallet on the same relay. */
export interface ConnectedPeers {
  readonly relay: MemoryRelay
  readonly clock: FakeClock
  readonly dapp: Client
  readonly wallet: Client
  readonly pageStorage: KeyValueStorage
  readonly walletStorage: KeyValueStorage
  readonly proposer: Proposer
  readonly responder: Responder
}

/** Options for `twoPeers`. */
export type TwoPeersOptions = Partial<Pick<ConnectedPeers, 'relay' | 'clock' | 'pageStorage' | 'walletStorage'>> & {
  readonly addresses?: readonly [string, ...string[]]
  /** The source of random values and algorithms. [the native engine] */
  readonly crypto?: CryptoSource
  /** Called when the state of the page's relay connection changes. */
  readonly changed?: (state: RelayState, error?: LatchkeyError) => void
}

/** Creates a page and a wallet on the same relay that are not paired yet. */
export async function twoPeers({
  relay = memoryRelay(),
  clock = fakeClock(),
  pageStorage = memoryStorage(),
  walletStorage = memoryStorage(),
  addresses = ['wss://relay.example'],
  crypto,
  changed,
}: TwoPeersOptions = {}): Promise<ConnectedPeers> {
  const client = (metadata: Metadata, storage: KeyValueStorage): Promise<Client> =>
    createClient({
      metadata,
      storage,
      relay: addresses,
      clock,
      crypto,
      connect: relay.connect,
      onStateChange: metadata === page ? changed : undefined,
    })
  const dapp = await client(page, pageStorage)
  const wallet = await client(pocket, walletStorage)
  return {
    relay,
    clock,
    dapp,
    wallet,
    pageStorage,
    walletStorage,
    proposer: createProposer(dapp.rpc, dapp.sessions),
    responder: createResponder(wallet.rpc, wallet.sessions),
  }
}

/** Resolves to the next event. */
export function next<T>(on: (listener: (event: T) => void) => () => void): Promise<T> {
  return new Promise((resolve) => {
    const off = on((event) => {
      off()
      resolve(event)
    })
  })
}

/** Creates a page and a wallet that have a session. */
export async function connectedPeers(
  options: TwoPeersOptions = {},
): Promise<ConnectedPeers & { readonly session: Session; readonly uri: string }> {
  const both = await twoPeers(options)
  const offer = await both.proposer.propose({ optionalNamespaces })
  const proposal = next<ProposalEvent>((listener) => both.responder.on('proposal', listener))
  await both.responder.pair(offer.uri)
  const { id } = await proposal
  const [, session] = await Promise.all([both.responder.approve(id, { namespaces }), offer.settled])
  return { ...both, session, uri: offer.uri }
}
