import { expect, test } from 'vitest'
import * as limits from './limits.ts'

const named = new Map<string, unknown>(Object.entries(limits))

test('the issuer’s USDT is known by chain, without case [R9.10]', () => {
  const mainnet = '0xdAC17F958D2ee523a2206206994597C13D831ec7'
  expect(limits.isUsdt('eip155:1', mainnet)).toBe(true)
  expect(limits.isUsdt('eip155:1', mainnet.toLowerCase())).toBe(true)
  expect(limits.isUsdt('eip155:10', mainnet)).toBe(false)
  expect(limits.isUsdt('constructor', 'x')).toBe(false)
  for (const address of Object.values(limits.usdtContracts)) expect(address).toMatch(/^0x[0-9a-f]{40}$/)
})

test.each<[zone: string | undefined, restricted: boolean]>([
  ['Asia/Shanghai', true],
  ['Asia/Urumqi', true],
  ['Asia/Hong_Kong', true],
  ['Asia/Macau', true],
  ['PRC', true],
  ['Hongkong', true],
  ['Asia/Chongqing', true],
  ['Asia/Chungking', true],
  ['Asia/Harbin', true],
  ['Asia/Kashgar', true],
  ['Asia/Macao', true],
  ['Asia/Taipei', false],
  ['Asia/Singapore', false],
  ['UTC', false],
  ['', false],
  [undefined, false],
])('the zone %s is restricted: %s [R6.5]', (zone, restricted) => {
  expect(limits.isRestrictedTimeZone(zone)).toBe(restricted)
})

test('every restricted zone is one that a browser can report [R6.5]', () => {
  for (const timeZone of limits.restrictedTimeZones) {
    expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow()
  }
})

test('well-known directory ids are whole', () => {
  const ids = [...named].flatMap(([name, value]) => (/WalletIds?$/.test(name) ? (value as string | string[]) : []))
  expect(ids.length).toBe(11)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{64}$/)
  expect(limits.coinbaseWalletIds[0]).toBe(limits.coinbaseWalletId)
  for (const id of [...Object.values(limits.networkImageIds), ...Object.values(limits.connectorImageIds)]) {
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  }
})
