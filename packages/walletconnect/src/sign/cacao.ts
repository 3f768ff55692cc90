import { failure } from '@latchkey/protocol/errors/errorMessages'
import * as v from 'valibot'

/** The payload of a proposer's sign-in request (CAIP-222, based on CAIP-122). */
export interface AuthPayload {
  /** The message format. Always CAIP-122. */
  readonly type: 'caip122'
  /** The CAIP-2 IDs of the chains to sign in on. Only EVM chains are supported. */
  readonly chains: readonly string[]
  /** The page's host, including the port if there is one, such as `shop.example`. */
  readonly domain: string
  /** The page's URI. */
  readonly aud: string
  /** The version of the message format. Always `1`. */
  readonly version: '1'
  /** A random value from the proposer, which is used only once. */
  readonly nonce: string
  /** When the payload was created, in ISO 8601. */
  readonly iat: string
  /** The time from which the message is no longer valid, in ISO 8601. [none] */
  readonly exp?: string | undefined
  /** The time before which the message is not valid, in ISO 8601. [none] */
  readonly nbf?: string | undefined
  /** An identifier for the sign-in request. [none] */
  readonly requestId?: string | undefined
  /** The statement that the wallet displays. [none] */
  readonly statement?: string | undefined
  /** The URIs of resources. The last resource can be a ReCap (ERC-5573). [none] */
  readonly resources?: readonly string[] | undefined
}

/** A signed sign-in message (CAIP-74). */
export interface Cacao {
  /** The header, which specifies the format of the payload. */
  readonly h: { readonly t: 'caip122' }
  /** The signed payload, with the signer as `iss`. `messageOf` returns the message that was signed. */
  readonly p: {
    /** The signer, in the format `did:pkh:eip155:{chain}:{address}`. */
    readonly iss: string
    readonly domain: string
    readonly aud: string
    readonly version: string
    readonly nonce: string
    readonly iat: string
    readonly exp?: string | undefined
    readonly nbf?: string | undefined
    readonly requestId?: string | undefined
    readonly statement?: string | undefined
    readonly resources?: readonly string[] | undefined
  }
  /** The signature `s` and its type `t`, which is `eip191` for a key and `eip1271` for a contract. `m` is not used. */
  readonly s: { readonly t: 'eip191' | 'eip1271'; readonly s: string; readonly m?: string | undefined }
}

const text = v.pipe(v.string(), v.maxLength(8_192))
const fields = {
  domain: text,
  aud: text,
  version: text,
  nonce: text,
  iat: text,
  exp: v.exactOptional(text),
  nbf: v.exactOptional(text),
  requestId: v.exactOptional(text),
  statement: v.exactOptional(text),
  resources: v.exactOptional(v.pipe(v.array(text), v.maxLength(64))),
}

/** The schema for a sign-in payload. */
export const authPayloadSchema: v.GenericSchema<unknown, AuthPayload> = v.object({
  ...fields,
  type: v.fallback(v.literal('caip122'), 'caip122'),
  version: v.literal('1'),
  chains: v.pipe(v.array(v.pipe(v.string(), v.regex(/^eip155:\d{1,20}$/))), v.minLength(1), v.maxLength(100)),
})

/** The schema for a CACAO. It accepts unknown signature types, which `verifyCacao` rejects. */
export const cacaoSchema: v.GenericSchema<unknown, Cacao> = v.object({
  h: v.object({ t: v.literal('caip122') }),
  p: v.object({ ...fields, iss: v.pipe(v.string(), v.regex(/^did:pkh:eip155:\d{1,20}:0x[0-9a-fA-F]{40}$/)) }),
  s: v.object({ t: text as v.GenericSchema<unknown, 'eip191' | 'eip1271'>, s: text, m: v.exactOptional(text) }),
})

/**
 * Returns the account that signed a CACAO, and the chain of the sign-in.
 *
 * @example
 * const { chain, address } = signerOf(cacao)
 */
export function signerOf({ p: { iss } }: Cacao): {
  readonly chain: string
  readonly reference: string
  readonly address: string
} {
  const [, , , reference = '', address = ''] = iss.split(':')
  return { chain: `eip155:${reference}`, reference, address }
}

/**
 * Formats the EIP-4361 message to be signed for `iss`. If there is a ReCap, appends a sentence to the statement.
 *
 * @example
 * const message = messageOf(payload, `did:pkh:eip155:1:${address}`)
 */
export function messageOf(payload: Omit<Cacao['p'], 'iss'>, iss: string): string {
  const [, , , reference = '', address = ''] = iss.split(':')
  const { statement, resources = [] } = payload
  const fullStatement = statementWith(statement, resources)
  const lines = [
    `${payload.domain} wants you to sign in with your Ethereum account:`,
    address,
    '',
    // If there is no statement, both empty lines remain.
    ...(fullStatement ? [fullStatement] : []),
    '',
    `URI: ${payload.aud}`,
    `Version: ${payload.version}`,
    `Chain ID: ${reference}`,
    `Nonce: ${payload.nonce}`,
    `Issued At: ${payload.iat}`,
    ...(payload.exp ? [`Expiration Time: ${payload.exp}`] : []),
    ...(payload.nbf ? [`Not Before: ${payload.nbf}`] : []),
    ...(payload.requestId ? [`Request ID: ${payload.requestId}`] : []),
    ...(resources.length > 0 ? ['Resources:', ...resources.map((resource) => `- ${resource}`)] : []),
  ]
  return lines.join('\n')
}

// --- ReCaps (ERC-5573)

const recapPrefix = 'urn:recap:'

/** The abilities that a ReCap grants for each resource, with their restrictions. */
export interface Recap {
  /** The restrictions, keyed by resource and ability, such as `att.eip155['request/eth_sendTransaction']`. */
  readonly att: Readonly<Record<string, Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>>>
}

/** Creates a ReCap resource that grants EVM `methods` on `chains`. */
export function recapOf(methods: readonly string[], chains: readonly string[]): string {
  const abilities = [...methods].sort().map((method) => [`request/${method}`, [{ chains }]] as const)
  return writeRecap({ att: { eip155: Object.fromEntries(abilities) } })
}

/**
 * Encodes a ReCap as a resource URI that contains the ReCap's JSON in base64, without padding.
 *
 * @example
 * const resource = writeRecap({ att: { eip155: { 'request/personal_sign': [{ chains: ['eip155:1'] }] } } })
 */
export function writeRecap(recap: Recap): string {
  checkRecap(recap)
  const bytes = new TextEncoder().encode(JSON.stringify(recap))
  return recapPrefix + btoa(String.fromCharCode(...bytes)).replace(/=+$/, '')
}

/**
 * Returns the ReCap if the last resource is a ReCap, or `undefined` otherwise.
 * @throws `recap/…` if the ReCap is invalid.
 *
 * @example
 * const recap = readRecap(payload.resources ?? [])
 */
export function readRecap(resources: readonly string[]): Recap | undefined {
  const last = resources.at(-1)
  if (!last?.startsWith(recapPrefix)) return undefined
  let value: unknown
  try {
    const packed = last.slice(recapPrefix.length).replaceAll('-', '+').replaceAll('_', '/')
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0))
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw failure('recap/missing')
  }
  return checkRecap(value)
}

/**
 * Validates `value` as a ReCap.
 * @throws `recap/…` if `value` is invalid.
 */
export function checkRecap(value: unknown): Recap {
  if (value === undefined || value === null || typeof value !== 'object') throw failure('recap/missing')
  const { att } = value as { att?: unknown }
  if (att === undefined || att === null || typeof att !== 'object') throw failure('recap/no-att')
  for (const abilities of Object.values(att)) {
    if (Array.isArray(abilities) || typeof abilities !== 'object' || abilities === null)
      throw failure('recap/bad-resource')
    const entries = Object.entries(abilities as Record<string, unknown>)
    if (entries.length === 0) throw failure('recap/bad-ability')
    for (const [, limits] of entries)
      if (
        !Array.isArray(limits) ||
        limits.some((limit) => typeof limit !== 'object' || limit === null || Array.isArray(limit))
      )
        throw failure('recap/bad-ability')
  }
  return value as Recap
}

/** Returns the EVM methods and chains that a ReCap grants. */
export function allowedBy(recap: Recap | undefined): {
  readonly methods: readonly string[]
  readonly chains: readonly string[]
} {
  const abilities = recap?.att.eip155 ?? {}
  const methods = Object.keys(abilities)
    .filter((ability) => ability.startsWith('request/'))
    .map((ability) => ability.slice('request/'.length))
  const chains = Object.values(abilities).flatMap((limits) =>
    limits.flatMap((limit) => (Array.isArray(limit.chains) ? limit.chains.map(String) : [])),
  )
  return { methods, chains: [...new Set(chains)] }
}

/** Returns the statement. If `resources` contains a ReCap, appends the sentence that ERC-5573 requires. */
function statementWith(statement: string | undefined, resources: readonly string[]): string | undefined {
  const recap = readRecap(resources)
  if (!recap) return statement
  const clauses: string[] = []
  for (const [resource, abilities] of Object.entries(recap.att).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const byNamespace = new Map<string, string[]>()
    for (const ability of Object.keys(abilities).sort()) {
      const at = ability.indexOf('/')
      const namespace = ability.slice(0, at)
      byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), `'${ability.slice(at + 1)}'`])
    }
    for (const [namespace, names] of byNamespace)
      clauses.push(`(${clauses.length + 1}) '${namespace}': ${names.join(', ')} for '${resource}'.`)
  }
  const sentence = `I further authorize the stated URI to perform the following actions on my behalf: ${clauses.join(' ')}`
  // Some wallets return the statement with the sentence already appended.
  if (statement?.endsWith(sentence)) return statement
  return statement ? `${statement} ${sentence}` : sentence
}
