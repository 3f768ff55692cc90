import { expect, test } from 'vitest'
import { addressIn, hasChecksum, isSameAddress, isZeroAddress } from './recipientAddress.ts'

const evm = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const solana = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'

test.each([
  [evm, evm],
  [evm.slice(2), evm],
  [` ${evm}\n`, evm],
  [`eip155:1:${evm}`, evm],
  [`ethereum:${evm}`, evm],
  [`ethereum:pay-${evm}@10?value=1e18`, evm],
])('the EVM address in %o is %s', (text, address) => {
  expect(addressIn(text, 'eip155')).toBe(address)
})

test.each([
  ['with 39 digits', evm.slice(0, -1)],
  ['with 41 digits', `${evm}0`],
  ['of another family', solana],
  ['in a link that transfers a token, which names the contract', `ethereum:${evm}@1/transfer?address=${evm}&uint256=1`],
  ['of another family in CAIP-10 format', `solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${solana}`],
  ['with a Cyrillic letter', evm.replace('a', 'а')],
  ['in text that is too long', `${evm}${' '.repeat(300)}x`],
])('there is no EVM address %s', (_, text) => {
  expect(addressIn(text, 'eip155')).toBeUndefined()
})

test.each([
  [`ethereum:${evm}@10`, 'eip155:10', evm],
  [`ethereum:${evm}@10?value=1e18`, 'eip155:1', undefined],
  [`ethereum:pay-${evm}@10`, 'eip155:1', undefined],
  [`ethereum:${evm}@010`, 'eip155:10', evm],
  [`ethereum:${evm}@0x1`, 'eip155:1', undefined],
  [`ethereum:${evm}?value=1e18`, 'eip155:10', evm],
  [`eip155:10:${evm}`, 'eip155:1', undefined],
  [`eip155:10:${evm}`, 'eip155:10', evm],
  [evm, 'eip155:10', evm],
  [`solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${solana}`, 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1', undefined],
  [`solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp:${solana}`, 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', solana],
] as const)('for %s on %s, the recipient is %s', (text, chain, address) => {
  expect(addressIn(text, chain.startsWith('solana:') ? 'solana' : 'eip155', chain)).toBe(address)
})

test('a Solana address must be exactly 32 bytes in base58', () => {
  expect(addressIn(solana, 'solana')).toBe(solana)
  expect(addressIn(`solana:${solana}?amount=1`, 'solana')).toBe(solana)
  expect(addressIn('1'.repeat(32), 'solana')).toBe('1'.repeat(32))
  for (const text of ['1'.repeat(31), `!!!${'2'.repeat(32)}`, 'l'.repeat(32), `${solana}1`, evm, solana.slice(2)])
    expect(addressIn(text, 'solana')).toBeUndefined()
})

test('recipients are only supported on EVM and Solana', () => {
  for (const namespace of ['polkadot', 'bip122', 'cosmos'] as const)
    for (const text of [evm, solana]) expect(addressIn(text, namespace)).toBeUndefined()
})

test('only a mixed-case address has a checksum', () => {
  expect([evm, evm.toLowerCase(), `0x${evm.slice(2).toUpperCase()}`].map(hasChecksum)).toEqual([true, false, false])
})

test('only EVM addresses are compared case-insensitively, and zero addresses are recognized', () => {
  expect(isSameAddress(evm, evm.toLowerCase())).toBe(true)
  expect(isSameAddress(solana, solana.toLowerCase())).toBe(false)
  expect([`0x${'0'.repeat(40)}`, '1'.repeat(32), evm].map(isZeroAddress)).toEqual([true, true, false])
})
