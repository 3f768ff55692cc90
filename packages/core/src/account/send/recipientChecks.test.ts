import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import type { Adapter, Network } from '../../adapter.ts'
import { createChainApiClient } from '../../chainApi/chainApiClient.ts'
import { createLog } from '../../lib/log.ts'
import { fakeAdapter, fakeNetwork } from '../../testing/fakeAdapter.ts'
import { createRecipientChecks } from './recipientChecks.ts'

const own = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const friend = '0x2546BcD3c84621e976D8185a91A922aE77ECEc30'
const imitation = `0x2546${'0'.repeat(32)}Ec30`
const item = (id: string, to: string, amount: string) => ({
  id,
  metadata: {
    operationType: 'send',
    hash: '0xab',
    minedAt: '2026-01-01T00:00:00Z',
    sentFrom: own,
    sentTo: to,
    status: 'confirmed',
    chain: 'eip155:1',
  },
  transfers: [{ direction: 'out', quantity: { numeric: amount } }],
})

/** Checks a recipient against a history whose pages are numbered, and returns the result with the cursors that were requested. */
async function checked(page: (cursor: number) => object) {
  const clock = fakeClock()
  const cursors: number[] = []
  const fetch = (async (input: string) => {
    const url = new URL(input)
    if (url.pathname === '/v1/supported-chains') return Response.json({ http: ['eip155:1'], ws: [] })
    const cursor = Number(url.searchParams.get('cursor') ?? 0)
    cursors.push(cursor)
    return Response.json(page(cursor))
  }) as typeof globalThis.fetch
  const check = createRecipientChecks({
    api: createChainApiClient({ url: 'https://server.example', projectId: 'shop', fetch, clock }),
    adapters: [],
    fetch,
    clock,
    log: createLog({ now: clock.now, level: 'silent' }),
  })
  const subject = { account: `eip155:1:${own}`, network: fakeNetwork('eip155:1'), session: undefined } as const
  const result = await check({ to: imitation, token: undefined, subject }, new AbortController().signal)
  return { ...result, cursors }
}
const dust = (cursor: number) => Array.from({ length: 50 }, (_, at) => item(`${cursor}-${at}`, imitation, '0'))

test('an earlier recipient is found after pages of worthless transfers, within the first five pages', async () => {
  const found = await checked((cursor) =>
    cursor === 4 ? { data: [item('real', friend, '1')], next: '5' } : { data: dust(cursor), next: String(cursor + 1) },
  )
  expect(found.known?.sent).toEqual([friend])
  expect(found.cursors).toEqual([0, 1, 2, 3, 4])
})

test('a history of more than five pages, or with gaps that the server reports, is partial', async () => {
  const long = await checked((cursor) => ({ data: dust(cursor), next: String(cursor + 1) }))
  const withGaps = await checked((cursor) => ({
    data: dust(cursor),
    next: cursor === 1 ? null : '1',
    isPartial: cursor === 0,
  }))
  for (const { known } of [long, withGaps]) expect(known).toEqual({ sent: [], seen: [imitation], isPartial: true })
})

test('the last page ends the search', async () => {
  const { cursors, known } = await checked((cursor) => ({ data: dust(cursor), next: cursor === 1 ? null : '1' }))
  expect(cursors).toEqual([0, 1])
  expect(known).toEqual({ sent: [], seen: [imitation] })
})

test('if a later page cannot be read, the result contains the earlier ones and is partial', async () => {
  const { known } = await checked((cursor) => {
    if (cursor > 0) throw new LatchkeyError('http/unreachable', { url: '' })
    return { data: [item('real', friend, '1')], next: '1' }
  })
  expect(known).toEqual({ sent: [friend], seen: [friend], isPartial: true })
})

test('if the first page cannot be read, the history is unknown', async () => {
  const { known } = await checked(() => {
    throw new TypeError('Failed to fetch')
  })
  expect(known).toBeUndefined()
})

/** Checks a recipient on one network. `contracts` lists the networks on which a contract has the address. */
async function checkedOn(chain: 'eip155:137' | 'eip155:11155111', contracts: readonly string[]) {
  const clock = fakeClock()
  const checked: string[] = []
  const networks = [
    fakeNetwork('eip155:1', { name: 'Ethereum' }),
    fakeNetwork('eip155:137', { name: 'Polygon' }),
    fakeNetwork('eip155:11155111', { name: 'Sepolia', testnet: true }),
  ]
  const adapter: Adapter = {
    ...fakeAdapter({ networks }),
    async isContract({ network }) {
      checked.push(network.name)
      return contracts.includes(network.name)
    },
  }
  const check = createRecipientChecks({
    api: undefined,
    adapters: [adapter],
    fetch: undefined,
    clock,
    log: createLog({ now: clock.now, level: 'silent' }),
  })
  const network = networks.find(({ caipNetworkId }) => caipNetworkId === chain) as Network
  const subject = { account: `${chain}:${own}`, network, session: undefined } as const
  const result = await check({ to: friend, token: undefined, subject }, new AbortController().signal)
  return { isContract: result.isContract, contractOn: result.contractOn, checked }
}

test('if an address has no code on the network, other networks of the same kind (test or main) are checked', async () => {
  const none = { isContract: false, contractOn: undefined }
  expect(await checkedOn('eip155:137', ['Ethereum'])).toEqual({
    isContract: false,
    contractOn: 'Ethereum',
    checked: ['Polygon', 'Ethereum'],
  })
  expect(await checkedOn('eip155:137', ['Sepolia'])).toEqual({ ...none, checked: ['Polygon', 'Ethereum'] })
  expect(await checkedOn('eip155:11155111', ['Ethereum'])).toEqual({ ...none, checked: ['Sepolia'] })
  expect(await checkedOn('eip155:137', ['Polygon', 'Ethereum'])).toEqual({
    isContract: true,
    contractOn: undefined,
    checked: ['Polygon'],
  })
})
