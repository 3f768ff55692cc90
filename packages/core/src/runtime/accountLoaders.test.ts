import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { createLatchkey } from '../createLatchkey.ts'
import { fakeAdapter, fakeConnector, fakeFetch, memoryStorage } from '../testing/index.ts'

test('when the balance has changed, the tokens are read again, bypassing the server’s cache', async () => {
  const wallet = fakeConnector()
  let value = 5n
  const server = fakeFetch({
    '/v1/supported-chains': () => ({ http: ['eip155:1'], ws: [] }),
    '/v1/identity': () => ({ name: null, avatar: null, resolvedAt: null }),
    '/v1/account': () => ({ balances: [] }),
  })
  const latchkey = createLatchkey({
    adapters: [fakeAdapter({ wallets: [wallet], balance: () => ({ value, decimals: 18, symbol: 'ETH' }) })],
    server: 'https://connect.example',
    projectId: 'p',
    fetch: server.fetch,
    storage: memoryStorage(),
    logLevel: 'silent',
    clock: fakeClock(),
  })
  const stop = latchkey.start()
  await latchkey.connect({ connectorId: wallet.id })
  await latchkey.refresh({ force: true })
  const portfolio = await latchkey.portfolio()
  await portfolio?.refresh()
  const forced = () => server.to('/v1/account').flatMap(({ url }) => (url as URL).searchParams.get('forceUpdate') ?? [])
  await latchkey.refresh({ force: true })
  expect(forced()).toEqual([])
  value = 4n
  await latchkey.refresh({ force: true })
  await expect.poll(forced).toEqual(['eip155:1:0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee'])
  stop()
})
