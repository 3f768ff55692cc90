import { addDecimals, multiplyDecimals } from '@latchkey/protocol/amount'
import type { HistoryTransaction, TokenTransfer } from '@latchkey/protocol/http/chainApi'

/** The total amount of a token that a transaction moved in one direction. */
export interface TransferTotal {
  readonly direction: TokenTransfer['direction']
  /** The symbol of a token, or the name of an NFT. Chosen by the token's contract, so it can be misleading. */
  readonly symbol: string
  /** The amount as a decimal, in whole tokens. */
  readonly numeric: string
  /** The https URL of the logo. Absent for tokens that are not on a token list. */
  readonly iconUrl?: string
  readonly isNft: boolean
}

/**
 * Returns at most two totals that describe a transaction: transfers of the same token and direction are added, small opposite
 * movements of a token (below a tenth, such as a refund of fees) are left out, and the most valuable ones are kept. Outgoing
 * totals come first. Spam and transfers of zero are left out.
 */
export function summarizeTransfers(transfers: HistoryTransaction['transfers']): readonly TransferTotal[] {
  const totals = new Map<string, TransferTotal & { readonly value: number; readonly token: string }>()
  for (const transfer of transfers) {
    const { direction, quantity, fungible_info, nft_info, value } = transfer
    if (transfer.isSpam || nft_info?.flags?.is_spam || !/[1-9]/.test(quantity.numeric)) continue
    const symbol = (nft_info ? nft_info.name : fungible_info?.symbol) ?? ''
    const token = transfer.token ?? `${nft_info ? 'nft' : 'token'} ${fungible_info?.name ?? ''} ${symbol}`
    const before = totals.get(`${direction} ${token}`)
    const iconUrl = transfer.isUnlisted
      ? undefined
      : (fungible_info?.icon?.url ?? nft_info?.content?.preview?.url ?? undefined)
    totals.set(`${direction} ${token}`, {
      direction,
      symbol,
      token,
      numeric: before ? addDecimals([before.numeric, quantity.numeric]) : quantity.numeric,
      value: (before?.value ?? 0) + (value ?? 0),
      isNft: Boolean(nft_info),
      ...(iconUrl && { iconUrl }),
    })
  }
  const all = [...totals.values()]
  return all
    .filter((total) => !all.some((other) => isRefund(total, other)))
    .sort((a, b) => b.value - a.value)
    .slice(0, 2)
    .sort((a, b) => Number(b.direction === 'out') - Number(a.direction === 'out'))
    .map(({ value: _, token: __, ...total }) => total)
}

/** Whether a movement is less than a tenth of the opposite movement of the same token. */
function isRefund(
  total: { token: string; direction: string; numeric: string },
  other: { token: string; direction: string; numeric: string },
): boolean {
  if (total.token !== other.token || total.direction === other.direction || other.direction === 'self') return false
  const tenth = multiplyDecimals(other.numeric, '0.1') ?? '0'
  return isLess(total.numeric, tenth)
}

function isLess(a: string, b: string): boolean {
  return addDecimals([a, `-${b}`]).startsWith('-')
}
