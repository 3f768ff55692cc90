import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFaultServer } from '@latchkey/testing/node'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { ConfiguredChain } from './chainsFile.ts'
import { maxListedTokens, parseTokenList, readTokenLists } from './tokenLists.ts'

const chainId = 'eip155:1'
const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
const dai = '0x6B175474E89094C44Da98b954EedeAC495271d0F'
const remote = 'https://lists.example/tokens.json'
const token = (address: string, symbol: string, fields: object = {}) => ({
  chainId: 1,
  address,
  name: symbol,
  symbol,
  decimals: 18,
  ...fields,
})

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-lists-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const listOf = (...tokens: unknown[]) => JSON.stringify({ name: 'A list', tokens })

function chainWith(tokenLists: readonly string[]): ReadonlyMap<string, ConfiguredChain> {
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  return new Map([[chainId, { chainId, name: 'Ethereum', nativeCurrency, testnet: false, rpcUrls: [], tokenLists }]])
}

async function lists(tokenLists: readonly string[], send: typeof fetch = fetch) {
  const lines: string[] = []
  const found = await readTokenLists({
    configured: chainWith(tokenLists),
    packagedTokens: '/nowhere/tokens.json',
    folder: join(folder, 'copies'),
    fetch: send,
    log: (level, line) => void lines.push(`${level} ${line}`),
  })
  onTestFinished(() => found.stop())
  return { ...found, lines, symbols: () => found.chains.get(chainId)?.tokens.map(({ symbol }) => symbol) }
}

/** A `fetch` for the remote list that responds over real HTTP. */
async function remoteServer(answer: () => Response) {
  const server = await startFaultServer(answer)
  onTestFinished(() => server.stop())
  return { server, send: ((_: string, init?: RequestInit) => fetch(server.url, init)) as typeof fetch }
}

test('a token that is on several lists is taken from the first list, whatever the case of its address', async () => {
  const [own, other] = [join(folder, 'own.json'), join(folder, 'other.json')]
  await writeFile(own, listOf(token(usdc.toLowerCase(), 'USDC', { decimals: 6 })))
  await writeFile(other, listOf(token(usdc, 'FAKE'), token(dai, 'DAI')))
  const { chains, symbols } = await lists([own, other])
  expect(symbols()).toEqual(['USDC', 'DAI'])
  expect(chains.get(chainId)?.tokens[0]).toMatchObject({ address: usdc, decimals: 6 })
})

test('names are sanitized, and invalid entries are omitted', () => {
  const checksum = (address: string) => (address === usdc.replace('A0b', 'a0B') ? undefined : address)
  const text = listOf(
    token(usdc, 'US\u202eDC\u0000', { name: 'x'.repeat(200) }),
    token(dai, 'DAI', { logoURI: 'javascript:alert(1)' }),
    token(usdc.replace('A0b', 'a0B'), 'WRONG'),
    token('0x12', 'SHORT'),
    token(dai, 'MANY', { decimals: 300 }),
    token(dai, 'LESS', { decimals: -1 }),
    token(dai, '\u200b'),
    token(dai, 'y'.repeat(10_000)),
    { chainId: 1 },
    null,
    7,
  )
  expect(parseTokenList(text, new Set([chainId]), checksum)?.get(chainId)).toEqual([
    { address: usdc, name: 'x'.repeat(100), symbol: 'USDC', decimals: 18 },
    { address: dai, name: 'DAI', symbol: 'DAI', decimals: 18 },
  ])
})

test('entries for the native currency and the zero address are ignored', () => {
  const text = listOf(
    token('0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE', 'ETH'),
    token(`0x${'0'.repeat(40)}`, 'ETH'),
    token(dai, 'DAI'),
  )
  const found = parseTokenList(text, new Set([chainId]), (address) => address)?.get(chainId)
  expect(found?.map(({ symbol }) => symbol)).toEqual(['DAI'])
})

test('token lists identify a token’s Solana chain by its number, or by its CAIP-2 ID if it has none', () => {
  const [mainnet, own] = ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana:BakeryLoca1So1anaNetwork11111111']
  const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
  const text = listOf(
    token(mint, 'USDC', { chainId: 101 }),
    token(mint, 'OWN', { chainId: own }),
    token(mint, 'NONE', { chainId: 104 }),
    token(mint, 'OTHER', { chainId: 'solana:unknown' }),
    token(mint, 'EVM', { chainId }),
    token(dai, 'MIXED', { chainId: own }),
  )
  const found = parseTokenList(text, new Set([chainId, mainnet, own]), (address) => address)
  const symbols = [...(found ?? [])].map(([id, tokens]) => [id, tokens.map(({ symbol }) => symbol)])
  expect(symbols).toEqual([
    [mainnet, ['USDC']],
    [own, ['OWN']],
  ])
})

test('tokens beyond the maximum number are ignored without checking their addresses', () => {
  let checked = 0
  const many = Array.from({ length: 10_000 }, (_, at) => token(`0x${String(at + 1).padStart(40, '0')}`, `T${at}`))
  const found = parseTokenList(listOf(...many), new Set([chainId]), (address) => {
    checked += 1
    return address
  })
  expect(found?.get(chainId)).toHaveLength(maxListedTokens)
  expect(checked).toBe(maxListedTokens)
})

test.each(['', '{', '[]', 'null', '{"tokens":{}}', '{"tokens":5}'])(
  'the server does not start with an invalid local list: %j',
  async (text) => {
    const file = join(folder, 'broken.json')
    await writeFile(file, text)
    await expect(lists([file])).rejects.toThrow(`${file} is not a token list`)
    await expect(lists([join(folder, 'absent.json')])).rejects.toThrow('absent.json cannot be read (ENOENT)')
  },
)

test('a remote list is downloaded and saved, and after a restart, the saved copy is used if the list’s server fails', async () => {
  const { server, send } = await remoteServer(() => new Response(listOf(token(dai, 'DAI'))))
  const first = await lists([remote], send)
  expect(first.symbols()).toEqual([])
  first.start()
  await expect.poll(first.symbols).toEqual(['DAI'])
  await first.stop()
  expect(await readdir(join(folder, 'copies'))).toHaveLength(1)
  server.break({ kind: 'down' })
  const second = await lists([remote], send)
  expect(second.symbols()).toEqual(['DAI'])
  second.start()
  await expect.poll(() => second.lines).toEqual(['warn a token list was not downloaded: the last good copy is used'])
  expect(second.symbols()).toEqual(['DAI'])
})

test.each([
  ['an error', { kind: 'status', code: 500 }],
  ['half a document', { kind: 'bad-json' }],
  ['wrong types', { kind: 'wrong-types' }],
  ['more than eight megabytes', { kind: 'huge', bytes: 9_000_000 }],
] as const)('a remote list that becomes %s does not replace the last valid copy', async (_, fault) => {
  const { server, send } = await remoteServer(() => new Response(listOf(token(dai, 'DAI'))))
  const first = await lists([remote], send)
  first.start()
  await expect.poll(first.symbols).toEqual(['DAI'])
  await first.stop()
  server.break(fault)
  const second = await lists([remote], send)
  second.start()
  await expect.poll(() => second.lines).toHaveLength(1)
  expect(second.symbols()).toEqual(['DAI'])
  await second.stop()
  expect((await lists([remote], send)).symbols()).toEqual(['DAI'])
})

test('a redirect of a remote list is not followed', async () => {
  const { server: secret } = await remoteServer(() => new Response(listOf(token(dai, 'DAI'))))
  const { send } = await remoteServer(() => Response.redirect(secret.url))
  const found = await lists([remote], send)
  found.start()
  await expect.poll(() => found.lines).toHaveLength(1)
  expect(secret.requests).toEqual([])
})
