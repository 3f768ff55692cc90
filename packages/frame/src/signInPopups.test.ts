import { expect, test } from 'vitest'
import { createSignInPopups } from './signInPopups.ts'

/** Creates popups with a channel that the test controls. */
function popupsOverChannel() {
  const posted: unknown[] = []
  const channel = { postMessage: (data: unknown) => posted.push(data), onmessage: (_: { data: unknown }) => {} }
  const popups = createSignInPopups(() => channel as unknown as BroadcastChannel)
  return { posted, popups, say: (data: unknown) => channel.onmessage({ data }) }
}

test('a waiting popup is redirected to the URI of its own sign-in, never to the URI of the previous sign-in [R1.3]', async () => {
  const { posted, popups, say } = popupsOverChannel()
  const { signal } = new AbortController()
  popups.begin()
  popups.send('https://login.example/one')
  say({ waiting: true })
  expect(posted).toEqual([{ uri: 'https://login.example/one' }, { uri: 'https://login.example/one' }])
  say({ going: 'https://login.example/one' })
  say({ resultUri: 'https://keys.example/done?ticket=1' })
  expect(await popups.result(signal)).toBe('https://keys.example/done?ticket=1')

  posted.length = 0
  // The next popup opens before the frame has received its URI.
  say({ waiting: true })
  popups.begin()
  say({ waiting: true })
  expect(posted).toEqual([])
  popups.send('https://login.example/two')
  expect(posted).toEqual([{ uri: 'https://login.example/two' }])
})
