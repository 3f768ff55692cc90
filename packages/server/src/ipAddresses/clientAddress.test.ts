import { describe, expect, test } from 'vitest'
import { createClientAddress, type TrustedProxies } from './clientAddress.ts'
import { isLoopback } from './ipAddress.ts'
import { clientGroup, ipAddressGroups } from './ipAddressGroups.ts'

test('ipAddressGroups returns the /32 and /24 of an IPv4 address, even if it is IPv4-mapped', () => {
  for (const address of [
    '203.0.113.7',
    ' 203.0.113.7 ',
    '::ffff:203.0.113.7',
    '::FFFF:203.0.113.7',
    '::ffff:cb00:7107',
    '0:0:0:0:0:ffff:203.0.113.7',
    '0000:0000:0000:0000:0000:FFFF:CB00:7107',
    '::ffff:203.0.113.7%eth0',
  ])
    expect(ipAddressGroups(address), address).toEqual([
      { name: '203.0.113.7/32', share: 1 },
      { name: '203.0.113.0/24', share: 32 },
    ])
})

test('ipAddressGroups returns the /64, /56 and /48 of an IPv6 address in any notation', () => {
  for (const address of [
    '2001:db8:1:2fe::1',
    '2001:DB8:1:2FE::1',
    '2001:0db8:0001:02fe:0000:0000:0000:0001',
    '2001:db8:1:2fe:ffff:ffff:ffff:ffff',
    '2001:db8:1:2fe::203.0.113.7',
    '2001:db8:1:2fe::1%eth0',
  ])
    expect(
      ipAddressGroups(address).map(({ name }) => name),
      address,
    ).toEqual(['2001:db8:1:2fe::/64', '2001:db8:1:200::/56', '2001:db8:1::/48'])
})

test('ipAddressGroups returns the same groups for both notations of an IPv4-compatible address', () => {
  expect(ipAddressGroups('::1.2.3.4')).toEqual(ipAddressGroups('::102:304'))
  expect(ipAddressGroups('::1.2.3.4')).not.toEqual(ipAddressGroups('1.2.3.4'))
})

test('clientGroup returns different groups for neighboring IPv4 addresses and the same group for all addresses in a /64', () => {
  expect(clientGroup('203.0.113.7')).not.toBe(clientGroup('203.0.113.8'))
  expect(clientGroup('2001:db8::1')).toBe(clientGroup('2001:db8::ffff:1'))
  expect(clientGroup('2001:db8::1')).not.toBe(clientGroup('2001:db8:0:1::1'))
  expect(clientGroup('::1')).toBe('::/64')
})

test.each([
  undefined,
  '',
  'unknown',
  '_hidden',
  '203.0.113',
  '203.0.113.07',
  '0xcb.0.113.7',
  '3405803783',
  '203.0.113.7:80',
  '[2001:db8::1]',
  '1:2:3:4:5:6:7',
  '::ffff:203.0.113.777',
  '2001:db8::1::2',
])('%s is not an address and has no groups', (address) => {
  expect(ipAddressGroups(address)).toEqual([])
  expect(clientGroup(address)).toBeNull()
  expect(isLoopback(address)).toBe(false)
})

test.each(['127.0.0.1', '127.8.9.1', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
  '%s is a loopback address',
  (address) => {
    expect(isLoopback(address)).toBe(true)
  },
)

test.each(['128.0.0.1', '10.0.0.1', '0.0.0.0', '::', '::2', '2001:db8::1'])(
  '%s is not a loopback address',
  (address) => {
    expect(isLoopback(address)).toBe(false)
  },
)

describe('createClientAddress', () => {
  const local: TrustedProxies = { ranges: ['loopback', 'private'] }

  function reader({ header = 'x-forwarded-for', proxies = local } = {}) {
    const messages: string[] = []
    const read = createClientAddress({ header, proxies, log: (_, message) => messages.push(message) })
    return { messages, of: (value: Record<string, string>, peer: string | undefined) => read(new Headers(value), peer) }
  }

  test.each([
    ['one proxy', '203.0.113.7', '127.0.0.1', '203.0.113.7'],
    ['two proxies', '203.0.113.7, 10.0.0.2', '127.0.0.1', '203.0.113.7'],
    ['a spoofed entry', '10.9.8.7, 1.1.1.1, 203.0.113.7', '127.0.0.1', '203.0.113.7'],
    ['a spoofed loopback address', '127.0.0.1, 203.0.113.7', '::ffff:127.0.0.1', '203.0.113.7'],
    ['a port', '203.0.113.7:4711', '10.1.1.1', '203.0.113.7'],
    ['IPv6 with brackets and port', '[2001:db8::7]:4711', '::1', '2001:db8::7'],
    ['IPv6 in a different notation', '2001:DB8:0::7', 'fd00::1', '2001:DB8:0::7'],
    ['invalid entries before the client', 'x, <script>, 203.0.113.7', '127.0.0.1', '203.0.113.7'],
    ['a hidden client, for which the last proxy is used', 'unknown, 10.0.0.2', '127.0.0.1', '10.0.0.2'],
    ['a header without entries', ' , ', '127.0.0.1', '127.0.0.1'],
    ['a client in the private network', '10.0.0.9', '127.0.0.1', '10.0.0.9'],
  ])('reads X-Forwarded-For from its end: %s', (_, value, peer, address) => {
    expect(reader().of({ 'x-forwarded-for': value }, peer)).toEqual({ address, isTrusted: true })
  })

  test.each([
    ['for=203.0.113.7;proto=https', '203.0.113.7'],
    ['for="[2001:db8::7]:4711"', '2001:db8::7'],
    ['For="1.1.1.1", for=203.0.113.7;by=10.0.0.1', '203.0.113.7'],
    ['for="evil, for=1.1.1.1", proto=https;for=203.0.113.7', '203.0.113.7'],
    ['for=_hidden', '127.0.0.1'],
    ['proto=https', '127.0.0.1'],
  ])('reads the Forwarded header: %s', (value, address) => {
    expect(reader({ header: 'forwarded' }).of({ forwarded: value }, '127.0.0.1').address).toBe(address)
  })

  test('counts hops from the end of the header if a number of hops is configured', () => {
    const value = { 'x-forwarded-for': '1.1.1.1, 203.0.113.7, 198.51.100.2' }
    expect(reader({ proxies: { hops: 1 } }).of(value, '198.51.100.1').address).toBe('198.51.100.2')
    expect(reader({ proxies: { hops: 2 } }).of(value, '198.51.100.1').address).toBe('203.0.113.7')
  })

  test('accepts IPv4 and IPv6 ranges as trusted proxies', () => {
    const { of } = reader({ proxies: { ranges: ['198.51.100.0/24', '2001:db8:f::/48', '192.0.2.1'] } })
    const value = { 'x-forwarded-for': '203.0.113.7' }
    for (const peer of ['198.51.100.9', '::ffff:198.51.100.9', '2001:db8:f:1::1', '192.0.2.1'])
      expect(of(value, peer).address, peer).toBe('203.0.113.7')
    for (const peer of ['198.51.101.9', '2001:db8:e::1', '192.0.2.2', '127.0.0.1'])
      expect(of(value, peer), peer).toEqual({ address: peer, isTrusted: false })
  })

  test('only trusts a header from a trusted proxy, and logs an ignored header once', () => {
    const { of, messages } = reader()
    for (let at = 0; at < 3; at += 1)
      expect(of({ 'x-forwarded-for': '1.1.1.1' }, '203.0.113.7')).toEqual({ address: '203.0.113.7', isTrusted: false })
    expect(messages).toEqual([expect.stringContaining('TRUSTED_PROXIES')])
  })

  test('trusts no header if none is configured, and logs the consequence once', () => {
    const messages: string[] = []
    const read = createClientAddress({ header: undefined, proxies: local, log: (_, message) => messages.push(message) })
    for (let at = 0; at < 3; at += 1)
      expect(read(new Headers({ forwarded: 'for=1.1.1.1' }), '127.0.0.1')).toEqual({
        address: '127.0.0.1',
        isTrusted: false,
      })
    expect(messages).toEqual([expect.stringContaining('share the limits of one address')])
  })
})
