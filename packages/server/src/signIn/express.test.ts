import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createSignIn } from './createSignIn.ts'
import { sessionOf } from './express.ts'
import { memoryReplayStore } from './replayStore.ts'

const signIn = createSignIn({
  origins: ['https://shop.example'],
  secret: 'a secret of the test, of 32 letters and more',
  verifiers: {},
  replayStore: memoryReplayStore(),
})

// Express 4 and Node end the process if a handler rejects.
describe('a malformed request has no session and does not end the process', () => {
  test.each<[string, Partial<IncomingMessage>]>([
    ['a path that starts with two slashes', { url: '//' }],
    ['an invalid absolute URL', { url: 'http://[' }],
    ['a method that pages cannot use', { method: 'TRACE' }],
    ['an invalid host', { headers: { host: 'a b' } }],
    ['a host with an invalid port', { headers: { host: 'shop.example:99999' } }],
  ])('%s', async (_, asked) => {
    const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/', ...asked })
    await expect(sessionOf(signIn, request)).resolves.toBeUndefined()
  })
})
