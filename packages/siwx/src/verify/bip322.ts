import { equalBytes, toUtf8 } from '@latchkey/protocol/bytes'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { OutScript } from '@scure/btc-signer/payment.js'
import { OP, RawOldTx, RawTx, RawWitness, Script } from '@scure/btc-signer/script.js'
import { Transaction } from '@scure/btc-signer/transaction.js'
import { hash160, sha256x2 } from '@scure/btc-signer/utils.js'

/** The decoded output script of an address. */
export type Paid = NonNullable<ReturnType<typeof OutScript.decode>>

/** The parts that a BIP-322 signature contributes to the transaction to sign. */
interface ToSign {
  readonly version: number
  readonly lockTime: number
  readonly sequence: number
  readonly scriptSig: Uint8Array
  readonly witness: readonly Uint8Array[]
}

/** The transaction to sign, the ID of the transaction that it spends, and the script of the spent output. */
interface Signed {
  readonly tx: ToSign
  readonly spent: Uint8Array
  readonly script: Uint8Array
}

const nothing: Uint8Array = new Uint8Array()

/** The only output that the standard allows. It has no value and cannot be spent. */
const opReturn: Uint8Array = new Uint8Array([OP.RETURN])

/** `SIGHASH_ALL`, the only hash type that the standard allows. */
const all = 1

/** Returns the hash of a message, as signed in BIP-322. */
export function messageHash(message: string): Uint8Array {
  return schnorr.utils.taggedHash('BIP0322-signed-message', toUtf8(message))
}

/** Returns the ID of the transaction that contains the message, in display byte order. */
export function toSpendId({ message, script }: { readonly message: string; readonly script: Uint8Array }): Uint8Array {
  const input = {
    txid: new Uint8Array(32),
    index: 0xffffffff,
    finalScriptSig: Script.encode(['OP_0', messageHash(message)]),
    sequence: 0,
  }
  const outputs = [{ amount: 0n, script }]
  return sha256x2(RawOldTx.encode({ version: 0, inputs: [input], outputs, lockTime: 0 })).toReversed()
}

/**
 * Whether `proof` is a BIP-322 signature (simple or full) of `message` by the keys of a script. The script can require a key or
 * its hash (p2pkh, p2wpkh, p2sh-p2wpkh, p2tr key path), or a multisignature (p2wsh). Other scripts and proofs of funds are
 * rejected, because they would require a script interpreter. Any lock time is accepted, because it does not affect who signed.
 */
export function signedByScript({
  paid,
  message,
  proof,
  form,
}: {
  readonly paid: Paid
  readonly message: string
  readonly proof: Uint8Array
  /** The form specified by the signature's prefix, if it has one. */
  readonly form: 'simple' | 'full' | undefined
}): boolean {
  const script = OutScript.encode(paid)
  const spent = toSpendId({ message, script })
  const simple = form === 'full' ? undefined : readSimple(proof, paid)
  const tx = simple ?? (form === 'simple' ? undefined : readFull(proof, spent))
  if (!tx) return false
  const signed = { tx, spent, script }
  const [first, second] = tx.witness
  switch (paid.type) {
    case 'pkh': {
      const [signature, key, ...more] = pushes(tx.scriptSig) ?? []
      if (!signature || !key || more.length > 0 || tx.witness.length > 0) return false
      return equalBytes(hash160(key), paid.hash) && byLegacy(signed, signature, key)
    }
    case 'wpkh':
      return tx.scriptSig.length === 0 && byKeyHash(signed, paid.hash)
    case 'sh': {
      if (!second) return false
      const redeem = OutScript.encode({ type: 'wpkh', hash: hash160(second) })
      if (!equalBytes(hash160(redeem), paid.hash) || !equalBytes(tx.scriptSig, Script.encode([redeem]))) return false
      return byKeyHash(signed, hash160(second))
    }
    case 'wsh':
      return tx.scriptSig.length === 0 && byWitnessScript(signed, paid.hash)
    case 'tr':
      return tx.scriptSig.length === 0 && tx.witness.length === 1 && !!first && byTaproot(signed, first, paid.pubkey)
    default:
      return false
  }
}

/** Parses a simple signature, which contains only the witness of a transaction with default values. */
function readSimple(proof: Uint8Array, paid: Paid): ToSign | undefined {
  const witness = attempt(() => RawWitness.decode(proof))
  const key = witness?.[1]
  if (!witness || witness.length === 0) return undefined
  const nested = paid.type === 'sh' && key
  const scriptSig = nested ? Script.encode([OutScript.encode({ type: 'wpkh', hash: hash160(key) })]) : nothing
  return { version: 0, lockTime: 0, sequence: 0, scriptSig, witness }
}

/** Parses a full signature, which is a transaction with one input that spends the message and one empty output. */
function readFull(proof: Uint8Array, spent: Uint8Array): ToSign | undefined {
  const tx = attempt(() => RawTx.decode(proof))
  const input = tx?.inputs[0]
  const output = tx?.outputs[0]
  if (!tx || !input || !output || tx.inputs.length !== 1 || tx.outputs.length !== 1) return undefined
  if (tx.version !== 0 && tx.version !== 2) return undefined
  if (input.index !== 0 || !equalBytes(input.txid, spent)) return undefined
  if (output.amount !== 0n || !equalBytes(output.script, opReturn)) return undefined
  const { version, lockTime } = tx
  const { sequence, finalScriptSig: scriptSig } = input
  return { version, lockTime, sequence, scriptSig, witness: tx.witnesses?.[0] ?? [] }
}

function byKeyHash(signed: Signed, hash: Uint8Array): boolean {
  const [signature, key, ...more] = signed.tx.witness
  if (!signature || key?.length !== 33 || more.length > 0 || !equalBytes(hash160(key), hash)) return false
  return byEcdsa(witnessHash(signed, OutScript.encode({ type: 'pkh', hash })), signature, key)
}

function byWitnessScript(signed: Signed, hash: Uint8Array): boolean {
  const script = signed.tx.witness.at(-1)
  const stack = signed.tx.witness.slice(0, -1)
  if (!script || !equalBytes(sha256(script), hash)) return false
  const owners = attempt(() => OutScript.decode(script))
  const digest = witnessHash(signed, script)
  if (owners?.type === 'pk') {
    const [signature, ...more] = stack
    return !!signature && more.length === 0 && owners.pubkey.length === 33 && byEcdsa(digest, signature, owners.pubkey)
  }
  if (owners?.type !== 'ms') return false
  // `OP_CHECKMULTISIG` pops one element too many, which must be empty.
  const [dummy, ...signatures] = stack
  if (dummy?.length !== 0 || signatures.length !== owners.m) return false
  const keys = owners.pubkeys[Symbol.iterator]()
  // Signatures must be in the order of the keys, and each key can be used only once.
  return signatures.every((signature) => {
    for (let next = keys.next(); !next.done; next = keys.next())
      if (next.value.length === 33 && byEcdsa(digest, signature, next.value)) return true
    return false
  })
}

function byTaproot(signed: Signed, signature: Uint8Array, key: Uint8Array): boolean {
  const type = signature.length === 65 ? signature[64] : 0
  if (signature.length === 65 && type !== all) return false
  if (signature.length !== 64 && signature.length !== 65) return false
  const digest = unsigned(signed).preimageWitnessV1(0, [signed.script], type as number, [0n])
  return attempt(() => schnorr.verify(signature.subarray(0, 64), digest, key)) ?? false
}

/**
 * Verifies a signature of a pre-segwit transaction. The input in the signed data contains the script of the spent output, and the
 * data ends with the hash type.
 */
function byLegacy({ tx, spent, script }: Signed, signature: Uint8Array, key: Uint8Array): boolean {
  const input = { txid: spent, index: 0, finalScriptSig: script, sequence: tx.sequence }
  const { version, lockTime } = tx
  const bytes = RawOldTx.encode({ version, inputs: [input], outputs: [{ amount: 0n, script: opReturn }], lockTime })
  return byEcdsa(sha256x2(bytes, new Uint8Array([all, 0, 0, 0])), signature, key)
}

function witnessHash(signed: Signed, scriptCode: Uint8Array): Uint8Array {
  return unsigned(signed).preimageWitnessV0(0, scriptCode, all, 0n)
}

function unsigned({ tx: { version, lockTime, sequence }, spent }: Signed): Transaction {
  const tx = new Transaction({ version, lockTime, allowUnknownOutputs: true })
  tx.addInput({ txid: spent, index: 0, sequence })
  tx.addOutput({ script: opReturn, amount: 0n })
  return tx
}

/** Verifies a strict DER signature with low s, which is followed by its hash type. */
function byEcdsa(digest: Uint8Array, signature: Uint8Array, key: Uint8Array): boolean {
  if (signature.at(-1) !== all) return false
  const proof = signature.subarray(0, -1)
  return attempt(() => secp256k1.verify(proof, digest, key, { prehash: false, format: 'der' })) ?? false
}

/** Returns the data that a script pushes, or `undefined` if the script contains anything other than minimal pushes. */
function pushes(script: Uint8Array): readonly Uint8Array[] | undefined {
  const parts = attempt(() => Script.decode(script))
  if (!parts?.every((part) => part instanceof Uint8Array)) return undefined
  return equalBytes(Script.encode(parts), script) ? parts : undefined
}

function attempt<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
