import { expect, test } from 'vitest'
import { offeredSocials } from './offeredSocials.ts'

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15'
const android = 'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36'

const page = (userAgent: string, { hash = '#tgWebAppData=x', maxTouchPoints = 0 } = {}) =>
  ({ location: { hash }, navigator: { userAgent, maxTouchPoints } }) as unknown as Window
const missing = (where: Window) => {
  const offered = offeredSocials({}, {}, where)
  return (['google', 'apple', 'x', 'discord', 'github', 'facebook', 'farcaster'] as const).filter(
    (provider) => !offered.includes(provider),
  )
}

test.each<[string, Window, readonly string[]]>([
  ['on an iPhone', page(iphone), ['google']],
  ['on an iPad', page(mac, { maxTouchPoints: 5 }), ['google']],
  ['on a Mac', page(mac), ['x']],
  ['on Android', page(android), ['x', 'facebook']],
  ['on Windows', page(windows), []],
])('in Telegram %s, providers that do not support the webview are not offered', (_, where, expected) => {
  expect(missing(where)).toEqual(expected)
})

test.each([iphone, mac, android])('all providers are offered outside Telegram: %s', (userAgent) => {
  expect(missing(page(userAgent, { hash: '' }))).toEqual([])
})
