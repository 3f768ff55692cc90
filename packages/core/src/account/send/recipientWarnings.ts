import { type AccountId, addressOf, type ChainId } from '@latchkey/protocol/caip'
import { isSameAddress, isZeroAddress, looksAlike } from '@latchkey/protocol/recipientAddress'
import type { Token } from '../portfolioTypes.ts'
import type { KnownAddresses } from './knownAddresses.ts'
import type { RecentRecipient, SendWarning } from './sendTypes.ts'

/** What is known about the recipient and the token of a transfer. Values are `undefined` if they could not be checked. */
export interface RecipientFacts {
  readonly address: string
  readonly account: AccountId
  readonly chain: ChainId
  /** The name that resolves to the address. */
  readonly name: string | undefined
  readonly token: Token | undefined
  readonly hasWrongChecksum: boolean
  readonly isRepeated: boolean
  /** The recipients of transfers from this browser. */
  readonly recent: readonly RecentRecipient[]
  readonly known: KnownAddresses | undefined
  readonly isContract: boolean | undefined
  /** The token's decimal places according to its contract. */
  readonly decimals: number | undefined
  /** Whether the token's contract is known to report other decimal places. */
  readonly hasWrongDecimals: boolean
}

/** A warning without its severity. */
type Finding = SendWarning extends infer Warning
  ? Warning extends SendWarning
    ? Omit<Warning, 'isSerious'>
    : never
  : never

/** The kinds of warnings that the user has to confirm. */
const seriousKinds: readonly SendWarning['kind'][] = [
  'look-alike',
  'name-changed',
  'checksum',
  'zero-address',
  'token-contract',
  'repeat',
]

/** Returns the warnings about a transfer, most serious first. */
export function recipientWarnings(facts: RecipientFacts): readonly SendWarning[] {
  return findings(facts).map((finding) => ({ ...finding, isSerious: isSerious(finding) }))
}

/** With decimals that nobody has checked, the amount could be a multiple of that which is displayed. */
function isSerious(finding: Finding): boolean {
  return seriousKinds.includes(finding.kind) || (finding.kind === 'unchecked' && finding.what === 'decimals')
}

function findings(facts: RecipientFacts): readonly Finding[] {
  const { address, account, token, known, isContract, decimals } = facts
  const sent = [...facts.recent.map((recipient) => recipient.address), ...(known?.sent ?? [])]
  // A contract does not necessarily exist on another chain, so earlier transfers there do not count.
  const sentHere = [
    ...facts.recent.flatMap((recipient) => (recipient.chain === facts.chain ? recipient.address : [])),
    ...(known?.sent ?? []),
  ]
  const isKnown = sentHere.some((other) => isSameAddress(other, address))
  const isTrusted = sent.some((other) => isSameAddress(other, address))
  const earlier = facts.name === undefined ? undefined : facts.recent.find(({ name }) => name === facts.name)
  const isOwn = isSameAddress(address, addressOf(account))
  const hasContract = token?.address !== undefined
  const isToken = hasContract && isSameAddress(token.address, address)
  const isZero = isZeroAddress(address)
  const warnings: Finding[] = []
  if (facts.hasWrongDecimals || (hasContract && decimals !== undefined && decimals !== token.decimals))
    warnings.push({ kind: 'decimals' })
  if (isZero) warnings.push({ kind: 'zero-address' })
  if (isToken) warnings.push({ kind: 'token-contract' })
  if (facts.hasWrongChecksum) warnings.push({ kind: 'checksum' })
  // Do not warn about an earlier recipient because an attacker imitates its address.
  if (!isTrusted) warnings.push(...lookAlikes(facts, sent))
  if (earlier && !isSameAddress(earlier.address, address))
    warnings.push({ kind: 'name-changed', address: earlier.address })
  if (facts.isRepeated) warnings.push({ kind: 'repeat' })
  if (isOwn) warnings.push({ kind: 'own-address' })
  if (isContract && !isToken) warnings.push({ kind: 'contract' })
  if (!isKnown && !isOwn && !isZero && !isToken) warnings.push({ kind: 'first-time' })
  if (!known || known.isPartial) warnings.push({ kind: 'unchecked', what: 'history' })
  if (isContract === undefined && !isZero && !isToken) warnings.push({ kind: 'unchecked', what: 'contract' })
  if (hasContract && decimals === undefined) warnings.push({ kind: 'unchecked', what: 'decimals' })
  return warnings
}

/** Returns the address that the user most likely meant: an earlier recipient, the account itself, or another known address. */
function lookAlikes({ address, account, known }: RecipientFacts, sent: readonly string[]): readonly Finding[] {
  const candidates = [
    ['sent', sent],
    ['own', [addressOf(account)]],
    ['seen', known?.seen ?? []],
  ] as const
  for (const [relation, addresses] of candidates) {
    const found = addresses.find((other) => looksAlike(other, address))
    if (found) return [{ kind: 'look-alike', address: found, relation }]
  }
  return []
}
