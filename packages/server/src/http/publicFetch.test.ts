import type { lookup } from 'node:dns'
import { expect, test } from 'vitest'
import { createPublicFetch, isPublicAddress } from './publicFetch.ts'

const request = { maxBytes: 1_000, timeoutMs: 1_000, signal: new AbortController().signal }

/** Returns a resolver that resolves every host to the given addresses. */
const resolvesTo = (...addresses: string[]): typeof lookup =>
  ((_: string, __: object, callback: (error: null, found: object[]) => void) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )) as never

test.each([
  '127.0.0.1',
  '10.0.0.1',
  '172.16.5.4',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '255.255.255.255',
  '224.0.0.1',
  '::1',
  '::',
  'fe80::1',
  'fd00::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'not an address',
])('isPublicAddress is false for %s', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each(['8.8.8.8', '2606:4700:4700::1111'])('isPublicAddress is true for %s', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test.each([
  'http://public.example/',
  'https://public.example:8443/',
  'https://user:secret@public.example/',
  'https://127.0.0.1/',
  'https://2130706433/',
  'https://0x7f.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'ftp://public.example/',
  'data:,x',
  'nonsense',
])('publicFetch rejects %s before it connects', async (url) => {
  const lookup = resolvesTo('8.8.8.8')
  await expect(createPublicFetch(lookup)(url, request)).rejects.toThrow(TypeError)
})

test.each([[['127.0.0.1']], [['8.8.8.8', '10.0.0.1']], [[]]])(
  'publicFetch does not connect to a host whose addresses are not all public: %j',
  async (addresses) => {
    const fetching = createPublicFetch(resolvesTo(...addresses))('https://rebinding.example/', request)
    await expect(fetching).rejects.toThrow('The host has no public address')
  },
)

test('publicFetch stops when the caller aborts', async () => {
  const caller = new AbortController()
  const fetching = createPublicFetch((() => {}) as never)('https://slow.example/', {
    ...request,
    signal: caller.signal,
  })
  caller.abort(new Error('gone'))
  await expect(fetching).rejects.toThrow()
})
