import { afterEach, expect, test } from 'vitest'
import { emptyUsage, type Grant } from './grant.ts'
import { createGrantStore, type GrantStore } from './grantStore.ts'

let nowMs = 1_800_000_000_000
let isSet = true
const clock = { now: () => nowMs, isSet: () => isSet }
const opened = (options: { locks?: undefined } = {}): GrantStore =>
  createGrantStore({ indexedDB: () => indexedDB, locks: navigator.locks, clock, ...options })

const grant = (context: Grant['context'], changes: Partial<Grant> = {}): Grant => ({
  context,
  userId: 'ada',
  origin: 'https://shop.example',
  chain: 'eip155:1',
  account: '0xab5801a7d398351b8be11c439e05c5b3259aec9b',
  expiry: 1_800_000_000 + 86_400,
  permissions: [],
  recipients: undefined,
  callsMost: undefined,
  tokens: {},
  createdAt: 1_800_000_000,
  signedInAt: 1,
  revokedAt: undefined,
  spent: emptyUsage({ permissions: [] }),
  ...changes,
})

afterEach(async () => {
  nowMs = 1_800_000_000_000
  isSet = true
  await new Promise((resolve, reject) => {
    const deleting = indexedDB.deleteDatabase('latchkey-permissions')
    deleting.onsuccess = resolve
    deleting.onerror = reject
  })
})

test('concurrent changes in different tabs take each other’s usage into account', async () => {
  const [item, other] = [opened(), opened()]
  await item.add(grant('0x01'))
  const use = (store: GrantStore) =>
    store.change('0x01', (found) => {
      if (!found || found.spent.calls >= 5) return { result: false }
      return { result: true, grant: { ...found, spent: { ...found.spent, calls: found.spent.calls + 1 } } }
    })
  const made = await Promise.all(Array.from({ length: 20 }, (_, at) => use(at % 2 ? item : other)))
  expect(made.filter(Boolean)).toHaveLength(5)
  expect((await item.of('ada'))[0]?.spent.calls).toBe(5)
})

test('a change that throws stores nothing', async () => {
  const store = opened()
  await store.add(grant('0x01'))
  await expect(
    store.change('0x01', () => {
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  expect((await store.of('ada'))[0]?.spent.calls).toBe(0)
})

test('grants are not overwritten, belong to one user and are revoked on sign-out', async () => {
  const store = opened()
  await store.add(grant('0x01'))
  await expect(store.add(grant('0x01', { userId: 'eve' }))).rejects.toThrow()
  await store.add(grant('0x02', { userId: 'bob' }))
  await store.add(grant('0x03', { expiry: 1_799_999_999 }))
  await store.revokeAll('ada')
  expect((await store.of('ada')).map(({ context, revokedAt }) => [context, revokedAt])).toEqual([
    ['0x01', 1_800_000_000],
    ['0x03', undefined],
  ])
  expect((await store.of('bob'))[0]?.revokedAt).toBeUndefined()
})

test('the time is never earlier than the last server time, and the time of a device clock that is ahead is not stored', async () => {
  const store = opened()
  await store.add(grant('0x01'))
  const isOver = () => store.change('0x01', (found, now) => ({ result: !found || now >= found.expiry }))
  nowMs += 90_000
  expect(await store.now()).toBe(1_800_000_090)
  isSet = false
  nowMs -= 3_600_000
  expect(await opened().now()).toBe(1_800_000_090)
  // The device clock is years ahead. The grant counts as expired until the clock is corrected, because the device cannot detect
  // the error.
  nowMs += 5 * 365 * 86_400_000
  expect(await isOver()).toBe(true)
  nowMs = 1_800_000_100_000
  expect([await isOver(), await opened().now()]).toEqual([false, 1_800_000_100])
  isSet = true
  expect([await isOver(), await opened().now()]).toEqual([false, 1_800_000_100])
})

test('grants that expired because the server’s clock was fast stay expired, and later grants are valid', async () => {
  const store = opened()
  const isActive = (context: Grant['context']) =>
    opened().change(context, (found, now) => ({
      result: found !== undefined && found.revokedAt === undefined && now < found.expiry,
    }))
  await store.add(grant('0x01'))
  await store.add(grant('0x02', { expiry: 1_800_000_000 + 800 * 86_400 }))
  nowMs += 400 * 86_400_000
  expect([await isActive('0x01'), await isActive('0x02')]).toEqual([false, true])
  nowMs = 1_800_000_000_000
  await store.add(grant('0x03', { userId: 'bob' }))
  for (let turn = 0; turn < 2; turn += 1)
    expect([await isActive('0x01'), await isActive('0x02'), await isActive('0x03')]).toEqual([false, true, true])
  expect((await store.of('ada')).find(({ context }) => context === '0x01')?.revokedAt).toBe(1_800_000_000)
})

test('grants that ended long ago are deleted', async () => {
  const store = opened()
  await store.add(grant('0x01'))
  nowMs += 200 * 86_400_000
  expect(await store.of('ada')).toEqual([])
})

test.each([
  ['if the browser supports the Web Locks API', () => opened()],
  ['even if the browser does not support the Web Locks API', () => opened({ locks: undefined })],
])('tasks with the same key run one at a time %s', async (_, make) => {
  const store = make()
  const log: string[] = []
  const step = (name: string, fails = false) =>
    store.inTurn('key', async () => {
      log.push(`${name} begins`)
      await Promise.resolve()
      log.push(`${name} ends`)
      if (fails) throw new Error(name)
      return name
    })
  const made = await Promise.allSettled([step('one', true), step('two'), step('three')])
  expect(log).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends'])
  expect(made.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])

  // A task that is added when the first task has ended still waits for the second task.
  log.length = 0
  let finish = (): void => {}
  const second = new Promise<void>((resolve) => (finish = resolve))
  const first = step('first')
  const waiting = store.inTurn('key', () => second.then(() => log.push('second ends')))
  await first
  const last = step('last')
  await store.of('ada')
  expect(log).toEqual(['first begins', 'first ends'])
  finish()
  await Promise.all([waiting, last])
  expect(log).toEqual(['first begins', 'first ends', 'second ends', 'last begins', 'last ends'])
})

test('clock changes never restore an expired grant or reset its usage, even across two tabs', async () => {
  const [item, other] = [opened(), opened()]
  await item.add(grant('0x01'))
  const use = (store: GrantStore) =>
    store.change('0x01', (found, now) => {
      if (!found || found.revokedAt !== undefined || now >= found.expiry) return { result: 'expired' }
      if (found.spent.calls >= 1) return { result: 'used up' }
      return { result: 'made', grant: { ...found, spent: { ...found.spent, calls: 1 } } }
    })
  expect((await Promise.all([use(item), use(other)])).sort()).toEqual(['made', 'used up'])
  nowMs -= 400 * 86_400_000
  expect(await use(item)).toBe('used up')
  nowMs += 500 * 86_400_000
  expect(await use(other)).toBe('expired')
  nowMs = 1_800_000_000_000
  expect(await Promise.all([use(item), use(other), use(opened())])).toEqual(['expired', 'expired', 'expired'])
})

test('a device time stored by an earlier version does not cause grants to expire', async () => {
  const store = opened()
  await store.add(grant('0x01'))
  await new Promise((resolve) => {
    const opening = indexedDB.open('latchkey-permissions')
    opening.onsuccess = () => {
      const writing = opening.result.transaction('clock', 'readwrite')
      writing.objectStore('clock').put(9_999_999_999, 'latest')
      writing.oncomplete = () => {
        opening.result.close()
        resolve(undefined)
      }
    }
  })
  expect(await store.now()).toBe(1_800_000_000)
})
