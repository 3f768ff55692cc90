import type { Wallet } from '@latchkey/protocol/http/contract'
import { describe, expect, test } from 'vitest'
import { createLog } from '../lib/log.ts'
import { fakeClock, fakeFetch } from '../testing/index.ts'
import { createDirectory } from './client.ts'

function directory(answer: () => unknown, { featured }: { readonly featured?: readonly string[] } = {}) {
  const server = fakeFetch({
    '/getWalletImage': answer,
    '/getWallets': ({ url }) => {
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
    clock: fakeClock(),
    log: createLog({ now: () => 0, level: 'silent' }),
    mobile: () => false,
    chains: [],
    featured,
    excluded: () => {},
    searched: () => {},
    refused: () => {},
  })
  return { ...made, server }
}
const wallet: Pick<Wallet, 'image_id' | 'image_url'> = { image_id: 'logo' }
const answered = (type: string, body: BodyInit = 'x') => new Response(body, { headers: { 'content-type': type } })

describe('what Connect asks for', () => {
  const none = () => undefined
  const asked = ({ server }: ReturnType<typeof directory>, name: string) =>
    server.to('/getWallets').map(({ url }) => url.searchParams.get(name))

  test('as many featured wallets as the host names, in its order, and four to recommend beside them [R7.3]', async () => {
    const made = directory(none, { featured: ['b', 'a', 'c'] })
    await made.prefetch()
    expect(asked(made, 'entries').sort()).toEqual(['3', '4'])
    const recommended = asked(made, 'entries').indexOf('4')
    expect(asked(made, 'exclude')[recommended]).toBe('b,a,c')
    expect(made.state.get().featured).toMatchObject({ value: [{ id: 'b' }, { id: 'a' }, { id: 'c' }] })
  })

  test('no featured wallets where the host names none: the four are those to recommend [R7.3]', async () => {
    const made = directory(none)
    await made.prefetch()
    expect(asked(made, 'entries')).toEqual(['4'])
  })
})

describe('a picture of a directory that lies', () => {
  test.each(['image/png', 'image/webp', 'image/jpeg; q=1', 'IMAGE/GIF'])('%s is drawn', async (type) => {
    expect(await directory(() => answered(type)).walletImage(wallet)).toMatch(/^blob:/)
  })

  // A blob: URL of ours is of the page's own origin: opened in a tab, a drawing with a script would run there.
  test('a drawing never stands at an address of the page', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    const shown = await directory(() => answered('image/svg+xml; charset=utf-8', svg)).walletImage(wallet)
    expect(shown).toBe(`data:image/svg+xml,${encodeURIComponent(svg)}`)
  })

  test.each(['text/html', 'image/x+xml', 'application/xhtml+xml', 'image/svg+xml+html', ''])(
    '%o is no picture',
    async (type) => {
      expect(await directory(() => answered(type)).walletImage(wallet)).toBeUndefined()
    },
  )

  test('one without an end is not read to its end', async () => {
    let sent = 0
    let left = false
    const endless = new ReadableStream<Uint8Array>({
      pull(stream) {
        // Far more than is believed; a reader that goes on gets it all.
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
