import type { Session } from '@latchkey/core/adapter'
import { toBase64, toUtf8 } from '@latchkey/protocol/bytes'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import { createNamespaceSession, type NamespaceSessionInput } from './namespaceSession.ts'

/** An account of a Cosmos wallet. */
export interface CosmosAccount {
  /** The algorithm of the key, such as `secp256k1`. */
  readonly algo: string
  /** The address (Bech32). */
  readonly address: string
  /** Base64. */
  readonly pubkey: string
}

/** A Cosmos signature with its public key. */
export interface CosmosSigned {
  readonly signature: {
    readonly signature: string
    readonly pub_key: { readonly type: string; readonly value: string }
  }
}

/** The provider of a Cosmos session over WalletConnect. Methods are requested only if they are configured. */
export interface WalletConnectCosmosProvider {
  /** The active address (Bech32), or an empty string if there is none on the current chain. */
  readonly address: string
  /** Sends a request to the wallet. Its response is not validated. Rejects with code 4200 if the method was not granted. */
  request(call: { method: string; params?: unknown }): Promise<unknown>
  /** Resolves to the wallet's accounts with their public keys (`cosmos_getAccounts`). */
  getAccounts(): Promise<readonly CosmosAccount[]>
  /** Signs `signDoc`. Its bytes are in hex or base64, as the wallet requires. */
  signDirect(signDoc: Readonly<Record<string, unknown>>): Promise<CosmosSigned>
  /** Signs a document in Amino JSON (`cosmos_signAmino`). Rejects with `wallet/failed` if the response is invalid. */
  signAmino(signDoc: Readonly<Record<string, unknown>>): Promise<CosmosSigned>
}

const accountsAnswer = v.array(v.object({ algo: v.string(), address: v.string(), pubkey: v.string() }))
const signedAnswer = v.looseObject({
  signature: v.object({
    signature: v.string(),
    pub_key: v.object({ type: v.string(), value: v.string() }),
  }),
})

/** Opens the Cosmos namespace of a session. */
export function openCosmos(opening: NamespaceSessionInput<'cosmos'>): Session<'cosmos'> {
  return createNamespaceSession(opening, (wired) => {
    const request = async <Answer>(
      schema: v.GenericSchema<unknown, Answer>,
      method: string,
      params: object,
    ): Promise<Answer> => {
      const answer = read(schema, await wired.ask(method, params))
      if (answer !== undefined) return answer
      throw new LatchkeyError('wallet/failed', { message: `It returned an invalid response to ${method}.` })
    }
    const sign = (method: string) => (signDoc: Readonly<Record<string, unknown>>) =>
      request<CosmosSigned>(signedAnswer, method, { signerAddress: wired.addresses[0], signDoc })
    const provider: WalletConnectCosmosProvider = {
      get address() {
        return wired.addresses[0] ?? ''
      },
      request: wired.request,
      getAccounts: () => request(accountsAnswer, 'cosmos_getAccounts', {}),
      signDirect: sign('cosmos_signDirect'),
      signAmino: sign('cosmos_signAmino'),
    }
    return {
      provider,
      can: {
        ...(wired.offers('cosmos_signAmino') && {
          async signMessage({ account, message }) {
            const signDoc = arbitraryDoc(wired.own(account), message)
            const params = { signerAddress: wired.own(account), signDoc }
            const { signature } = await request<CosmosSigned>(signedAnswer, 'cosmos_signAmino', params)
            // A Cosmos signature can only be verified together with its public key.
            return toUtf8(JSON.stringify(signature))
          },
        }),
      },
    }
  })
}

/** The document that a Cosmos wallet signs for an arbitrary message (ADR-36). */
function arbitraryDoc(signer: string, message: Uint8Array): Readonly<Record<string, unknown>> {
  return {
    chain_id: '',
    account_number: '0',
    sequence: '0',
    fee: { gas: '0', amount: [] },
    msgs: [{ type: 'sign/MsgSignData', value: { signer, data: toBase64(message) } }],
    memo: '',
  }
}
