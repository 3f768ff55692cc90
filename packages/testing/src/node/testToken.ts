import { createPublicClient, createWalletClient, erc20Abi, http, parseUnits } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { LocalChain } from '../localChain.ts'
import { testAccounts } from '../testAccounts.ts'
import { testTokenBytecode } from './contracts/testTokenBytecode.ts'

/** A test ERC-20 token on a local chain. */
export interface TestToken {
  /** The address of the contract. */
  readonly address: `0x${string}`
  /** The token's name, `Test Dollar` by default. */
  readonly name: string
  /** The token's symbol, `TUSD` by default. */
  readonly symbol: string
  /** The number of decimals, 6 by default. */
  readonly decimals: number
}

const constructorAbi = [
  {
    type: 'constructor',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'name', type: 'string' },
      { name: 'symbol', type: 'string' },
      { name: 'decimals', type: 'uint8' },
      { name: 'supply', type: 'uint256' },
    ],
  },
] as const

/**
 * Deploys an ERC-20 from the last test account, and transfers `amount` whole tokens to each of `holders`.
 *
 * @example
 * const { address } = await deployTestToken({ chain: anvil.chain, symbol: 'EURT' })
 */
export async function deployTestToken({
  chain,
  name = 'Test Dollar',
  symbol = 'TUSD',
  decimals = 6,
  holders = testAccounts.map(({ address }) => address),
  amount = '10000',
}: {
  chain: LocalChain
  name?: string
  symbol?: string
  decimals?: number
  holders?: readonly `0x${string}`[]
  amount?: string
}): Promise<TestToken> {
  const transport = http(chain.rpcUrls.default.http[0])
  const account = privateKeyToAccount(testAccounts[4].privateKey)
  const wallet = createWalletClient({ account, chain, transport })
  const reader = createPublicClient({ chain, transport, pollingInterval: 20 })
  const hash = await wallet.deployContract({
    abi: constructorAbi,
    bytecode: testTokenBytecode,
    args: [name, symbol, decimals, parseUnits('1000000000', decimals)],
  })
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash })
  if (!contractAddress) throw new Error('The test token was not deployed.')
  for (const holder of holders) {
    if (holder === account.address) continue
    const sent = await wallet.writeContract({
      address: contractAddress,
      abi: erc20Abi,
      functionName: 'transfer',
      args: [holder, parseUnits(amount, decimals)],
    })
    await reader.waitForTransactionReceipt({ hash: sent })
  }
  return { address: contractAddress, name, symbol, decimals }
}
