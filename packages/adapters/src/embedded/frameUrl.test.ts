import { expect, test } from 'vitest'
import { frameUrl, rpcUrlOf } from './frameUrl.ts'
import { network } from './testing/harness.ts'

test('the frame URL has the path /sdk by default, and its parameters are in protocol order', () => {
  const polygon = network('eip155', 137, 'Polygon')
  expect(frameUrl({ options: { url: 'https://keys.example', locale: 'de' }, network: polygon, projectId: 'p1' })).toBe(
    'https://keys.example/sdk?projectId=p1&chainId=eip155%3A137&version=4&enableLogger=false&rpcUrl=https%3A%2F%2Frpc.example%2F137&lang=de',
  )
  expect(frameUrl({ options: { url: 'https://keys.example/frame' }, network: undefined, projectId: 'p1' })).toBe(
    'https://keys.example/frame?projectId=p1&chainId=eip155%3A1&version=4&enableLogger=false',
  )
})

test('rpcUrlOf() returns a network’s first default URL, if there is one', () => {
  const polygon = network('eip155', 137, 'Polygon')
  expect(rpcUrlOf(polygon)).toBe('https://rpc.example/137')
  expect([rpcUrlOf({ ...polygon, rpcUrls: {} }), rpcUrlOf(undefined)]).toEqual([undefined, undefined])
})
