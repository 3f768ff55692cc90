import { fromBase58, toBase58 } from '@latchkey/protocol/bytes'
import { accountId } from '@latchkey/protocol/caip'
import { ed25519 } from '@noble/curves/ed25519.js'
import * as v from 'valibot'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LocalSolana, startSolana } from '../../../dev/src/localSolanaNode.ts'
import { createTransfer } from './createTransfer.ts'
import { associatedTokenAddress, isOnCurve, keyOf } from './programAddress.ts'
import { sendTransfer } from './sendTransfer.ts'
import { solanaAdapter } from './solanaAdapter.ts'
import { solanaNode } from './solanaNode.ts'
import { createTestToken, createTestWallet, signAndSend, type TestWallet } from './testing/testToken.ts'

// LiteSVM runs Solana's own runtime and programs, and rejects invalid transactions and signatures.

const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
const sol = 1_000_000_000n

let local: LocalSolana
beforeAll(async () => {
  local = await startSolana()
})
afterAll(() => local.close())

const network = () => ({
  id: 'local',
  name: 'Local',
  nativeCurrency: { name: 'Sol', symbol: 'SOL', decimals: 9 },
  rpcUrls: { default: { http: [local.url] } },
  chainNamespace: 'solana' as const,
  caipNetworkId: local.chainId as `solana:${string}`,
})
const node = () => solanaNode({ network: network() })
const ask = (method: string, ...params: readonly unknown[]) => node().call(method, params, v.any())
const wallet = (amount = 0n): Promise<TestWallet> => createTestWallet(local.url, amount)
const submit = (transaction: Uint8Array, ...signers: readonly TestWallet[]): Promise<string> =>
  signAndSend(local.url, transaction, signers)
const createToken = (owner: TestWallet, amount: bigint, feeBps?: number): Promise<string> =>
  createTestToken(local.url, { owner, amount, ...(feeBps !== undefined && { feeBps }) })
const balance = async (address: string): Promise<bigint> => BigInt((await ask('getBalance', address)).value)

async function tokensOf(owner: string, mint: string, program = tokenProgram): Promise<bigint> {
  const account = await associatedTokenAddress({ owner, mint, tokenProgram: program })
  const { value } = await ask('getAccountInfo', account, { encoding: 'base64' })
  if (!value) return 0n
  return Buffer.from(value.data[0], 'base64').readBigUInt64LE(64)
}

/** Returns the adapter's estimate of the fee. */
function feeOf(from: string, params: { to: string; amount: bigint; token?: string; decimals?: number }) {
  const adapter = solanaAdapter({ networks: [network()] })
  const account = accountId(network().caipNetworkId, from)
  const fee = adapter.transferFee?.({ account, network: network(), signal: new AbortController().signal, ...params })
  if (!fee) throw new Error('The adapter estimates fees.')
  return fee
}

/** Returns the limit of compute units in a transaction. */
function unitsIn(transaction: Uint8Array): number {
  const at = transaction.findIndex((byte, place) => byte === 5 && transaction[place + 1] === 2)
  return Buffer.from(transaction).readUInt32LE(at + 2)
}

describe('SOL', () => {
  test('arrives and costs the estimated fee, and the whole balance minus the fee can be sent', async () => {
    const [alice, bob] = [await wallet(3n * sol), await wallet()]
    const fee = await feeOf(alice.address, { to: bob.address, amount: sol })
    expect(fee).toEqual({ amount: 5_000n, maxAmount: 5_000n })
    const transaction = await createTransfer(node(), { from: alice.address, to: bob.address, amount: sol })
    expect(unitsIn(transaction)).toBe(500)
    await submit(transaction, alice)
    expect(await balance(bob.address)).toBe(sol)
    const rest = await balance(alice.address)
    expect(rest).toBe(2n * sol - fee.amount)
    const all = { from: alice.address, to: bob.address, amount: rest - fee.maxAmount }
    await expect(feeOf(alice.address, all)).resolves.toEqual(fee)
    await submit(await createTransfer(node(), all), alice)
    expect(await balance(alice.address)).toBe(0n)
  })

  test.each([
    ['too little for a new account', 100n, 'recipient-minimum'],
    ['so much that too little stays', 3n * sol - 6_000n, 'sender-minimum'],
  ])('a transfer of %s would fail', async (_, amount, reason) => {
    const [alice, bob] = [await wallet(3n * sol), await wallet()]
    await expect(feeOf(alice.address, { to: bob.address, amount })).rejects.toMatchObject({
      code: 'send/would-fail',
      details: { reason, minimum: expect.stringMatching(/^\d{6,7}$/) },
    })
    const transaction = await createTransfer(node(), { from: alice.address, to: bob.address, amount })
    await expect(submit(transaction, alice)).rejects.toThrow(/rent/i)
  })
})

test('SOL is not sent to a program, a mint or a token account, from which it could never be moved', async () => {
  const alice = await wallet(3n * sol)
  const mint = await createToken(alice, 1n)
  const account = await associatedTokenAddress({ owner: alice.address, mint, tokenProgram })
  for (const to of [tokenProgram, mint, account]) {
    const refused = { code: 'send/would-fail', details: { reason: 'not-a-recipient' } }
    await expect(feeOf(alice.address, { to, amount: sol })).rejects.toMatchObject(refused)
    await expect(createTransfer(node(), { from: alice.address, to, amount: sol })).rejects.toMatchObject(refused)
  }
})

describe('tokens', () => {
  test('arrive in an account that the transfer opens with a deposit, and later without one', async () => {
    const [alice, bob] = [await wallet(3n * sol), await wallet()]
    const mint = await createToken(alice, 1_000_000n)
    const token = `${local.chainId}:${mint}`
    const transfer = { from: alice.address, to: bob.address, amount: 250_000n, token }
    for (const [units, hasDeposit] of [
      [400_000, true],
      [300_000, false],
    ] as const) {
      const fee = await feeOf(alice.address, { ...transfer, decimals: 6 })
      expect(fee.deposit !== undefined).toBe(hasDeposit)
      const [before, tokens] = [await balance(alice.address), await tokensOf(bob.address, mint)]
      const transaction = await createTransfer(node(), transfer)
      expect(unitsIn(transaction)).toBe(units)
      await submit(transaction, alice)
      expect((await tokensOf(bob.address, mint)) - tokens).toBe(250_000n)
      expect(before - (await balance(alice.address))).toBe(fee.amount)
    }
  })

  test('are not sent to a token account, with wrong decimals, or if the token does not exist', async () => {
    const [alice, bob] = [await wallet(3n * sol), await wallet()]
    const mint = await createToken(alice, 1_000_000n)
    const account = await associatedTokenAddress({ owner: alice.address, mint, tokenProgram })
    for (const [change, reason] of [
      [{ to: account }, 'not-a-recipient'],
      [{ decimals: 9 }, 'decimals'],
      [{ token: bob.address }, 'no-token'],
    ] as const) {
      const fee = feeOf(alice.address, { to: bob.address, amount: 1n, token: mint, decimals: 6, ...change })
      await expect(fee).rejects.toMatchObject({ code: 'send/would-fail', details: { reason } })
    }
  })

  test('are sent with the decimals of the displayed amount, so that the network rejects wrong ones', async () => {
    const [alice, bob] = [await wallet(3n * sol), await wallet()]
    const mint = await createToken(alice, 1_000_000n)
    const transfer = { from: alice.address, to: bob.address, amount: 1n, token: mint, decimals: 9 }
    // A node that reports the same wrong decimals as a malicious server.
    const lying = solanaNode({
      network: network(),
      async fetch(...request) {
        const answer = (await (await fetch(...request)).json()) as { result: { value: unknown } }
        const accounts = Array.isArray(answer.result?.value) ? answer.result.value : []
        for (const account of accounts) {
          const bytes = Buffer.from(account?.data?.[0] ?? '', 'base64')
          if (bytes.length !== 82) continue
          bytes[44] = 9
          account.data[0] = bytes.toString('base64')
        }
        return Response.json(answer)
      },
    })
    await expect(submit(await createTransfer(lying, transfer), alice)).rejects.toThrow('simulation failed')
    expect(await tokensOf(bob.address, mint)).toBe(0n)
    await submit(await createTransfer(node(), { ...transfer, decimals: 6 }), alice)
    expect(await tokensOf(bob.address, mint)).toBe(1n)
  })

  test('of Token-2022 arrive minus the withheld amount in the estimate, and are not sent if more would be withheld', async () => {
    const [alice, bob] = [await wallet(3n * sol), await wallet()]
    const mint = await createToken(alice, 1_000_000n, 250)
    const transfer = { from: alice.address, to: bob.address, amount: 100_001n, token: mint, decimals: 6 }
    const { withheld } = await feeOf(alice.address, transfer)
    expect(withheld).toBe(2_501n)
    await expect(createTransfer(node(), { ...transfer, maxWithheld: 2_500n })).rejects.toMatchObject({
      code: 'send/would-fail',
      details: { reason: 'withheld' },
    })
    await submit(await createTransfer(node(), { ...transfer, maxWithheld: 2_501n }), alice)
    expect(await tokensOf(bob.address, mint, 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')).toBe(97_500n)
    const plain = await createToken(alice, 1n)
    expect((await feeOf(alice.address, { ...transfer, token: plain, amount: 1n })).withheld).toBe(0n)
  })

  test('are not sent to a token account that the recipient no longer owns', async () => {
    const [alice, bob, thief] = [await wallet(3n * sol), await wallet(), await wallet()]
    const mint = await createToken(alice, 1_000_000n)
    const transfer = { from: alice.address, to: bob.address, amount: 1n, token: mint, decimals: 6 }
    await submit(await createTransfer(node(), transfer), alice)
    // The node reports the account as the token program does after SetAuthority.
    const handedOver = solanaNode({
      network: network(),
      async fetch(...request) {
        const answer = (await (await fetch(...request)).json()) as { result: { value: unknown } }
        const accounts = Array.isArray(answer.result?.value) ? answer.result.value : []
        for (const item of accounts) {
          const bytes = Buffer.from(item?.data?.[0] ?? '', 'base64')
          if (bytes.length < 165 || toBase58(bytes.subarray(32, 64)) !== bob.address) continue
          bytes.set(keyOf(thief.address), 32)
          item.data[0] = bytes.toString('base64')
        }
        return Response.json(answer)
      },
    })
    await expect(createTransfer(handedOver, transfer)).rejects.toMatchObject({
      code: 'send/would-fail',
      details: { reason: 'not-a-recipient' },
    })
  })

  test('are not sent without the decimals of the displayed amount', async () => {
    const [alice, bob] = [await wallet(3n * sol), await wallet()]
    const sending = sendTransfer({
      to: bob.address,
      amount: 1n,
      token: await createToken(alice, 1_000_000n),
      network: network(),
      fetch,
      connectorId: 'own',
      sender: () => alice.address,
      features: {
        'solana:signAndSendTransaction': {
          version: '1.0.0',
          supportedTransactionVersions: ['legacy', 0],
          signAndSendTransaction: () => Promise.reject(new Error('The wallet must not receive a request.')),
        },
      },
    })
    await expect(sending).rejects.toMatchObject({ code: 'input/invalid', details: { path: 'decimals' } })
  })
})

describe('the adapter', () => {
  test('distinguishes programs and their accounts from wallets, and reads balances and statuses', async () => {
    const adapter = solanaAdapter({ networks: [network()] })
    const [alice, bob] = [await wallet(3n * sol), await wallet()]
    const mint = await createToken(alice, 1n)
    const common = { network: network(), signal: new AbortController().signal }
    const isContract = (address: string) => adapter.isContract?.({ address, ...common })
    const account = await associatedTokenAddress({ owner: alice.address, mint, tokenProgram })
    expect(await adapter.tokenDecimals?.({ token: mint, ...common })).toBe(6)
    expect(await adapter.tokenDecimals?.({ token: bob.address, ...common })).toBeUndefined()
    expect(await Promise.all([alice.address, bob.address, mint, account, tokenProgram].map(isContract))).toEqual([
      false,
      false,
      true,
      true,
      true,
    ])
    const account10 = accountId(network().caipNetworkId, alice.address)
    expect((await adapter.balance?.({ account: account10, ...common }))?.value).toBe(await balance(alice.address))
    const transaction = await createTransfer(node(), { from: alice.address, to: bob.address, amount: sol })
    const hash = await submit(transaction, alice)
    const status = (signature: string) => adapter.transactionStatus?.({ hash: signature, ...common })
    expect([await status(hash), await status(toBase58(new Uint8Array(64).fill(7)))]).toEqual(['done', 'pending'])
  })

  test('node failures and invalid results are reported with error codes', async () => {
    const answers: (() => Promise<Response>)[] = [
      () => Promise.reject(new TypeError('offline')),
      async () => new Response('no', { status: 503 }),
      async () => new Response('{"result":{"value":-1}}'),
      async () => new Response('{"error":{"code":-32000,"message":"Too many requests"}}'),
      async () => new Response('x'.repeat(1_000_001)),
    ]
    const codes = []
    for (const fetch of answers) {
      const failing = solanaNode({ network: network(), fetch })
      codes.push(
        await failing
          .call('getBalance', [], v.object({ value: v.pipe(v.number(), v.minValue(0)) }))
          .catch((error) => error.code),
      )
    }
    expect(codes).toEqual(['http/unreachable', 'http/failed', 'http/malformed', 'wallet/failed', 'http/malformed'])
  })
})

test('the wallet receives one request for a transfer from the active account, and none if the account changes', async () => {
  const [alice, bob] = [await wallet(3n * sol), await wallet()]
  const requested: Uint8Array[] = []
  let active: string | undefined = alice.address
  const send = (sender: () => string | undefined) =>
    sendTransfer({
      to: bob.address,
      amount: sol,
      network: network(),
      fetch,
      connectorId: 'own',
      sender,
      features: {
        'solana:signAndSendTransaction': {
          version: '1.0.0',
          supportedTransactionVersions: ['legacy', 0],
          async signAndSendTransaction(...inputs) {
            for (const { transaction } of inputs) requested.push(transaction)
            const signature = await submit(requested[0] ?? new Uint8Array(), alice)
            return [{ signature: fromBase58(signature) ?? new Uint8Array() }]
          },
        },
      },
    })
  const { hash } = await send(() => active)
  expect(hash).toMatch(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/)
  expect(requested).toHaveLength(1)
  expect(await balance(bob.address)).toBe(sol)
  const changed = send(() => {
    const now = active
    active = undefined
    return now
  })
  await expect(changed).rejects.toMatchObject({ code: 'send/changed' })
  expect(requested).toHaveLength(1)
})

test.each([[[]], [[{ signature: new Uint8Array() }]], [[{}]], [[{ signature: 'abc' }]]])(
  'if the wallet returns %j, the transfer is reported as possibly sent',
  async (outputs) => {
    const [alice, bob] = [await wallet(3n * sol), await wallet()]
    const sending = sendTransfer({
      to: bob.address,
      amount: sol,
      network: network(),
      fetch,
      connectorId: 'own',
      sender: () => alice.address,
      features: {
        'solana:signAndSendTransaction': {
          version: '1.0.0',
          supportedTransactionVersions: ['legacy', 0],
          signAndSendTransaction: async () => outputs as never,
        },
      },
    })
    await expect(sending).rejects.toMatchObject({ code: 'send/unconfirmed' })
  },
)

test('public keys are on the curve, and the addresses of programs are not', async () => {
  for (let round = 0; round < 50; round++) {
    const { address } = await wallet()
    expect(isOnCurve(keyOf(address))).toBe(true)
    const account = await associatedTokenAddress({ owner: address, mint: tokenProgram, tokenProgram })
    expect(isOnCurve(keyOf(account))).toBe(false)
    const bytes = ed25519.utils.randomSecretKey()
    const isPoint = (() => {
      try {
        ed25519.Point.fromBytes(bytes)
        return true
      } catch {
        return false
      }
    })()
    expect(isOnCurve(bytes)).toBe(isPoint)
  }
})
