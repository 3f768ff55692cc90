import { fromHex, toBase58 } from '@latchkey/protocol/bytes'
import { read } from '@latchkey/protocol/parseWithSchema'
import type { KeyValueStorage } from '@latchkey/walletconnect'
import { ed25519 } from '@noble/curves/ed25519.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import * as v from 'valibot'
import { HDKey, hdKeyToAccount, type LocalAccount, privateKeyToAccount } from 'viem/accounts'

/** A wallet account, with a key for each chain family. */
export interface Account {
  readonly name: string
  readonly evm: LocalAccount
  readonly solana: SolanaKey
}

/** A Solana key held in memory. */
export interface SolanaKey {
  readonly address: string
  sign(bytes: Uint8Array): Uint8Array
}

/** The source of the keys: a seed generated in this browser, or publicly known test keys. */
export type Source = { readonly from: 'seed'; readonly seed: Uint8Array } | { readonly from: 'test' }

const record = 'keys'
const sourceSchema: v.GenericSchema<unknown, Source> = v.variant('from', [
  v.object({ from: v.literal('seed'), seed: v.instance(Uint8Array) }),
  v.object({ from: v.literal('test') }),
])

/** Loads the stored key source. The source is stored unencrypted in IndexedDB, because this wallet is only for development. */
export async function readKeys(records: KeyValueStorage): Promise<Source | undefined> {
  return read(sourceSchema, await records.get(record))
}

/** Stores the key source. */
export async function keepKeys(records: KeyValueStorage, source: Source): Promise<void> {
  await records.set(record, source)
}

/** Generates a random seed. */
export function makeSeed(crypto: Crypto): Source {
  return { from: 'seed', seed: crypto.getRandomValues(new Uint8Array(32)) }
}

/** Returns the accounts of a key source. A seed has two accounts, and each test key has one. */
export function accountsOf(source: Source, testKeys: readonly `0x${string}`[]): readonly Account[] {
  if (source.from === 'test')
    return testKeys.map((key, at) => ({
      name: `Test account ${at + 1}`,
      evm: privateKeyToAccount(key),
      solana: solanaKey(fromHex(key) as Uint8Array),
    }))
  const root = HDKey.fromMasterSeed(source.seed)
  return [0, 1].map((index) => ({
    name: `Account ${index + 1}`,
    evm: hdKeyToAccount(root, { path: `m/44'/60'/0'/0/${index}` }),
    solana: solanaKey(slip10(source.seed, [44, 501, index, 0])),
  }))
}

function solanaKey(privateKey: Uint8Array): SolanaKey {
  return {
    address: toBase58(ed25519.getPublicKey(privateKey)),
    sign: (bytes) => ed25519.sign(bytes, privateKey),
  }
}

/** Derives the ed25519 key at a SLIP-10 path. Every index in the path is hardened. */
function slip10(seed: Uint8Array, path: readonly number[]): Uint8Array {
  return path
    .reduce(
      (node, step) => {
        const message = new Uint8Array(37)
        message.set(node.subarray(0, 32), 1)
        new DataView(message.buffer).setUint32(33, step + 0x8000_0000)
        return hmac(sha512, node.subarray(32), message)
      },
      hmac(sha512, new TextEncoder().encode('ed25519 seed'), seed),
    )
    .subarray(0, 32)
}
