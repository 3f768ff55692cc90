import { createHash } from 'node:crypto'
import { type AccountId, type ChainId, type Namespace, parseChainId } from '@latchkey/protocol/caip'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { JWTPayload } from 'jose'
import * as v from 'valibot'
import type { SignInFields } from '../message/signInTypes.ts'

/** The claims of a session token. */
export interface SessionAccount {
  /** The project ID. */
  readonly aud: string
  /** The issuer of the token: the name of the server that signed it. */
  readonly iss: string
  /** When the token was issued, in Unix seconds. */
  readonly iat: number
  /** When the token expires, in Unix seconds. Never later than the signed message expires. */
  readonly exp: number
  /** The session's ID, which is used to end the session. */
  readonly jti: string
  /** The project ID, the same as `aud`. */
  readonly projectIdKey: string
  /**
   * The account (CAIP-10), in the same form as the page's `account`. EVM addresses have a checksum, so that an account always has
   * the same key in your database.
   */
  readonly sub: AccountId
  /** The address as written in the message. */
  readonly address: string
  /** The chain ID as a number on eip155 (EIP-155), otherwise the reference of the CAIP-2 chain ID. */
  readonly chainId: number | string
  /** The account's namespace (CAIP-2). */
  readonly chainNamespace: Namespace
  /** The chain that the user signed in on (CAIP-2). */
  readonly caip2Network: ChainId
  /** The URI in the signed message. */
  readonly uri: string
  /** The domain in the signed message. */
  readonly domain: string
  /** A UUID derived from the project ID. It is the same in every session of the project. */
  readonly projectUuid: string
  /** A UUID derived from the project ID and the account. It is the same in every session of the account. */
  readonly profileUuid: string
  /** The nonce in the signed message, which has been used up. */
  readonly nonce: string
  /** The email address. Set only if it was verified. */
  readonly email?: string | undefined
}

/** Returns the claims of a session, without the issuer, ID and validity period. */
export function claimsOf({
  fields,
  projectId,
  email,
}: {
  fields: SignInFields
  projectId: string
  email: string | undefined
}): Omit<SessionAccount, 'iss' | 'iat' | 'exp' | 'jti'> {
  const { accountAddress: address, chainId: caip2Network, uri, domain, nonce } = fields
  const { namespace, reference } = parseChainId(caip2Network) ?? { namespace: 'eip155', reference: '' }
  const isEvm = namespace === 'eip155'
  const sub = canonicalAccount(`${caip2Network}:${address}`)
  return {
    aud: projectId,
    projectIdKey: projectId,
    sub,
    address,
    chainId: isEvm ? Number(reference) : reference,
    chainNamespace: namespace,
    caip2Network,
    uri,
    domain,
    projectUuid: uuidOf('project', projectId),
    profileUuid: uuidOf('profile', projectId, sub),
    nonce,
    ...(email === undefined ? {} : { email }),
  }
}

/** Normalizes a CAIP-10 account. EVM addresses get a checksum (EIP-55). */
export function canonicalAccount(account: string): AccountId {
  const [, chain = '', digits = ''] = /^(eip155:[^:]+:0x)([0-9a-f]{40})$/i.exec(account) ?? []
  if (digits === '') return account as AccountId
  const lower = digits.toLowerCase()
  const hash = keccak_256(new TextEncoder().encode(lower))
  const written = [...lower].map((digit, at) => {
    const byte = hash[at >> 1] ?? 0
    return (at % 2 === 0 ? byte >> 4 : byte & 15) > 7 ? digit.toUpperCase() : digit
  })
  return `${chain.toLowerCase()}${written.join('')}` as AccountId
}

const text = v.string()
const isAccount = v.custom<AccountId>((value) => typeof value === 'string' && value.split(':').length === 3)
const isChain = v.custom<ChainId>((value) => typeof value === 'string' && parseChainId(value) !== undefined)
const isNamespace = v.custom<Namespace>(
  (value) => typeof value === 'string' && parseChainId(`${value}:1`) !== undefined,
)
const sessionAccount: v.GenericSchema<unknown, SessionAccount> = v.object({
  aud: text,
  iss: text,
  iat: v.number(),
  exp: v.number(),
  jti: text,
  projectIdKey: text,
  sub: isAccount,
  address: text,
  chainId: v.union([v.number(), text]),
  chainNamespace: isNamespace,
  caip2Network: isChain,
  uri: text,
  domain: text,
  projectUuid: text,
  profileUuid: text,
  nonce: text,
  email: v.optional(text),
})

/** Parses the claims of a verified token. Returns `undefined` if they are not the claims of a session. */
export function readSessionClaims(claims: JWTPayload | undefined): SessionAccount | undefined {
  const read = v.safeParse(sessionAccount, claims)
  return read.success ? read.output : undefined
}

/** Returns a deterministic UUID for the parts. The UUID does not reveal the parts, unless they can be guessed. */
export function uuidOf(...parts: readonly string[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
