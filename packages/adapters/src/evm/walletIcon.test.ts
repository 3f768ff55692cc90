import { describe, expect, test } from 'vitest'
import { hostIcon, safeIcon } from './walletIcon.ts'

describe('wallet icons', () => {
  test.each([
    'data:image/png;base64,AAAA',
    'data:image/svg+xml,%3Csvg/%3E',
    'data:image/svg+xml;utf8,<svg/>',
    'data:image/svg+xml;charset=utf-8;base64,AAAA',
    '\ndata:image/webp;base64,AAAA\n',
  ])('accepts %o', (icon) => {
    expect(safeIcon(icon)).toBe(icon.trim())
  })

  test.each([
    'https://evil.example/track.png',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'data:image/svg+xml;base64',
    'data:image/../text/html,x',
    `data:image/png;base64,${'A'.repeat(128 * 1024)}`,
    undefined,
    {},
  ])('rejects %s', (icon) => {
    expect(safeIcon(icon)).toBeUndefined()
  })

  test('accepts https URLs for configured icons', () => {
    expect(hostIcon('https://a.example/i.png')).toBe('https://a.example/i.png')
    expect(hostIcon('http://a.example/i.png')).toBeUndefined()
    expect(hostIcon({ toString: () => 'https://a.example/i.png' })).toBeUndefined()
  })
})
