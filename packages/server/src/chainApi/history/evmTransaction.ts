import { formatUnits } from '@latchkey/protocol/amount'
import type { HistoryTransaction, TokenTransfer } from '@latchkey/protocol/http/chainApi'
import { sanitizeName } from '@latchkey/protocol/untrustedNames'
import type { EventLog } from './evmSchemas.ts'
import { isApprovalBy, movementsIn, type TokenMovement } from './tokenEvents.ts'
import { isEntryPoint } from './userOperations.ts'

/** A transaction as read from a node, with everything that the history shows. Addresses are in lower case. */
export interface EvmTransaction {
  readonly hash: string
  readonly from: `0x${string}`
  /** Absent if the transaction creates a contract. */
  readonly to?: `0x${string}` | null | undefined
  readonly value: bigint
  readonly input: `0x${string}`
  readonly nonce?: number | null | undefined
  /** Whether the account sent the transaction, or a user operation in it. */
  readonly isOwn: boolean
  readonly hasFailed: boolean
  /** The address of the contract that the transaction created. */
  readonly contractAddress?: `0x${string}` | null | undefined
  readonly logs: readonly EventLog[]
  /** Payments of contracts in the native currency. Absent if the node does not report them. */
  readonly internalPayments?: readonly NativePayment[] | undefined
  /** The time of the block, in seconds. */
  readonly timestamp: number
}

/** A payment in the native currency. */
export interface NativePayment {
  readonly from: `0x${string}`
  readonly to: `0x${string}`
  readonly value: bigint
}

/** The name, decimals and other details of a token. */
export interface TokenInfo {
  readonly name?: string | undefined
  readonly symbol?: string | undefined
  readonly decimals: number
  readonly logoUri?: string | undefined
  readonly isListed: boolean
}

/** A movement of tokens or the native currency to or from the account. */
export interface AccountMovement extends Omit<TokenMovement, 'kind' | 'token'> {
  readonly kind: 'native' | 'fungible' | 'nft'
  /** Absent for the native currency. */
  readonly token?: `0x${string}` | undefined
  readonly direction: 'in' | 'out' | 'self'
}

/** The maximum number of movements of a transaction that are returned. */
const maxMovements = 100

const zero = '0x0000000000000000000000000000000000000000'
const burnAddresses = new Set([zero, '0x000000000000000000000000000000000000dead'])

// Function selectors, from which the type of a failed transaction is derived.
const transferSelectors = /^0x(a9059cbb|23b872dd|42842e0e|b88d4fde|f242432a|2eb2c2d6)/
const approveSelectors = /^0x(095ea7b3|a22cb465|39509351)/

/** Returns the movements of a transaction to and from `account`. A failed transaction moves nothing. */
export function accountMovements(
  transaction: EvmTransaction,
  { account, wrappedNative }: { account: `0x${string}`; wrappedNative?: `0x${string}` | undefined },
): readonly AccountMovement[] {
  const { from, to, value, hasFailed, logs, internalPayments = [], contractAddress } = transaction
  if (hasFailed) return []
  const receiver = to ?? contractAddress
  const payments = [...(receiver ? [{ from, to: receiver, value }] : []), ...internalPayments]
  const native = payments
    // A smart account's payments to an entry point are fees.
    .filter((payment) => payment.value > 0n && !isEntryPoint(payment.to))
    .map((payment) => ({ kind: 'native' as const, amount: payment.value, from: payment.from, to: payment.to }))
  const tokens = logs.flatMap((log) => movementsIn(log, wrappedNative))
  const movements = [...native, ...tokens].flatMap((movement) => {
    const { from, to } = movement
    if (from !== account && to !== account) return []
    return [
      {
        ...movement,
        direction: from === to ? ('self' as const) : from === account ? ('out' as const) : ('in' as const),
      },
    ]
  })
  return merged(movements).slice(0, maxMovements)
}

/** Adds up movements of one token between the same parties, such as the parts of a split swap. */
function merged(movements: readonly AccountMovement[]): readonly AccountMovement[] {
  const sums = new Map<string, AccountMovement>()
  for (const movement of movements) {
    const { kind, token, tokenId, from, to } = movement
    const key = [kind, token, tokenId, from, to].join()
    const sum = sums.get(key)
    sums.set(key, sum ? { ...sum, amount: sum.amount + movement.amount } : movement)
  }
  return [...sums.values()]
}

/** Returns the type of a transaction. `movements` must not contain spam, which would otherwise look like a `send`. */
export function operationType(
  transaction: EvmTransaction,
  { account, movements }: { account: `0x${string}`; movements: readonly AccountMovement[] },
): string {
  const { to, input, value, isOwn, hasFailed, logs, internalPayments } = transaction
  if (isOwn && !to) return 'deploy'
  if (hasFailed) {
    if (approveSelectors.test(input)) return 'approve'
    return input === '0x' || transferSelectors.test(input) ? 'send' : 'execute'
  }
  const incoming = movements.filter(({ direction }) => direction === 'in')
  const outgoing = movements.filter(({ direction }) => direction === 'out')
  const minted = incoming.filter((movement) => movement.kind === 'nft' && movement.from === zero)
  if (minted.length > 0 && minted.length === incoming.length) return 'mint'
  if (incoming.length > 0 && outgoing.length > 0) {
    const same = incoming.every((received) => outgoing.some((sent) => assetOf(sent) === assetOf(received)))
    return same ? 'execute' : 'trade'
  }
  if (outgoing.length > 0) {
    if (outgoing.every((movement) => movement.kind !== 'native' && burnAddresses.has(movement.to))) return 'burn'
    // The called contract might have sent native currency to the account, which only a trace shows.
    const isWhole = internalPayments !== undefined || input === '0x' || outgoing.every(({ token }) => token === to)
    return isWhole ? 'send' : 'execute'
  }
  if (incoming.length > 0) return 'receive'
  if (movements.length > 0) return 'send'
  if (logs.some((log) => isApprovalBy(account, log)) && isOwn) return 'approve'
  return isOwn && input === '0x' && value === 0n ? 'send' : 'execute'
}

/** Returns a key for the token of a movement. */
function assetOf({ kind, token, tokenId }: AccountMovement): string {
  return [kind, token, tokenId].join()
}

/** A transaction with its movements and whether they are spam. */
export interface DescribedTransaction {
  readonly transaction: EvmTransaction
  readonly movements: readonly (AccountMovement & { readonly isSpam: boolean })[]
}

/** Returns the history item of a transaction. `checksum` formats an address. */
export function historyItem(
  { transaction, movements }: DescribedTransaction,
  context: {
    readonly account: `0x${string}`
    readonly chainId: string
    readonly nativeCurrency: { readonly name: string; readonly symbol: string; readonly decimals: number }
    readonly tokens: ReadonlyMap<string, TokenInfo>
    readonly checksum: (address: `0x${string}`) => string
  },
): HistoryTransaction {
  const { account, chainId, nativeCurrency, checksum } = context
  const wanted = movements.filter(({ isSpam }) => !isSpam)
  const type = operationType(transaction, { account, movements: wanted })
  const parties = partiesOf(transaction, type, wanted)
  return {
    id: `${chainId}:${transaction.hash}`,
    metadata: {
      operationType: type,
      hash: transaction.hash,
      minedAt: new Date(transaction.timestamp * 1000).toISOString(),
      sentFrom: checksum(parties.from),
      sentTo: parties.to ? checksum(parties.to) : '',
      status: transaction.hasFailed ? 'failed' : 'confirmed',
      nonce: transaction.nonce ?? null,
      application: null,
      chain: chainId,
    },
    transfers:
      movements.length > 0
        ? movements.map((movement) => transferOf(movement, context))
        : // Clients hide transactions without transfers.
          [
            {
              fungible_info: { name: nativeCurrency.name, symbol: nativeCurrency.symbol, icon: null },
              nft_info: null,
              direction: transaction.isOwn ? 'out' : 'in',
              quantity: { numeric: '0' },
              value: null,
              price: null,
            },
          ],
  }
}

/**
 * Returns the sender and recipient to display. For a transfer of a token, these are the parties of the transfer, because the
 * transaction itself is sent to the token contract, or by someone else.
 */
function partiesOf(
  transaction: EvmTransaction,
  type: string,
  wanted: readonly AccountMovement[],
): { from: `0x${string}`; to: `0x${string}` | undefined } {
  const { from, to, contractAddress } = transaction
  const [first] = wanted
  const isTransfer = type === 'send' || type === 'receive' || type === 'mint' || type === 'burn'
  if (isTransfer && first && wanted.every((other) => other.from === first.from && other.to === first.to))
    return { from: first.from, to: first.to }
  return { from, to: to ?? contractAddress ?? undefined }
}

function transferOf(
  movement: AccountMovement & { readonly isSpam: boolean },
  {
    chainId,
    nativeCurrency,
    tokens,
    checksum,
  }: Pick<Parameters<typeof historyItem>[1], 'chainId' | 'nativeCurrency' | 'tokens' | 'checksum'>,
): TokenTransfer {
  const { kind, token, tokenId, amount, direction, isSpam } = movement
  const common = { direction, value: null, price: null, ...(isSpam ? { isSpam } : {}) }
  if (kind === 'native' || token === undefined) {
    const { name, symbol, decimals } = nativeCurrency
    const numeric = formatUnits(amount, decimals)
    return { ...common, fungible_info: { name, symbol, icon: null }, nft_info: null, quantity: { numeric } }
  }
  const info = tokens.get(token)
  const named = { ...common, token: `${chainId}:${checksum(token)}`, ...(info?.isListed ? {} : { isUnlisted: true }) }
  if (kind === 'nft') {
    const name = sanitizeName(`${info?.name ?? ''} #${tokenId}`, 100)
    return {
      ...named,
      fungible_info: null,
      // The image is not read, because the contract chooses its URL, which can point anywhere.
      nft_info: { ...(name ? { name } : {}), content: null, flags: { is_spam: isSpam } },
      quantity: { numeric: String(amount) },
    }
  }
  return {
    ...named,
    fungible_info: {
      name: info?.name,
      symbol: info?.symbol,
      icon: info?.logoUri ? { url: info.logoUri } : null,
    },
    nft_info: null,
    quantity: { numeric: formatUnits(amount, info?.decimals ?? 0) },
  }
}
