import type { SolanaMessage } from '@latchkey/vault/signers/solanaTransaction'
import { expect, test } from 'vitest'
import { readSolana } from './solanaTransaction.ts'

const [me, you, token, mint] = ['Me', 'You', 'TokenAccount', 'Mint']
const system = '11111111111111111111111111111111'
const tokens = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const budget = 'ComputeBudget111111111111111111111111111111'
const memo = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'
const accounts = [me, you, token, mint, system, tokens, budget, memo, 'Stranger1111111111111111111111111111111111']
const u32 = (value: number) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >> 24) & 255]
const u64 = (value: bigint) => Array.from({ length: 8 }, (_, at) => Number((value >> BigInt(at * 8)) & 255n))

const message = (...instructions: [program: string, accounts: string[], data: number[]][]): SolanaMessage => ({
  version: 'legacy',
  accounts,
  signerCount: 1,
  readonlySigners: 0,
  readonlyOthers: 5,
  blockhash: 'x',
  lookups: [],
  instructions: instructions.map(([program, used, data]) => ({
    program: accounts.indexOf(program),
    accounts: used.map((item) => accounts.indexOf(item)),
    data: new Uint8Array(data),
  })),
})

test('decodes native and token transfers', () => {
  const reading = readSolana(
    message(
      [system, [me, you], [...u32(2), ...u64(1_500_000_000n)]],
      [tokens, [token, mint, you, me], [12, ...u64(7n), 6]],
      [tokens, [token, you, me], [3, ...u64(9n)]],
    ),
  )
  expect(reading.steps).toEqual([
    { kind: 'send', from: me, to: you, amount: 1_500_000_000n },
    { kind: 'sendToken', from: token, to: you, token: mint, amount: 7n, decimals: 6, hasRules: false },
    { kind: 'sendToken', from: token, to: you, token: undefined, amount: 9n, decimals: undefined, hasRules: false },
  ])
  expect(reading.fee).toBe(5000n)
})

test('decodes approvals and ownership changes', () => {
  const { steps } = readSolana(
    message(
      [tokens, [token, you, me], [4, ...u64(2n ** 64n - 1n)]],
      [tokens, [token, me], [6, 2, 1, ...Array(32).fill(1)]],
      [tokens, [token, you, me], [9]],
      [system, [me], [...u32(1), ...Array(32).fill(1)]],
    ),
  )
  expect(steps).toMatchObject([
    { kind: 'allow', spender: you, amount: 'unlimited' },
    { kind: 'handOver', account: token },
    { kind: 'close', to: you },
    { kind: 'handOver', account: me },
  ])
})

test('the compute unit price is part of the fee and not listed as a step', () => {
  const reading = readSolana(
    message([budget, [], [2, ...u32(100_000)]], [budget, [], [3, ...u64(50_000n)]], [memo, [], [72, 105]]),
  )
  expect(reading.steps).toEqual([{ kind: 'memo', text: { untrusted: 'Hi' } }])
  expect(reading.fee).toBe(5000n + 5000n)
})

test('reports an unknown instruction as unknown, even if its program is known', () => {
  const { steps } = readSolana(
    message(
      [accounts[8] ?? '', [me], [1, 2]],
      [system, [me, you], [...u32(2), 1]],
      [tokens, [token], [99]],
      [budget, [], [9]],
    ),
  )
  expect(steps.map(({ kind }) => kind)).toEqual(Array(4).fill('unknown'))
})

test('counts accounts from lookup tables and shows them by index', () => {
  const reading = readSolana({
    ...message([system, [me, you], [...u32(2), ...u64(1n)]]),
    instructions: [{ program: 4, accounts: [0, 20], data: new Uint8Array([...u32(2), ...u64(1n)]) }],
    lookups: [{ table: 'T', writable: [1, 2], readonly: [3] }],
  })
  expect(reading).toMatchObject({ hidden: 3, steps: [{ kind: 'send', to: '#21' }] })
})

test('a Token-2022 token can have rules that are not visible in the transaction', () => {
  const program = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'
  const plain = message([tokens, [token, mint, you, me], [12, ...u64(7n), 6]])
  const { steps } = readSolana({ ...plain, accounts: plain.accounts.map((item) => (item === tokens ? program : item)) })
  expect(steps).toMatchObject([{ kind: 'sendToken', amount: 7n, hasRules: true }])
})

test('reports an instruction as unknown if it has missing accounts, extra data or a different authority', () => {
  const { steps } = readSolana(
    message(
      [system, [me], [...u32(2), ...u64(1n)]],
      [system, [me, you], [...u32(2), ...u64(1n), 0]],
      [tokens, [token, you], [3, ...u64(1n)]],
      [tokens, [token, mint, you], [12, ...u64(1n), 6]],
      [tokens, [token, mint, you, me], [12, ...u64(1n), 255]],
      [tokens, [token, you], [4, ...u64(1n)]],
      [tokens, [token, me], [6, 2]],
      [tokens, [token, me], [6, 2, 0]],
      [tokens, [token, me], [6, 3, 1, ...Array(32).fill(1)]],
      [tokens, [token, mint, me], [8, ...u64(1n), 1]],
      [tokens, [token, you], [9]],
      // Advances a durable nonce. A transaction signed with a durable nonce does not expire.
      [system, [me, you, token], u32(4)],
    ),
  )
  expect(steps.map(({ kind }) => kind)).toEqual(Array(12).fill('unknown'))
})

test('shows the new owner of an account', () => {
  const { steps } = readSolana(message([tokens, [token, me], [6, 2, 1, ...Array(32).fill(0)]]))
  expect(steps).toEqual([{ kind: 'handOver', account: token, to: system }])
})
