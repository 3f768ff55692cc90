import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { resignSessionCookie } from './sessionCookie.ts'

const signed = (token: string, secret: string): string =>
  encodeURIComponent(`${token}.${createHmac('sha256', secret).update(token).digest('base64')}`)
const resigned = (cookie: string): string | null =>
  resignSessionCookie(new Headers({ cookie }), { cookieName: 'session', secrets: ['new', 'old', 'oldest'] }).get(
    'cookie',
  )

test('a cookie signed with an older secret is signed again with the newest one', () => {
  expect(resigned(`session=${signed('token', 'old')}`)).toBe(`session=${signed('token', 'new')}`)
  expect(resigned(`other=1; session=${signed('token', 'oldest')}`)).toBe(`session=${signed('token', 'new')}`)
})

test.each([
  ['of the newest secret', `session=${signed('token', 'new')}`],
  ['of another secret', `session=${signed('token', 'stolen')}`],
  ['without a signature', 'session=token'],
  ['that cannot be decoded', 'session=%E0%A4%A'],
  ['of another name', `other=${signed('token', 'old')}`],
])('a cookie %s is left as it is', (_, cookie) => {
  expect(resigned(cookie)).toBe(cookie)
})
