import type { ViewName } from '@latchkey/core'
import { walletFeatures } from '@latchkey/protocol/specificationConstants'
import { expect, test } from 'vitest'
import { featureViews, listsTokens, offeredFeatures, showsActivity } from './walletFeatures.ts'

const server = { server: 'https://connect.example', projectId: 'shop' }
const views: readonly ViewName[] = Object.values(featureViews)
const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'

test('offeredFeatures returns all four actions in the specified order by default [R9.8]', () => {
  expect(offeredFeatures(server, { chain: 'eip155:1', views })).toEqual(['onramp', 'swaps', 'receive', 'send'])
})

test('offeredFeatures follows the host’s order, and appends the actions that the host does not list', () => {
  const options = { ...server, walletFeaturesOrder: ['send', 'receive'] as const }
  expect(offeredFeatures(options, { chain: 'eip155:1', views })).toEqual(['send', 'receive', 'onramp', 'swaps'])
})

test.each(walletFeatures)(
  'offeredFeatures leaves out %s if its feature is off or its view is not implemented',
  (off) => {
    const rest = walletFeatures.filter((feature) => feature !== off)
    expect(offeredFeatures({ ...server, features: { [off]: false } }, { chain: 'eip155:1', views })).toEqual(rest)
    const others = views.filter((view) => view !== featureViews[off])
    expect(offeredFeatures(server, { chain: 'eip155:1', views: others })).toEqual(rest)
  },
)

test('swaps are offered on the twelve networks; tokens, sending and buying on eip155 and solana; and activity on eip155', () => {
  const swapping = [1, 42161, 10, 324, 8453, 56, 137, 100, 43114, 250, 8217, 1313161554]
  for (const id of swapping) expect(offeredFeatures(server, { chain: `eip155:${id}`, views })).toContain('swaps')
  expect(offeredFeatures(server, { chain: 'eip155:5000', views })).toEqual(['onramp', 'receive', 'send'])
  expect(offeredFeatures(server, { chain: solana, views })).toEqual(['onramp', 'receive', 'send'])
  expect(offeredFeatures(server, { chain: bitcoin, views })).toEqual(['receive'])
  const chains = [solana, bitcoin, 'eip155:5'] as const
  expect(chains.map((chain) => listsTokens(server, chain))).toEqual([true, false, true])
  expect(chains.map((chain) => showsActivity(server, chain))).toEqual([false, false, true])
})

test('buying is not offered if the server has no provider', () => {
  expect(offeredFeatures(server, { chain: 'eip155:1', views, onramp: false })).toEqual(['swaps', 'receive', 'send'])
})

test('without a server there are no tokens, swaps or purchases', () => {
  expect(offeredFeatures({}, { chain: 'eip155:1', views })).toEqual(['receive', 'send'])
  expect(listsTokens({}, 'eip155:1')).toBe(false)
})
