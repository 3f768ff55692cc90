import { addressOn } from './grantNamespaces.ts'
import type { Account } from './keys.ts'
import type { Ask, Network } from './networks.ts'

/** Reads the balance of `account` on `network`, in the smallest unit. Resolves to `undefined` if the request fails. */
export async function readBalance(account: Account, network: Network, ask: Ask): Promise<bigint | undefined> {
  const address = addressOn(account, network.id)
  try {
    if (network.id.startsWith('eip155:'))
      return BigInt((await ask(network, 'eth_getBalance', [address, 'latest'])) as string)
    const { value } = (await ask(network, 'getBalance', [address])) as { value: number }
    return BigInt(value)
  } catch {
    return undefined
  }
}

/** Sets the EVM balances of `account`, and requests Solana airdrops, on each of `networks`. Only works on local chains. */
export async function fundTestAccount(account: Account, networks: readonly Network[], ask: Ask): Promise<void> {
  for (const network of networks) {
    const address = addressOn(account, network.id)
    if (network.id.startsWith('eip155:')) await ask(network, 'anvil_setBalance', [address, '0x8ac7230489e80000'])
    else await ask(network, 'requestAirdrop', [address, 10_000_000_000])
  }
}
