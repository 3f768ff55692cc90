import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { postPrices } from '@latchkey/protocol/http/chainApi'
import { startFaultServer } from '@latchkey/testing/node'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { namesVariables } from '../config/accountNamesConfig.ts'
import { chainApiVariables } from '../config/chainApiConfig.ts'
import { readConfig } from '../config/readConfig.ts'
import { rpcVariables } from '../config/rpcConfig.ts'
import { assetsFolder } from '../storage/packageFiles.ts'
import { readChains } from './chainsFile.ts'
import { externalPrices } from './prices/externalPrices.ts'
import { parseTokenList } from './tokenLists.ts'

const page = await readFile(fileURLToPath(new URL('../../../../docs/chain-api.md', import.meta.url)), 'utf8')

function example(name: string): string {
  const [, text] = new RegExp(`\`\`\`json ${name}\n([\\s\\S]*?)\`\`\``).exec(page) ?? []
  if (text === undefined) throw new Error(`docs/chain-api.md has no example ${name}`)
  return text
}

test('docs/chain-api.md: the chains file is valid, and the page names each of its fields', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'latchkey-docs-')), 'chains.json')
  await writeFile(file, example('chains'))
  const packaged = { chains: join(assetsFolder(), 'chains.json'), tokens: join(assetsFolder(), 'tokens.json') }
  const chains = await readChains({ file, rpcUrls: new Map(), packaged })
  expect([...chains.keys()]).toEqual(['eip155:1', 'eip155:424242', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'])
  const { chainId: _, ...own } = chains.get('eip155:424242') ?? {}
  expect(own).toMatchObject({ name: 'Our chain', exchange: { fee: { bps: 25 } } })
  for (const field of Object.keys(own)) expect(page).toMatch(new RegExp(`^\\|.*\`${field}\``, 'm'))
})

test('docs/chain-api.md: the token list is valid', () => {
  const tokens = parseTokenList(example('tokens'), new Set(['eip155:1']), (address) => address)
  expect(tokens?.get('eip155:1')).toMatchObject([
    { symbol: 'USDC', logoUri: 'https://img.example/usdc.png', eip2612: true },
  ])
})

test('docs/chain-api.md: the server sends the documented request to the price source, and accepts the documented response', async () => {
  const [request, response] = [example('prices-request'), example('prices')]
  let sent: unknown
  const source = await startFaultServer(async (received) => {
    sent = await received.json()
    return new Response(response)
  })
  const { currency, tokens } = v.parse(
    v.object({ currency: v.picklist(['eur']), tokens: v.array(v.string()) }),
    JSON.parse(request),
  )
  const { signal } = new AbortController()
  const prices = await externalPrices({ url: source.url, fetch, currency, tokens, signal })
  await source.stop()
  expect(sent).toEqual(JSON.parse(request))
  expect([...prices.values()]).toEqual([{ price: 2710.5, pricedAt: '2026-11-28T12:00:00Z' }])
  expect(v.is(postPrices.body as v.GenericSchema, { currency, addresses: tokens })).toBe(true)
})

test('docs/chain-api.md: every setting of the chain API has a valid example', () => {
  const lines = [...page.matchAll(/^([A-Z][A-Z_]+)=(\S+)$/gm)]
  const env = Object.fromEntries(lines.map(([, name = '', value]) => [name, value]))
  const names = [...rpcVariables, ...chainApiVariables, ...namesVariables].map(({ name }) => name)
  expect(Object.keys(env).sort()).toEqual(names.sort())
  const config = readConfig(env)
  expect(config.names).toMatchObject({ zone: 'shop.example', reserved: ['admin', 'support'] })
  expect(config.rpcUrls.get('eip155:1')).toEqual(['https://node.example', 'https://other.example'])
})
