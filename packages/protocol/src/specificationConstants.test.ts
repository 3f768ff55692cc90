import { expect, test } from 'vitest'
import * as limits from './specificationConstants.ts'

const named = new Map<string, unknown>(Object.entries(limits))

// The values in section 9 of the specification. The tests for how each value is used are next to the code that uses it.
test.each<[name: string, value: unknown, row: string]>([
  ['frameLoadTimeoutMs', 20_000, 'R9.1'],
  ['frameRequestTimeoutMs', 30_000, 'R9.1'],
  ['signOutTimeoutMs', 3_000, 'R9.1'],
  ['pairingExpiryMs', 4 * 60_000, 'R9.3'],
  ['retryGapMs', 1_000, 'R9.3'],
  ['heartbeatMs', 5_000, 'R9.3'],
  ['portfolioCacheMs', 30_000, 'R9.5'],
  ['nativeBalanceCacheMs', 30_000, 'R9.5'],
  ['ensCacheMs', 300_000, 'R9.5'],
  ['identityCacheMs', 300_000, 'R9.5'],
  ['defaultLogLevel', 'error', 'R9.12'],
  ['frameSdkVersion', '4', 'R9.12'],
  ['logBufferBytes', 1_000_000, 'R9.12'],
  ['errorReportsPerMinute', 5, 'R9.12'],
  ['balanceRetryGapMs', 30_000, 'R9.12'],
  ['identificationCacheS', 3_600, 'R9.13'],
  ['maxIdentificationCacheS', 86_400, 'R9.13'],
  ['maxIdentificationAttempts', 5, 'R9.13'],
  ['maxIdentificationBackoffMs', 3_000, 'R9.13'],
  ['minPairingLifeMs', 10_000, 'R9.14'],
  ['pollMs', 10_000, 'R9.14'],
  ['popupPollMs', 1_000, 'R9.14'],
  ['imagePreloadMs', 2_000, 'R9.15'],
  ['minSearchMs', 300, 'R9.15'],
  ['shakeMs', 500, 'R9.15'],
  ['debounceMs', 500, 'R9.15'],
  ['toastSwapMs', 150, 'R9.15'],
  ['prefetchedImages', 20, 'R9.15'],
  ['maxRecentWallets', 2, 'R9.15'],
  ['frameReadyDelayMs', 500, 'R4.1'],
  ['emailThrottleMs', 30_000, 'R5.4'],
  ['recommendedPageSize', 4, 'R7.3'],
  ['walletsPageSize', 40, 'R7.3'],
  ['searchPageSize', 100, 'R7.3'],
  ['httpForbidden', 403, 'R8.13'],
  ['httpUnavailable', 503, 'R8.13'],
  ['storageVersion', 1, 'R3.19'],
])('%s is %o [%s]', (name, value) => {
  expect(named.get(name)).toEqual(value)
})

test('the default account types match the specification [R9.8]', () => {
  expect(limits.defaultAccountTypes).toEqual({
    eip155: 'smartAccount',
    solana: 'eoa',
    polkadot: 'eoa',
    bip122: 'payment',
  })
})

test('the connect methods are in the specified order [R9.11]', () => {
  expect(limits.connectMethodsWithWallet).toEqual(['wallet', 'email', 'social'])
  expect(limits.connectMethodsWithoutWallet).toEqual(['email', 'social', 'wallet'])
})

test('the connector IDs match the specification [R3.13]', () => {
  expect(limits.connectorIds.join(' ')).toBe(
    'walletConnect injected announced coinbaseWallet coinbaseWalletSDK safe ledger okx eip6963 ID_AUTH',
  )
  expect(limits.connectorIds).toEqual(expect.arrayContaining([...limits.coinbaseConnectorIds]))
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
])('the time zone %s is restricted: %s [R6.5]', (zone, restricted) => {
  expect(limits.isRestrictedTimeZone(zone)).toBe(restricted)
})

test('every restricted time zone is one that a browser can report [R6.5]', () => {
  for (const timeZone of limits.restrictedTimeZones) {
    expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow()
  }
})

test('the well-known wallet IDs have the full length', () => {
  const ids = [...named].flatMap(([name, value]) => (/WalletIds?$/.test(name) ? (value as string | string[]) : []))
  expect(ids.length).toBe(4)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{64}$/)
})

test('the wallet features and their networks match the specification', () => {
  expect(limits.walletFeatures).toEqual(['onramp', 'swaps', 'receive', 'send'])
  expect(limits.tokenNamespaces).toEqual(['eip155', 'solana'])
  expect(limits.historyNamespaces).toEqual(['eip155'])
  expect(limits.swapNetworks).toHaveLength(12)
})
