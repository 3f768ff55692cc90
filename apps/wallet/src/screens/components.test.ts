import type { Verdict } from '@latchkey/walletconnect/verify'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OriginWarning, Requester } from './components.tsx'

const from = { name: 'Shop', description: '', url: 'https://shop.example', icons: [] }
const drawn = (verdict: Verdict | undefined): string =>
  renderToStaticMarkup(createElement(OriginWarning, { verdict })) +
  renderToStaticMarkup(createElement(Requester, { from, wants: 'wants to connect', verdict }))

test('a page that the verify service has seen gets a plain line, which says that a program can fool it', () => {
  const html = drawn('valid')
  expect(html).toContain('a program can fool it')
  expect(html).not.toContain('data-tone')
  expect(html).not.toContain('role="alert"')
})

test.each([
  ['invalid', 'This is not the page that it says it is'],
  ['scam', 'This page is known to take what is yours'],
] as const)('a page judged %s is warned of, and nothing beside it says otherwise', (verdict, title) => {
  const html = drawn(verdict)
  expect(html).toContain(title)
  expect(html).not.toContain('nobody has checked it')
  expect(html).not.toContain('saw it there')
})

test.each([undefined, 'unknown'] as const)('of a page judged %s, nobody has checked what it says', (verdict) => {
  expect(drawn(verdict)).toContain('nobody has checked it')
})
