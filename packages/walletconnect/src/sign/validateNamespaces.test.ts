import { expect, test } from 'vitest'
import type { GrantedNamespaces, ProposedNamespaces } from './schemas.ts'
import { allows, grantedChains, validateNamespaces } from './validateNamespaces.ts'

const address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const ethereum = {
  chains: ['eip155:1'],
  methods: ['personal_sign'],
  events: ['chainChanged'],
  accounts: [`eip155:1:${address}`, `eip155:137:${address}`],
}

test('the chains of a session are those on which it has an account', () => {
  const cosmos = { methods: [], events: [], accounts: ['cosmos:hub:a', 'cosmos:hub:b'] }
  expect(grantedChains({ eip155: ethereum, cosmos })).toEqual(['eip155:1', 'eip155:137', 'cosmos:hub'])
})

test.each<{
  readonly what: string
  readonly reason?: string
  readonly granted: GrantedNamespaces
  readonly required?: ProposedNamespaces
}>([
  { what: 'a namespace', granted: { eip155: ethereum } },
  { what: 'a namespace for a single chain', granted: { 'eip155:1': { ...ethereum, chains: undefined } as never } },
  { what: 'nothing', granted: {}, reason: 'no namespace' },
  {
    what: 'a namespace without an account',
    granted: { eip155: { ...ethereum, accounts: [] } },
    reason: 'eip155 has no account',
  },
  {
    what: 'an account without a chain',
    granted: { eip155: { ...ethereum, accounts: [address] } },
    reason: 'eip155 has an invalid account (CAIP-10)',
  },
  {
    what: 'an account with four parts',
    granted: { eip155: { ...ethereum, accounts: [`eip155:1:2:${address}`] } },
    reason: 'eip155 has an invalid account (CAIP-10)',
  },
  {
    what: 'an account in a different namespace',
    granted: { eip155: { ...ethereum, accounts: [`cosmos:1:${address}`] } },
    reason: 'eip155 has an invalid account (CAIP-10)',
  },
  {
    what: 'a chain in a different namespace',
    granted: { eip155: { ...ethereum, chains: ['eip155:1', 'cosmos:hub'] } },
    reason: 'eip155 has a chain of another namespace',
  },
  {
    what: 'a required chain and method',
    granted: { eip155: ethereum },
    required: { eip155: { chains: ['eip155:137'], methods: ['personal_sign'], events: [] } },
  },
  {
    what: 'a required event on a single chain',
    granted: { eip155: ethereum },
    required: { 'eip155:137': { methods: [], events: ['chainChanged'] } },
  },
  {
    what: 'a namespace without a required chain',
    granted: { eip155: ethereum },
    required: { eip155: { chains: ['eip155:10'], methods: [], events: [] } },
    reason: 'eip155 lacks a required chain',
  },
  {
    what: 'a namespace without a required single chain',
    granted: { eip155: ethereum },
    required: { 'eip155:10': { methods: [], events: [] } },
    reason: 'eip155:10 lacks a required chain',
  },
  {
    what: 'no required namespace',
    granted: { eip155: ethereum },
    required: { cosmos: { chains: ['cosmos:hub'], methods: [], events: [] } },
    reason: 'cosmos lacks a required chain',
  },
  {
    what: 'a namespace without a required method',
    granted: { eip155: ethereum },
    required: { eip155: { methods: ['eth_sign'], events: [] } },
    reason: 'eip155 lacks a required method',
  },
  {
    what: 'a namespace without a required event',
    granted: { eip155: ethereum },
    required: { eip155: { methods: [], events: ['message'] } },
    reason: 'eip155 lacks a required event',
  },
])('a session that grants $what is valid unless there is a reason to reject it: $reason', (entry) => {
  const { granted, required = {}, reason } = entry
  expect(validateNamespaces(granted, required)).toBe(reason)
})

test('a session grants a method only on chains with an account, in the namespace or for the chain itself', () => {
  const polygon = { ...ethereum, methods: ['eth_sign'], accounts: [`eip155:137:${address}`] }
  const granted = { eip155: ethereum, 'eip155:137': polygon } as GrantedNamespaces
  expect(allows(granted, 'eip155:1', 'methods', 'personal_sign')).toBe(true)
  expect(allows(granted, 'eip155:10', 'methods', 'personal_sign')).toBe(false)
  expect(allows(granted, 'eip155:1', 'methods', 'eth_sign')).toBe(false)
  expect(allows(granted, 'eip155:137', 'methods', 'eth_sign')).toBe(true)
  expect(allows(granted, 'eip155:1', 'events', 'chainChanged')).toBe(true)
  expect(allows(granted, 'eip155:1', 'events', 'personal_sign')).toBe(false)
  expect(allows(granted, 'cosmos:1', 'methods', 'personal_sign')).toBe(false)
})
