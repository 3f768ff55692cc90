import { expect, test } from 'vitest'
import { consumeNonce } from './consumeNonce.ts'
import { memoryReplayStore } from './replayStore.ts'

const nonce = { nonce: 'Qm7xTz0aLp4e', exp: 1_800_000_000 }

test('consumeNonce accepts a nonce once, even if requests arrive at the same time', async () => {
  const store = memoryReplayStore(() => 0)
  const first = await Promise.all([consumeNonce(nonce, store), consumeNonce(nonce, store)])
  expect(first.toSorted()).toEqual([false, true])
  expect(await consumeNonce(nonce, store)).toBe(false)
  expect(await consumeNonce({ ...nonce, nonce: 'another-nonce' }, store)).toBe(true)
})

test('consumeNonce stores a nonce until it expires, in milliseconds, apart from sessions with the same ID', async () => {
  const marked: unknown[] = []
  await consumeNonce(nonce, {
    async markUsed(...params) {
      marked.push(params)
      return true
    },
  })
  expect(marked).toEqual([['nonce Qm7xTz0aLp4e', 1_800_000_000_000]])
})
