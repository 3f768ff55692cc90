import { expect, test } from 'vitest'
import { createSignInPopups } from './signInPopups.ts'

/** A channel controlled by the test. */
function bench() {
  const told: unknown[] = []
  const channel = { postMessage: (data: unknown) => told.push(data), onmessage: (_: { data: unknown }) => {} }
  const popups = createSignInPopups(() => channel as unknown as BroadcastChannel)
  return { told, popups, say: (data: unknown) => channel.onmessage({ data }) }
}

test('a waiting popup is redirected to the URI of its own sign-in, never of the previous one [R1.3]', async () => {
  const { told, popups, say } = bench()
  const { signal } = new AbortController()
  popups.begin()
  popups.send('https://login.example/one')
  say({ waiting: true })
  expect(told).toEqual([{ uri: 'https://login.example/one' }, { uri: 'https://login.example/one' }])
  say({ going: 'https://login.example/one' })
  say({ resultUri: 'https://keys.example/done?ticket=1' })
  expect(await popups.result(signal)).toBe('https://keys.example/done?ticket=1')

  told.length = 0
  // The next popup opens before the frame knows its URI.
  say({ waiting: true })
  popups.begin()
  say({ waiting: true })
  expect(told).toEqual([])
  popups.send('https://login.example/two')
  expect(told).toEqual([{ uri: 'https://login.example/two' }])
})
