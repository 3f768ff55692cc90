import type { Session } from '@latchkey/core/adapter'
import { fromBase64, fromHex, fromUtf8 } from '@latchkey/protocol/bytes'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import { createNamespaceSession, type NamespaceSessionInput } from './namespaceSession.ts'

/** One of an account's addresses. Bitcoin wallets use a new address for each payment. */
export interface BitcoinAddress {
  readonly address: string
  /** The public key in hex, if the wallet reports it. */
  readonly publicKey?: string | undefined
  /** The derivation path (BIP-32), if the wallet reports it. */
  readonly path?: string | undefined
  /** What the address is used for, such as `payment`, if the wallet reports it. */
  readonly intention?: string | undefined
}

/** A PSBT input to sign. */
export interface BitcoinInput {
  /** The address whose key signs the input. */
  readonly address: string
  /** The input's index in the PSBT. */
  readonly index: number
  /** The allowed signature hash types. By default, the wallet chooses. */
  readonly sighashTypes?: readonly number[]
}

/** The provider for a Bitcoin session over WalletConnect. Responses are validated, except those to `request`. */
export interface WalletConnectBitcoinProvider {
  /** The active account's first external address. */
  readonly address: string
  /** Sends a request to the wallet without validating the response. Rejects with code 4200 if the method was not granted. */
  request(call: { method: string; params?: unknown }): Promise<unknown>
  /** Resolves to the active account's addresses, with their derivation paths if the wallet reports them. */
  getAccountAddresses(params?: { readonly intentions?: readonly string[] }): Promise<readonly BitcoinAddress[]>
  /** Signs a message. The signature is in hex or base64, depending on the wallet. */
  signMessage(params: {
    readonly message: string
    readonly address?: string
    readonly protocol?: 'ecdsa' | 'bip322'
  }): Promise<{ readonly address: string; readonly signature: string; readonly messageHash?: string | undefined }>
  /** Sends a transfer. `amount` is in satoshis. */
  sendTransfer(params: {
    readonly recipientAddress: string
    readonly amount: bigint
    readonly changeAddress?: string
    readonly memo?: string
  }): Promise<{ readonly txid: string }>
  /** Signs a base64-encoded PSBT (BIP-174). */
  signPsbt(params: {
    readonly psbt: string
    readonly signInputs: readonly BitcoinInput[]
    readonly broadcast?: boolean
  }): Promise<{ readonly psbt: string; readonly txid?: string | undefined }>
}

const text = v.optional(v.string())
const addressesAnswer = v.array(v.object({ address: v.string(), publicKey: text, path: text, intention: text }))
const signedAnswer = v.object({ address: v.string(), signature: v.string(), messageHash: text })
const sentAnswer = v.object({ txid: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/i)) })
const psbtAnswer = v.object({ psbt: v.string(), txid: text })

/** Opens the Bitcoin namespace of a settled session. */
export function openBip122(opening: NamespaceSessionInput<'bip122'>): Session<'bip122'> {
  return createNamespaceSession(opening, (wired) => {
    const account = (): string => wired.addresses[0] ?? ''
    const request = async <Answer>(
      schema: v.GenericSchema<unknown, Answer>,
      method: string,
      params: object,
    ): Promise<Answer> => {
      const answer = read(schema, await wired.ask(method, { account: account(), ...params }))
      if (answer !== undefined) return answer
      throw new LatchkeyError('wallet/failed', { message: `It returned an invalid response to ${method}.` })
    }
    const provider: WalletConnectBitcoinProvider = {
      get address() {
        return account()
      },
      request: wired.request,
      getAccountAddresses: (params = {}) => request(addressesAnswer, 'getAccountAddresses', params),
      signMessage: (params) => request(signedAnswer, 'signMessage', params),
      sendTransfer: (params) => request(sentAnswer, 'sendTransfer', { ...params, amount: String(params.amount) }),
      signPsbt: (params) => request(psbtAnswer, 'signPsbt', params),
    }
    return {
      provider,
      sends: /^(sendTransfer|signPsbt)$/,
      can: {
        ...(wired.offers('signMessage') && {
          async signMessage({ account: by, message }) {
            const words = fromUtf8(message)
            if (words === undefined)
              throw new LatchkeyError('wallet/failed', { message: 'Bitcoin wallets can only sign text.' })
            const params = { account: wired.own(by), address: wired.own(by), message: words }
            const { signature } = await request(signedAnswer, 'signMessage', params)
            const bytes = fromHex(signature) ?? fromBase64(signature)
            if (!bytes) throw new LatchkeyError('wallet/failed', { message: 'It returned an invalid signature.' })
            return bytes
          },
        }),
        ...(wired.offers('sendTransfer') && {
          async send({ to, amount, token }) {
            if (token !== undefined) throw new LatchkeyError('wallet/unsupported', { method: 'sendTransfer' })
            if (amount <= 0n) throw new LatchkeyError('wallet/failed', { message: 'An amount must be positive.' })
            return { hash: (await provider.sendTransfer({ recipientAddress: to, amount })).txid }
          },
        }),
      },
    }
  })
}
