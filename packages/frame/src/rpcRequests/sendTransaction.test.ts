import { fakeClock } from '@latchkey/protocol/testing'
import { createVaultFixture, seededEnvironment } from '@latchkey/vault/testing'
import { type Hex, keccak256, parseTransaction, recoverTransactionAddress, type TransactionSerialized } from 'viem'
import { expect, test } from 'vitest'
import type { FrameContext } from '../frameContext.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import { sendTransaction } from './sendTransaction.ts'

const { vault } = await createVaultFixture(seededEnvironment(31, fakeClock()))
const { addresses } = vault.record
const friend = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc'
const quote = { nonce: 7, gas: [30_000n], maxFeePerGas: 9n, maxPriorityFeePerGas: 2n, legacy: false }

/** Sends a transaction on Polygon that the user approves. Returns the result and the raw transactions that the node received. */
async function send(
  transaction: object,
  { quoted = quote, node = keccak256 }: { quoted?: object; node?: (raw: Hex) => unknown } = {},
) {
  const sent: TransactionSerialized[] = []
  const context = {
    config: async () => ({ bundlers: [] }),
    approvals: { ask: ({ perform }: { perform(quoted: object): Promise<unknown> }) => perform(quoted) },
    rpc: async (chain: string, method: string, [raw]: readonly [TransactionSerialized]) => {
      expect([chain, method]).toEqual(['eip155:137', 'eth_sendRawTransaction'])
      sent.push(raw)
      return node(raw)
    },
  } as unknown as FrameContext
  const request = {
    id: '1',
    origin: 'https://shop.example',
    chain: 'eip155:137',
    method: 'eth_sendTransaction',
  } as const
  const open = { vault, addresses, userId: 'ada' } as unknown as OpenedWallet
  const hash = await sendTransaction(context, open, { ...request, params: [transaction] })
  return { hash, sent }
}

test('an approved transaction is signed with the quoted values and sent once, and its hash is returned', async () => {
  const { hash, sent } = await send({ from: addresses.eip155, to: friend, value: '0x5', data: '0x1234' })
  const [raw] = sent
  expect(sent.map((raw) => parseTransaction(raw))).toMatchObject([
    {
      type: 'eip1559',
      chainId: 137,
      nonce: 7,
      gas: 30_000n,
      maxFeePerGas: 9n,
      maxPriorityFeePerGas: 2n,
      to: friend,
      value: 5n,
      data: '0x1234',
    },
  ])
  expect(hash).toBe(raw && keccak256(raw))
  expect(raw && (await recoverTransactionAddress({ serializedTransaction: raw }))).toBe(addresses.eip155)
})

test('a transaction has a single gas price on a network without EIP-1559', async () => {
  const { sent } = await send({ to: friend }, { quoted: { ...quote, legacy: true } })
  expect(sent.map((raw) => parseTransaction(raw))).toMatchObject([{ type: 'legacy', gasPrice: 9n, to: friend }])
})

test('a contract can be deployed, but a transaction with neither a recipient nor data is rejected', async () => {
  const { sent } = await send({ data: '0x6001' })
  const [deployment] = sent.map((raw) => parseTransaction(raw))
  expect([deployment?.to, deployment?.data]).toEqual([undefined, '0x6001'])
  await expect(send({ value: '0x1' })).rejects.toThrow('A transaction needs a recipient')
})

test.each([
  ['for a different network', { to: friend, chainId: '0x1' }, 'This transaction is for a different network'],
  ['from an account that is not in the wallet', { from: friend, to: friend }, 'This account is not in the wallet'],
  ['whose data and input differ', { to: friend, data: '0x01', input: '0x02' }, 'can have only one data field'],
  ['with an invalid recipient', { to: '0x12' }, 'eth_sendTransaction: Expected a transaction'],
  ['that calls the account itself', { to: addresses.eip155, data: '0x01' }, 'cannot send calls to the account itself'],
])('a transaction %s is rejected without being signed', async (_, transaction, message) => {
  await expect(send(transaction, { node: () => expect.unreachable() })).rejects.toThrow(message)
})

test('rejects if the network does not return a hash', async () => {
  await expect(send({ to: friend }, { node: () => null })).rejects.toThrow('The network did not accept the transaction')
})
