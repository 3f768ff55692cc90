import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalChain } from '@latchkey/testing'
import { type TestExchange, type TestToken, tokenListOf } from '@latchkey/testing/node'
import type { LocalEns } from './localEns.ts'
import type { LocalSolana } from './localSolanaNode.ts'

/**
 * Writes the chains file of the server (`CHAINS_FILE`) to `folder`, with the token lists of the first chain and of Solana. It
 * does not contain the nodes, because the server receives them in `RPC_URLS`. Resolves to the path of the file.
 */
export async function writeChainsFile({
  folder,
  chains,
  token,
  exchange,
  names,
  solana,
}: {
  folder: string
  chains: readonly [LocalChain, ...LocalChain[]]
  /** The test token on the first chain. */
  token: TestToken
  /** The exchange on the first chain. */
  exchange: TestExchange | undefined
  /** ENS on the first chain. */
  names: LocalEns | undefined
  /** The Solana chain and its test token. */
  solana: Pick<LocalSolana, 'chainId' | 'token'>
}): Promise<string> {
  const [home] = chains
  await mkdir(folder, { recursive: true })
  const tokenList = exchange?.tokenList ?? tokenListOf({ chain: home, tokens: [token] })
  await writeFile(join(folder, 'tokens.json'), JSON.stringify(tokenList, null, 2))
  const { name, symbol, decimals, address } = solana.token
  const solanaTokens = [{ chainId: solana.chainId, address, name, symbol, decimals }]
  await writeFile(
    join(folder, 'solanaTokens.json'),
    JSON.stringify({ name: 'Local Solana', tokens: solanaTokens }, null, 2),
  )
  const entries = chains.map((chain) => [
    `eip155:${chain.id}`,
    {
      name: chain.name,
      nativeCurrency: chain.nativeCurrency,
      testnet: chain.testnet,
      tokenLists: chain === home ? ['./tokens.json'] : [],
      ...(chain === home && exchange ? { multicall3: exchange.multicall3, exchange: exchange.contracts } : {}),
      ...(chain === home && names ? { ens: { universalResolver: names.universalResolver } } : {}),
    },
  ])
  const file = join(folder, 'chains.json')
  await writeFile(file, JSON.stringify({ ...Object.fromEntries(entries), [solana.chainId]: solanaEntry }, null, 2))
  return file
}

const solanaEntry = {
  name: 'Local Solana',
  nativeCurrency: { name: 'Solana', symbol: 'SOL', decimals: 9 },
  testnet: true,
  tokenLists: ['./solanaTokens.json'],
}
