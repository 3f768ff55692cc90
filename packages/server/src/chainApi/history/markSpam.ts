import type { AccountMovement, EvmTransaction, TokenInfo } from './evmTransaction.ts'

/** A transaction with the movements of the account. */
interface Candidate {
  readonly transaction: EvmTransaction
  readonly movements: readonly AccountMovement[]
}

/** If a transaction contains at least this many transfers of one collection, they are treated as a mass mailing. */
const massTransfers = 10
/** Links and words in token names that direct users to a website. */
const bait =
  /(https?:|www\.|\b[\w-]+\.(com|net|org|io|xyz|app|gift|site|top|fi|finance|vip|lol|claims?)\b|claim|airdrop|voucher|reward|visit|gift)/i
/** The number of characters to compare at the start and the end of addresses, which are those that shortened addresses show. */
const shownStart = 4
const shownEnd = 4

/**
 * Marks unsolicited movements that are likely to be spam or address poisoning. Movements in a transaction that the account
 * itself sent are never spam.
 *
 * It marks:
 * - incoming movements of zero units
 * - unlisted tokens that someone else sent to the account, unless the account has called their contract in a transaction of
 *   `page`
 * - NFTs that someone else sent to the account, under the same condition, if they were sent to many accounts, or if their name
 *   contains a link or bait
 * - outgoing movements in someone else's transaction, if the amount is zero, the token is unlisted, or the account receives
 *   nothing for an unlisted NFT. Any contract can report such movements.
 * - payments by someone else from an address that looks like one to which the account has sent something in `page`
 *
 * Addresses and calls are only compared within a page, so a payment from a lookalike address on another page is not recognized.
 */
export function markSpam(
  page: readonly Candidate[],
  tokens: ReadonlyMap<string, TokenInfo>,
): readonly (Pick<Candidate, 'transaction'> & {
  readonly movements: readonly (AccountMovement & { readonly isSpam: boolean })[]
})[] {
  const own = page.filter(({ transaction }) => transaction.isOwn)
  const called = new Set(own.map(({ transaction }) => transaction.to))
  const paid = new Set(
    own.flatMap(({ movements }) => movements.filter(({ direction }) => direction === 'out').map(({ to }) => to)),
  )
  const shapes = new Map([...paid].map((address) => [shortened(address), address]))

  const isSpam = ({ transaction, movements }: Candidate, movement: AccountMovement): boolean => {
    if (transaction.isOwn) return false
    const { kind, direction, token, amount, from } = movement
    const info = token === undefined ? undefined : tokens.get(token)
    const isListed = token === undefined || info?.isListed === true
    // An NFT that was sold leaves the account in the buyer's transaction, which also pays the account.
    const isPaid = movements.some(
      (other) =>
        other.direction === 'in' &&
        other.amount > 0n &&
        (other.token === undefined || tokens.get(other.token)?.isListed === true),
    )
    if (direction !== 'in') return amount === 0n || (!isListed && (kind === 'fungible' || !isPaid))
    if (amount === 0n) return true
    const imitated = shapes.get(shortened(from))
    if (imitated !== undefined && imitated !== from && !paid.has(from)) return true
    if (isListed || called.has(token)) return false
    if (kind === 'fungible') return true
    const sent = transaction.logs.filter((log) => log.address === token && log.topics.length === 4)
    return sent.length >= massTransfers || bait.test(info?.name ?? '')
  }

  return page.map((candidate) => ({
    transaction: candidate.transaction,
    movements: candidate.movements.map((movement) => ({ ...movement, isSpam: isSpam(candidate, movement) })),
  }))
}

function shortened(address: string): string {
  return address.slice(2, 2 + shownStart) + address.slice(-shownEnd)
}
