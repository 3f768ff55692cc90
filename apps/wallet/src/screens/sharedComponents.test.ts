import type { Verdict } from '@latchkey/walletconnect/verify'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OriginWarning, Requester } from './sharedComponents.tsx'

const from = { name: 'Shop', description: '', url: 'https://shop.example', icons: [] }
const drawn = (verdict: Verdict | undefined): string =>
  renderToStaticMarkup(createElement(OriginWarning, { verdict })) +
  renderToStaticMarkup(createElement(Requester, { from, wants: 'wants to connect', verdict }))

test('shows a verified origin as plain text, with a note that the origin can be faked', () => {
  const html = drawn('valid')
  expect(html).toContain('the service can be deceived')
  expect(html).not.toContain('data-tone')
  expect(html).not.toContain('role="alert"')
})

test.each([
  ['invalid', 'This page is not what it claims to be'],
  ['scam', 'This page is a known scam'],
] as const)('warns about a page with the verdict %s, without a reassuring note', (verdict, title) => {
  const html = drawn(verdict)
  expect(html).toContain(title)
  expect(html).not.toContain('not verified')
  expect(html).not.toContain('has confirmed it')
})

test.each([
  ['http://shop.example', true],
  ['http://127.0.0.1.shop.example', true],
  ['http://127.shop.example:8080', true],
  ['https://shop.example', false],
  ['http://127.0.0.1:5173', false],
  ['http://shop.localhost:5173', false],
])('shows whether the address %s is not secure: %s', (url, warns) => {
  const html = renderToStaticMarkup(createElement(Requester, { from: { ...from, url }, wants: 'wants to connect' }))
  expect(html.includes('does not use HTTPS')).toBe(warns)
})

test.each([undefined, 'unknown'] as const)('shows a page with the verdict %s as unverified', (verdict) => {
  expect(drawn(verdict)).toContain('not verified')
})
