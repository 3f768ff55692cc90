import type { Wallet } from '@latchkey/protocol/http/contract'
import { describe, expect, test } from 'vitest'
import { createLog } from '../lib/log.ts'
import { fakeClock, fakeFetch } from '../testing/index.ts'
import { createDirectory } from './client.ts'

function directory(answer: () => unknown) {
  const server = fakeFetch({ '/getWalletImage': answer })
  const made = createDirectory({
    url: 'https://connect.example',
    projectId: 'test',
    fetch: server.fetch,
    clock: fakeClock(),
    log: createLog({ now: () => 0, level: 'silent' }),
    mobile: () => false,
    chains: [],
    excluded: () => {},
    searched: () => {},
    refused: () => {},
  })
  return { ...made, server }
}
const wallet: Pick<Wallet, 'image_id' | 'image_url'> = { image_id: 'logo' }
const answered = (type: string, body: BodyInit = 'x') => new Response(body, { headers: { 'content-type': type } })

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
