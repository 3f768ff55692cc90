import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import { createRelayUrlPool } from './relayUrlPool.ts'

const [first, second] = ['wss://one.example', 'wss://two.example'] as const

test('the preferred address is selected, or the next one while the preferred address is in cooldown', async () => {
  const clock = fakeClock()
  const pool = createRelayUrlPool([first, second], clock)
  expect(pool.select()).toEqual({ address: first, hasAlternative: true })
  pool.failed({ rateLimited: false })
  expect(pool.select()).toEqual({ address: second, hasAlternative: false })
  await clock.pass(1_000)
  expect(pool.select()).toEqual({ address: first, hasAlternative: true })
})

test('if every address is in cooldown, the address whose cooldown ends first is selected', () => {
  const pool = createRelayUrlPool([first, second], fakeClock())
  pool.select()
  pool.failed({ rateLimited: true })
  pool.select()
  pool.failed({ rateLimited: false })
  expect(pool.select()).toEqual({ address: second, hasAlternative: false })
  expect(pool.current).toBe(second)
})

test('if every address is in cooldown and no cooldown ends earlier, the preferred address is selected', () => {
  for (const rateLimited of [false, true]) {
    const pool = createRelayUrlPool([first, second], fakeClock())
    pool.select()
    pool.failed({ rateLimited: false })
    pool.select()
    pool.failed({ rateLimited })
    expect(pool.select()).toEqual({ address: first, hasAlternative: false })
  }
})

test('the cooldown doubles with each failure, up to a minute, until the address works again', async () => {
  const clock = fakeClock()
  const pool = createRelayUrlPool([first, second], clock)
  const cooldown = async (): Promise<number> => {
    for (let seconds = 0; ; seconds++) {
      if (pool.select().address === first) return seconds
      await clock.pass(1_000)
    }
  }
  const cooldowns: number[] = []
  for (let failures = 0; failures < 8; failures++) {
    pool.failed({ rateLimited: false })
    cooldowns.push(await cooldown())
  }
  expect(cooldowns).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  pool.succeeded()
  pool.failed({ rateLimited: false })
  expect(await cooldown()).toBe(1)
  pool.failed({ rateLimited: true })
  expect(await cooldown()).toBe(60)
})
