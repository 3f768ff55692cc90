import {
  type Anvil,
  deployExchange,
  deployTestToken,
  startAnvil,
  type TestExchange,
  type TestToken,
} from '@latchkey/testing/node'

const chainSettings = [
  { chainId: 31337, port: 8545, name: 'Bakery Chain' },
  { chainId: 31338, port: 8546, name: 'Market Chain' },
] as const

/** The running EVM chains, with the contracts that are deployed on the first chain. */
export interface LocalChains {
  readonly chains: readonly [Anvil, ...Anvil[]]
  readonly token: TestToken
  /** The exchange, or `undefined` if its bytecode could not be downloaded. */
  readonly exchange: TestExchange | undefined
}

/**
 * Starts two EVM chains with funded accounts, and deploys a test token and an exchange on the first chain. `defer` receives the
 * functions that stop the chains.
 */
export async function startChains({
  say,
  defer,
}: {
  say: (line: string) => void
  defer: (stop: () => Promise<unknown>) => void
}): Promise<LocalChains> {
  const chains: Anvil[] = []
  for (const { chainId, port, name } of chainSettings) {
    say(`Starting chain ${chainId}`)
    const chain = await startAnvilNear(port, { chainId, name, say })
    defer(() => chain.stop())
    chains.push(chain)
  }
  const [home, ...others] = chains as [Anvil, ...Anvil[]]
  say('Funding test accounts')
  const { chain } = home
  const token = await deployTestToken({ chain })
  const exchange = await deployExchange({ chain, token, say }).catch((error: unknown) => {
    say(`The local chain has no exchange: ${error instanceof Error ? error.message : error}`)
    return undefined
  })
  return { chains: [home, ...others], token, exchange }
}

/** Starts anvil on `port`, or on any free port if `port` is in use. */
async function startAnvilNear(
  port: number,
  options: { chainId: number; name: string; say: (line: string) => void },
): Promise<Anvil> {
  return (await startAnvil({ ...options, port }).catch(() => undefined)) ?? startAnvil(options)
}
