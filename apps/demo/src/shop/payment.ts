import {
  type Address,
  createWalletClient,
  custom,
  type EIP1193Provider,
  encodeFunctionData,
  erc20Abi,
  type Hex,
} from 'viem'
import type { Environment, EnvironmentChain } from '../environment.ts'
import { shopAddress, weiOf } from './products.ts'

/** Asks the wallet to send the payment. Resolves to the transaction hash. */
export async function sendPayment({
  world,
  chain,
  provider,
  from,
  money,
  cents,
}: {
  world: Environment
  chain: EnvironmentChain
  provider: unknown
  from: Address
  money: 'token' | 'ether'
  cents: number
}): Promise<Hex> {
  const wallet = createWalletClient({ chain, account: from, transport: custom(provider as EIP1193Provider) })
  if (money === 'ether') return wallet.sendTransaction({ to: shopAddress, value: weiOf(cents) })
  const value = BigInt(cents) * 10n ** BigInt(world.token.decimals - 2)
  return wallet.sendTransaction({
    to: world.token.address,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [shopAddress, value] }),
  })
}

/** Returns a user-facing message that explains why a payment failed. */
export function paymentErrorText(error: unknown): string {
  for (let cause: unknown = error; typeof cause === 'object' && cause !== null; cause = (cause as Error).cause) {
    if ('code' in cause && cause.code === 4001) return 'You declined the payment in your wallet. Nothing was paid.'
  }
  return 'The payment did not go through. Nothing was taken from your basket.'
}
