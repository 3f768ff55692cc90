import type { AccountId } from '@latchkey/protocol/caip'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import {
  type ContractCall,
  type ContractSignature,
  isOfUndeployed,
  personalHash,
  signedByContract,
  signedByKey,
} from '@latchkey/siwx/verify/eip155'
import { type AuthPayload, type Cacao, messageOf, readRecap, signerOf } from './cacao.ts'

/** The reason why a sign-in is invalid. */
export type CacaoFault =
  /** The message was signed for a different page, which may be forwarding it. */
  | 'domain'
  | 'uri'
  | 'version'
  /** The message was signed for a different request, as in a replay attack. */
  | 'nonce'
  /** The message is for a chain that was not requested. */
  | 'chain'
  /** The wallet omitted or changed the requested statement. */
  | 'statement'
  | 'resources'
  /** The message has expired, is not valid yet, or does not contain the requested times. */
  | 'times'
  /** The message was not signed by the account in `iss`. */
  | 'signature'
  /** The message was signed by a contract, but no `call` was passed to verify the signature. */
  | 'no-node'

/** The result of verifying a sign-in. */
export type CacaoVerdict =
  | { readonly valid: true; readonly account: AccountId<'eip155'>; readonly message: string }
  | { readonly valid: false; readonly fault: CacaoFault }

/** Parameters for `verifyCacao`. */
export interface VerifyCacaoParameters {
  /** The signed sign-in message that the wallet returned. */
  readonly cacao: Cacao
  /** The payload that the page requested. */
  readonly payload: Omit<AuthPayload, 'type' | 'version'>
  /** The current time, in epoch milliseconds. */
  readonly now: number
  /** Calls the account's contract to verify its signature. */
  readonly call?: ContractCall | undefined
  /** Verifies signatures from contracts that are not deployed yet. Pass `verifyErc6492` from `@latchkey/siwx/verify/erc6492`. */
  readonly undeployed?: ((call: ContractSignature) => Promise<boolean>) | undefined
}

/**
 * Verifies that a CACAO matches the requested payload and is signed by the account in `iss` (CAIP-74). Call this function before
 * you treat a user as signed in, because the wallet's response is only a claim.
 * @throws `cacao/unknown-type` if the signature type is unknown.
 *
 * @example
 * const verdict = await verifyCacao({ cacao, payload, now: Date.now(), call })
 * if (verdict.valid) signedIn(verdict.account)
 */
export async function verifyCacao({
  cacao,
  payload,
  now,
  call,
  undeployed,
}: VerifyCacaoParameters): Promise<CacaoVerdict> {
  const { p, s } = cacao
  if (s.t !== 'eip191' && s.t !== 'eip1271') throw failure('cacao/unknown-type', { type: String(s.t) })
  const fault = findFault(p, payload, now)
  if (fault) return { valid: false, fault }
  const { chain, address } = signerOf(cacao)
  const { iss, ...payloadFields } = p
  const message = messageOf(payloadFields, iss)
  if (s.t === 'eip191') {
    if (!signedByKey({ address, message, signature: s.s })) return { valid: false, fault: 'signature' }
  } else {
    if (!call) return { valid: false, fault: 'no-node' }
    const contractSignature = { chain, address, hash: personalHash(message), signature: s.s, call }
    const isValid =
      undeployed && isOfUndeployed(s.s)
        ? await undeployed(contractSignature).catch(() => false)
        : await signedByContract(contractSignature)
    if (!isValid) return { valid: false, fault: 'signature' }
  }
  return { valid: true, account: `${chain}:${address}` as AccountId<'eip155'>, message }
}

function findFault(p: Cacao['p'], requested: VerifyCacaoParameters['payload'], now: number): CacaoFault | undefined {
  if (p.domain !== requested.domain) return 'domain'
  if (p.aud !== requested.aud) return 'uri'
  if (p.version !== '1') return 'version'
  if (p.nonce !== requested.nonce) return 'nonce'
  if (!requested.chains.includes(signerOf({ p } as Cacao).chain)) return 'chain'
  // A wallet can grant fewer methods than requested, so its ReCap and the sentence in the statement can differ.
  if (requested.statement !== undefined && !p.statement?.startsWith(requested.statement)) return 'statement'
  if (requested.statement === undefined && p.statement && !p.statement.startsWith('I further authorize'))
    return 'statement'
  const resources = p.resources ?? []
  readRecap(resources)
  if (!(requested.resources ?? []).every((resource) => resources.includes(resource))) return 'resources'
  const time = (text: string | undefined, otherwise: number): number => (text ? Date.parse(text) : otherwise)
  const lives = now < time(p.exp, Number.POSITIVE_INFINITY) && now >= time(p.nbf, 0) && !Number.isNaN(Date.parse(p.iat))
  return lives && p.exp === requested.exp && p.nbf === requested.nbf ? undefined : 'times'
}
