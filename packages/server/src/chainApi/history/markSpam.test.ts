import { expect, test } from 'vitest'
import type { AccountMovement, EvmTransaction, TokenInfo } from './evmTransaction.ts'
import { markSpam } from './markSpam.ts'

const address = (digits: string): `0x${string}` => `0x${digits.repeat(20)}`
const [account, mallory, collection, dollars] = [address('11'), address('66'), address('77'), address('88')]
const imitation = `0xb0b0${'00'.repeat(16)}b0b0` as const
const listed = new Map([[dollars, { isListed: true } as unknown as TokenInfo]])
const foreign = { from: mallory, to: collection, isOwn: false, logs: [] } as unknown as EvmTransaction
const nft = {
  kind: 'nft',
  token: collection,
  tokenId: 1n,
  from: account,
  to: imitation,
  amount: 1n,
  direction: 'out',
} as AccountMovement
const payment = { kind: 'native', from: mallory, to: account, amount: 10n ** 18n, direction: 'in' } as AccountMovement
const paymentIn = (token: `0x${string}`) => ({ ...payment, kind: 'fungible', token }) as AccountMovement
const spamOf = (transaction: EvmTransaction, ...movements: readonly AccountMovement[]) =>
  markSpam([{ transaction, movements }], listed)[0]?.movements.map(({ isSpam }) => isSpam)

test('an unlisted NFT is spam if only its contract reports that the account sent it', () => {
  expect(spamOf(foreign, nft)).toEqual([true])
})

test('an NFT is not spam if the account sent it, or was paid for it', () => {
  expect(spamOf({ ...foreign, from: account, isOwn: true }, nft)).toEqual([false])
  expect(spamOf(foreign, nft, payment)).toEqual([false, false])
  expect(spamOf(foreign, nft, paymentIn(dollars))).toEqual([false, false])
})

test('a zero payment, or one in an unlisted token, does not count as paying for an NFT', () => {
  expect(spamOf(foreign, nft, { ...payment, amount: 0n })).toEqual([true, true])
  expect(spamOf(foreign, nft, paymentIn(collection))).toEqual([true, true])
})
