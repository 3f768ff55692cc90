import { createHash, randomBytes } from 'node:crypto'
import type { FarcasterEndpoints } from '@latchkey/server'
import { Hono } from 'hono'
import * as v from 'valibot'
import { errorPage, loginForm, mockUserOf } from './mockUsers.ts'
import type { StaticSite } from './staticSite.ts'

/** A mock of Farcaster: its relay, the app in which users approve a login, and the ID registry on a local chain. */
export interface MockFarcaster {
  /** Serves the relay's documented paths and the app that the link opens, under `/farcaster`. */
  readonly site: StaticSite
  readonly endpoints: FarcasterEndpoints
}

interface Channel {
  readonly url: string
  readonly domain: string
  readonly siweUri: string
  readonly nonce: string
  readonly expirationTime: string | undefined
  signed: Signed | undefined
}

interface Signed {
  readonly message: string
  readonly signature: string
  readonly fid: number
  readonly username: string
  readonly displayName: string
}

const text = v.pipe(v.string(), v.minLength(1), v.maxLength(2048))
const opening = v.object({
  siweUri: v.pipe(text, v.url()),
  domain: text,
  nonce: v.optional(v.pipe(text, v.minLength(8))),
  expirationTime: v.optional(text),
})

/** The address of the registry on OP Mainnet, which the local chain also uses. */
const registry = '0x00000000Fc6c5F01Fc30151999387Bb99A9f489b'
// Implements idOf(address): returns SLOAD(CALLDATALOAD(4)), the value stored under the address, as one word.
const registryCode = '0x6004355460005260206000f3'
const lifeMs = 60 * 60_000

/**
 * Creates a mock of Farcaster's relay and app with real signatures. Approvals are signed with a local custody key. The registry
 * is a few bytes of code that return the ID for an address. They are deployed when the first ID is registered.
 */
export function createMockFarcaster({
  origin,
  chainId,
  rpcUrl,
}: {
  origin: string
  chainId: string
  rpcUrl: string
}): MockFarcaster {
  const channels = new Map<string, Channel>()
  const base = `${origin}/farcaster`
  const app = new Hono()

  app.post('/farcaster/v1/channel', async (c) => {
    const params = v.safeParse(opening, await c.req.json().catch(() => undefined))
    if (!params.success) return c.json({ errCode: 'bad_request', message: params.issues[0].message }, 400)
    const { siweUri, domain, expirationTime } = params.output
    const channelToken = randomBytes(16).toString('hex')
    const nonce = params.output.nonce ?? randomBytes(16).toString('hex')
    const url = `${base}/~/siwf?channelToken=${channelToken}`
    channels.set(channelToken, { url, domain, siweUri, nonce, expirationTime, signed: undefined })
    setTimeout(() => channels.delete(channelToken), lifeMs).unref()
    return c.json({ channelToken, url, connectUri: url, nonce }, 201)
  })

  app.get('/farcaster/v1/channel/status', (c) => {
    const channel = channels.get(c.req.header('authorization')?.replace(/^Bearer /i, '') ?? '')
    if (!channel) return c.json({ errCode: 'unauthorized', message: 'Unknown channel' }, 401)
    const { url, nonce, domain, siweUri, signed } = channel
    const channelInfo = { nonce, url, signatureParams: { domain, siweUri, nonce } }
    return signed
      ? c.json({ state: 'completed', ...channelInfo, ...signed })
      : c.json({ state: 'pending', ...channelInfo }, 202)
  })

  // The mock app. On a real phone, the link opens the Farcaster app.
  app.get('/farcaster/~/siwf', (c) => {
    const channelToken = c.req.query('channelToken') ?? ''
    const channel = channels.get(channelToken)
    if (!channel || channel.signed) return errorPage('This link has expired or has already been used.')
    return loginForm({
      title: 'Farcaster (mock)',
      note: 'This is not Farcaster. It is a page on your own machine that simulates the app on your phone.',
      clientName: channel.domain,
      action: '/farcaster/~/answer',
      hidden: { channelToken },
    })
  })

  app.post('/farcaster/~/answer', async (c) => {
    const form = new URLSearchParams(await c.req.text())
    const channel = channels.get(form.get('channelToken') ?? '')
    if (!channel || channel.signed) return errorPage('This link has expired or has already been used.')
    if (form.get('answer') === 'no') return errorPage('You declined. Nothing was signed.')
    const { email, name } = mockUserOf(form)
    channel.signed = await signed(channel, { username: email.split('@')[0] ?? 'somebody', displayName: name })
    return errorPage('You are signed in. Go back to the page.', { title: 'Done', status: 200 })
  })

  async function signed(channel: Channel, { username, displayName }: Pick<Signed, 'username' | 'displayName'>) {
    const { privateKeyToAccount } = await import('viem/accounts')
    // The same name always has the same key, and therefore the same ID.
    const digest = createHash('sha256').update(`farcaster ${username}`).digest()
    const account = privateKeyToAccount(`0x${digest.toString('hex')}`)
    const fid = 1 + (digest.readUInt32BE(0) >>> 1)
    await register(account.address, fid)
    const lines = [
      `${channel.domain} wants you to sign in with your Ethereum account:`,
      account.address,
      '',
      'Farcaster Auth',
      '',
      `URI: ${channel.siweUri}`,
      'Version: 1',
      'Chain ID: 10',
      `Nonce: ${channel.nonce}`,
      `Issued At: ${new Date().toISOString()}`,
      ...(channel.expirationTime ? [`Expiration Time: ${channel.expirationTime}`] : []),
      'Resources:',
      `- farcaster://fid/${fid}`,
    ]
    const message = lines.join('\n')
    return { message, signature: await account.signMessage({ message }), fid, username, displayName }
  }

  async function register(address: string, fid: number): Promise<void> {
    const word = (hex: string) => `0x${hex.padStart(64, '0')}`
    await call('anvil_setCode', [registry, registryCode])
    await call('anvil_setStorageAt', [registry, word(address.slice(2).toLowerCase()), word(fid.toString(16))])
  }

  async function call(method: string, params: readonly unknown[]): Promise<void> {
    const answer = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const response = (await answer.json()) as { error?: { message: string } }
    if (response.error) throw new Error(`${method}: ${response.error.message}`)
  }

  return { site: async (request) => app.fetch(request), endpoints: { relay: base, chainId, registry } }
}
