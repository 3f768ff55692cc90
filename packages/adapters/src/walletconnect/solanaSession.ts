import type { Session } from '@latchkey/core/adapter'
import { fromBase64, toBase64 } from '@latchkey/protocol/bytes'
import type { ChainId } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { type SolanaFeatures, solanaFeatures } from '../shared/solanaFeatures.ts'
import { toWalletError } from '../shared/walletErrors.ts'
import { createNamespaceSession, type NamespaceSessionInput } from './namespaceSession.ts'

/** The provider for a Solana session over WalletConnect. */
export interface WalletConnectSolanaProvider {
  /** The active address, in base58. */
  readonly address: string
  /** The current chain (CAIP-2). */
  readonly chain: ChainId<'solana'>
  /** The Wallet Standard features that the wallet has granted. */
  readonly features: SolanaFeatures
  /** Sends a request to the wallet without validating the response. Rejects with code 4200 if the method was not granted. */
  request(call: { method: string; params?: unknown }): Promise<unknown>
}

/** Opens the Solana namespace of a settled session. */
export function openSolana(opening: NamespaceSessionInput<'solana'>): Session<'solana'> {
  const connectorId = opening.connector.id
  return createNamespaceSession(opening, (wired) => {
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
      // Create the features on each access, because a session update can change the granted methods.
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
          // There is exactly one output for each input.
          return (signed as { signature: Uint8Array }).signature
        },
      },
    }
  })
}
