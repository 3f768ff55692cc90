import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createMockLoginServices, type MockLoginServices } from '../../../../dev/src/mockLoginServices.ts'
import { type Answer, startKeys, type TestBrowser, type TestKeys } from '../../testing/keysServer.ts'

const origin = 'http://keys.demo.localhost:4100'
const loginOrigin = 'http://login.demo.localhost:4100'
const shop = { id: 'shop', name: 'Shop', allowedOrigins: ['https://shop.example'], features: [], analytics: false }

let login: MockLoginServices
let keys: TestKeys
const urls: string[] = []
/** The ID tokens that the provider has issued. */
const idTokens: string[] = []
/** Whether the next ID token is replaced with the first one. */
let replay = false

beforeAll(async () => {
  login = createMockLoginServices({
    origin: loginOrigin,
    keys: origin,
    chain: { chainId: 'eip155:31337', rpcUrl: 'http://127.0.0.1:1' },
  })
  keys = await startKeys({
    origin,
    social: login.social,
    projects: [shop],
    fetch: async (request) => {
      urls.push(request.url)
      const answer = await login.site(request)
      if (!request.url.endsWith('/token') || request.url.includes('/x/')) return answer
      const tokens = (await answer.json()) as { id_token?: string }
      if (tokens.id_token === undefined) return Response.json(tokens, { status: answer.status })
      idTokens.push(tokens.id_token)
      return Response.json({ ...tokens, id_token: replay ? idTokens[0] : tokens.id_token })
    },
  })
}, 60_000)
afterAll(async () => {
  await keys?.close()
  await login?.close()
})

/**
 * Acts as the user in a popup: follows the provider's redirects with separate cookies and fills in its form. Resolves to the
 * callback URL.
 */
async function atProvider(start: string, form: Readonly<Record<string, string>>): Promise<string> {
  const cookies = new Map<string, string>()
  let url = start
  let body: URLSearchParams | undefined
  for (let step = 0; step < 12; step += 1) {
    const answer = await login.site(
      new Request(url, {
        method: body ? 'POST' : 'GET',
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        ...(body ? { body } : {}),
      }),
    )
    body = undefined
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    const next = answer.headers.get('location')
    const text = await answer.text()
    if (next) url = new URL(next, url).href
    else {
      // This is either the provider's form, or the form with which Apple posts its response.
      const action = text.match(/<form[^>]* action="([^"]+)"/)?.[1]
      if (!action) throw new Error(`The provider responded with ${answer.status}: ${text}`)
      const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
      body = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&#39;', "'")]))
      if (!action.startsWith(origin)) for (const [name, value] of Object.entries(form)) body.set(name, value)
      url = new URL(action, url).href
    }
    if (url.startsWith(origin)) return body ? `${url}?${body}` : url
  }
  throw new Error('The provider did not redirect back to the server')
}

/** Follows the popup's redirects on the keys origin. Resolves to the URL of the final page. */
async function resultOf(browser: TestBrowser, callback: string): Promise<string> {
  const back = await browser.visit(callback)
  expect(back.status).toBe(303)
  // With any other value, the redirect would cut off the popup from its opener.
  expect(back.headers.get('cross-origin-opener-policy')).toBe('unsafe-none')
  const uri = new URL(back.headers.get('location') ?? '', origin).href
  expect((await browser.visit(uri)).status).toBe(200)
  return uri
}

async function signIn(browser: TestBrowser, provider: string, form: Readonly<Record<string, string>>): Promise<Answer> {
  const { body } = await browser.send('POST', `/vault/social/${provider}`, {})
  const resultUri = await resultOf(browser, await atProvider(body.uri, { answer: 'yes', ...form }))
  return browser.send('POST', '/vault/social/finish', { resultUri })
}

describe('social sign-in', { timeout: 30_000 }, () => {
  test.each([
    ['google', 'Ada'],
    ['apple', 'Ada'],
    ['github', 'Ada'],
    ['discord', 'Ada'],
  ])(
    '%s verifies the email address, and the user is signed in to the account that has this address [R4.4] [R1.3]',
    async (provider, name) => {
      const email = `${provider}@people.example`
      const first = await signIn(keys.browser(), provider, { email, name: 'Ada' })
      expect(first).toMatchObject({ status: 200, body: { user: { email }, userName: name, provider } })
      const again = await signIn(keys.browser(), provider, { email, name: 'Ada' })
      expect(again.body.user.id).toBe(first.body.user.id)
      const byMail = await keys.signIn(keys.browser(), email)
      expect(byMail.id).toBe(first.body.user.id)
    },
  )

  test.each(['facebook', 'x'])(
    '%s does not verify the email address, so the account has no address [R4.4] [R1.3]',
    async (provider) => {
      const email = `${provider}@people.example`
      const owner = await keys.signIn(keys.browser(), email)
      const first = await signIn(keys.browser(), provider, { email, name: 'Ada' })
      expect(first).toMatchObject({ status: 200, body: { user: { email: null } } })
      expect(first.body.user.id).not.toBe(owner.id)
      const again = await signIn(keys.browser(), provider, { email, name: 'Ada' })
      expect(again.body.user.id).toBe(first.body.user.id)
    },
  )

  test('a user whose account has no email address can add one with only a code sent to the new address [R4.5]', async () => {
    const browser = keys.browser()
    await signIn(browser, 'x', { email: 'unverified@people.example', name: 'Ada' })
    const email = 'first-address@people.example'
    expect((await browser.send('POST', '/vault/email/change', { email })).body).toEqual({
      action: 'VERIFY_SECONDARY_OTP',
    })
    const { body } = await browser.send('POST', '/vault/email/change/secondary', { otp: keys.codeFor(email) })
    expect(body).toEqual({ newEmail: email })
    expect((await browser.send('GET', '/vault/me')).body.user.email).toBe(email)
  })

  test('a full-page redirect returns the user to the page that started the login, and to no other page [R1.3]', async () => {
    const opener = 'https://shop.example'
    const back = async (page: string, written: (page: string) => string): Promise<string> => {
      const browser = keys.browser()
      const { body } = await browser.send('POST', '/vault/social/github', { opener })
      const providerUrl = new URL(body.uri)
      providerUrl.searchParams.set('state', `${providerUrl.searchParams.get('state')}--${written(page)}`)
      const came = await browser.visit(
        await atProvider(providerUrl.href, { answer: 'yes', email: 'whole@people.example' }),
      )
      return came.headers.get('location') ?? ''
    }
    const page = `${opener}/basket?item=1`
    for (const written of [encodeURIComponent, (plain: string) => plain]) {
      const came = new URL(await back(page, written))
      expect(came.origin + came.pathname + came.searchParams.get('item')).toBe(`${opener}/basket1`)
      expect(came.searchParams.get('result_uri')).toContain(`${origin}/vault/social/done?ticket=`)
    }
    for (const elsewhere of [
      'https://evil.example/',
      `${opener}.evil.example/`,
      'javascript:alert(1)',
      'data:text/html,',
    ])
      expect(await back(elsewhere, encodeURIComponent)).toMatch(/^\/vault\/social\/done\?/)
  })

  test.each(['google', 'apple', 'github'])(
    'a window on the keys origin that is redirected to %s always returns to its own page, whatever the outcome',
    async (provider) => {
      const back = async (answer: string, written = '') => {
        const browser = keys.browser()
        const { body } = await browser.send('POST', `/vault/social/${provider}`, { window: true })
        const providerUrl = new URL(body.uri)
        if (written) providerUrl.searchParams.set('state', `${providerUrl.searchParams.get('state')}--${written}`)
        const callback = await atProvider(providerUrl.href, { answer, email: `window-${provider}@people.example` })
        const { headers } = await browser.visit(callback)
        const came = new URL(headers.get('location') ?? '', origin)
        expect(came.origin + came.pathname).toBe(`${origin}/continue`)
        return { browser, resultUri: came.searchParams.get('result_uri') ?? '' }
      }
      for (const written of ['', encodeURIComponent('https://shop.example/'), encodeURIComponent(`${origin}/wallet`)]) {
        const { browser, resultUri } = await back('yes', written)
        const other = await keys.browser().send('POST', '/vault/social/finish', { resultUri })
        expect(other.body.code).toBe('social/failed')
        expect((await browser.send('POST', '/vault/social/finish', { resultUri })).status).toBe(200)
      }
      const { browser, resultUri } = await back('no')
      expect((await browser.send('POST', '/vault/social/finish', { resultUri })).body.code).toBe('social/declined')
    },
  )

  test('a popup opened by a cross-site page closes, because the frame on that page signs the user in through its own window', async () => {
    const partOf = async (site: string) => {
      const answer = await keys.browser().visit('/loading', site)
      return /data-part="(\w+)"/.exec(await answer.text())?.[1]
    }
    expect(await partOf('cross-site')).toBe('away')
    for (const site of ['same-site', 'same-origin', 'none']) expect(await partOf(site)).toBe('loading')
  })

  test.each(['google', 'github', 'discord'])(
    'an email address that %s has not verified does not give access to an existing account',
    async (provider) => {
      const email = `victim-${provider}@people.example`
      const victim = await keys.signIn(keys.browser(), email)
      const attacker = await signIn(keys.browser(), provider, { email, name: 'Eve', unverified: 'on' })
      expect(attacker).toMatchObject({ status: 200, body: { user: { email: null } } })
      expect(attacker.body.user.id).not.toBe(victim.id)
    },
  )

  test('a result works only once, and only in the frame session that started the flow', async () => {
    const browser = keys.browser()
    const { body } = await browser.send('POST', '/vault/social/google', {})
    const callback = await atProvider(body.uri, { answer: 'yes', email: 'once@people.example', name: 'O' })
    const resultUri = await resultOf(browser, callback)
    expect((await keys.browser().send('POST', '/vault/social/finish', { resultUri })).body.code).toBe('social/failed')
    expect((await browser.send('POST', '/vault/social/finish', { resultUri })).status).toBe(200)
    expect((await browser.send('POST', '/vault/social/finish', { resultUri })).body.code).toBe('social/failed')
    expect(await resultOf(browser, callback)).toContain('error=social%2Ffailed')
  })

  test('rejects a code that was issued to a different browser', async () => {
    const attacker = keys.browser()
    const { body } = await attacker.send('POST', '/vault/social/google', {})
    const callback = await atProvider(body.uri, { answer: 'yes', email: 'thief@people.example', name: 'T' })
    const victim = keys.browser()
    await victim.send('POST', '/vault/social/google', {})
    const before = urls.length
    expect(await resultOf(victim, callback)).toContain('error=social%2Ffailed')
    expect(urls).toHaveLength(before)
    expect((await victim.send('GET', '/vault/me')).body.code).toBe('session/none')
  })

  test('rejects a redirect if any part of it was tampered with', async () => {
    const browser = keys.browser()
    const run = async (change: (url: URL) => void) => {
      const { body } = await browser.send('POST', '/vault/social/github', {})
      const url = new URL(await atProvider(body.uri, { answer: 'yes', email: 'm@people.example', name: 'M' }))
      change(url)
      return resultOf(browser, url.href)
    }
    expect(await run((url) => url.searchParams.set('state', 'A'.repeat(43)))).toContain('error=social%2Ffailed')
    expect(await run((url) => url.searchParams.set('code', 'another'))).toContain('error=social%2Ffailed')
    expect(await run((url) => url.searchParams.delete('code'))).toContain('error=social%2Ffailed')
    expect(
      await run((url) => {
        url.pathname = '/vault/social/callback/discord'
      }),
    ).toContain('error=social%2Ffailed')
    expect(await run(() => {})).toContain('ticket=')
  })

  test('rejects an ID token from a different flow, even if its signature is valid', async () => {
    await signIn(keys.browser(), 'google', { email: 'first@people.example', name: 'F' })
    replay = true
    const answer = await signIn(keys.browser(), 'google', { email: 'second@people.example', name: 'S' })
    replay = false
    expect(answer.body.code).toBe('social/failed')
    expect((await signIn(keys.browser(), 'google', { email: 'second@people.example', name: 'S' })).status).toBe(200)
  })

  test('reports that the user declined the login at the provider', async () => {
    for (const provider of ['google', 'facebook']) {
      const browser = keys.browser()
      const { body } = await browser.send('POST', `/vault/social/${provider}`, {})
      const resultUri = await resultOf(browser, await atProvider(body.uri, { answer: 'no' }))
      expect(resultUri).toContain('error=')
      expect((await browser.send('POST', '/vault/social/finish', { resultUri })).body.code).toBe('social/declined')
    }
  })

  test('rejects a result from a different origin or from another page on the keys origin', async () => {
    const browser = keys.browser()
    for (const resultUri of [
      'https://evil.example/vault/social/done?ticket=a',
      `${origin}/vault/me?ticket=a`,
      'ticket',
    ])
      expect((await browser.send('POST', '/vault/social/finish', { resultUri })).body.code).toBe('social/failed')
    expect((await browser.send('POST', '/vault/social/myspace', {})).body.code).toBe('social/unknown-provider')
  })

  test('the popup posts its result to the page that the frame specified, if a project lists that page [R7.1]', async () => {
    const opener = async (named: string): Promise<string> => {
      const browser = keys.browser()
      await browser.send('POST', '/vault/social/google', { opener: named })
      return (await browser.visit('/vault/social/done?error=social%2Ffailed')).text()
    }
    expect(await opener('https://shop.example')).toContain('data-opener="https://shop.example"')
    expect(await opener('https://evil.example')).not.toContain('evil')
    expect(await opener('https://shop.example" onload="x')).not.toContain('onload')
  })

  test('logs no personal data', () => {
    expect(keys.log.length).toBeGreaterThan(20)
    expect(keys.log.join('\n')).not.toMatch(/people\.example|ticket=|state=|203\.0\.113/)
  })
})
