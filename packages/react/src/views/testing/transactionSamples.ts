import type { HistoryTransaction, TokenTransfer } from '@latchkey/protocol/http/chainApi'
import { address } from './samples.ts'

/** Creates a transaction in which the account sent 12.5 USDC. `metadata` overrides its metadata. */
export function mined(
  hash: string,
  metadata: Partial<HistoryTransaction['metadata']> = {},
  transfers: readonly TokenTransfer[] = [moved('out', '12.5', 'USDC')],
): HistoryTransaction {
  return {
    id: hash,
    metadata: {
      operationType: 'send',
      hash,
      minedAt: '2026-11-27T10:00:00Z',
      sentFrom: address,
      sentTo: '0x1aE0EA34a72D944a8C7603FfB3eC30a6669E454C',
      status: 'confirmed',
      chain: 'eip155:1',
      ...metadata,
    },
    transfers,
  }
}

/** Creates a movement of a token. */
export function moved(
  direction: TokenTransfer['direction'],
  numeric: string,
  symbol: string,
  more: Partial<TokenTransfer> = {},
): TokenTransfer {
  return { fungible_info: { name: symbol, symbol, icon: null }, direction, quantity: { numeric }, ...more }
}
