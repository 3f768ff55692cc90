import { webcrypto } from 'node:crypto'
import { fromBase58, fromBase64, toBase58, toBase64 } from '@latchkey/protocol/bytes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTransfer } from '../../adapters/src/solana/createTransfer.ts'
import { solanaNode } from '../../adapters/src/solana/solanaNode.ts'
import { createTestToken, createTestWallet, signAndSend } from '../../adapters/src/solana/testing/testToken.ts'
import { type LocalSolana, startSolana } from './localSolanaNode.ts'

let solana: LocalSolana
let keys: webcrypto.CryptoKeyPair
let payer: Uint8Array

beforeAll(async () => {
  solana = await startSolana()
  keys = (await webcrypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair
  payer = new Uint8Array(await webcrypto.subtle.exportKey('raw', keys.publicKey))
})
afterAll(() => solana?.close())

async function ask(method: string, params: readonly unknown[] = []) {
  const answer = await fetch(solana.url, { method: 'POST', body: JSON.stringify({ id: 1, method, params }) })
  // biome-ignore lint/suspicious/noExplicitAny: the tests read arbitrary fields.
  return (await answer.json()) as { result?: any; error?: { code: number; message: string } }
}

/** Serializes a lamports transfer as a legacy transaction. */
async function transfer(to: Uint8Array, lamports: number, blockhash: string, sign = true): Promise<string> {
  const data = new Uint8Array(12)
  new DataView(data.buffer).setUint32(0, 2, true)
  new DataView(data.buffer).setBigUint64(4, BigInt(lamports), true)
  const keysOf = [payer, to, new Uint8Array(32)]
  const hash = fromBase58(blockhash) ?? new Uint8Array(32)
  const message = Uint8Array.from(
    [[1, 0, 1, 3], ...keysOf.map((key) => [...key]), [...hash], [1, 2, 2, 0, 1, 12], [...data]].flat(),
  )
  const signature = sign
    ? new Uint8Array(await webcrypto.subtle.sign('Ed25519', keys.privateKey, message))
    : new Uint8Array(64).fill(7)
  return toBase64(Uint8Array.from([1, ...signature, ...message]))
}

test('a transfer moves lamports if its signature is valid, its blockhash is recent and there are sufficient funds, and fails otherwise', async () => {
  const from = toBase58(payer)
  const to = new Uint8Array(32).fill(9)
  const balance = async (who: string): Promise<number> => (await ask('getBalance', [who])).result.value
  await ask('requestAirdrop', [from, 2_000_000_000])
  expect(await balance(from)).toBe(2_000_000_000)
  const { blockhash } = (await ask('getLatestBlockhash')).result.value

  const wire = await transfer(to, 1_000_000_000, blockhash)
  expect((await ask('simulateTransaction', [wire, { encoding: 'base64' }])).result.value.err).toBeNull()
  const { result: signature } = await ask('sendTransaction', [wire, { encoding: 'base64' }])
  expect(signature).toBe(toBase58(fromBase64(wire)!.slice(1, 65)))
  expect(await balance(toBase58(to))).toBe(1_000_000_000)
  expect((await ask('getSignatureStatuses', [[signature]])).result.value[0]).toMatchObject({ err: null })

  const tries = [
    [await transfer(to, 1, blockhash, false), /SignatureFailure/],
    [await transfer(to, 1, toBase58(new Uint8Array(32).fill(3))), /Blockhash not found/],
    [await transfer(to, 5_000_000_000, blockhash), /"InstructionError":\[0,\{"Custom":1\}\]/],
  ] as const
  for (const [text, why] of tries) {
    const { error } = await ask('sendTransaction', [text, { encoding: 'base64' }])
    expect(error).toMatchObject({ code: -32_002, message: expect.stringMatching(why) })
  }
  expect(await balance(toBase58(to))).toBe(1_000_000_000)
  expect((await ask('getNothing')).error?.code).toBe(-32_601)
  expect((await ask('getBalance', ['nobody'])).error?.code).toBe(-32_602)
  expect((await ask('sendTransaction', ['AAAA', { encoding: 'base64' }])).error?.code).toBe(-32_602)
})

describe('the history', () => {
  const sol = 1_000_000_000n
  const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
  const tokensOf = async (owner: string, filter: object, config: object = { encoding: 'jsonParsed' }) =>
    (await ask('getTokenAccountsByOwner', [owner, filter, config])).result.value

  test('an owner’s token accounts are found by program and by mint, and a transfer changes their balances', async () => {
    const [alice, bob] = [await createTestWallet(solana.url, 3n * sol), await createTestWallet(solana.url)]
    const mint = await createTestToken(solana.url, { owner: alice, amount: 5_000_000n })
    const transfer = { from: alice.address, to: bob.address, amount: 1_250_000n, token: mint }
    const signature = await signAndSend(solana.url, await createTransfer(nodeOf(solana.url), transfer), [alice])

    for (const filter of [{ programId: tokenProgram }, { mint }]) {
      const [found, ...others] = await tokensOf(bob.address, filter)
      expect(others).toEqual([])
      expect(found.account.data.parsed.info).toEqual({
        mint,
        owner: bob.address,
        tokenAmount: { amount: '1250000', decimals: 6, uiAmount: 1.25, uiAmountString: '1.25' },
      })
    }
    const [{ pubkey, account }] = await tokensOf(bob.address, { mint }, { encoding: 'base64' })
    expect(Buffer.from(account.data[0], 'base64').readBigUInt64LE(64)).toBe(1_250_000n)
    expect(await tokensOf(bob.address, { mint: alice.address })).toEqual([])
    expect((await ask('getTokenAccountsByOwner', [bob.address, {}])).error?.code).toBe(-32_602)

    const { result } = await ask('getTransaction', [signature, { encoding: 'jsonParsed' }])
    const amounts = (list: readonly { owner: string; uiTokenAmount: { amount: string } }[]) =>
      Object.fromEntries(list.map(({ owner, uiTokenAmount }) => [owner, uiTokenAmount.amount]))
    expect(amounts(result.meta.preTokenBalances)).toEqual({ [alice.address]: '5000000' })
    expect(amounts(result.meta.postTokenBalances)).toEqual({
      [alice.address]: '3750000',
      [bob.address]: '1250000',
    })
    // The sender has paid the fee and the rent deposit for the new account.
    const at = result.transaction.message.accountKeys.findIndex((key: { pubkey: string }) => key.pubkey === pubkey)
    const { fee, preBalances, postBalances } = result.meta
    expect(preBalances[0] - postBalances[0]).toBe(fee + postBalances[at])
    expect((await ask('getSignaturesForAddress', [pubkey])).result).toHaveLength(1)
  })

  test('the signatures of an address are listed newest first, in pages, including airdrops but not failed transactions', async () => {
    const alice = await createTestWallet(solana.url, 2n * sol)
    const bob = await createTestWallet(solana.url)
    const send = async (amount: bigint): Promise<string> => {
      const transfer = { from: alice.address, to: bob.address, amount }
      return signAndSend(solana.url, await createTransfer(nodeOf(solana.url), transfer), [alice])
    }
    const first = await send(sol / 2n)
    await expect(send(5n * sol)).rejects.toThrow()
    const second = await send(sol / 4n)
    const list = async (filter?: object) =>
      (await ask('getSignaturesForAddress', [alice.address, filter])).result.map(
        (item: { signature: string }) => item.signature,
      )
    const all = await list()
    expect(all).toHaveLength(3)
    expect(all.slice(0, 2)).toEqual([second, first])
    expect(await list({ limit: 1 })).toEqual([second])
    expect(await list({ before: second })).toEqual(all.slice(1))
    expect(await list({ until: first })).toEqual([second])

    const { result: airdrop } = await ask('getTransaction', [all[2], { encoding: 'jsonParsed' }])
    expect(airdrop.transaction.message.accountKeys[1]).toMatchObject({ pubkey: alice.address, signer: false })
    const { fee, preBalances, postBalances } = airdrop.meta
    expect(postBalances[1] - preBalances[1]).toBe(Number(2n * sol))
    expect(preBalances[0] - postBalances[0]).toBe(Number(2n * sol) + fee)
    const { result: sent } = await ask('getTransaction', [second, { encoding: 'jsonParsed' }])
    expect(sent.meta.preBalances[0] - sent.meta.postBalances[0]).toBe(Number(sol / 4n) + sent.meta.fee)
    expect((await ask('getTransaction', [second, { encoding: 'base64' }])).error?.code).toBe(-32_602)
    expect((await ask('getTransaction', [toBase58(new Uint8Array(64)), { encoding: 'jsonParsed' }])).result).toBeNull()
  })
})

const nodeOf = (url: string) =>
  solanaNode({ network: { caipNetworkId: 'solana:local', rpcUrls: { default: { http: [url] } } } })
