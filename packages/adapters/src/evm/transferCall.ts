import { type ChainId, parseAccountId, toEvmAddress } from '@latchkey/protocol/caip'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { toQuantity } from './chainId.ts'

/**
 * Returns the call that sends an amount of the native currency or an ERC-20 token. A token with a CAIP-10 prefix must be on
 * `chain`.
 */
export async function transferCall(
  { to, amount, token }: { readonly to: string; readonly amount: bigint; readonly token?: string },
  chain: ChainId<'eip155'>,
): Promise<{ readonly to: string; readonly value?: string; readonly data: string }> {
  if (amount < 0n) throw new LatchkeyError('wallet/failed', { message: 'An amount cannot be negative.' })
  if (token === undefined) return { to: recipient(to), value: toQuantity(amount), data: '0x' }
  const parsed = parseAccountId(token)
  if (parsed && parsed.chain !== chain) throw new LatchkeyError('network/unsupported', { chain: parsed.chain })
  const part = await import('./viem/encodeErc20Transfer.ts')
  return { to: recipient(parsed?.address ?? token), data: part.encodeErc20Transfer({ to: recipient(to), amount }) }
}

function recipient(to: string): string {
  const address = toEvmAddress(to)
  if (!address) throw new LatchkeyError('wallet/failed', { message: `"${to}" is not an EVM address.` })
  return address
}
