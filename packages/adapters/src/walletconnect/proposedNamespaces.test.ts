import type { Network } from '@latchkey/core/adapter'
import type { ChainId } from '@latchkey/protocol/caip'
import { expect, test } from 'vitest'
import {
  approvedChains,
  chainIn,
  chainOnPage,
  isStale,
  methodsOf,
  type NamespaceOverrides,
  proposalFor,
  signInMethods,
  wantedNamespaces,
} from './proposedNamespaces.ts'

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const older = 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'
const both = ['accountsChanged', 'chainChanged']

const network = (id: ChainId): Pick<Network, 'caipNetworkId' | 'rpcUrls'> => ({
  caipNetworkId: id,
  rpcUrls: { default: { http: [`https://rpc.example/${id}`, 'https://second.example'] } },
})
const evm = [network('eip155:1'), network('eip155:137')]
const wanted = (overrides?: NamespaceOverrides, networks = evm) => wantedNamespaces(networks, overrides)

test('a page requests its chains with the default methods, and reads from the first RPC URL of each chain [R7.12]', () => {
  expect(wanted()).toEqual({
    eip155: {
      chains: ['eip155:1', 'eip155:137'],
      methods: methodsOf.eip155,
      events: both,
      rpcMap: { '1': 'https://rpc.example/eip155:1', '137': 'https://rpc.example/eip155:137' },
    },
  })
})

test('a proposal contains each namespace once, and omits the host’s RPC URLs [R4.13] [R7.12]', () => {
  const bitcoin = 'bip122:000000000019d6689c085ae165831e93'
  const rest = [network('cosmos:cosmoshub-4'), network('polkadot:91b171bb158e2d38'), network(bitcoin)]
  const all = [...evm, network(solana), ...rest]
  const events = both
  expect(proposalFor(wanted({}, all))).toEqual({
    eip155: { chains: ['eip155:1', 'eip155:137'], methods: methodsOf.eip155, events },
    solana: { chains: [solana, older], methods: methodsOf.solana, events },
    cosmos: { chains: ['cosmos:cosmoshub-4'], methods: [], events },
    polkadot: { chains: ['polkadot:91b171bb158e2d38'], methods: [], events },
    bip122: { chains: [bitcoin], methods: methodsOf.bip122, events },
  })
})

test('the default methods are the standard methods for accounts, signing and sending, and the wallet methods [R7.12]', () => {
  expect(methodsOf.eip155.toSorted()).toEqual(
    [
      ...['eth_accounts', 'eth_requestAccounts', 'eth_sendRawTransaction', 'eth_sendTransaction', 'personal_sign'],
      ...['eth_sign', 'eth_signTransaction', 'eth_signTypedData', 'eth_signTypedData_v3', 'eth_signTypedData_v4'],
      ...['wallet_switchEthereumChain', 'wallet_addEthereumChain', 'wallet_watchAsset', 'wallet_scanQRCode'],
      ...['wallet_getPermissions', 'wallet_requestPermissions', 'wallet_grantPermissions', 'wallet_revokePermissions'],
      ...['wallet_registerOnboarding', 'wallet_getCapabilities', 'wallet_getAssets', 'wallet_sendCalls'],
      ...['wallet_getCallsStatus', 'wallet_showCallsStatus'],
    ].toSorted(),
  )
  expect(signInMethods).toHaveLength(23)
  expect(methodsOf.eip155.filter((method) => !signInMethods.includes(method))).toEqual(['wallet_showCallsStatus'])
  expect(methodsOf.solana.toSorted()).toEqual([
    ...['solana_getAccounts', 'solana_requestAccounts', 'solana_signAllTransactions', 'solana_signAndSendTransaction'],
    ...['solana_signMessage', 'solana_signTransaction'],
  ])
  expect([methodsOf.polkadot, methodsOf.cosmos]).toEqual([[], []])
  expect(methodsOf.bip122.toSorted()).toEqual(['getAccountAddresses', 'sendTransfer', 'signMessage', 'signPsbt'])
})

test('the host can override methods, chains and events for each namespace', () => {
  const { eip155 } = wanted()
  const usual = eip155
  expect(wanted({ methods: { eip155: ['personal_sign'] } })).toEqual({
    eip155: { ...usual, methods: ['personal_sign'] },
  })
  expect(wanted({ events: { eip155: ['message'] } })).toEqual({ eip155: { ...usual, events: ['message'] } })
  expect(wanted({ chains: { solana: [solana] } })).toEqual({
    eip155: usual,
    solana: { chains: [solana], methods: methodsOf.solana, events: both, rpcMap: {} },
  })
  expect(wanted({ methods: { cosmos: ['cosmos_signDirect'] } }, [network('cosmos:cosmoshub-4')])).toMatchObject({
    cosmos: { methods: ['cosmos_signDirect'] },
  })
})

test('a configured RPC URL replaces all URLs in its namespace, and a default chain applies only to its namespace', () => {
  expect(wanted({ rpcMap: { 'eip155:1': 'https://mine.example' } }).eip155?.rpcMap).toEqual({
    '1': 'https://mine.example',
  })
  expect(wanted({ rpcMap: { [solana]: 'https://mine.example' } }).eip155?.rpcMap).toHaveProperty('137')
  expect(wanted({ defaultChain: 'eip155:137' }).eip155?.defaultChain).toBe('eip155:137')
  expect(wanted({ defaultChain: solana }).eip155?.defaultChain).toBeUndefined()
})

test('a namespace that has methods but no chains is not requested', () => {
  expect(proposalFor(wanted({ methods: { cosmos: ['cosmos_signDirect'] } }))).not.toHaveProperty('cosmos')
})

test('chains are converted between Solana’s current ID and the older ID that some wallets use', () => {
  expect(chainIn([older], solana)).toBe(older)
  expect(chainIn([solana, older], solana)).toBe(solana)
  expect(chainIn([], 'solana:other')).toBe('solana:other')
  expect([older, solana, 'eip155:1'].map(chainOnPage)).toEqual([solana, solana, 'eip155:1'])
})

test('the approved chains are read from the namespaces and their accounts, without duplicates', () => {
  const rest = { methods: [], events: [] }
  expect(
    approvedChains({
      eip155: { chains: ['eip155:1', 'eip155:10'], accounts: ['eip155:1:0xa', 'eip155:137:0xa'], ...rest },
      [solana]: { accounts: [`${solana}:abc`], ...rest },
    }),
  ).toEqual(['eip155:1', 'eip155:10', 'eip155:137', solana])
})

test.each<[string, Parameters<typeof isStale>[0], boolean]>([
  [
    'is not stale if all of the page’s chains were requested',
    { approved: ['a:1'], requested: ['a:1', 'a:2'], configured: ['a:1', 'a:2'] },
    false,
  ],
  [
    'is stale if one of the page’s chains was not requested',
    { approved: ['a:1'], requested: ['a:1'], configured: ['a:1', 'a:2'] },
    true,
  ],
  [
    'is not stale if it shares no chain with the page',
    { approved: ['a:9'], requested: ['a:9'], configured: ['a:1'] },
    false,
  ],
])('a session %s', (_, session, stale) => {
  expect(isStale(session)).toBe(stale)
})
