import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { resignSessionCookie } from './resignSessionCookie.ts'

const signed = (token: string, secret: string): string =>
  encodeURIComponent(`${token}.${createHmac('sha256', secret).update(token).digest('base64')}`)
const resigned = (cookie: string): string | null =>
  resignSessionCookie(new Headers({ cookie }), { cookieName: 'session', secrets: ['new', 'old', 'oldest'] }).get(
    'cookie',
  )

test('signs a cookie again with the newest secret if an older secret signed it', () => {
  expect(resigned(`session=${signed('token', 'old')}`)).toBe(`session=${signed('token', 'new')}`)
  expect(resigned(`other=1; session=${signed('token', 'oldest')}`)).toBe(`session=${signed('token', 'new')}`)
})

test.each([
  ['signed with the newest secret', `session=${signed('token', 'new')}`],
  ['signed with an unknown secret', `session=${signed('token', 'stolen')}`],
  ['without a signature', 'session=token'],
  ['that cannot be decoded', 'session=%E0%A4%A'],
  ['with a different name', `other=${signed('token', 'old')}`],
])('leaves a cookie %s unchanged', (_, cookie) => {
  expect(resigned(cookie)).toBe(cookie)
})
