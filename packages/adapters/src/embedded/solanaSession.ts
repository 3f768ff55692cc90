import type { Connector, Network, Session } from '@latchkey/core/adapter'
import { fromBase58, toBase58 } from '@latchkey/protocol/bytes'
import { type AccountId, accountId, addressOf, type ChainId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { sessionListeners } from '../shared/sessionListeners.ts'
import { type SolanaFeatures, solanaFeatures } from '../shared/solanaFeatures.ts'
import { toWalletError } from '../shared/walletErrors.ts'
import type { FamilySessionInput } from './sessionContext.ts'

/** The provider for an embedded Solana session, with Wallet Standard features, raw requests and message signing. */
export interface EmbeddedSolanaProvider {
  /** The active address, in base58. */
  readonly address: string
  readonly chain: ChainId<'solana'>
  /** The active account in Wallet Standard format. */
  readonly account: {
    readonly address: string
    readonly publicKey: Uint8Array
    /** The active cluster, such as `solana:mainnet`. Unknown clusters are reported as `solana:localnet`. */
    readonly chains: readonly [`solana:${string}`]
    readonly features: readonly string[]
  }
  /** The Wallet Standard features. */
  readonly features: SolanaFeatures
  request(call: { method: string; params?: unknown }): Promise<unknown>
  signMessage(message: Uint8Array): Promise<Uint8Array>
}

/** Wallet Standard cluster names by CAIP-2 chain ID. */
const clusters: Readonly<Record<string, string>> = {
  'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp': 'mainnet',
  'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1': 'devnet',
  'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z': 'testnet',
}

/** Opens a Solana session that sends its requests to the frame. */
export async function openSolana({ inside, connector, adapter, stored }: FamilySessionInput): Promise<Session> {
  const own = connector as Connector<'solana'> // A Solana adapter only creates connectors with this namespace.
  const connectorId = own.id
  const networks = adapter.networks as readonly Network<'solana'>[]
  const { on, emit } = sessionListeners<'solana'>()
  let now = inside.holder()
  let ended = false
  const chain = () => now.chain as ChainId<'solana'>
  const accounts = (): readonly [AccountId<'solana'>] => [accountId(chain(), now.address)]

  const stop = inside.onHolder((next) => {
    if (ended) return
    if (!next) {
      ended = true
      emit('disconnect', undefined)
      return
    }
    const before = now
    now = next
    if (next.chain !== before.chain) emit('chain', chain())
    if (next.address !== before.address) emit('accounts', accounts())
  })
  stored.stop?.()
  stored.stop = stop

  const request = async (call: { method: string; params?: unknown }) => {
    if (ended) throw Object.assign(new Error('The wallet is not connected.'), { code: 4900 })
    const answer = await inside.requests.ask({ chain: now.chain, ...call })
    if (call.method === 'solana_signAndSendTransaction') emit('sent', undefined)
    return answer
  }
  const features = solanaFeatures({
    request,
    offers: () => true,
    write: toBase58,
    read: fromBase58,
    sendOptions: 'options',
  })
  const signMessage = async (message: Uint8Array): Promise<Uint8Array> => {
    const [signed] =
      (await features['solana:signMessage']?.signMessage({ account: { address: now.address }, message })) ?? []
    if (!signed) throw new LatchkeyError('wallet/unsupported', { method: 'solana_signMessage' })
    return signed.signature
  }
  const provider: EmbeddedSolanaProvider = {
    get address() {
      return now.address
    },
    get chain() {
      return chain()
    },
    get account() {
      const { address } = now
      // The cast is safe, because the address was validated when the frame sent it.
      const publicKey = fromBase58(address) as Uint8Array
      const cluster = clusters[chain()] ?? 'localnet'
      return Object.freeze({
        address,
        publicKey,
        chains: [`solana:${cluster}`] as const,
        features: Object.keys(features),
      })
    },
    features,
    request,
    signMessage,
  }

  const session: Session<'solana'> = {
    connector: own,
    get accounts() {
      return accounts()
    },
    get chain() {
      return chain()
    },
    // On Solana, the address is the public key.
    get details() {
      return { type: now.type, publicKey: now.address }
    },
    provider,
    can: {
      async signMessage({ account, message }) {
        if (addressOf(account) !== now.address) throw new LatchkeyError('wallet/not-authorized', { connectorId })
        return signMessage(message).catch((error: unknown) => {
          throw toWalletError(error, { request: 'solana_signMessage', connectorId })
        })
      },
      async send({ from, ...transfer }) {
        const [sender] = accounts()
        const network = networks.find(({ caipNetworkId }) => caipNetworkId === chain())
        if (!network) throw new LatchkeyError('network/unsupported', { chain: chain() })
        const { sendTransfer } = await import('../solana/sendTransfer.ts')
        return sendTransfer({
          ...transfer,
          network,
          fetch: inside.host.fetch,
          connectorId,
          sender: () => (from === undefined || from === accounts()[0] ? addressOf(sender) : undefined),
          features,
        })
      },
      async switchChain(network) {
        if (network.caipNetworkId !== chain()) await inside.moveTo(network)
      },
    },
    on,
    async ping() {},
    async disconnect() {
      if (ended) return
      ended = true
      stop()
      await inside.signOut()
    },
  }
  return session
}
