import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { expect, test, vi } from 'vitest'
import { fakeClock } from '../testing/index.ts'
import { createWalletImages } from './walletImages.ts'

function imagesOf(load: (key: string) => Promise<string>) {
  const clock = fakeClock()
  const page = new AbortController()
  const requested: string[] = []
  const request = (key: string) => {
    requested.push(key)
    return load(key)
  }
  const images = createWalletImages({
    requests: { image: (kind, id) => request(`${kind}/${id}`), imageAt: request },
    clock,
    log: { debug() {} },
    signal: page.signal,
    hostImages: ['https://shop.example/own.png'],
  })
  return { images, clock, page, requested }
}

test('an image is requested only once, unless it was unreachable', async () => {
  const failures = [
    new LatchkeyError('http/unreachable', { url: 'https://connect.example' }),
    new LatchkeyError('http/malformed', { url: 'https://connect.example' }),
  ]
  const { images, requested } = imagesOf(async () => {
    throw failures.shift()
  })
  expect(await images.image('asset', '1')).toBeUndefined()
  expect(await images.image('asset', '1')).toBeUndefined()
  expect(await images.image('asset', '1')).toBeUndefined()
  expect(requested).toEqual(['asset/1', 'asset/1'])
})

test('the host’s own image is displayed without a request, and any other image is requested', async () => {
  const { images, requested } = imagesOf(async (key) => `blob:${key}`)
  expect(await images.walletImage({ image_url: 'https://shop.example/own.png' })).toBe('https://shop.example/own.png')
  expect(await images.walletImage({ image_url: 'https://cdn.example/a.png' })).toBe('blob:https://cdn.example/a.png')
  expect(await images.walletImage({ image_id: 'a' })).toBe('blob:wallet/a')
  expect(requested).toEqual(['https://cdn.example/a.png', 'wallet/a'])
})

test('preloading does not wait longer than two seconds for an image', async () => {
  const { images, clock } = imagesOf(() => new Promise(() => {}))
  let isDone = false
  void images.preload([{ id: 'a', name: 'A', image_id: 'a' }]).then(() => {
    isDone = true
  })
  await clock.pass(1_999)
  expect(isDone).toBe(false)
  await clock.pass(1)
  expect(isDone).toBe(true)
})

test('stopping releases the images, including an image that arrives later', async () => {
  const revoke = vi.spyOn(URL, 'revokeObjectURL')
  let arrive = (_: string) => {}
  const { images, clock, page } = imagesOf((key) =>
    key === 'asset/late'
      ? new Promise((resolve) => {
          arrive = resolve
        })
      : Promise.resolve(`blob:${key}`),
  )
  await images.image('asset', '1')
  const late = images.image('asset', 'late')
  page.abort()
  images.stop()
  arrive('blob:late')
  expect(await late).toBeUndefined()
  await clock.pass(0)
  expect(revoke.mock.calls.flat()).toEqual(expect.arrayContaining(['blob:asset/1', 'blob:late']))
  revoke.mockRestore()
})
