import type { Session } from '@latchkey/core/adapter'
import { fromHex, fromUtf8, toHex } from '@latchkey/protocol/bytes'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import * as v from 'valibot'
import { createNamespaceSession, type NamespaceSessionInput } from './namespaceSession.ts'

/** The provider for a Polkadot session over WalletConnect. Only methods that the host configures are requested from wallets. */
export interface WalletConnectPolkadotProvider {
  /** The active address in SS58, or an empty string if there is no address on the current chain. */
  readonly address: string
  /** Sends a request to the wallet without validating the response. Rejects with code 4200 if the method was not granted. */
  request(call: { method: string; params?: unknown }): Promise<unknown>
  /** Signs a `SignerPayloadJSON` (`polkadot_signTransaction`). The signature is in hex. */
  signTransaction(transactionPayload: Readonly<Record<string, unknown>>): Promise<{ readonly signature: string }>
  /** Signs a text message (`polkadot_signMessage`). The signature is in hex. */
  signMessage(message: string): Promise<{ readonly signature: string }>
}

const signedAnswer = v.object({ signature: v.pipe(v.string(), v.regex(/^0x[0-9a-f]+$/i)) })

/** Opens the Polkadot namespace of a settled session. */
export function openPolkadot(opening: NamespaceSessionInput<'polkadot'>): Session<'polkadot'> {
  return createNamespaceSession(opening, (wired) => {
    const signed = async (method: string, params: object): Promise<{ signature: string }> => {
      const answer = await wired.ask(method, { address: wired.addresses[0], ...params })
      if (v.is(signedAnswer, answer)) return answer
      throw new LatchkeyError('wallet/failed', { message: 'It returned an invalid signature.' })
    }
    const provider: WalletConnectPolkadotProvider = {
      get address() {
        return wired.addresses[0] ?? ''
      },
      request: wired.request,
      signTransaction: (transactionPayload) => signed('polkadot_signTransaction', { transactionPayload }),
      signMessage: (message) => signed('polkadot_signMessage', { message }),
    }
    return {
      provider,
      can: {
        ...(wired.offers('polkadot_signMessage') && {
          async signMessage({ account, message }) {
            const words = fromUtf8(message) ?? toHex(message)
            const { signature } = await signed('polkadot_signMessage', { address: wired.own(account), message: words })
            return fromHex(signature) as Uint8Array // `signed` validates the hex.
          },
        }),
      },
    }
  })
}
