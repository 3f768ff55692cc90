import { expect, test } from 'vitest'
import * as limits from './limits.ts'

const named = new Map<string, unknown>(Object.entries(limits))

// Section 9 of the specification, number by number. That each is kept is shown beside the code that keeps it.
test.each<[name: string, value: unknown, row: string]>([
  ['frameLoadTimeoutMs', 20_000, 'R9.1'],
  ['frameRequestTimeoutMs', 30_000, 'R9.1'],
  ['signOutTimeoutMs', 3_000, 'R9.1'],
  ['pendingTransactionsMost', 99, 'R9.2'],
  ['slippagePercent', 1, 'R9.2'],
  ['pairingExpiryMs', 4 * 60_000, 'R9.3'],
  ['retryGapMs', 1_000, 'R9.3'],
  ['heartbeatMs', 5_000, 'R9.3'],
  ['balancePlaces', 3, 'R9.4'],
  ['fiatPlaces', 2, 'R9.4'],
  ['quantityPlaces', 3, 'R9.4'],
  ['portfolioCacheMs', 30_000, 'R9.5'],
  ['nativeBalanceCacheMs', 30_000, 'R9.5'],
  ['ensCacheMs', 300_000, 'R9.5'],
  ['identityCacheMs', 300_000, 'R9.5'],
  ['nativeDecimals', { solana: 9, bip122: 8 }, 'R9.10'],
  ['defaultLogLevel', 'error', 'R9.12'],
  ['frameSdkVersion', '4', 'R9.12'],
  ['logBufferBytes', 1_000_000, 'R9.12'],
  ['errorReportsPerMinute', 5, 'R9.12'],
  ['balanceRetryGapMs', 30_000, 'R9.12'],
  ['identificationCacheS', 3_600, 'R9.13'],
  ['identificationCacheMostS', 86_400, 'R9.13'],
  ['identificationAttemptsMost', 5, 'R9.13'],
  ['identificationBackoffMostMs', 3_000, 'R9.13'],
  ['pairingLeastLifeMs', 10_000, 'R9.14'],
  ['pollMs', 10_000, 'R9.14'],
  ['popupPollMs', 1_000, 'R9.14'],
  ['imagePreloadMs', 2_000, 'R9.15'],
  ['searchLeastMs', 300, 'R9.15'],
  ['shakeMs', 500, 'R9.15'],
  ['debounceMs', 500, 'R9.15'],
  ['promiseTimeoutMs', 5 * 60_000, 'R9.15'],
  ['toastSwapMs', 150, 'R9.15'],
  ['prefetchedImages', 20, 'R9.15'],
  ['recentWalletsMost', 2, 'R9.15'],
  ['frameReadyDelayMs', 500, 'R4.1'],
  ['emailThrottleMs', 30_000, 'R5.4'],
  ['featuredPageSize', 4, 'R7.3'],
  ['recommendedPageSize', 4, 'R7.3'],
  ['walletsPageSize', 40, 'R7.3'],
  ['searchPageSize', 100, 'R7.3'],
  ['httpForbidden', 403, 'R8.13'],
  ['httpUnavailable', 503, 'R8.13'],
  ['modalWidthPx', 360, 'R2.10'],
  ['modalZIndex', 999, 'R2.10'],
  ['storageVersion', 1, 'R3.19'],
])('%s is %o [%s]', (name, value) => {
  expect(named.get(name)).toEqual(value)
})

test('buying costs one to two percent and has limits [R9.6]', () => {
  expect(limits.onrampProviders).toEqual([
    { name: 'coinbase', feeRange: '1-2%' },
    { name: 'meld', feeRange: '1-2%' },
  ])
  expect(limits.onrampLimits.map(({ least, most }) => [least, most])).toEqual([
    ['10.00', '7500.00'],
    ['10.00', '25000.00'],
  ])
  expect(limits.onrampCurrencies).toEqual(['USD', 'EUR'])
})

test('what is on and off when the host says nothing [R9.7]', () => {
  const { socials, ...flags } = limits.defaultFeatures
  const on = Object.entries(flags).flatMap(([name, value]) => (value ? name : []))
  const off = Object.entries(flags).flatMap(([name, value]) => (value ? [] : name))
  expect(on).toEqual(['swaps', 'onramp', 'receive', 'send', 'email', 'history', 'analytics', 'allWallets'])
  expect(off).toEqual(['legalCheckbox', 'smartSessions', 'collapseWallets', 'pay'])
  expect(socials).toEqual(['google', 'x', 'discord', 'farcaster', 'github', 'apple', 'facebook'])
  expect(socials).toEqual(limits.socialProviders)
})

test('account types and the order of the account view [R9.8]', () => {
  expect(limits.defaultAccountTypes).toEqual({
    eip155: 'smartAccount',
    solana: 'eoa',
    polkadot: 'eoa',
    bip122: 'payment',
  })
  expect(limits.walletFeaturesOrder).toEqual(['onramp', 'swaps', 'receive', 'send'])
})

test('what works on which chains [R9.9]', () => {
  const references = limits.swapChains.map((chain) => Number(chain.replace('eip155:', '')))
  expect(references).toEqual([1, 42161, 10, 324, 8453, 56, 137, 100, 43114, 250, 8217, 1313161554])
  for (const list of [
    limits.balanceNamespaces,
    limits.sendNamespaces,
    limits.onrampNamespaces,
    limits.authNamespaces,
  ]) {
    expect(list).toEqual(['eip155', 'solana'])
  }
  for (const list of [limits.nameNamespaces, limits.activityNamespaces]) expect(list).toEqual(['eip155'])
})

test('the orders of ways to connect [R9.11]', () => {
  expect(limits.connectMethodsWithWallet).toEqual(['wallet', 'email', 'social'])
  expect(limits.connectMethodsWithoutWallet).toEqual(['email', 'social', 'wallet'])
})

test('connector ids and types are the specification’s [R3.13, R3.14]', () => {
  expect(limits.connectorIds.join(' ')).toBe(
    'walletConnect injected announced coinbaseWallet coinbaseWalletSDK safe ledger okx eip6963 ID_AUTH',
  )
  expect(limits.connectorTypes.join(' ')).toBe('WALLET_CONNECT INJECTED ANNOUNCED AUTH EXTERNAL MULTI_CHAIN ID_AUTH')
  expect(limits.connectorIds).toEqual(expect.arrayContaining([...limits.coinbaseConnectorIds]))
})

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
