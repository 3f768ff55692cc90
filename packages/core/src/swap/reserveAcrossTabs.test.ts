import { expect, test } from 'vitest'
import { reserveAcrossTabs } from './reserveAcrossTabs.ts'

/** Creates the locks of an origin. A lock is held until the promise that its callback returns has settled. */
function fakeLocks() {
  const held = new Set<string>()
  const request = async (
    name: string,
    { ifAvailable }: LockOptions,
    use: (lock: Lock | null) => Promise<void> | undefined,
  ): Promise<void> => {
    expect(ifAvailable).toBe(true)
    if (held.has(name)) return use(null)
    held.add(name)
    await use({ name, mode: 'exclusive' })
    held.delete(name)
  }
  return { held, locks: { request } as unknown as LockManager }
}

test('a name is reserved for one tab until that tab releases it', async () => {
  const { held, locks } = fakeLocks()
  const [first, second] = [reserveAcrossTabs(locks), reserveAcrossTabs(locks)]
  const end = await first('swap')
  expect(end).toBeDefined()
  expect(await second('swap')).toBeUndefined()
  expect(await second('other swap')).toBeDefined()
  end?.()
  await expect.poll(() => held.has('swap')).toBe(false)
  expect(await second('swap')).toBeDefined()
})

test('without locks, or if they fail, every name is available, so that no swap is prevented', async () => {
  expect(await reserveAcrossTabs(undefined)('swap')).toBeDefined()
  const locks = { request: () => Promise.reject(new DOMException('denied', 'SecurityError')) } as unknown as LockManager
  expect(await reserveAcrossTabs(locks)('swap')).toBeDefined()
})
