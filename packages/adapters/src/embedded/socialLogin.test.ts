import { testAccounts } from '@latchkey/testing'
import { expect, test } from 'vitest'
import { createEmbeddedFrame } from './embeddedFrame.ts'
import { createSocialLogin } from './socialLogin.ts'
import { harness } from './testing/harness.ts'

const [{ address }] = testAccounts
const user = { address, chainId: 1, userName: 'ada' }

async function loggedIn() {
  const page = harness({ frame: { script: { CONNECT_SOCIAL: () => user } } })
  const frame = createEmbeddedFrame({ options: page.options, host: page.host, rpcUrl: () => undefined })
  const social = createSocialLogin({ frame, setup: { done: async () => undefined }, host: page.host })
  const connecting = social.connect('https://login.example/?code=1')
  await page.pass(0)
  await connecting
  return { ...page, social }
}

test('a social login request includes the page’s network and account type', async () => {
  const { frame } = await loggedIn()
  expect(frame.requests[0]).toMatchObject({
    name: 'CONNECT_SOCIAL',
    payload: {
      uri: 'https://login.example/?code=1',
      chainId: 'eip155:1',
      preferredAccountType: 'smartAccount',
      rpcUrl: 'https://rpc.example/1',
    },
  })
})

test('take() returns the result only once, and only for its chain family', async () => {
  const { social } = await loggedIn()
  expect(social.take('eip155')).toMatchObject({ user, chain: 'eip155:1' })
  expect(social.take('eip155')).toBeUndefined()
  const other = await loggedIn()
  expect([other.social.take('solana'), other.social.take('eip155')]).toEqual([undefined, undefined])
})

test('clear() removes the result', async () => {
  const { social } = await loggedIn()
  social.clear()
  expect(social.take('eip155')).toBeUndefined()
})
