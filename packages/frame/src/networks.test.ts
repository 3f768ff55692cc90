import { solana, solanaDevnet, solanaTestnet } from '@latchkey/core'
import { expect, test } from 'vitest'
import { networkName } from './networks.ts'

test.each([
  [solana, 'Solana Mainnet', false],
  [solanaDevnet, 'Solana Devnet', true],
  [solanaTestnet, 'Solana Testnet', true],
])('the frame’s name of the predefined network %o is %s [R3.3]', (network, name, isTest) => {
  const known = networkName(network.caipNetworkId)
  expect(known).toMatchObject({ name, symbol: 'SOL', decimals: 9 })
  expect(network.testnet).toBe(isTest)
})

test('an unknown network does not get the name of a known one [R3.3]', () => {
  expect(networkName('solana:unknown').name).toBe('Solana network unknown')
})
