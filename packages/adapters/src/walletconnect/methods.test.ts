import { expect, test } from 'vitest'
import { chainIn, methodsOf, proposalFor, signInMethods } from './methods.ts'

const solana = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
const older = 'solana:4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZ'

test('a proposal names every chain of its namespace, and both events [R7.12]', () => {
  expect(proposalFor(['eip155:1', 'eip155:137', 'cosmos:cosmoshub-4'])).toEqual({
    eip155: {
      chains: ['eip155:1', 'eip155:137'],
      methods: methodsOf.eip155,
      events: ['accountsChanged', 'chainChanged'],
    },
    cosmos: { chains: ['cosmos:cosmoshub-4'], methods: [], events: ['accountsChanged', 'chainChanged'] },
  })
})

test('the methods are the standard ones for reading, signing and sending, and the wallet ones [R7.12]', () => {
  expect([methodsOf.eip155.length, signInMethods.length, methodsOf.solana.length, methodsOf.bip122.length]).toEqual([
    24, 23, 6, 4,
  ])
  for (const method of [
    'eth_sendTransaction',
    'personal_sign',
    'wallet_switchEthereumChain',
    'wallet_addEthereumChain',
  ])
    expect(methodsOf.eip155).toContain(method)
})

test('Solana is asked for by its older id, too, and used by the one that the wallet knows', () => {
  expect(proposalFor([solana]).solana?.chains).toEqual([solana, older])
  expect(chainIn([older], solana)).toBe(older)
  expect(chainIn([solana, older], solana)).toBe(solana)
  expect(chainIn([], 'solana:other')).toBe('solana:other')
})
