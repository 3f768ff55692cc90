import type { Session } from '@latchkey/core/adapter'
import { toBase64, toUtf8 } from '@latchkey/protocol/bytes'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import { createNamespaceSession, type NamespaceSessionInput } from './namespaceSession.ts'

/** An account in a Cosmos wallet. */
export interface CosmosAccount {
  /** The key's algorithm, such as `secp256k1`. */
  readonly algo: string
  /** The address, in Bech32. */
  readonly address: string
  /** The public key, in base64. */
  readonly pubkey: string
}

/** A Cosmos signature with its public key. */
export interface CosmosSigned {
  readonly signature: {
    readonly signature: string
    readonly pub_key: { readonly type: string; readonly value: string }
  }
}

/** The provider for a Cosmos session over WalletConnect. Only the methods that the host configures are requested from wallets. */
export interface WalletConnectCosmosProvider {
  /** The active address in Bech32, or an empty string if there is no address on the current chain. */
  readonly address: string
  /** Sends a request to the wallet without validating the response. Rejects with code 4200 if the method was not granted. */
  request(call: { method: string; params?: unknown }): Promise<unknown>
  /** Resolves to the wallet's accounts with their public keys (`cosmos_getAccounts`). */
  getAccounts(): Promise<readonly CosmosAccount[]>
  /** Signs `signDoc` (`cosmos_signDirect`). Encode its bytes as hex or base64, whichever the wallet requires. */
  signDirect(signDoc: Readonly<Record<string, unknown>>): Promise<CosmosSigned>
  /** Signs an Amino JSON document (`cosmos_signAmino`). Rejects with `wallet/failed` if the response is invalid. */
  signAmino(signDoc: Readonly<Record<string, unknown>>): Promise<CosmosSigned>
}

const accountsAnswer = v.array(v.object({ algo: v.string(), address: v.string(), pubkey: v.string() }))
const signedAnswer = v.looseObject({
  signature: v.object({
    signature: v.string(),
    pub_key: v.object({ type: v.string(), value: v.string() }),
  }),
})

/** Opens the Cosmos namespace of a settled session. */
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
            // A Cosmos signature can only be verified with its public key, so return both.
            return toUtf8(JSON.stringify(signature))
          },
        }),
      },
    }
  })
}

/** Returns the document that a Cosmos wallet signs for an arbitrary message (ADR-36). */
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
