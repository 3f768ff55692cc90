import type { LocalChain } from '@latchkey/testing'
import {
  type Account,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  type PublicActions,
  parseAbi,
  publicActions,
  type TestClient,
  type Transport,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { World } from './fixtures.ts'

/** Returns a client for the first chain of the local environment, which can also set balances. */
export function chainOf({
  facts,
}: World): TestClient<'anvil', Transport, LocalChain, Account | undefined> & PublicActions<Transport, LocalChain> {
  return createTestClient({ mode: 'anvil', chain: facts.chains[0], transport: http(), pollingInterval: 50 }).extend(
    publicActions,
  )
}

/** Returns a token of the local exchange. Throws if the environment started without the exchange. */
export function exchangeToken(
  { facts }: World,
  id: 'usdc' | 'usdt',
): { readonly address: Hex; readonly symbol: string } {
  if (!facts.exchange) throw new Error('The environment has no exchange.')
  return facts.exchange.tokens[id]
}

/** Resolves to the balance of a token of the local exchange, in its base units. */
export function tokenBalance(world: World, id: 'usdc' | 'usdt', owner: Hex): Promise<bigint> {
  const { address } = exchangeToken(world, id)
  return chainOf(world).readContract({ address, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })
}

/** Transfers a token of the local exchange from the second test account, and waits until the transaction is mined. */
export async function payToken(
  world: World,
  { token, to, amount }: { readonly token: 'usdc' | 'usdt'; readonly to: Hex; readonly amount: bigint },
): Promise<void> {
  // tUSDT returns nothing.
  const abi = parseAbi(['function transfer(address, uint256)'])
  await callToken(world, token, encodeFunctionData({ abi, args: [to, amount] }), 1)
}

/** Approves `spender` for a token of the local exchange from the test account at `index`. */
export async function approveToken(
  world: World,
  { token, spender, amount, index }: { token: 'usdc' | 'usdt'; spender: Hex; amount: bigint; index: number },
): Promise<void> {
  const abi = parseAbi(['function approve(address, uint256)'])
  await callToken(world, token, encodeFunctionData({ abi, args: [spender, amount] }), index)
}

async function callToken(world: World, token: 'usdc' | 'usdt', data: Hex, index: number): Promise<void> {
  const account = privateKeyToAccount(world.facts.accounts[index]?.privateKey as Hex)
  const client = createWalletClient({ account, chain: world.facts.chains[0], transport: http() })
  const hash = await client.sendTransaction({ to: exchangeToken(world, token).address, data })
  await chainOf(world).waitForTransactionReceipt({ hash })
}
