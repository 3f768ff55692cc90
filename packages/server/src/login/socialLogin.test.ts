import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLoginServices, type LoginServices } from '../../../dev/src/loginServices.ts'
import { type Answer, startKeys, type TestBrowser, type TestKeys } from '../testing/keysServer.ts'

const origin = 'http://keys.demo.localhost:4100'
const loginOrigin = 'http://login.demo.localhost:4100'
const shop = { id: 'shop', name: 'Shop', allowedOrigins: ['https://shop.example'], features: [], analytics: false }

let login: LoginServices
let keys: TestKeys
const asked: string[] = []
/** Id tokens as issued by the provider; `replay` replaces the next one with an earlier one. */
const idTokens: string[] = []
let replay = false

beforeAll(async () => {
  login = createLoginServices({
    origin: loginOrigin,
    keys: origin,
    chain: { chainId: 'eip155:31337', rpcUrl: 'http://127.0.0.1:1' },
  })
  keys = await startKeys({
    origin,
    social: login.social,
    projects: [shop],
    fetch: async (request) => {
      asked.push(request.url)
      const answer = await login.site(request)
      if (!request.url.endsWith('/token') || request.url.includes('/x/')) return answer
      const given = (await answer.json()) as { id_token?: string }
      if (given.id_token === undefined) return Response.json(given, { status: answer.status })
      idTokens.push(given.id_token)
      return Response.json({ ...given, id_token: replay ? idTokens[0] : given.id_token })
    },
  })
}, 60_000)
afterAll(async () => {
  await keys?.close()
  await login?.close()
})

/** The user in a popup: follows redirects at the provider with separate cookies and fills in its form. */
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
      // The provider's form, or the form post that Apple responds with.
      const action = text.match(/<form[^>]* action="([^"]+)"/)?.[1]
      if (!action) throw new Error(`The provider answered ${answer.status}: ${text}`)
      const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
      body = new URLSearchParams(hidden.map(([, name = '', value = '']) => [name, value.replaceAll('&#39;', "'")]))
      if (!action.startsWith(origin)) for (const [name, value] of Object.entries(form)) body.set(name, value)
      url = new URL(action, url).href
    }
    if (url.startsWith(origin)) return body ? `${url}?${body}` : url
  }
  throw new Error('The provider never sends the person back')
}

/** Follows the popup at the keys origin to its final page. */
async function resultOf(browser: TestBrowser, callback: string): Promise<string> {
  const back = await browser.visit(callback)
  expect(back.status).toBe(303)
  // Otherwise the popup loses its opener on the way.
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
  ])('%s verifies an address and signs in to the account that has it [R4.4] [R1.3]', async (provider, name) => {
    const email = `${provider}@people.example`
    const first = await signIn(keys.browser(), provider, { email, name: 'Ada' })
    expect(first).toMatchObject({ status: 200, body: { user: { email }, userName: name, provider } })
    const again = await signIn(keys.browser(), provider, { email, name: 'Ada' })
    expect(again.body.user.id).toBe(first.body.user.id)
    const byMail = await keys.signIn(keys.browser(), email)
    expect(byMail.id).toBe(first.body.user.id)
  })

  test.each(['facebook', 'x'])('%s verifies no address, so the account has none [R4.4] [R1.3]', async (provider) => {
    const email = `${provider}@people.example`
    const owner = await keys.signIn(keys.browser(), email)
    const first = await signIn(keys.browser(), provider, { email, name: 'Ada' })
    expect(first).toMatchObject({ status: 200, body: { user: { email: null } } })
    expect(first.body.user.id).not.toBe(owner.id)
    const again = await signIn(keys.browser(), provider, { email, name: 'Ada' })
    expect(again.body.user.id).toBe(first.body.user.id)
  })

  test('an account without an address can add one with a code to the new address alone [R4.5]', async () => {
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

  test('after a full-page redirect the user returns to the page, but only to the page that started [R1.3]', async () => {
    const opener = 'https://shop.example'
    const back = async (page: string, written: (page: string) => string): Promise<string> => {
      const browser = keys.browser()
      const { body } = await browser.send('POST', '/vault/social/github', { opener })
      const there = new URL(body.uri)
      there.searchParams.set('state', `${there.searchParams.get('state')}--${written(page)}`)
      const came = await browser.visit(await atProvider(there.href, { answer: 'yes', email: 'whole@people.example' }))
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
    'a window of the keys origin that was redirected to %s returns to itself for any outcome, and nowhere else',
    async (provider) => {
      const back = async (answer: string, written = '') => {
        const browser = keys.browser()
        const { body } = await browser.send('POST', `/vault/social/${provider}`, { window: true })
        const there = new URL(body.uri)
        if (written) there.searchParams.set('state', `${there.searchParams.get('state')}--${written}`)
        const callback = await atProvider(there.href, { answer, email: `window-${provider}@people.example` })
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

  test('a popup opened by a cross-site page closes, because the frame of that page uses its own window', async () => {
    const partOf = async (site: string) => {
      const answer = await keys.browser().visit('/loading', site)
      return /data-part="(\w+)"/.exec(await answer.text())?.[1]
    }
    expect(await partOf('cross-site')).toBe('away')
    for (const site of ['same-site', 'same-origin', 'none']) expect(await partOf(site)).toBe('loading')
  })

  test.each(['google', 'github', 'discord'])(
    'an address that %s has not verified does not open an existing account',
    async (provider) => {
      const email = `victim-${provider}@people.example`
      const victim = await keys.signIn(keys.browser(), email)
      const thief = await signIn(keys.browser(), provider, { email, name: 'Eve', unverified: 'on' })
      expect(thief).toMatchObject({ status: 200, body: { user: { email: null } } })
      expect(thief.body.user.id).not.toBe(victim.id)
    },
  )

  test('a result works once, and only in the frame session that started the flow', async () => {
    const browser = keys.browser()
    const { body } = await browser.send('POST', '/vault/social/google', {})
    const callback = await atProvider(body.uri, { answer: 'yes', email: 'once@people.example', name: 'O' })
    const resultUri = await resultOf(browser, callback)
    expect((await keys.browser().send('POST', '/vault/social/finish', { resultUri })).body.code).toBe('social/failed')
    expect((await browser.send('POST', '/vault/social/finish', { resultUri })).status).toBe(200)
    expect((await browser.send('POST', '/vault/social/finish', { resultUri })).body.code).toBe('social/failed')
    expect(await resultOf(browser, callback)).toContain('error=social%2Ffailed')
  })

  test('a code that was issued to another browser is rejected', async () => {
    const thief = keys.browser()
    const { body } = await thief.send('POST', '/vault/social/google', {})
    const callback = await atProvider(body.uri, { answer: 'yes', email: 'thief@people.example', name: 'T' })
    const victim = keys.browser()
    await victim.send('POST', '/vault/social/google', {})
    const before = asked.length
    expect(await resultOf(victim, callback)).toContain('error=social%2Ffailed')
    expect(asked).toHaveLength(before)
    expect((await victim.send('GET', '/vault/me')).body.code).toBe('session/none')
  })

  test('a tampered redirect fails, whichever part was changed', async () => {
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

  test('an id token from another flow is rejected, even with a valid signature', async () => {
    await signIn(keys.browser(), 'google', { email: 'first@people.example', name: 'F' })
    replay = true
    const answer = await signIn(keys.browser(), 'google', { email: 'second@people.example', name: 'S' })
    replay = false
    expect(answer.body.code).toBe('social/failed')
    expect((await signIn(keys.browser(), 'google', { email: 'second@people.example', name: 'S' })).status).toBe(200)
  })

  test('declining at the provider is reported as declined', async () => {
    for (const provider of ['google', 'facebook']) {
      const browser = keys.browser()
      const { body } = await browser.send('POST', `/vault/social/${provider}`, {})
      const resultUri = await resultOf(browser, await atProvider(body.uri, { answer: 'no' }))
      expect(resultUri).toContain('error=')
      expect((await browser.send('POST', '/vault/social/finish', { resultUri })).body.code).toBe('social/declined')
    }
  })

  test('a result from another origin or another page of the keys origin is rejected', async () => {
    const browser = keys.browser()
    for (const resultUri of [
      'https://evil.example/vault/social/done?ticket=a',
      `${origin}/vault/me?ticket=a`,
      'ticket',
    ])
      expect((await browser.send('POST', '/vault/social/finish', { resultUri })).body.code).toBe('social/failed')
    expect((await browser.send('POST', '/vault/social/myspace', {})).body.code).toBe('social/unknown-provider')
  })

  test('the popup posts its result to the page that the frame named, if a project lists it [R7.1]', async () => {
    const opener = async (named: string): Promise<string> => {
      const browser = keys.browser()
      await browser.send('POST', '/vault/social/google', { opener: named })
      return (await browser.visit('/vault/social/done?error=social%2Ffailed')).text()
    }
    expect(await opener('https://shop.example')).toContain('data-opener="https://shop.example"')
    expect(await opener('https://evil.example')).not.toContain('evil')
    expect(await opener('https://shop.example" onload="x')).not.toContain('onload')
  })

  test('the log contains no personal data', () => {
    expect(keys.log.length).toBeGreaterThan(20)
    expect(keys.log.join('\n')).not.toMatch(/people\.example|ticket=|state=|203\.0\.113/)
  })
})
