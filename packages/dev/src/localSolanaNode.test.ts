import { webcrypto } from 'node:crypto'
import { fromBase58, fromBase64, toBase58, toBase64 } from '@latchkey/protocol/bytes'
import { afterAll, beforeAll, expect, test } from 'vitest'
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
