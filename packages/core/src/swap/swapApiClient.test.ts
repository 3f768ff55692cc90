import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { createChainApiClient } from '../chainApi/chainApiClient.ts'
import { fakeFetch } from '../testing/index.ts'
import type { SwapRequest } from './checkSwapTransaction.ts'
import { createSwapApiClient } from './swapApiClient.ts'
import type { SwapToken } from './swapTypes.ts'

const address = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const never = new AbortController().signal
const token = (id: string) => ({ id, chain: 'eip155:10', symbol: id, decimals: 18 }) as unknown as SwapToken
const request: SwapRequest = { account: `eip155:10:${address}`, from: token('native'), to: token('USDC'), amount: 1n }

function setup(answers: Parameters<typeof fakeFetch>[0]) {
  const clock = fakeClock()
  const { fetch, to } = fakeFetch(answers)
  const api = createChainApiClient({ url: 'https://connect.example', projectId: 'p', fetch, clock })
  return { client: createSwapApiClient({ api, clock }), to }
}

test('on an unsupported network, buildApproval() and buildSwap() reject without requesting a transaction [R8.12]', async () => {
  const { client, to } = setup({ '/v1/supported-chains': () => ({ http: ['eip155:1'], ws: [] }) })
  for (const build of [client.buildApproval, client.buildSwap])
    await expect(build(request, never)).rejects.toMatchObject({
      code: 'swap/unsupported-network',
      message: 'Network not supported for Swaps',
    })
  expect(to('/v1/convert')).toEqual([])
})

test('gasPrice() rejects if the server does not know the gas price, and the next call requests it again [R8.12]', async () => {
  const prices: unknown[] = [new Response('', { status: 400 }), { standard: '7' }]
  const { client } = setup({ '/v1/convert/gas-price': () => prices.shift() })
  await expect(client.gasPrice('eip155:10')).rejects.toMatchObject({
    code: 'swap/no-gas-price',
    message: 'Network not supported for Gas Price',
  })
  expect(await client.gasPrice('eip155:10')).toBe(7n)
})
