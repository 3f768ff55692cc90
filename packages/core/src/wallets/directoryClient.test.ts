import type { Wallet } from '@latchkey/protocol/http/publicRoutes'
import { describe, expect, test } from 'vitest'
import { createLog } from '../lib/log.ts'
import { fakeClock, fakeFetch } from '../testing/index.ts'
import { createDirectory } from './directoryClient.ts'

function directory(
  answer: () => unknown,
  {
    featured,
    wallets,
    clock = fakeClock(),
    hostImages,
    log = createLog({ now: () => 0, level: 'silent' }),
  }: {
    readonly featured?: readonly string[]
    readonly wallets?: (page: number) => unknown
    readonly clock?: ReturnType<typeof fakeClock>
    readonly hostImages?: readonly string[]
    readonly log?: ReturnType<typeof createLog>
  } = {},
) {
  const server = fakeFetch({
    '/getWalletImage': answer,
    '/logo.svg': answer,
    '/projects/v1/origins': () => ({ allowedOrigins: [] }),
    '/getWallets': ({ url }) => {
      if (wallets) return wallets(Number(url.searchParams.get('page')))
      const data = (url.searchParams.get('include') ?? 'x')
        .split(',')
        .sort()
        .map((id) => ({ id, name: id }))
      return { data, count: data.length }
    },
  })
  const made = createDirectory({
    url: 'https://connect.example',
    projectId: 'test',
    fetch: server.fetch,
    clock,
    log,
    mobile: () => false,
    chains: [],
    featured,
    hostImages,
    excluded: () => {},
    searched: () => {},
    refused: () => {},
  })
  return { ...made, server }
}
const wallet: Pick<Wallet, 'image_id' | 'image_url'> = { image_id: 'logo' }
const answered = (type: string, body: BodyInit = 'x') => new Response(body, { headers: { 'content-type': type } })

describe('the lists that the connect view requests', () => {
  const none = () => undefined
  const requests = ({ server }: ReturnType<typeof directory>, name: string) =>
    server.to('/getWallets').map(({ url }) => url.searchParams.get(name))

  test('contain the featured wallets in the host’s order, and four recommended wallets [R7.3]', async () => {
    const made = directory(none, { featured: ['b', 'a', 'c'] })
    await made.prefetch()
    expect(requests(made, 'entries').sort()).toEqual(['3', '4'])
    const recommended = requests(made, 'entries').indexOf('4')
    expect(requests(made, 'exclude')[recommended]).toBe('b,a,c')
    expect(made.state.get().featured).toMatchObject({ value: [{ id: 'b' }, { id: 'a' }, { id: 'c' }] })
  })

  test('contain only four recommended wallets if the host features no wallets [R7.3]', async () => {
    const made = directory(none)
    await made.prefetch()
    expect(requests(made, 'entries')).toEqual(['4'])
  })

  test('contain no recommended wallets until they are needed, and they are then requested once', async () => {
    const made = directory(none, { featured: ['b', 'a', 'c'] })
    await made.prefetch({ recommended: false })
    expect(requests(made, 'entries')).toEqual(['3'])
    await Promise.all([made.prefetch({ recommended: false }), made.prefetch(), made.prefetch()])
    await made.prefetch()
    expect(requests(made, 'entries')).toEqual(['3', '4'])
  })
})

describe('a missing server', () => {
  test.each([
    ['cannot be reached', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['is a different site', () => new Response('<!doctype html>')],
    ['does not have Latchkey’s endpoints', () => new Response('', { status: 404 })],
  ])('is reported to the developer once, in a single line, if the server %s', async (_, wallets) => {
    const log = createLog({ now: () => 0, level: 'silent' })
    const made = directory(() => undefined, { wallets, log })
    await made.prefetch()
    await made.nextPage()
    await made.nextPage()
    const errors = log.entries().filter(({ level }) => level === 'error')
    expect(errors).toHaveLength(1)
    expect(errors[0]?.text).toMatch(
      /^No Latchkey server responds at https:\/\/connect\.example\. .*"server".*connect-src/,
    )
  })

  test('is not reported if a list failed for a different reason', async () => {
    const log = createLog({ now: () => 0, level: 'silent' })
    const made = directory(() => undefined, { wallets: () => new Response('', { status: 503 }), log })
    await made.prefetch()
    expect(log.entries().filter(({ level }) => level === 'error')).toEqual([])
  })
})

describe('an image from a malicious directory', () => {
  test.each(['image/png', 'image/webp', 'image/jpeg; q=1', 'IMAGE/GIF'])('of type %s is displayed', async (type) => {
    expect(await directory(() => answered(type)).walletImage(wallet)).toMatch(/^blob:/)
  })

  // Our blob: URLs have the page's origin. A script in an SVG would run with that origin if the image were opened in a tab.
  test('never gets a URL with the page’s origin if it is an SVG', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const shown = await directory(() => answered('image/svg+xml; charset=utf-8', svg)).walletImage(wallet)
    expect(shown).toBe(`data:image/svg+xml,${encodeURIComponent(svg)}`)
  })

  const drawing = (inside: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inside}</svg>`
  const multiplied = Array.from(
    { length: 5 },
    (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`,
  )
  test.each([
    ['elements that multiply by reuse', drawing(multiplied.join(''))],
    [
      'elements that multiply by reuse, with a namespace prefix',
      drawing(multiplied.join('').replaceAll('<use', '<s:use')),
    ],
    ['nested patterns', drawing('<pattern id="p" fill="url(#q)"/>'.repeat(20))],
    ['entities', `<!DOCTYPE svg [<!ENTITY a "<g/>">]>${drawing('&a;')}`],
    ['an embedded SVG', drawing('<image href="data:image/svg+xml;base64,AAAA"/>')],
    ['embedded HTML', drawing('<foreignObject><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>')],
    ['character references', drawing('<image href="data:image/sv&#103;+xml,x"/>')],
    ['a different character encoding', drawing('<us\u001b(Be href="#a"/>')],
    ['an unreasonable number of elements', drawing('<rect width="1" height="1"/>'.repeat(10_000))],
  ])('is not displayed if it is an SVG that could take minutes to render: %s', async (_, svg) => {
    expect(await directory(() => answered('image/svg+xml', svg)).walletImage(wallet)).toBeUndefined()
  })

  test('is displayed if it is an SVG with the elements that logos typically use [R7.4]', async () => {
    const svg = drawing(
      '<defs><linearGradient id="a"/><clipPath id="b"><path d="M0 0h9v9z"/></clipPath></defs><g clip-path="url(#b)"><use href="#c"/></g>',
    )
    expect(await directory(() => answered('image/svg+xml', svg)).walletImage(wallet)).toMatch(/^data:/)
  })

  test('that a wallet entry links to is checked in the same way, but an image from the host is not', async () => {
    const named = { image_url: 'https://pictures.example/logo.svg' }
    expect(await directory(() => answered('image/png')).walletImage(named)).toMatch(/^blob:/)
    expect(await directory(() => answered('image/svg+xml', multiplied.join(''))).walletImage(named)).toBeUndefined()
    const own = directory(() => answered('text/html'), { hostImages: [named.image_url] })
    expect(await own.walletImage(named)).toBe(named.image_url)
  })

  test.each(['text/html', 'image/x+xml', 'application/xhtml+xml', 'image/svg+xml+html', ''])(
    'is rejected if its type is %o',
    async (type) => {
      expect(await directory(() => answered(type)).walletImage(wallet)).toBeUndefined()
    },
  )

  test('is fetched only once if it is invalid, even if it becomes visible repeatedly', async () => {
    const made = directory(() => answered('text/html'))
    for (const _ of [1, 2, 3]) expect(await made.walletImage(wallet)).toBeUndefined()
    expect(made.server.to('/getWalletImage')).toHaveLength(1)
  })

  test('is read only up to a size limit if it is endless', async () => {
    let sent = 0
    let left = false
    const endless = new ReadableStream<Uint8Array>({
      pull(stream) {
        // 64 MB is far above the limit. Only a reader without a limit would read all of it.
        if (++sent > 64) return stream.close()
        stream.enqueue(new Uint8Array(1_000_000))
      },
      cancel() {
        left = true
      },
    })
    const shown = await directory(() => answered('image/png', endless)).walletImage(wallet)
    expect(shown).toBeUndefined()
    expect(left || sent < 64).toBe(true)
  })
})

describe('pages from a malicious directory', () => {
  const page = (ids: readonly string[], count: number) => ({ data: ids.map((id) => ({ id, name: id })), count })
  const pagesOf = ({ state }: ReturnType<typeof directory>) => state.get().pages
  /** Loads pages repeatedly, like a list whose placeholders stay visible. Returns the number of requests. */
  async function seeAll(made: ReturnType<typeof directory>): Promise<number> {
    for (let times = 0; times < 60; times += 1) await made.nextPage()
    return made.server.to('/getWallets').length
  }

  test('end with an empty page, regardless of the count', async () => {
    const made = directory(() => undefined, { wallets: (at) => page(at === 1 ? ['a'] : [], 1_000_000) })
    expect(await seeAll(made)).toBe(2)
    expect(pagesOf(made)).toMatchObject({ status: 'ready', value: { count: 1 } })
  })

  test('end if the same page is returned repeatedly', async () => {
    const made = directory(() => undefined, { wallets: () => page(['a', 'b'], 1_000_000) })
    expect(await seeAll(made)).toBeLessThan(20)
    expect(pagesOf(made)).toMatchObject({ value: { wallets: [{ id: 'a' }, { id: 'b' }], count: 2 } })
  })

  test('report at most 100,000 wallets in total', async () => {
    const made = directory(() => undefined, { wallets: () => page(['a'], 1e308) })
    await made.nextPage()
    expect(pagesOf(made)).toMatchObject({ value: { count: 100_000 } })
  })

  test('with more than 100,000 invalid items are rejected', async () => {
    const items = `[${'{},'.repeat(150_000)}{}]`
    const made = directory(() => undefined, {
      wallets: () => new Response(`{"data":[{"id":"a","name":"a","injected":${items}}],"count":1}`),
    })
    await made.nextPage()
    expect(pagesOf(made)).toMatchObject({ status: 'failed', error: { code: 'http/malformed' } })
  })

  test('fail after 20 seconds if they never arrive or never end, and can be requested again', async () => {
    const clock = fakeClock()
    const drip = new ReadableStream<Uint8Array>({ start: (stream) => stream.enqueue(new Uint8Array([32])) })
    const answers: unknown[] = [new Promise(() => {}), new Response(drip), page(['a'], 1)]
    const made = directory(() => undefined, { clock, wallets: () => answers.shift() })
    for (const _ of [1, 2]) {
      const requests = made.nextPage()
      await clock.pass(20_000)
      await requests
      expect(pagesOf(made)).toMatchObject({ status: 'failed', error: { code: 'http/unreachable' } })
    }
    await made.nextPage()
    expect(pagesOf(made)).toMatchObject({ status: 'ready', value: { wallets: [{ id: 'a' }] } })
  })

  test('fail with an error that contains the delay requested by a busy server', async () => {
    const headers = { 'retry-after': '30' }
    const made = directory(() => undefined, { wallets: () => new Response('', { status: 503, headers }) })
    await made.nextPage()
    expect(pagesOf(made)).toMatchObject({
      status: 'failed',
      error: { code: 'http/failed', details: { status: 503, retryAfterMs: 30_000 } },
    })
  })

  test('have bidirectional controls and invisible characters removed from names', async () => {
    const data = [
      { id: '1', name: 'Safe\u202eksaMateM' },
      { id: '2', name: 'Meta\u200bMask' },
      { id: '3', name: `Z${'\u0301'.repeat(60)}` },
      { id: '4', name: '\u200b\u3164' },
      { id: '5', name: 'W'.repeat(200) },
    ]
    const made = directory(() => undefined, { wallets: () => ({ data, count: 5 }) })
    await made.nextPage()
    expect(pagesOf(made)).toMatchObject({
      value: {
        wallets: [
          { name: 'SafeksaMateM' },
          { name: 'MetaMask' },
          { name: 'Ź\u0301\u0301' },
          { name: 'Wallet' },
          { name: 'W'.repeat(40) },
        ],
      },
    })
  })
})
