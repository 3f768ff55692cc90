import { type Anvil, deployTestToken, startAnvil, type TestToken } from '@latchkey/testing/node'

const chainSettings = [
  { chainId: 31337, port: 8545, name: 'Bakery Chain' },
  { chainId: 31338, port: 8546, name: 'Market Chain' },
] as const

/**
 * Starts two EVM chains with funded accounts, and deploys a test token on the first chain. `defer` receives the functions that
 * stop the chains.
 */
export async function startChains({
  say,
  defer,
}: {
  say: (line: string) => void
  defer: (stop: () => Promise<unknown>) => void
}): Promise<{ chains: readonly [Anvil, ...Anvil[]]; token: TestToken }> {
  const chains: Anvil[] = []
  for (const { chainId, port, name } of chainSettings) {
    say(`Starting chain ${chainId}`)
    const chain = await startAnvilNear(port, { chainId, name, say })
    defer(() => chain.stop())
    chains.push(chain)
  }
  const [home, ...others] = chains as [Anvil, ...Anvil[]]
  say('Funding test accounts')
  return { chains: [home, ...others], token: await deployTestToken({ chain: home.chain }) }
}

/** Starts anvil on `port`, or on any free port if `port` is in use. */
async function startAnvilNear(
  port: number,
  options: { chainId: number; name: string; say: (line: string) => void },
): Promise<Anvil> {
  return (await startAnvil({ ...options, port }).catch(() => undefined)) ?? startAnvil(options)
}
