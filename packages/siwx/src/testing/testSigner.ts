import { fromBase58, fromBase64, fromHex, toBase58, toBase64, toHex, toUtf8 } from '@latchkey/protocol/bytes'
import { type AccountId, accountId, type ChainId, type Namespace } from '@latchkey/protocol/caip'
import { ed25519 } from '@noble/curves/ed25519.js'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { blake2b } from '@noble/hashes/blake2.js'
import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bech32 } from '@scure/base'
import { p2wpkh } from '@scure/btc-signer/payment.js'
import { RawWitness } from '@scure/btc-signer/script.js'
import { Transaction } from '@scure/btc-signer/transaction.js'
import { NETWORK, TEST_NETWORK } from '@scure/btc-signer/utils.js'
import { getPublicKey, secretFromSeed, sign } from '@scure/sr25519'
import { toSpendId } from '../verify/bip322.ts'
import { personalHash } from '../verify/eip155.ts'

/** A key that signs messages in the same way as wallets in its namespace. */
export interface TestSigner {
  /** Returns the signer's account on a chain in its namespace. */
  account(chain: ChainId): AccountId
  /** Resolves to the signature in the namespace's usual encoding (see `SignedText`). */
  sign(message: string): Promise<string>
}

/**
 * Returns a signer for a namespace. The same seed always yields the same key.
 *
 * @example
 * const signer = signWith('eip155', 1)
 * const signature = await signer.sign(message)
 */
export function signWith(namespace: Namespace, seed: number): TestSigner {
  return signers[namespace](sha256(toUtf8(`${namespace} ${seed}`)))
}

/**
 * Returns the other valid signature of the same message by the same key, which anyone can compute from the first one. Verifiers
 * must reject it, because otherwise signatures would be malleable.
 */
export function malleatedSignature(namespace: Namespace, signature: string): string {
  return twins[namespace](signature)
}

const signers: Readonly<Record<Namespace, (secret: Uint8Array) => TestSigner>> = {
  eip155(secret) {
    const key = secp256k1.Point.fromBytes(secp256k1.getPublicKey(secret)).toBytes(false)
    const address = toHex(keccak_256(key.subarray(1)).subarray(12))
    return {
      account: (chain) => accountId(chain, address),
      async sign(message) {
        const [recovery = 0, ...proof] = recoverable(personalHash(message), secret)
        return toHex(new Uint8Array([...proof, recovery + 27]))
      },
    }
  },
  solana(secret) {
    const address = toBase58(ed25519.getPublicKey(secret))
    return {
      account: (chain) => accountId(chain, address),
      sign: async (message) => toBase58(ed25519.sign(toUtf8(message), secret)),
    }
  },
  bip122(secret) {
    const key = secp256k1.getPublicKey(secret)
    const { script } = p2wpkh(key)
    return {
      account(chain) {
        const network = chain === 'bip122:000000000019d6689c085ae165831e93' ? NETWORK : TEST_NETWORK
        return accountId(chain, p2wpkh(key, network).address)
      },
      async sign(message) {
        const tx = new Transaction({ version: 0, allowUnknownOutputs: true })
        const witnessUtxo = { script, amount: 0n }
        tx.addInput({ txid: toSpendId({ message, script }), index: 0, sequence: 0, witnessUtxo })
        tx.addOutput({ script: new Uint8Array([0x6a]), amount: 0n })
        tx.sign(secret)
        tx.finalize()
        return toBase64(RawWitness.encode(tx.getInput(0).finalScriptWitness ?? []))
      },
    }
  },
  polkadot(secret) {
    const pair = secretFromSeed(secret)
    const body = (prefix: number): Uint8Array => new Uint8Array([prefix, ...getPublicKey(pair)])
    return {
      account(chain) {
        const bytes = body(chain === 'polkadot:91b171bb158e2d3848fa23a9f1c25182' ? 0 : 42)
        const checksum = blake2b(new Uint8Array([...toUtf8('SS58PRE'), ...bytes])).subarray(0, 2)
        return accountId(chain, toBase58(new Uint8Array([...bytes, ...checksum])))
      },
      // Signs as browser extensions do: wraps the text and omits the type byte for sr25519.
      sign: async (message) => toHex(sign(pair, toUtf8(`<Bytes>${message}</Bytes>`))),
    }
  },
  cosmos(secret) {
    const key = secp256k1.getPublicKey(secret)
    const signer = bech32.encode('cosmos', bech32.toWords(ripemd160(sha256(key))))
    return {
      account: (chain) => accountId(chain, signer),
      async sign(message) {
        const value = { data: toBase64(toUtf8(message)), signer }
        const document = {
          account_number: '0',
          chain_id: '',
          fee: { amount: [], gas: '0' },
          memo: '',
          msgs: [{ type: 'sign/MsgSignData', value }],
          sequence: '0',
        }
        return JSON.stringify({
          pub_key: { type: 'tendermint/PubKeySecp256k1', value: toBase64(key) },
          signature: toBase64(secp256k1.sign(toUtf8(JSON.stringify(document)), secret)),
        })
      },
    }
  },
}

const twins: Readonly<Record<Namespace, (signature: string) => string>> = {
  eip155(signature) {
    const bytes = bytesOf(fromHex(signature))
    return toHex(new Uint8Array([...highS(bytes.subarray(0, 64)), (bytes[64] as number) ^ 7]))
  },
  solana: (signature) => toBase58(pastTheOrder(bytesOf(fromBase58(signature)))),
  bip122(signature) {
    const [proof, ...rest] = RawWitness.decode(bytesOf(fromBase64(signature)))
    const found = secp256k1.Signature.fromBytes(bytesOf(proof).subarray(0, -1), 'der')
    const twin = secp256k1.Signature.fromBytes(highS(found.toBytes('compact'))).toBytes('der')
    return toBase64(RawWitness.encode([new Uint8Array([...twin, 1]), ...rest]))
  },
  polkadot: (signature) => toHex(pastTheOrder(bytesOf(fromHex(signature)))),
  cosmos(signature) {
    const answered = JSON.parse(signature) as { readonly signature: string }
    return JSON.stringify({ ...answered, signature: toBase64(highS(bytesOf(fromBase64(answered.signature)))) })
  },
}

function recoverable(hash: Uint8Array, secret: Uint8Array): Uint8Array {
  return secp256k1.sign(hash, secret, { prehash: false, format: 'recovered' })
}

/** Returns the signature (r, n - s) for (r, s). */
function highS(compact: Uint8Array): Uint8Array {
  const { r, s } = secp256k1.Signature.fromBytes(compact)
  return new secp256k1.Signature(r, secp256k1.Point.Fn.neg(s)).toBytes('compact')
}

/** Returns the signature (R, S + L) for (R, S), with its highest bit unchanged. */
function pastTheOrder(signature: Uint8Array): Uint8Array {
  const twin = signature.slice()
  const mark = (twin[63] as number) & 0x80
  twin[63] = (twin[63] as number) & 0x7f
  let carry = 0n
  for (let at = 0; at < 32; at++) {
    carry += BigInt(twin[32 + at] as number) + ((ed25519.Point.Fn.ORDER >> BigInt(8 * at)) & 0xffn)
    twin[32 + at] = Number(carry & 0xffn)
    carry >>= 8n
  }
  twin[63] = (twin[63] as number) | mark
  return twin
}

function bytesOf(bytes: Uint8Array | undefined): Uint8Array {
  if (!bytes) throw new Error('The signature is not valid for this namespace.')
  return bytes
}
