import { fromHex, toBase58 } from '@latchkey/protocol/bytes'
import { read } from '@latchkey/protocol/schemas'
import type { KeyValueStorage } from '@latchkey/walletconnect'
import { ed25519 } from '@noble/curves/ed25519.js'
import { hmac } from '@noble/hashes/hmac.js'
import { sha512 } from '@noble/hashes/sha2.js'
import * as v from 'valibot'
import { HDKey, hdKeyToAccount, type LocalAccount, privateKeyToAccount } from 'viem/accounts'

/** One account of this wallet, on both chain families. */
export interface Account {
  readonly name: string
  readonly evm: LocalAccount
  readonly solana: SolanaKey
}

/** A key of Solana that is held here. */
export interface SolanaKey {
  readonly address: string
  sign(bytes: Uint8Array): Uint8Array
}

/** Where the keys come from: a seed that this browser made, or test keys that everybody knows. */
export type Source = { readonly from: 'seed'; readonly seed: Uint8Array } | { readonly from: 'test' }

const record = 'keys'
const sourceSchema: v.GenericSchema<unknown, Source> = v.variant('from', [
  v.object({ from: v.literal('seed'), seed: v.instance(Uint8Array) }),
  v.object({ from: v.literal('test') }),
])

/** The keys of earlier visits. They lie in IndexedDB as they are: for development. */
export async function readKeys(records: KeyValueStorage): Promise<Source | undefined> {
  return read(sourceSchema, await records.get(record))
}

/** Keeps where the keys come from. */
export async function keepKeys(records: KeyValueStorage, source: Source): Promise<void> {
  await records.set(record, source)
}

/** A fresh seed. */
export function makeSeed(crypto: Crypto): Source {
  return { from: 'seed', seed: crypto.getRandomValues(new Uint8Array(32)) }
}

/** The accounts of a source: two of a seed, or one for each test key. */
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

/** The ed25519 key at a path of SLIP-10, where every step is hardened. */
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
