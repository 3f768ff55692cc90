import { expect, test } from 'vitest'
import { linkTarget, pairingLink, requestLink } from './deepLink.ts'

const uri = 'wc:a@2?x=1'
const once = 'wc%3Aa%402%3Fx%3D1'
const page = { telegram: false, android: false, framed: false, mobile: true }

test.each([
  ['metamask:', 'metamask://'],
  ['rainbow', 'rainbow://'],
  ['trust://', 'trust://'],
  ['foo://bar', 'foo://bar/'],
  ['https://w.app', 'https://w.app/'],
  ['https://w.app/', 'https://w.app/'],
])('the app at %s is opened with %s', (app, href) => {
  expect(pairingLink({ app, uri }, page)).toEqual({ redirect: `${href}wc?uri=${once}`, href })
})

test('a universal link opens the same pairing', () => {
  const { universal } = pairingLink({ app: 'w:', universal: 'https://w.app', uri }, page)
  expect(universal).toBe(`https://w.app/wc?uri=${once}`)
})

test('the pairing URI is encoded twice in Telegram on Android, and once in Telegram on iOS', () => {
  const twice = encodeURIComponent(once)
  expect(pairingLink({ app: 'w:', uri }, { telegram: true, android: true }).redirect).toBe(`w://wc?uri=${twice}`)
  expect(pairingLink({ app: 'w:', uri }, { telegram: true, android: false }).redirect).toBe(`w://wc?uri=${once}`)
})

test.each([
  ['on a phone', {}, '_self'],
  ['on a phone, in a frame', { framed: true }, '_top'],
  ['in Telegram', { telegram: true }, '_blank'],
  ['on desktop', { mobile: false }, '_blank'],
] as const)('%s, a wallet opens in %s', (_, more, target) => {
  expect(linkTarget({ ...page, ...more })).toBe(target)
})

test.each([
  ['https://w.app/', {}, 'https://w.app/wc?requestId=7&sessionTopic=ab', '_blank'],
  ['metamask://', {}, 'metamask://wc?requestId=7&sessionTopic=ab', '_self'],
  ['metamask://', { framed: true }, 'metamask://wc?requestId=7&sessionTopic=ab', '_top'],
  ['metamask://', { telegram: true }, 'metamask://wc?requestId=7&sessionTopic=ab', '_blank'],
  ['https://t.me/wallet', {}, `https://t.me/wallet?startapp=d2M_cmVxdWVzdElkPTcmc2Vzc2lvblRvcGljPWFi`, '_blank'],
] as const)('a request reopens the wallet at %s in the environment %o', (href, more, url, target) => {
  expect(requestLink({ href, requestId: 7, topic: 'ab' }, { ...page, ...more })).toEqual({ url, target })
})
