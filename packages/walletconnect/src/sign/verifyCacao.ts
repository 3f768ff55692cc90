import type { AccountId } from '@latchkey/protocol/caip'
import { failure } from '@latchkey/protocol/errors/errorMessages'
import {
  type ContractCall,
  type ContractSignature,
  isOfUndeployed,
  personalHash,
  signedByContract,
  signedByKey,
} from '@latchkey/protocol/verify/eip155'
import { type AuthPayload, type Cacao, messageOf, readRecap, signerOf } from './cacao.ts'

/** What is wrong with a sign-in. */
export type CacaoFault =
  /** Signed for another page, which may be passing it on. */
  | 'domain'
  | 'uri'
  | 'version'
  /** Signed for another question: a replay. */
  | 'nonce'
  /** On a chain that was not asked for. */
  | 'chain'
  /** The wallet left out or changed words that were to be signed. */
  | 'statement'
  | 'resources'
  /** Expired, not valid yet, or with other times than were asked for. */
  | 'times'
  /** Not signed by the account that it names. */
  | 'signature'
  /** Signed by a contract, and there is no node to ask it. */
  | 'no-node'

/** What came of looking at a sign-in. */
export type CacaoVerdict =
  | { readonly valid: true; readonly account: AccountId<'eip155'>; readonly message: string }
  | { readonly valid: false; readonly fault: CacaoFault }

/** A sign-in, and what it has to be an answer to. */
export interface VerifyCacaoParameters {
  readonly cacao: Cacao
  /** What the page asked for. */
  readonly payload: Omit<AuthPayload, 'type' | 'version'>
  /** Epoch milliseconds. */
  readonly now: number
  /** Asks the contract of an account that is one. */
  readonly call?: ContractCall | undefined
  /** Knows about contracts that are not there yet: `signedByUndeployed` of `@latchkey/protocol/verify/erc6492`. */
  readonly undeployed?: ((asked: ContractSignature) => Promise<boolean>) | undefined
}

/**
 * Whether a sign-in that came back is the one that was asked for, signed by the account that it names (CAIP-74). To be called
 * before anybody is taken for signed in: what the wallet sent is only a claim. Throws for a kind of signature that nobody knows.
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
    const asked = { chain, address, hash: personalHash(message), signature: s.s, call }
    const isValid =
      undeployed && isOfUndeployed(s.s) ? await undeployed(asked).catch(() => false) : await signedByContract(asked)
    if (!isValid) return { valid: false, fault: 'signature' }
  }
  return { valid: true, account: `${chain}:${address}` as AccountId<'eip155'>, message }
}

function findFault(p: Cacao['p'], asked: VerifyCacaoParameters['payload'], now: number): CacaoFault | undefined {
  if (p.domain !== asked.domain) return 'domain'
  if (p.aud !== asked.aud) return 'uri'
  if (p.version !== '1') return 'version'
  if (p.nonce !== asked.nonce) return 'nonce'
  if (!asked.chains.includes(signerOf({ p } as Cacao).chain)) return 'chain'
  // A wallet may name fewer methods than it was asked for, so its ReCap and the sentence for it may differ.
  if (asked.statement !== undefined && !p.statement?.startsWith(asked.statement)) return 'statement'
  if (asked.statement === undefined && p.statement && !p.statement.startsWith('I further authorize')) return 'statement'
  const resources = p.resources ?? []
  readRecap(resources)
  if (!(asked.resources ?? []).every((resource) => resources.includes(resource))) return 'resources'
  const time = (text: string | undefined, otherwise: number): number => (text ? Date.parse(text) : otherwise)
  const lives = now < time(p.exp, Number.POSITIVE_INFINITY) && now >= time(p.nbf, 0) && !Number.isNaN(Date.parse(p.iat))
  return lives && p.exp === asked.exp && p.nbf === asked.nbf ? undefined : 'times'
}
