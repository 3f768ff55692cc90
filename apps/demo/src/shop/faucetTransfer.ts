import { type Address, createPublicClient, createWalletClient, erc20Abi, http, parseEther, publicActions } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Environment, EnvironmentChain } from '../environment.ts'

interface FaucetParameters {
  readonly world: Environment
  readonly chain: EnvironmentChain
  readonly address: Address
}

/** Whether `address` has no native balance on `chain`. */
export async function isEmpty({ chain, address }: FaucetParameters): Promise<boolean> {
  return (await createPublicClient({ chain, transport: http() }).getBalance({ address })) === 0n
}

/** Sends one ether and, on the token's chain, 100 test dollars from the local environment's first funded account. */
export async function sendTestMoney({ world, chain, address }: FaucetParameters): Promise<void> {
  const [giver] = world.accounts
  if (!giver) throw new Error('The local environment has no funded account.')
  const account = privateKeyToAccount(giver.privateKey)
  const wallet = createWalletClient({ chain, account, transport: http() }).extend(publicActions)
  await wallet.waitForTransactionReceipt({
    hash: await wallet.sendTransaction({ to: address, value: parseEther('1') }),
  })
  if (chain.id !== world.token.chainId) return
  const hash = await wallet.writeContract({
    address: world.token.address,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [address, 100n * 10n ** BigInt(world.token.decimals)],
  })
  await wallet.waitForTransactionReceipt({ hash })
}
