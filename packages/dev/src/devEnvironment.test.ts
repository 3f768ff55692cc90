import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fromBase58 } from '@latchkey/protocol/bytes'
import { getBalances } from '@latchkey/protocol/http/chainApi'
import { read } from '@latchkey/protocol/parseWithSchema'
import { assetsFolder } from '@latchkey/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestWallet, mintTestToken } from '../../adapters/src/solana/testing/testToken.ts'
import { tokensOf } from '../../core/src/account/portfolioTokens.ts'
import { type DevEnvironment, startDevEnvironment } from './devEnvironment.ts'
import { localFetch } from './localFetch.ts'
import { createInbox, type ReceivedMail } from './mailInbox.ts'
import { serveFolder, strictHeaders } from './staticSite.ts'
import { testWalletId } from './testWalletListing.ts'

let folder: string
let world: DevEnvironment
const taken = createServer()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-world-'))
  await mkdir(join(folder, 'site'))
  await writeFile(join(folder, 'site/index.html'), '<title>Shop</title>')
  await mkdir(join(folder, 'wallet'))
  await writeFile(join(folder, 'wallet/index.html'), '<title>Wallet</title>')
  await writeFile(join(folder, 'secret.txt'), 'not for visitors')
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const [site, wallet] = [join(folder, 'site'), join(folder, 'wallet')]
  world = await startDevEnvironment({ port, site, wallet, dataFolder: join(folder, 'data') })
}, 180_000)

afterAll(async () => {
  await world?.stop()
  taken.close()
  await rm(folder, { recursive: true, force: true })
})

/**
 * Sends a request to `host`. Node cannot resolve `*.localhost` on every system, so the request goes to 127.0.0.1 with the name
 * in the Host header.
 */
function get(host: string, path: string): Promise<{ status: number; headers: Record<string, unknown>; body: string }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { host: '127.0.0.1', port: world.port, path, headers: { host: `${host}:${world.port}` } },
      (answer) => {
        let body = ''
        answer.on('data', (chunk) => {
          body += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }))
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}

test('a different port is used if the configured port is in use', () => {
  const address = taken.address()
  expect(world.port).not.toBe(typeof address === 'object' && address ? address.port : 0)
})

test('requests are routed by host name: to the app for demo.localhost, and to the server for connect.demo.localhost', async () => {
  const shop = await get('demo.localhost', '/order')
  expect(shop.body).toBe('<title>Shop</title>')
  expect(shop.headers['cross-origin-opener-policy']).toBe('same-origin')
  expect(shop.headers['content-security-policy']).toContain(
    `connect-src 'self' ${world.facts.connect} http://127.0.0.1:`,
  )
  const wallets = await get(
    'connect.demo.localhost',
    '/getWallets?projectId=local&st=latchkey&sv=test&page=1&entries=1',
  )
  expect(JSON.parse(wallets.body)).toMatchObject({ data: [{ name: expect.any(String) }] })
  const facts = await get('demo.localhost', '/environment.json')
  expect(JSON.parse(facts.body)).toEqual(JSON.parse(JSON.stringify(world.facts)))
})

test('the web wallet is served on a separate origin, and is listed only in the local directory', async () => {
  const page = await get('wallet.demo.localhost', '/')
  expect(page.body).toBe('<title>Wallet</title>')
  expect(page.headers['content-security-policy']).toContain("frame-src 'none'; frame-ancestors 'none'")
  // The URL contains the pairing secret until the page has read it.
  expect(page.headers['referrer-policy']).toBe('no-referrer')
  const query = 'projectId=local&st=latchkey&sv=test&page=1&entries=5&search=latchkey'
  const found = JSON.parse((await get('connect.demo.localhost', `/getWallets?${query}`)).body)
  expect(found.data).toMatchObject([
    {
      id: testWalletId,
      mobile_link: `${world.facts.wallet}/#/`,
      chains: ['eip155:31337', 'eip155:31338', world.facts.solana.chainId],
    },
  ])
  expect(await readFile(join(assetsFolder(), 'wallets.json'), 'utf8')).not.toContain(testWalletId)
})

test('a new user signs in by email: the frame is on a separate origin, and the code arrives in the inbox over SMTP', async () => {
  const { keys, mail } = world.facts
  const frame = await localFetch(new Request(`${keys}/`))
  expect(frame.status).toBe(200)
  expect(frame.headers.get('content-security-policy')).toContain('frame-ancestors http://localhost:* ')
  let cookies = ''
  const call = async (path: string, body: unknown): Promise<Response> => {
    const answer = await localFetch(
      new Request(keys + path, {
        method: 'POST',
        headers: { origin: keys, 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', cookie: cookies },
        body: JSON.stringify(body),
      }),
    )
    cookies ||= answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0] ?? '')
      .join('; ')
    return answer
  }
  expect(await (await call('/vault/email', { email: 'ada@people.example' })).json()).toEqual({ action: 'VERIFY_OTP' })
  const [received] = (await (
    await localFetch(new Request(`${mail}/mails.json?to=ada@people.example`))
  ).json()) as ReceivedMail[]
  // Tests in Node cannot resolve the inbox's host name on every system.
  const sameMails = await fetch(`http://127.0.0.1:${world.port}/mails.json?to=ada@people.example`)
  expect(await sameMails.json()).toEqual([received])
  expect(received).toMatchObject({
    from: 'wallet@demo.localhost',
    to: ['ada@people.example'],
    subject: 'Your sign-in code',
  })
  const otp = received?.text.match(/^\d{6}$/m)?.[0]
  expect(received?.html).toContain(otp)
  const signedIn = await call('/vault/email/code', { otp })
  expect(await signedIn.json()).toMatchObject({ user: { email: 'ada@people.example' } })
  const page = await (await localFetch(new Request(mail))).text()
  expect(page).toContain(otp)
  // The keys API is not served on any other host name.
  expect((await localFetch(new Request(`${world.facts.connect}/vault/me`))).status).toBe(404)
})

test('a malicious email is shown as text and rendered in a sandbox', async () => {
  const inbox = createInbox({ from: 'wallet@demo.localhost' })
  const evil = '<script>alert(1)</script><img src="http://evil.example/x">'
  await inbox.mailer.send({
    to: 'ada@people.example',
    subject: evil,
    text: `${evil} https://a.example/?b=1&c=2`,
    html: evil,
  })
  const page = await (await inbox.site(new Request('http://mail.demo.localhost/'))).text()
  expect(page).not.toContain('<script')
  expect(page).toContain('<a href="https://a.example/?b=1&amp;c=2"')
  const rendered = await inbox.site(new Request('http://mail.demo.localhost/mails/1.html'))
  expect(rendered.headers.get('content-security-policy')).toMatch(/^default-src 'none';.*; sandbox;/)
  await inbox.close()
})

test('the mock OpenID provider and the mock GitHub are available, and GitHub’s page identifies itself as a mock and rejects other redirect URIs', async () => {
  const { login, keys } = world.facts
  const openId = await localFetch(new Request(`${login}/.well-known/openid-configuration`))
  expect(await openId.json()).toMatchObject({ issuer: login, jwks_uri: `${login}/jwks` })
  const query = new URLSearchParams({
    client_id: 'local-github',
    redirect_uri: `${keys}/vault/social/callback/github`,
    response_type: 'code',
    state: 'state',
    code_challenge: 'challenge',
    code_challenge_method: 'S256',
  })
  const github = await localFetch(new Request(`${login}/github/login/oauth/authorize?${query}`))
  expect(await github.text()).toContain('This is not GitHub. It is a page on your own machine')
  query.set('redirect_uri', 'http://evil.localhost/')
  expect((await localFetch(new Request(`${login}/github/login/oauth/authorize?${query}`))).status).toBe(400)
})

test('each chain is reachable through the server', async () => {
  for (const { id } of world.facts.chains) {
    const answer = await fetch(`http://127.0.0.1:${world.port}/v1/?chainId=eip155:${id}&projectId=local`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
    })
    expect(await answer.json()).toMatchObject({ result: `0x${id.toString(16)}` })
  }
})

test('the server offers the listed tokens of the first chain for swaps, but not the lookalike or deceptive tokens', async () => {
  const { exchange, token } = world.facts
  const answer = await fetch(`http://127.0.0.1:${world.port}/v1/convert/tokens?chainId=eip155:31337&projectId=local`)
  const { tokens } = (await answer.json()) as { tokens: readonly { address: string }[] }
  const offered = tokens.map(({ address }) => address)
  for (const { address } of [token, exchange!.tokens.usdc, exchange!.tokens.usdt])
    expect(offered).toContainEqual(expect.stringMatching(new RegExp(address, 'i')))
  for (const { address } of [exchange!.tokens.lookalike, exchange!.tokens.deceptive])
    expect(offered).not.toContainEqual(expect.stringMatching(new RegExp(address, 'i')))
})

test('the test token on Solana is on the server’s list, so that users see it among their tokens', async () => {
  const { chainId, url, token } = world.facts.solana
  const { address, secretKey } = token.mintAuthority
  const { address: recipient } = await createTestWallet(url)
  const secret = fromBase58(secretKey)?.slice(0, 32) ?? new Uint8Array()
  await mintTestToken(url, { authority: { address, secret }, mint: token.address, recipient, amount: 12_500_000n })
  const query = new URLSearchParams({ projectId: 'local', currency: 'usd', chainId })
  const answer = await fetch(`http://127.0.0.1:${world.port}/v1/account/${recipient}/balance?${query}`)
  const { balances } = read(getBalances.answer, await answer.json()) ?? { balances: [] }
  const currency = { name: 'Solana', symbol: 'SOL', decimals: 9 }
  const shown = tokensOf(balances, { chain: chainId, currency, now: Date.now() }).filter(({ hidden }) => !hidden)
  expect(shown).toMatchObject([
    { address: token.address, name: 'Test Dollar', symbol: 'TUSD', decimals: 6, amount: 12_500_000n },
  ])
})

test('ENS resolves a name on the first chain, and the server suggests names below its own domain', async () => {
  const { createPublicClient, http } = await import('viem')
  const { names, chains } = world.facts
  const reader = createPublicClient({ transport: http(chains[0]?.rpcUrls.default.http[0]) })
  const { universalResolver: universalResolverAddress, example } = names!
  expect(await reader.getEnsAddress({ name: example.name, universalResolverAddress })).toBe(example.address)
  const path = '/v1/profile/suggestions/alice?projectId=local'
  const answer = (await (await fetch(`http://127.0.0.1:${world.port}${path}`)).json()) as { suggestions: unknown }
  expect(answer.suggestions).toContainEqual({ name: `alice.${names!.zone}`, registered: false })
})

test('a purchase from the mock seller is quoted, confirmed on its page, delivered on the chain and listed in the history', async () => {
  const { connect, buy, chains, accounts, token } = world.facts
  const query = 'projectId=local&st=latchkey&sv=test'
  const ask = async (path: string, body?: unknown) => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
    const response = await localFetch(new Request(`${connect}${path}${path.includes('?') ? '&' : '?'}${query}`, init))
    // biome-ignore lint/suspicious/noExplicitAny: each test reads a few values of the response.
    return { status: response.status, json: (await response.json()) as any }
  }
  const options = (await ask('/v1/onramp/options')).json
  expect(options.providers).toEqual([{ name: 'coinbase' }])
  const address = `0x${'b'.repeat(40)}` as const
  for (const [symbol, amount, unit] of [
    ['ETH', '0.033232016210739614', 18],
    [token.symbol, '98.4', token.decimals],
  ] as const) {
    const asset = options.purchaseCurrencies.find((item: { symbol: string }) => item.symbol === symbol)
    const [paymentCurrency] = options.paymentCurrencies
    const { json: quote } = await ask('/v1/onramp/quote', { purchaseCurrency: asset, paymentCurrency, amount: '100' })
    expect(quote.paymentTotal).toEqual({ amount: '100.00', currency: 'USD' })
    expect(quote.purchaseAmount).toEqual({ amount, currency: symbol })
    const { json } = await ask('/v1/generators/onrampurl', {
      destinationWallets: [{ address, blockchains: [asset.networks[0].name], assets: [symbol] }],
      partnerUserId: address,
      presetFiatAmount: 100,
    })
    const page = await (await localFetch(new Request(json.url))).text()
    expect(page).toContain('This is not Coinbase.')
    expect(await (await localFetch(new Request(json.url))).text()).toContain('expired')
    const order = /name="order" value="([\w-]+)"/.exec(page)?.[1] ?? ''
    const pay = () =>
      localFetch(
        new Request(`${buy}/buy/pay`, {
          method: 'POST',
          body: new URLSearchParams({ order, amount: '100', answer: 'pay' }).toString(),
        }),
      )
    expect((await pay()).status).toBe(200)
    // Submitting the form a second time buys nothing.
    expect((await pay()).status).toBe(400)
    const path = `/v1/account/${address}/history?onramp=coinbase&chainId=eip155:${chains[0]?.id}`
    await expect
      .poll(async () => (await ask(path)).json.data[0]?.metadata.status)
      .toBe('ONRAMP_TRANSACTION_STATUS_SUCCESS')
    const bought = (await ask(path)).json.data[0]
    expect(bought.transfers[0]).toMatchObject({
      fungible_info: { symbol },
      quantity: { numeric: quote.purchaseAmount.amount },
    })
    const { createPublicClient, http, erc20Abi, formatUnits } = await import('viem')
    const reader = createPublicClient({ transport: http(chains[0]?.rpcUrls.default.http[0]) })
    const balance =
      symbol === 'ETH'
        ? await reader.getBalance({ address })
        : await reader.readContract({
            address: token.address,
            abi: erc20Abi,
            functionName: 'balanceOf',
            args: [address],
          })
    expect(formatUnits(balance, unit)).toBe(quote.purchaseAmount.amount)
  }
  const other = accounts[0]?.address ?? ''
  expect((await ask(`/v1/account/${other}/history?onramp=coinbase`)).json.data).toEqual([])
})

test('files outside a site’s folder are not served', async () => {
  const site = serveFolder({
    folder: join(folder, 'site'),
    headers: strictHeaders({ connect: 'http://connect.test', rpc: [] }),
  })
  for (const path of ['/%2e%2e/secret.txt', '/..%2fsecret.txt', '/%00.txt', '/%E0%A4%A.txt']) {
    const answer = await site(new Request(`http://demo.test${path}`))
    expect([400, 404]).toContain(answer.status)
    expect(await answer.text()).not.toContain('visitors')
  }
})

test('a site is served whether or not its folder has a trailing slash', async () => {
  const answer = await serveFolder({ folder: `${join(folder, 'site')}/`, headers: {} })(
    new Request('http://demo.test/'),
  )
  expect(await answer.text()).toBe('<title>Shop</title>')
})

test('stopping the environment leaves no process or listener behind', async () => {
  const second = await startDevEnvironment({ port: 0, dataFolder: join(folder, 'second') })
  const urls = second.facts.chains.map(({ rpcUrls }) => rpcUrls.default.http[0])
  await second.stop()
  for (const url of [...urls, `http://127.0.0.1:${second.port}`]) await expect(fetch(url)).rejects.toThrow()
  const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=,args=', '--ppid', String(process.pid)]).catch(
    () => ({ stdout: '' }),
  )
  expect(stdout.split('\n').filter((line) => line.includes('anvil'))).toHaveLength(2)
}, 60_000)

test('pages on hosts other than localhost can embed the frame only while their origin is configured', async () => {
  const dataFolder = join(folder, 'origins')
  const ancestors = async (port: number, origins: readonly string[]): Promise<{ port: number; policy: string }> => {
    const environment = await startDevEnvironment({ port, origins, dataFolder })
    try {
      const answer = await localFetch(new Request(`${environment.facts.keys}/`))
      const policy = answer.headers.get('content-security-policy') ?? ''
      return { port: environment.port, policy: policy.slice(policy.indexOf('frame-ancestors')) }
    } finally {
      await environment.stop()
    }
  }
  const first = await ancestors(0, ['http://shop.test:5173'])
  expect(first.policy).toContain('http://shop.test:5173')
  const second = await ancestors(first.port, [])
  expect(second.port).toBe(first.port)
  expect(second.policy).not.toContain('shop.test')
}, 60_000)
