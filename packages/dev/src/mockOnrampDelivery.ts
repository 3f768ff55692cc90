import { type LocalChain, testAccounts } from '@latchkey/testing'
import {
  createPublicClient,
  createTestClient,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  parseUnits,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { MockNetwork } from './mockOnrampCatalog.ts'

/** Sends a purchase to the buyer. Resolves to the hash of the transaction once it is in a block. */
export type MockDelivery = (purchase: {
  readonly network: MockNetwork
  readonly address: `0x${string}`
  /** In base units. */
  readonly amount: bigint
}) => Promise<Hex>

/**
 * Creates the function that sends purchases. Native currency is sent from a separate account, which is funded with the first
 * purchase on a chain.
 */
export function createMockDelivery(): MockDelivery {
  const account = privateKeyToAccount(generatePrivateKey())
  const funded = new Map<number, Promise<void>>()
  // One delivery at a time, so that no two transactions have the same nonce.
  let last: Promise<unknown> = Promise.resolve()

  async function sendNative(chain: LocalChain, to: Hex, value: bigint): Promise<Hex> {
    const client = createTestClient({ mode: 'anvil', chain, transport: http() })
    const funding =
      funded.get(chain.id) ?? client.setBalance({ address: account.address, value: parseUnits('1000000', 18) })
    funded.set(chain.id, funding)
    await funding
    return createWalletClient({ account, chain, transport: http() }).sendTransaction({ to, value })
  }

  async function send({ network: { chain, contract }, address, amount }: Parameters<MockDelivery>[0]): Promise<Hex> {
    const reader = createPublicClient({ chain, transport: http(), pollingInterval: 50 })
    const hash = contract
      ? await sendToken({ chain, contract, address, amount })
      : await sendNative(chain, address, amount)
    const { status } = await reader.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`The delivery ${hash} failed`)
    return hash
  }

  return (purchase) => {
    const delivered = last.catch(() => undefined).then(() => send(purchase))
    last = delivered
    return delivered
  }
}

/** Sends the test token from its owner. The node holds the owner's key, so it also chooses the nonce. */
async function sendToken({
  chain,
  contract,
  address,
  amount,
}: {
  chain: LocalChain
  contract: Hex
  address: Hex
  amount: bigint
}): Promise<Hex> {
  const owner = createWalletClient({ account: testAccounts[4].address, chain, transport: http() })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [address, amount] })
  return owner.sendTransaction({ to: contract, data })
}
