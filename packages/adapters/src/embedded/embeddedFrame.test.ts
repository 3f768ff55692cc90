import { expect, test } from 'vitest'
import { createEmbeddedFrame } from './embeddedFrame.ts'
import { harness } from './testing/harness.ts'

function page(params: Parameters<typeof harness>[0] = {}) {
  const fixture = harness(params)
  const { host, options } = fixture
  return { ...fixture, embedded: createEmbeddedFrame({ options, host, rpcUrl: () => undefined }) }
}

test('mounts the frame once on first use, and throws after the frame has been closed', () => {
  const { embedded, urls, place } = page()
  expect([embedded.mounted(), urls]).toEqual([undefined, []])
  expect(embedded.mount()).toBe(embedded.mount())
  expect(urls).toHaveLength(1)
  embedded.close()
  expect([embedded.isClosed(), place]).toEqual([true, ['removed']])
  expect(() => embedded.mount()).toThrow(expect.objectContaining({ code: 'frame/no-iframe' }))
})

test('can() returns true for a capability once the frame has announced it', async () => {
  const { embedded, pass } = page({ frame: { port: true } })
  embedded.mount()
  expect(embedded.can('port')).toBe(false)
  await pass(0)
  expect([embedded.can('port'), embedded.can('window')]).toEqual([true, false])
})

test('notifies listeners that the frame is late, unless they have unsubscribed', async () => {
  const { embedded, pass } = page({ loads: false })
  const events: string[] = []
  embedded.onLate(() => events.push('waits'))
  embedded.onLate(() => events.push('left'))()
  embedded.mount()
  await pass(5_000)
  expect(events).toEqual(['waits'])
})
