import { solana, solanaDevnet, solanaTestnet } from '@latchkey/core'
import { expect, test } from 'vitest'
import { networkName } from './networkNames.ts'

test.each([
  [solana, 'Solana Mainnet', false],
  [solanaDevnet, 'Solana Devnet', true],
  [solanaTestnet, 'Solana Testnet', true],
])('the frame displays the predefined network %o as %s [R3.3]', (network, name, isTest) => {
  const known = networkName(network.caipNetworkId)
  expect(known).toMatchObject({ name, symbol: 'SOL', decimals: 9 })
  expect(network.testnet).toBe(isTest)
})

test('does not give an unknown network the name of a known network [R3.3]', () => {
  expect(networkName('solana:unknown').name).toBe('Solana network unknown')
})
