import { expect, test } from 'vitest'
import { looksAlike } from './looksAlike.ts'

const evm = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const solana = '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU'

test('different addresses look alike if they share at least three characters at each end, and seven in total', () => {
  const imitation = `0x8ba1${'0'.repeat(32)}ba72`
  expect(looksAlike(evm, imitation)).toBe(true)
  expect(looksAlike(evm, evm.toLowerCase())).toBe(false)
  expect(looksAlike(evm, imitation.replace('8ba1', '8ba2'))).toBe(true)
  expect(looksAlike(evm, imitation.replace('ba72', 'ba71'))).toBe(false)
  expect(looksAlike(evm, imitation.replace('8ba1', '8ca1'))).toBe(false)
  expect(looksAlike(evm, `0x8ba1f${'0'.repeat(32)}a72`)).toBe(true)
  expect(looksAlike(evm, `0x8ba${'0'.repeat(34)}a72`)).toBe(false)
  expect(looksAlike(evm, `0x8b${'0'.repeat(32)}4dba72`)).toBe(false)
  expect(looksAlike(solana, `${solana.slice(0, 4)}${'2'.repeat(36)}${solana.slice(-4)}`)).toBe(true)
  // The letters of base58 are case-sensitive.
  expect(looksAlike(solana, `${solana.slice(0, 4).toLowerCase()}${'2'.repeat(36)}${solana.slice(-4)}`)).toBe(false)
})
