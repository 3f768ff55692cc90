import { expect, test } from 'vitest'
import { digestedGroups } from '../../ipAddresses/ipAddressGroups.ts'
import { createMemoryQuota } from '../../memoryLimits/memoryQuota.ts'
import type { RelayClient } from '../authenticator.ts'
import {
  type ClientQuotaLimits,
  clientQuotaLimits,
  createClientQuotas,
  type Eviction,
  type Lease,
} from './clientQuotas.ts'

function capacityOf({
  perAddress = Number.POSITIVE_INFINITY,
  ...limits
}: Partial<ClientQuotaLimits> & { perAddress?: number } = {}) {
  const heldBytes = createMemoryQuota(perAddress)
  const capacity = createClientQuotas({ limits: { ...clientQuotaLimits, ...limits }, heldBytes, clock: () => 0 })
  const evicted: string[] = []
  const openClient = (client: RelayClient, name: string): Lease | undefined =>
    capacity.open(client, (why: Eviction) => void evicted.push(`${name}: ${why}`))
  /** Opens a connection for a new client. */
  const open = (name: string, address?: string, project?: string): Lease | undefined =>
    openClient({ clientId: name, groups: digestedGroups(address), project }, name)
  return { capacity, heldBytes, evicted, open, openClient }
}

/** Checks that a connection was opened, and returns its lease. */
function opened(lease: Lease | undefined): Lease {
  expect(lease).toBeDefined()
  return lease as Lease
}

const address = '203.0.113.7'
const groups = digestedGroups(address)

test('clients without a project do not share a project limit', () => {
  const { open } = capacityOf({ open: { process: 100, project: 1, address: 100, client: 100 } })
  for (const name of ['a', 'b', 'c']) opened(open(name))
})

test('a project limit of 0 means no limit', () => {
  const { open } = capacityOf({ open: { process: 100, project: 0, address: 100, client: 100 } })
  const leases = ['a', 'b', 'c'].map((name) => opened(open(name, address, 'p')))
  for (const lease of leases) lease.end()
  opened(open('d', address, 'p'))
})

test('a project can replace connections that have ended but cannot exceed its limit', () => {
  const { open } = capacityOf({ open: { process: 100, project: 2, address: 100, client: 100 } })
  const [first, second] = [opened(open('a', undefined, 'p')), opened(open('b', undefined, 'p'))]
  first.end()
  const three = opened(open('a', undefined, 'p'))
  expect(open('b', undefined, 'p')).toBeUndefined()
  for (const lease of [second, three]) lease.end()
  for (const name of ['a', 'b']) opened(open(name, undefined, 'p'))
})

test('a connection that ends twice is released only once', () => {
  const { open } = capacityOf({ open: { process: 2, project: 0, address: 100, client: 100 } })
  const lease = opened(open('a'))
  lease.end()
  lease.end()
  for (const name of ['a', 'b']) opened(open(name))
  expect(open('c')).toBeUndefined()
})

test('a client with an unknown address is compared with networks, and the one with more connections relative to its share loses a connection', () => {
  const { open, openClient, evicted } = capacityOf({ open: { process: 11, project: 0, address: 100, client: 100 } })
  const unknown = { clientId: 'unknown', groups: [], project: undefined }
  for (let nth = 0; nth < 5; nth += 1) opened(openClient(unknown, 'unknown'))
  for (let nth = 0; nth < 6; nth += 1) opened(open('network', '2001:db8:1:100::1'))
  opened(open('newcomer', '192.0.2.1'))
  expect(evicted).toEqual(['network: connections'])
})

test('an address at its limit does not make room for itself by closing a different address’s connection', () => {
  const { open, evicted } = capacityOf({ open: { process: 3, project: 0, address: 1, client: 100 } })
  opened(open('a', address))
  expect(open('b', address)).toBeUndefined()
  for (const name of ['c', 'd']) opened(open(name))
  // Both the address and the process are at their limits.
  expect(open('e', address)).toBeUndefined()
  expect(evicted).toEqual([])
})

test('unread bytes and unprocessed bytes count towards the same limit', () => {
  const { open, heldBytes, evicted } = capacityOf({ perAddress: 100_000 })
  const lease = opened(open('a', address))
  lease.unread(30_000)
  lease.input(20_000)
  expect([heldBytes.exceeded(groups, 50_000), heldBytes.exceeded(groups, 50_001)]).toEqual([-1, 1])
  lease.unread(10_000)
  expect([heldBytes.exceeded(groups, 70_000), heldBytes.exceeded(groups, 70_001)]).toEqual([-1, 1])
  lease.end()
  expect([heldBytes.exceeded(groups, 100_000), heldBytes.exceeded(groups, 100_001)]).toEqual([-1, 1])
  expect(evicted).toEqual([])
})

test('a connection that has ended uses no bytes and cannot reserve topics', () => {
  const { open, heldBytes, evicted } = capacityOf({ perAddress: 100_000 })
  const lease = opened(open('a', address))
  lease.end()
  lease.unread(200_000)
  lease.input(200_000)
  expect(lease.topics(1)).toBe(false)
  expect(heldBytes.exceeded(groups)).toBe(-1)
  expect(evicted).toEqual([])
})

test.each([
  ['mostly unread bytes', 30_001, 30_000, 'unread'],
  ['mostly unprocessed bytes', 30_000, 30_001, 'input'],
  ['equal numbers of both', 30_001, 30_001, 'input'],
])(
  'the reported reason for closing a connection is the kind of bytes that it uses most: %s',
  (_, unread, input, why) => {
    const { open, evicted } = capacityOf({ bytes: { process: 1e9, client: 1e9, connection: 60_000 } })
    const lease = opened(open('a'))
    lease.input(input)
    lease.unread(unread)
    expect(evicted).toEqual([`a: ${why}`])
  },
)

test('when an address is at its limit, a connection that uses 16 KiB is closed, but not one that uses less', () => {
  const { open, heldBytes, evicted } = capacityOf({ perAddress: 100_000 })
  heldBytes.add(groups, 100_000)
  const lease = opened(open('a', address))
  lease.unread(8_192)
  lease.input(8_191)
  expect(evicted).toEqual([])
  lease.input(8_192)
  expect(evicted).toEqual(['a: input'])
})

test('when a network of many addresses is at its limit, its heaviest connection is closed, not one from a different network', () => {
  const { open, evicted } = capacityOf({ perAddress: 100_000 })
  opened(open('elsewhere')).unread(2_000_000)
  for (let host = 1; host <= 33; host += 1)
    opened(open(`host ${host}`, `203.0.113.${host}`)).unread(host === 9 ? 99_000 : 98_000)
  expect(evicted).toEqual(['host 9: unread'])
})

test('released topics can be reserved again, and a relay at its limit closes the connection with the most topics', () => {
  const { open, evicted } = capacityOf({ topics: { process: 10, address: 100, client: 100 } })
  const [first, second] = [opened(open('a')), opened(open('b'))]
  expect([first.topics(8), first.topics(-2), second.topics(4), first.topics(1)]).toEqual([true, true, true, false])
  expect(evicted).toEqual([])
  expect([second.topics(1), first.topics(1)]).toEqual([true, false])
  expect(evicted).toEqual(['a: topics'])
})

test('each call is charged to the client and, in proportion to their shares, to the client’s address groups', () => {
  const cost = { client: { burst: 1_000, perSecond: 100 }, address: { burst: 2_000, perSecond: 100 } }
  const { capacity, open } = capacityOf({ cost })
  const guest = (clientId: string, from?: string): RelayClient => ({
    clientId,
    groups: digestedGroups(from),
    project: undefined,
  })
  const lease = opened(open('a', address))
  lease.charge(1_100)
  expect([lease.waitMs(), capacity.waitMs(guest('b', address)), capacity.waitMs(guest('a'))]).toEqual([1_000, 0, 1_000])
  capacity.charge(guest('b', address), 1_300)
  // The address has used 2,400 of its burst of 2,000. The /24 network that contains it has 32 times that burst.
  expect([lease.waitMs(), capacity.waitMs(guest('c', address)), capacity.waitMs(guest('c', '203.0.113.8'))]).toEqual([
    4_000, 4_000, 0,
  ])
})
