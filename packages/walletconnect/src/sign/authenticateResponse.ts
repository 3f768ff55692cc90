import { failure } from '@latchkey/protocol/errors/errorMessages'
import { parse } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import { formatKey, parseKey } from '../crypto/keyPair.ts'
import { type Cacao, cacaoSchema } from './cacao.ts'
import type { EnvelopeSeal } from './keychain.ts'
import type { RpcEngine } from './rpcEngine.ts'
import { type Metadata, metadataSchema } from './schemas.ts'
import type { RpcResponse } from './sentRequests.ts'

/** The result of `wc_sessionAuthenticate`: the signed CACAOs, which have not been verified yet, and the wallet. */
export interface AuthenticateResponse {
  readonly cacaos: readonly Cacao[]
  readonly responder: { readonly publicKey: string; readonly metadata: Metadata }
}

const responseSchema: v.GenericSchema<unknown, AuthenticateResponse> = v.object({
  cacaos: v.pipe(v.array(cacaoSchema), v.minLength(1), v.maxLength(100)),
  responder: v.object({
    publicKey: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/i)),
    metadata: metadataSchema,
  }),
})

/**
 * Parses a wallet's response to a sign-in request.
 * @throws `session/invalid` if the response was not encrypted by its responder.
 */
export function readAuthenticateResponse({ result, sender }: RpcResponse): AuthenticateResponse {
  const response = parse(responseSchema, result, 'answer')
  if ((sender ? formatKey(sender) : '') !== response.responder.publicKey.toLowerCase())
    throw failure('session/invalid', { message: 'its sender is not the responder' })
  return response
}

/**
 * The topic and keys for a wallet's response to a sign-in request. The response is encrypted for the dapp's public key, and sent
 * on the topic of that key.
 */
export interface ResponseSeal {
  readonly topic: string
  /** The wallet's private key, from which the session key is derived. */
  readonly privateKey: Uint8Array
  readonly sealing: EnvelopeSeal
}

/** Creates a new key with which the wallet encrypts its response for the dapp's public key. */
export async function sealResponseTo(rpc: RpcEngine, publicKey: string): Promise<ResponseSeal> {
  const { crypto } = rpc
  const privateKey = crypto.random(32)
  return {
    topic: await rpc.topicOf(parseKey(publicKey)),
    privateKey,
    sealing: {
      key: await rpc.deriveSharedKey(privateKey, publicKey),
      sender: await crypto.agreement.publicKey(privateKey),
    },
  }
}
