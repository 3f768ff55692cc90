import { keccak256, numberToHex, parseTransaction, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { replacementOf } from './replaceTransaction.ts'

const own = privateKeyToAccount(`0x${'11'.repeat(32)}`)
const other = privateKeyToAccount(`0x${'22'.repeat(32)}`)
const sender = own.address
const recipient = '0x2222222222222222222222222222222222222222'
const common = { chainId: 1, to: recipient, nonce: 7, value: 5n, data: '0x1234', gas: 21_000n } as const
const dynamic = { ...common, type: 'eip1559', maxFeePerGas: 1_000_000_000n, maxPriorityFeePerGas: 100n } as const
const legacy = { ...common, type: 'legacy', gasPrice: 100n } as const

/** Returns a signed transaction as a node returns it while it is pending, and its hash. */
async function pending(transaction: TransactionSerializable, account = own) {
  const signed = await account.signTransaction(transaction)
  const { r, s, v, yParity } = parseTransaction(signed)
  const quantity = (value: bigint | number | undefined) => (value === undefined ? undefined : numberToHex(value))
  const found = {
    type: transaction.type === 'legacy' ? '0x0' : '0x2',
    from: account.address.toLowerCase(),
    to: transaction.to,
    nonce: quantity(transaction.nonce),
    value: quantity(transaction.value),
    input: transaction.data,
    gas: quantity(transaction.gas),
    gasPrice: quantity(transaction.gasPrice ?? transaction.maxFeePerGas),
    ...(transaction.type === 'eip1559' && {
      maxFeePerGas: quantity(transaction.maxFeePerGas),
      maxPriorityFeePerGas: quantity(transaction.maxPriorityFeePerGas),
      accessList: [],
      yParity: quantity(yParity),
    }),
    chainId: '0x1',
    blockHash: null,
    blockNumber: null,
    transactionIndex: null,
    r: quantity(BigInt(r ?? 0)),
    s: quantity(BigInt(s ?? 0)),
    v: quantity(v ?? yParity),
  }
  return { found, hash: keccak256(signed) }
}

test('a replacement has the nonce and the content of the pending transaction, and fees that nodes accept', async () => {
  const { found, hash } = await pending(dynamic)
  const replacement = await replacementOf(found, { hash, sender, cancels: false })
  expect(replacement).toEqual({
    to: recipient,
    value: '0x5',
    data: '0x1234',
    nonce: '0x7',
    maxFeePerGas: `0x${(1_125_000_001).toString(16)}`,
    maxPriorityFeePerGas: `0x${(113).toString(16)}`,
  })
  for (const [raised, before] of [
    [replacement.maxFeePerGas, dynamic.maxFeePerGas],
    [replacement.maxPriorityFeePerGas, dynamic.maxPriorityFeePerGas],
  ])
    expect(Number(raised)).toBeGreaterThanOrEqual(Number(before) * 1.1)
})

test('a cancellation is a zero payment to the sender with the same nonce', async () => {
  const { found, hash } = await pending(dynamic)
  expect(await replacementOf(found, { hash, sender, cancels: true })).toMatchObject({
    to: sender,
    value: '0x0',
    data: '0x',
    nonce: '0x7',
  })
})

test('the replacement of a transaction with a single gas price also has one, even if the node adds other prices', async () => {
  const { found, hash } = await pending(legacy)
  const lying = { ...found, maxFeePerGas: '0xffffffffffffff', maxPriorityFeePerGas: '0xffffffffffffff' }
  const replacement = await replacementOf(lying, { hash, sender, cancels: false })
  expect(replacement).toMatchObject({ gasPrice: `0x${(113).toString(16)}` })
  expect(replacement).not.toHaveProperty('maxFeePerGas')
})

test('signatures with leading zeros, which nodes omit, are verified in both formats', async () => {
  for (let nonce = 1; nonce < 40; nonce++)
    for (const transaction of [legacy, dynamic]) {
      const { found, hash } = await pending({ ...transaction, nonce })
      await expect(replacementOf(found, { hash, sender, cancels: true })).resolves.toMatchObject({ value: '0x0' })
    }
})

test.each([
  ['is not known', () => null],
  ['is in a block', (found: object) => ({ ...found, blockNumber: '0x1' })],
])('a transaction that %s cannot be replaced', async (_, change) => {
  const { found, hash } = await pending(dynamic)
  await expect(replacementOf(change(found), { hash, sender, cancels: false })).rejects.toMatchObject({
    code: 'send/not-pending',
  })
})

test.each([
  ['another recipient', { to: other.address }],
  ['another amount', { value: '0xffff' }],
  ['other calldata', { input: '0x' }],
  ['another nonce', { nonce: '0x8' }],
  ['a higher fee', { maxFeePerGas: '0xffffffffffff' }],
  ['another signature', { r: `0x${'1'.repeat(64)}` }],
  ['an unknown type', { type: '0x71' }],
  ['no nonce', { nonce: undefined }],
  ['calldata that is not text', { input: 5 }],
])('nothing is sent if the node returns the transaction with %s', async (_, change) => {
  const { found, hash } = await pending(dynamic)
  for (const cancels of [true, false])
    await expect(replacementOf({ ...found, ...change }, { hash, sender, cancels })).rejects.toMatchObject({
      code: 'send/not-verified',
    })
})

test('nothing is sent if the node returns another transaction, or one that another account has signed', async () => {
  const [{ hash }, bigger, foreign] = [
    await pending(dynamic),
    await pending({ ...dynamic, to: other.address, value: 10n ** 18n }),
    await pending(dynamic, other),
  ]
  const refused = { code: 'send/not-verified' }
  await expect(replacementOf(bigger.found, { hash, sender, cancels: false })).rejects.toMatchObject(refused)
  // The node claims that the account has sent it.
  const claimed = { ...foreign.found, from: sender.toLowerCase() }
  await expect(replacementOf(claimed, { hash: foreign.hash, sender, cancels: false })).rejects.toMatchObject(refused)
})
