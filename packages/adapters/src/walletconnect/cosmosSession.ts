import type { Session } from '@latchkey/core/adapter'
import { toBase64, toUtf8 } from '@latchkey/protocol/bytes'
import { LatchkeyError } from '@latchkey/protocol/errors'
import { read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import { type NamespaceSessionInput, openNamespaceSession } from './namespaceSession.ts'

/** One account of a Cosmos wallet. */
export interface CosmosAccount {
  readonly algo: string
  readonly address: string
  /** Base64. */
  readonly pubkey: string
}

/** A signature of Cosmos with the key that it is of. */
export interface CosmosSigned {
  readonly signature: {
    readonly signature: string
    readonly pub_key: { readonly type: string; readonly value: string }
  }
}

/** What a host gets to drive a Cosmos wallet at the other end of a session. No method is asked for unless the host names it. */
export interface WalletConnectCosmosProvider {
  readonly address: string
  request(call: { method: string; params?: unknown }): Promise<unknown>
  getAccounts(): Promise<readonly CosmosAccount[]>
  /** `signDoc` with its bytes in hex or base64, as the wallet's reference has it. */
  signDirect(signDoc: Readonly<Record<string, unknown>>): Promise<CosmosSigned>
  signAmino(signDoc: Readonly<Record<string, unknown>>): Promise<CosmosSigned>
}

const accountsAnswer = v.array(v.object({ algo: v.string(), address: v.string(), pubkey: v.string() }))
const signedAnswer = v.looseObject({
  signature: v.object({
    signature: v.string(),
    pub_key: v.object({ type: v.string(), value: v.string() }),
  }),
})

/** The Cosmos part of a session. */
export function openCosmos(opening: NamespaceSessionInput<'cosmos'>): Session<'cosmos'> {
  return openNamespaceSession(opening, (wired) => {
    const request = async <Answer>(
      schema: v.GenericSchema<unknown, Answer>,
      method: string,
      params: object,
    ): Promise<Answer> => {
      const answer = read(schema, await wired.ask(method, params))
      if (answer !== undefined) return answer
      throw new LatchkeyError('wallet/failed', { message: `It answered ${method} with something else.` })
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
            // A signature of this family is nothing without its key.
            return toUtf8(JSON.stringify(signature))
          },
        }),
      },
    }
  })
}

/** What a Cosmos wallet signs for a message that is no transaction (ADR-36). */
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
