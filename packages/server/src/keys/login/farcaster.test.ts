import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startKeys, type TestBrowser, type TestKeys } from '../../testing/keysServer.ts'
import { readFarcasterMessage } from './farcaster.ts'

const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const other = privateKeyToAccount(`0x${'22'.repeat(32)}`)
const registry = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'

interface Channel {
  readonly nonce: string
  readonly domain: string
  readonly siweUri: string
  answer: object
}

let keys: TestKeys
const channels = new Map<string, Channel>()

/** Starts a server with a fake relay and a fake ID registry in which `account` owns fid 7. */
beforeAll(async () => {
  keys = await startKeys({
    farcaster: { relay: 'https://relay.example', chainId: 'eip155:10', registry },
    fetch: async (request) => {
      if (request.url === 'https://relay.example/v1/channel') {
        const token = `channel-${channels.size}`
        const body = (await request.json()) as Omit<Channel, 'answer'>
        channels.set(token, { ...body, answer: { state: 'pending' } })
        return Response.json({ channelToken: token, url: `https://farcaster.example/~/siwf?channelToken=${token}` })
      }
      const token = request.headers.get('authorization')?.slice('Bearer '.length) ?? ''
      return Response.json(channels.get(token)?.answer ?? {}, { status: channels.has(token) ? 200 : 401 })
    },
    chain: {
      supported: () => ['eip155:10'],
      send: async (_, body) => {
        const { params } = JSON.parse(body)
        const isOwner = params[0].to === registry && params[0].data.endsWith(account.address.slice(2).toLowerCase())
        return { kind: 'answered', body: JSON.stringify({ result: `0x${(isOwner ? '7' : '0').padStart(64, '0')}` }) }
      },
    },
  })
}, 60_000)
afterAll(() => keys?.close())

function messageOf({ domain, siweUri, nonce }: Channel, address: string, fid = '7'): string {
  return `${domain} wants you to sign in with your Ethereum account:\n${address}\n\nFarcaster Auth\n\nURI: ${siweUri}\nVersion: 1\nChain ID: 10\nNonce: ${nonce}\nIssued At: 2026-01-01T00:00:00.000Z\nResources:\n- farcaster://fid/${fid}`
}

async function beginLogin(): Promise<{ browser: TestBrowser; channel: Channel }> {
  const browser = keys.browser()
  const { body } = await browser.send('POST', '/vault/farcaster', {})
  const channel = channels.get(new URL(body.url).searchParams.get('channelToken') ?? '')
  if (!channel) throw new Error('No channel was opened')
  expect((await browser.send('POST', '/vault/farcaster', {})).body.url).toBe(body.url)
  return { browser, channel }
}

const finish = (browser: TestBrowser) => browser.send('POST', '/vault/farcaster/finish', {})

test('a message signed by the fid’s owner completes all waiting polls [R4.4] [R1.4]', async () => {
  const { browser, channel } = await beginLogin()
  const polls = [finish(browser), finish(browser)]
  const message = messageOf(channel, account.address)
  channel.answer = { state: 'completed', message, signature: await account.signMessage({ message }), username: 'ada' }
  keys.pass(1000)
  keys.pass(1000)
  for (const { status, body } of await Promise.all(polls)) {
    expect(status).toBe(200)
    expect(body).toMatchObject(body.status === 'done' ? { userName: 'ada' } : { status: 'waiting' })
  }
  const again = await finish(browser)
  expect(again.body).toMatchObject({ status: 'done', userName: 'ada', user: { email: null } })
  expect((await browser.send('GET', '/vault/me')).body.user.id).toBe(again.body.user.id)
  expect((await finish(keys.browser())).body.code).toBe('farcaster/failed')
  keys.pass(61_000)
  expect((await finish(browser)).body.code).toBe('farcaster/failed')
})

test('rejects a wrong signer, another user’s fid and a message for a different domain [R1.4]', async () => {
  const cases: readonly ((channel: Channel) => Promise<object>)[] = [
    async (channel) => ({
      message: messageOf(channel, account.address),
      signature: await other.signMessage({ message: messageOf(channel, account.address) }),
    }),
    async (channel) => ({
      message: messageOf(channel, other.address),
      signature: await other.signMessage({ message: messageOf(channel, other.address) }),
    }),
    async (channel) => ({
      message: messageOf(channel, account.address, '8'),
      signature: await account.signMessage({ message: messageOf(channel, account.address, '8') }),
    }),
    async (channel) => {
      const message = messageOf({ ...channel, domain: 'evil.example' }, account.address)
      return { message, signature: await account.signMessage({ message }) }
    },
    async (channel) => {
      const message = messageOf({ ...channel, nonce: 'another' }, account.address)
      return { message, signature: await account.signMessage({ message }) }
    },
    async () => ({}),
  ]
  for (const answer of cases) {
    const { browser, channel } = await beginLogin()
    channel.answer = { state: 'completed', username: 'eve', ...(await answer(channel)) }
    expect((await finish(browser)).body.code).toBe('farcaster/failed')
    expect((await browser.send('GET', '/vault/me')).body.code).toBe('session/none')
  }
})

test('accepts a message only if its fields are unambiguous and it is within its validity period', () => {
  const channel: Channel = { nonce: 'n', domain: 'keys.shop.example', siweUri: 'https://keys.shop.example', answer: {} }
  const expected = { domain: channel.domain, uri: channel.siweUri, nonce: 'n', now: Date.parse('2026-01-01') }
  const message = messageOf(channel, account.address)
  const accepted = { address: account.address, fid: '7' }
  expect(readFarcasterMessage(message, expected)).toEqual(accepted)
  const limited = message.replace(
    'Issued At',
    'Expiration Time: 2026-01-01T00:00:00.001Z\nNot Before: 2026-01-01T00:00:00Z\nIssued At',
  )
  expect(readFarcasterMessage(limited, expected)).toEqual(accepted)
  for (const changed of [
    message.replace('Issued At', 'Expiration Time: 2026-01-01T00:00:00Z\nIssued At'),
    message.replace('Issued At', 'Not Before: 2026-01-01T00:00:00.001Z\nIssued At'),
    `${message}\n- farcaster://fid/8`,
    message.replace('Version: 1', 'Version: 1\nNonce: other'),
    message.replace('Chain ID: 10', 'Chain ID: 1'),
    message.replace('Issued At', 'Expiration Time: 2025-12-31T00:00:00Z\nIssued At'),
    message.replace('Issued At', 'Not Before: 2026-02-01T00:00:00Z\nIssued At'),
    message.replace('- farcaster://fid/7', '- https://farcaster.example'),
  ])
    expect(readFarcasterMessage(changed, expected)).toBeUndefined()
})

test('sign-in with Farcaster is not offered unless it is configured [R1.4]', async () => {
  const without = await startKeys({ connection: keys.connection })
  expect((await without.browser().send('POST', '/vault/farcaster', {})).body.code).toBe('farcaster/unavailable')
  expect((await without.browser().send('GET', '/vault/config')).body.farcaster).toBe(false)
})
