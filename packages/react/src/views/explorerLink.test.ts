import type { Network } from '@latchkey/core/adapter'
import { expect, test } from 'vitest'
import { explorerLink } from './explorerLink.ts'

const at = (url: string) => ({ blockExplorers: { default: { name: 'Scan', url } } }) as unknown as Network

test.each([
  ['https://scan.example', 'https://scan.example/tx/0xaa'],
  ['https://scan.example/base/', 'https://scan.example/base/tx/0xaa'],
  ['https://scan.example/?cluster=devnet', 'https://scan.example/tx/0xaa?cluster=devnet'],
])('explorerLink on %s returns %s', (url, href) => {
  expect(explorerLink(at(url), 'tx', '0xaa')).toEqual({ href, name: 'Scan' })
})

test('explorerLink cannot leave the explorer’s site, and is undefined without a valid explorer', () => {
  expect(explorerLink(at('https://scan.example'), 'token', '../../x?y#z')?.href).toBe(
    'https://scan.example/token/..%2F..%2Fx%3Fy%23z',
  )
  for (const url of [
    'javascript:alert(1)',
    'https://scan.example@evil.example/',
    'ftp://scan.example',
    'https:\\\\evil.example',
  ])
    expect(explorerLink(at(url), 'tx', '0xaa')).toBeUndefined()
  expect(explorerLink(undefined, 'tx', '0xaa')).toBeUndefined()
})
