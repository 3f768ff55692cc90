import { expect, test } from 'vitest'
import { canCarrySecret } from './safeLinks.ts'

test.each([
  ['https://wallet.example/wc?uri=x', true],
  ['wallet://wc?uri=x', true],
  ['http://localhost:4100/#/wc?uri=x', true],
  ['http://wallet.demo.localhost:4100/#/wc?uri=x', true],
  ['http://wallet.example/wc?uri=x', false],
  ['https://wallet.example@evil.example/wc?uri=x', false],
  ['https://user:word@wallet.example/wc?uri=x', false],
  ['https:///wc?uri=x', false],
  ['javascript:alert(1)', false],
  ['intent://wc#Intent;end', false],
])('the link %s can carry a secret: %s', (link, may) => {
  expect(canCarrySecret(link)).toBe(may)
})
