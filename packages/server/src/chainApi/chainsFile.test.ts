import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { assetsFolder } from '../storage/packageFiles.ts'
import { readChains } from './chainsFile.ts'
import { parseTokenList, readTokenLists } from './tokenLists.ts'

const packaged = { chains: join(assetsFolder(), 'chains.json'), tokens: join(assetsFolder(), 'tokens.json') }

async function fileWith(content: unknown): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'latchkey-chains-')), 'chains.json')
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const read = async (content: unknown, rpcUrls: Record<string, readonly string[]> = {}) =>
  readChains({ file: await fileWith(content), rpcUrls: new Map(Object.entries(rpcUrls)), packaged })

describe('the chains file', () => {
  test('a chain that is only in RPC_URLS has the package’s defaults', async () => {
    const rpcUrls = new Map([['eip155:8453', ['https://node.example']]])
    const chain = (await readChains({ file: undefined, rpcUrls, packaged })).get('eip155:8453')
    expect(chain).toMatchObject({
      chainId: 'eip155:8453',
      name: 'Base',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      testnet: false,
      rpcUrls: ['https://node.example'],
      multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
    })
    expect(chain?.exchange?.feeTiers).toEqual([100, 500, 3000, 10_000])
  })

  test('the file takes precedence over RPC_URLS and the package’s defaults, and null removes a default', async () => {
    const chains = await read(
      { 'eip155:1': { name: 'My Ethereum', rpcUrls: ['https://own.example'], exchange: null } },
      { 'eip155:1': ['https://other.example', 'https://own.example'], 'eip155:10': ['https://op.example'] },
    )
    expect([...chains.keys()]).toEqual(['eip155:1', 'eip155:10'])
    const ethereum = chains.get('eip155:1')
    expect(ethereum).toMatchObject({ name: 'My Ethereum', rpcUrls: ['https://own.example', 'https://other.example'] })
    expect(ethereum?.exchange).toBeUndefined()
    expect(ethereum?.ens).toBeDefined()
  })

  test('an unknown chain has no defaults', async () => {
    const rpcUrls = new Map([['eip155:999999', ['https://node.example']]])
    const chain = (await readChains({ file: undefined, rpcUrls, packaged })).get('eip155:999999')
    expect(chain).toMatchObject({ name: 'eip155:999999', nativeCurrency: { name: 'Native currency' } })
    expect(chain?.exchange).toBeUndefined()
    expect(chain?.multicall3).toBeUndefined()
  })

  test('the currency of an unknown Solana cluster has the nine decimals of SOL', async () => {
    const chainId = 'solana:BakeryLoca1So1anaNetwork11111111'
    const chain = (await read({}, { [chainId]: ['https://node.example'] })).get(chainId)
    expect(chain).toMatchObject({ name: chainId, nativeCurrency: { symbol: 'SOL', decimals: 9 } })
  })

  test.each([
    ['not json', 'is not valid JSON'],
    ['[]', 'it must be an object with a field for each chain'],
    [{ ethereum: {} }, 'ethereum is not a CAIP-2 chain ID'],
    [{ 'eip155:one': {} }, 'eip155:one is not a CAIP-2 chain ID'],
    [{ 'eip155:1': { rpcUrl: 'https://a' } }, 'eip155:1: rpcUrl is not a known field'],
    [{ 'eip155:1': { rpcUrls: ['file:///etc/passwd'] } }, 'eip155:1: rpcUrls.0 must be an http or https URL'],
    [{ 'eip155:1': {} }, 'eip155:1: rpcUrls must name a node'],
    [
      { 'eip155:1': { nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 1.5 } } },
      'eip155:1: nativeCurrency.decimals',
    ],
    [{ 'eip155:1': { multicall3: '0x12' } }, 'eip155:1: multicall3 must be an address'],
    [{ 'eip155:1': { exchange: { factory: `0x${'1'.repeat(40)}` } } }, 'eip155:1: exchange.quoter'],
    [{ 'eip155:1': { history: { url: 'http://indexer.example' } } }, 'eip155:1: history.url must be an https URL'],
    [{ 'solana:1': { ens: { universalResolver: `0x${'1'.repeat(40)}` } } }, 'solana:1: ens is only supported on'],
    [{ 'eip155:1': { rpcUrls: ['https://a'], tokenLists: ['http://lists.example/a.json'] } }, 'eip155:1: tokenLists'],
  ])('the server does not start with an invalid file, and the error shows the field: %j', async (content, message) => {
    await expect(read(content)).rejects.toThrow(message)
  })

  test('if the file does not exist, the error contains the name of the variable', async () => {
    const reading = readChains({ file: '/nowhere/chains.json', rpcUrls: new Map(), packaged })
    await expect(reading).rejects.toThrow('/nowhere/chains.json cannot be read (ENOENT): check CHAINS_FILE.')
  })

  test("a chain has the tokens of its lists, in the order of the lists, and 'default' stands for the package's list", async () => {
    const own = '0x00000000000000000000000000000000000000AA'
    const file = await fileWith({ 'eip155:8453': { rpcUrls: ['https://a'], tokenLists: ['own.json', 'default'] } })
    await writeFile(
      join(file, '../own.json'),
      JSON.stringify({ tokens: [{ chainId: 8453, address: own, name: 'Own', symbol: 'OWN', decimals: 2 }] }),
    )
    const configured = await readChains({ file, rpcUrls: new Map(), packaged })
    const folder = join(file, '../lists')
    const lists = await readTokenLists({
      configured,
      packagedTokens: packaged.tokens,
      folder,
      fetch,
      log: () => {},
    })
    const symbols = lists.chains.get('eip155:8453')?.tokens.map(({ symbol }) => symbol)
    expect(symbols?.slice(0, 2)).toEqual(['OWN', 'USDC'])
  })
})

describe("the package's defaults", () => {
  test('every address has a valid checksum, and no token is listed twice', async () => {
    const chains: unknown = JSON.parse(await readFile(packaged.chains, 'utf8'))
    const addresses = JSON.stringify(chains).match(/0x[0-9a-fA-F]{40}/g) ?? []
    expect(addresses.length).toBeGreaterThan(50)
    for (const address of addresses) expect(isAddress(address), address).toBe(true)

    const { tokens } = JSON.parse(await readFile(packaged.tokens, 'utf8')) as {
      tokens: { chainId: number; address: string }[]
    }
    for (const { chainId, address } of tokens) if (chainId !== 101) expect(isAddress(address), address).toBe(true)
    expect(new Set(tokens.map(({ chainId, address }) => `${chainId} ${address}`)).size).toBe(tokens.length)
  })

  test('every token has a configured chain, and every stablecoin and wrapped native currency is on the list', async () => {
    const json = JSON.parse(await readFile(packaged.chains, 'utf8')) as Record<string, object>
    const rpcUrls = new Map(
      Object.keys(json)
        .filter((id) => id !== 'comment')
        .map((id) => [id, ['https://node.example']]),
    )
    const chains = await readChains({ file: undefined, rpcUrls, packaged })
    const text = await readFile(packaged.tokens, 'utf8')
    const tokens = parseTokenList(text, new Set(rpcUrls.keys()), (address) => address)
    const { tokens: all } = JSON.parse(text) as { tokens: unknown[] }
    expect([...(tokens?.values() ?? [])].flat()).toHaveLength(all.length)
    for (const [id, { exchange }] of chains) {
      const listed = tokens?.get(id)?.map(({ address }) => address) ?? []
      for (const address of [...(exchange?.stablecoins ?? []), ...(exchange ? [exchange.wrappedNative] : [])])
        expect(listed, id).toContain(address)
    }
  })
})
