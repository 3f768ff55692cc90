import {
  type Address,
  createWalletClient,
  custom,
  type EIP1193Provider,
  encodeFunctionData,
  erc20Abi,
  type Hex,
} from 'viem'
import type { World, WorldChain } from '../world.ts'
import { till, weiOf } from './goods.ts'

/** Asks the wallet to pay the till; answers the transaction's hash. */
export async function payTill({
  world,
  chain,
  provider,
  from,
  money,
  cents,
}: {
  world: World
  chain: WorldChain
  provider: unknown
  from: Address
  money: 'token' | 'ether'
  cents: number
}): Promise<Hex> {
  const wallet = createWalletClient({ chain, account: from, transport: custom(provider as EIP1193Provider) })
  if (money === 'ether') return wallet.sendTransaction({ to: till, value: weiOf(cents) })
  const value = BigInt(cents) * 10n ** BigInt(world.token.decimals - 2)
  return wallet.sendTransaction({
    to: world.token.address,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [till, value] }),
  })
}

/** Why a payment did not happen, in words for a customer. */
export function whyNot(error: unknown): string {
  for (let cause: unknown = error; typeof cause === 'object' && cause !== null; cause = (cause as Error).cause) {
    if ('code' in cause && cause.code === 4001) return 'You declined in your wallet. Nothing was paid.'
  }
  return 'The payment did not go through. Nothing was taken from your basket.'
}
