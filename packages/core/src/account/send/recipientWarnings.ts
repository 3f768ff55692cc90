import { type AccountId, addressOf, type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import { isSameAddress, isZeroAddress } from '@latchkey/protocol/recipientAddress'
import { compareSymbols, shownSymbol } from '../compareSymbols.ts'
import type { Token } from '../portfolioTypes.ts'
import type { KnownAddresses } from './knownAddresses.ts'
import { looksAlike } from './looksAlike.ts'
import type { RecentRecipient, SendWarning } from './sendTypes.ts'

/** The facts about the recipient and the token of a transfer. Values are `undefined` if they could not be checked. */
export interface RecipientFacts {
  readonly address: string
  readonly account: AccountId
  readonly chain: ChainId
  /** The name that resolves to the address. */
  readonly name: string | undefined
  readonly token: Token | undefined
  /** The account's tokens on the network, whose contracts are not valid recipients. */
  readonly tokens: readonly Token[]
  readonly hasWrongChecksum: boolean
  readonly isRepeated: boolean
  /** The recipients of transfers from this browser. */
  readonly recent: readonly RecentRecipient[]
  readonly known: KnownAddresses | undefined
  readonly isContract: boolean | undefined
  /** The name of another network on which a contract has the address. */
  readonly contractOn: string | undefined
  /** The token's decimal places and symbol according to its contract. */
  readonly decimals: number | undefined
  readonly symbol: string | undefined
  /** Whether the token's contract is known to report other decimal places. */
  readonly hasWrongDecimals: boolean
  /** The amount that is sent, and the most that the token withholds from it, in base units. */
  readonly amount: bigint | undefined
  readonly withheld: bigint | undefined
  /** Whether the transfer's fee is still being estimated, which determines what the token withholds. */
  readonly isEstimating: boolean
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
  'similar-symbol',
  'contract-elsewhere',
  'withheld',
]

/** Returns the warnings about a transfer, most serious first. */
export function recipientWarnings(facts: RecipientFacts): readonly SendWarning[] {
  return findings(facts).map((finding) => ({ ...finding, isSerious: isSerious(finding) }))
}

/**
 * Unverified facts about the token are serious, because the amount could be worth far more than displayed, or almost none of it
 * could arrive.
 */
function isSerious(finding: Finding): boolean {
  const isOfToken = finding.kind === 'unchecked' && finding.what !== 'history' && finding.what !== 'contract'
  return isOfToken || seriousKinds.includes(finding.kind)
}

function findings(facts: RecipientFacts): readonly Finding[] {
  const { address, account, token, known, isContract, contractOn, decimals } = facts
  const isAmong = (addresses: readonly string[] = []): boolean =>
    addresses.some((other) => isSameAddress(other, address))
  const recent = facts.recent.map((recipient) => recipient.address)
  // A contract does not necessarily exist on another chain, so earlier transfers there do not count.
  const isKnown = isAmong(
    facts.recent.flatMap((recipient) => (recipient.chain === facts.chain ? recipient.address : [])),
  )
  const earlier = facts.name === undefined ? undefined : facts.recent.find(({ name }) => name === facts.name)
  const isOwn = isSameAddress(address, addressOf(account))
  const hasContract = token?.address !== undefined
  const isToken = [...facts.tokens, ...(token ? [token] : [])].some(
    (other) => other.address !== undefined && isSameAddress(other.address, address),
  )
  const isZero = isZeroAddress(address)
  const warnings: Finding[] = []
  if (facts.hasWrongDecimals || (hasContract && decimals !== undefined && decimals !== token.decimals))
    warnings.push({ kind: 'decimals' })
  const symbols = hasContract ? compareSymbols(token, facts.symbol) : 'same'
  const symbol = shownSymbol(facts.symbol) ?? ''
  if (symbols === 'different') warnings.push({ kind: 'symbol', symbol })
  if (symbols === 'similar') warnings.push({ kind: 'similar-symbol', symbol })
  if (isZero) warnings.push({ kind: 'zero-address' })
  if (isToken) warnings.push({ kind: 'token-contract' })
  if (facts.hasWrongChecksum) warnings.push({ kind: 'checksum' })
  // Do not warn about an earlier recipient because an attacker imitates its address.
  if (!isAmong(recent)) warnings.push(...lookAlikes(facts, { recent, isSent: isAmong(known?.sent) }))
  if (earlier && !isSameAddress(earlier.address, address))
    warnings.push({ kind: 'name-changed', address: earlier.address })
  if (facts.isRepeated) warnings.push({ kind: 'repeat' })
  if (isOwn) warnings.push({ kind: 'own-address' })
  if (isContract && !isToken) warnings.push({ kind: 'contract' })
  else if (contractOn !== undefined && !isToken && !isZero)
    warnings.push({ kind: 'contract-elsewhere', network: contractOn })
  if (!isKnown && !isOwn && !isZero && !isToken)
    warnings.push({ kind: isAmong(known?.sent) ? 'only-in-history' : 'first-time' })
  if (!known || known.isPartial) warnings.push({ kind: 'unchecked', what: 'history' })
  if (isContract === undefined && !isZero && !isToken) warnings.push({ kind: 'unchecked', what: 'contract' })
  if (hasContract && decimals === undefined) warnings.push({ kind: 'unchecked', what: 'decimals' })
  else if (symbols === 'unknown') warnings.push({ kind: 'unchecked', what: 'symbol' })
  if (hasContract) warnings.push(...withholding(facts))
  return warnings
}

/**
 * Returns the warning about what the token withholds. An unknown amount only causes a warning on Solana, because tokens of
 * other chain families do not declare it and a node might not be able to determine it.
 */
function withholding({ amount = 0n, withheld, isEstimating, chain }: RecipientFacts): readonly Finding[] {
  if (withheld) return [{ kind: 'withheld', withheld, received: withheld < amount ? amount - withheld : 0n }]
  const isUnknown = withheld === undefined && !isEstimating && namespaceOf(chain) === 'solana'
  return isUnknown ? [{ kind: 'unchecked', what: 'withheld' }] : []
}

/**
 * Returns a warning with the address that the user most likely meant: an earlier recipient, the account itself, or another
 * known address. The history comes from the server, so it cannot make an address trusted that resembles one which this browser
 * knows.
 */
function lookAlikes(
  { address, account, known }: RecipientFacts,
  { recent, isSent }: { readonly recent: readonly string[]; readonly isSent: boolean },
): readonly Finding[] {
  const history = isSent ? undefined : known
  const candidates = [
    ['sent', recent],
    ['own', [addressOf(account)]],
    ['sent', history?.sent ?? []],
    ['seen', history?.seen ?? []],
  ] as const
  for (const [relation, addresses] of candidates) {
    const found = addresses.find((other) => looksAlike(other, address))
    if (found) return [{ kind: 'look-alike', address: found, relation }]
  }
  return []
}
