import type { Session } from '@latchkey/core/adapter'
import { fromBase64, toBase64 } from '@latchkey/protocol/bytes'
import type { ChainId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/errors'
import { type SolanaFeatures, solanaFeatures } from '../shared/solanaFeatures.ts'
import { toWalletError } from '../shared/walletErrors.ts'
import { type NamespaceSessionInput, openNamespaceSession } from './namespaceSession.ts'

/** What a host gets to drive a Solana wallet at the other end of a session. */
export interface WalletConnectSolanaProvider {
  /** The active address, base58. */
  readonly address: string
  readonly chain: ChainId<'solana'>
  /** Those features of Wallet Standard that the wallet granted. */
  readonly features: SolanaFeatures
  request(call: { method: string; params?: unknown }): Promise<unknown>
}

/** The Solana part of a session: the wallet signs, and sends where it said that it would. */
export function openSolana(opening: NamespaceSessionInput<'solana'>): Session<'solana'> {
  const connectorId = opening.connector.id
  return openNamespaceSession(opening, (wired) => {
    const dialect = {
      request: wired.request,
      offers: wired.offers,
      write: toBase64,
      read: fromBase64,
      sendOptions: 'sendOptions',
    } as const
    const provider: WalletConnectSolanaProvider = {
      get address() {
        return wired.addresses[0] ?? ''
      },
      get chain() {
        return wired.chain
      },
      // Read anew: an update may grant more, or less.
      get features() {
        return solanaFeatures(dialect)
      },
      request: wired.request,
    }
    return {
      provider,
      sends: /^solana_signAndSendTransaction$/,
      can: {
        async signMessage({ account, message }) {
          const feature = provider.features['solana:signMessage']
          if (!feature) throw new LatchkeyError('wallet/unsupported', { method: 'solana_signMessage' })
          const request = { account: { address: wired.own(account) }, message }
          const [signed] = await feature.signMessage(request).catch((error: unknown) => {
            throw toWalletError(error, { request: 'solana_signMessage', connectorId })
          })
          // One input, one output.
          return (signed as { signature: Uint8Array }).signature
        },
      },
    }
  })
}
