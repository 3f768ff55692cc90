import { fromHex, toBase64, toHex, toUtf8 } from '@latchkey/protocol/bytes'
import type { AccountId } from '@latchkey/protocol/caip'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { Address, OutScript, p2ms, p2pk, p2pkh, p2sh, p2tr, p2wpkh, p2wsh } from '@scure/btc-signer/payment.js'
import { RawTx, RawWitness, Script } from '@scure/btc-signer/script.js'
import { Transaction } from '@scure/btc-signer/transaction.js'
import { type BTC_NETWORK, hash160, NETWORK, sha256x2, TEST_NETWORK } from '@scure/btc-signer/utils.js'
import { expect, test } from 'vitest'
import vectors from '../testing/bip322.json' with { type: 'json' }
import { bip122Verifier } from './bip122.ts'
import { messageHash, toSpendId } from './bip322.ts'

const verify = bip122Verifier()
const mainnet = 'bip122:000000000019d6689c085ae165831e93'
const at = (address: string, chain: string = mainnet): AccountId => `${chain}:${address}` as AccountId

const secret = new Uint8Array(32).fill(8)
const stranger = new Uint8Array(32).fill(6)
const key = secp256k1.getPublicKey(secret)
const message = 'shop.example wants you to sign in\nGrüße 🦊'

test.each(vectors.hashes)(
  'BIP-322: the hashes of "$message" match the published hashes',
  ({ message: text, hash, toSpend }) => {
    expect(toHex(messageHash(text)).slice(2)).toBe(hash)
    const { script } = p2wpkh(
      fromHex('02c7f12003196442943d8588e01aee840423cc54fc1521526a3b85c2b0cbd58872') as Uint8Array,
    )
    expect(toHex(toSpendId({ message: text, script })).slice(2)).toBe(toSpend)
  },
)

test.each(vectors.valid)(
  'BIP-322: a published signature verifies only for its own message and address: $type',
  async (vector) => {
    for (const signature of vector.signatures) {
      const signed = { account: at(vector.address), message: vector.message, signature }
      expect(await verify(signed)).toBe(true)
      expect(await verify({ ...signed, message: vector.wrongMessage ?? 'another' })).toBe(false)
      if (vector.wrongAddress) expect(await verify({ ...signed, account: at(vector.wrongAddress) })).toBe(false)
      // The signature verifies with the prefix for its own form, but not with the prefix for the other form.
      const [bare, simple] = [signature.replace(/^smp/, ''), vector.type.includes('simple')]
      expect(await verify({ ...signed, signature: `smp${bare}` })).toBe(simple)
      expect(await verify({ ...signed, signature: `ful${bare}` })).toBe(!simple)
    }
  },
)

test.each([...vectors.invalid, ...vectors.inconclusive])(
  'BIP-322: a signature published as invalid or inconclusive is rejected: $type',
  async (vector) => {
    const { address, message: text, signature } = vector
    expect(await verify({ account: at(address), message: text, signature })).toBe(false)
  },
)

// These signatures were published with the library that created most of them. The private key is 1, and the message is the
// library's motto.
test.each([
  [
    'an uncompressed key',
    '16UwLL9Risc3QfPqBUvKofHmBQ7wMtjvM',
    'G8JawPtQOrybrSP1WHQnQPr67B9S3qrxBrl1mlzoTJOSHEpmnF7D3+t+LX0Xei9J20B5AIdPbeL3AaTBZ4N3bY0=',
  ],
  [
    'a compressed key',
    '1PMycacnJaSqwwJqjawXBErnLsZ7RkXUAs',
    'H8JawPtQOrybrSP1WHQnQPr67B9S3qrxBrl1mlzoTJOSHEpmnF7D3+t+LX0Xei9J20B5AIdPbeL3AaTBZ4N3bY0=',
  ],
  [
    'segwit in P2SH',
    '3JvL6Ymt8MVWiCNHC7oWU6nLeHNJKLZGLN',
    'JF8nHqFr3K2UKYahhX3soVeoW8W1ECNbr0wfck7lzyXjCS5Q16Ek45zyBuy1Fiy9sTPKVgsqqOuPvbycuVSSVl8=',
  ],
  [
    'segwit',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    'KF8nHqFr3K2UKYahhX3soVeoW8W1ECNbr0wfck7lzyXjCS5Q16Ek45zyBuy1Fiy9sTPKVgsqqOuPvbycuVSSVl8=',
  ],
])('BIP-137: a published signature verifies: %s', async (_, address, signature) => {
  const signed = { account: at(address), message: 'vires is numeris', signature }
  expect(await verify(signed)).toBe(true)
  expect(await verify({ ...signed, message: 'foobar' })).toBe(false)
  expect(await verify({ ...signed, account: at('1111111111111111111114oLvT2') })).toBe(false)
})

test('BIP-137: each header byte is valid only for its own address type, except that 31 to 34 are also valid for segwit, as in Electrum', async () => {
  const [recovery = 0, ...proof] = secp256k1.sign(oldHash(message), secret, { prehash: false, format: 'recovered' })
  const addresses = [
    p2pkh(secp256k1.getPublicKey(secret, false)).address,
    p2pkh(key).address,
    p2sh(p2wpkh(key)).address,
    p2wpkh(key).address,
    p2tr(key.subarray(1)).address,
    p2wsh(p2pk(key)).address,
  ] as const
  const good = await Promise.all(
    [27, 31, 35, 39].map(async (head) => {
      const signature = toBase64(new Uint8Array([head + recovery, ...proof]))
      return Promise.all(addresses.map((address) => verify({ account: at(address as string), message, signature })))
    }),
  )
  const [yes, no] = [true, false]
  expect(good).toEqual([
    [yes, no, no, no, no, no],
    [no, yes, yes, yes, no, no],
    [no, no, yes, no, no, no],
    [no, no, no, yes, no, no],
  ])
  for (const head of [0, 23 + recovery, 26, 43 + recovery, 47 + recovery, 255]) {
    const signature = toBase64(new Uint8Array([head, ...proof]))
    for (const address of addresses)
      expect(await verify({ account: at(address as string), message, signature })).toBe(false)
  }
  const segwit = toBase64(new Uint8Array([39 + recovery, ...proof]))
  expect(await verify({ account: at(p2wpkh(key).address as string), message, signature: `smp${segwit}` })).toBe(false)
  const { r, s } = secp256k1.Signature.fromBytes(new Uint8Array(proof))
  const twin = new secp256k1.Signature(r, secp256k1.Point.Fn.neg(s)).toBytes('compact')
  const signature = toBase64(new Uint8Array([31 + (recovery ^ 1), ...twin]))
  expect(await verify({ account: at(p2pkh(key).address as string), message, signature })).toBe(false)
})

const chains = {
  main: mainnet,
  test3: 'bip122:000000000933ea01ad0ee984209779ba',
  test4: 'bip122:00000000da84f2bafbbc53dee25a72ae',
  signet: 'bip122:00000008819873e925422c1ff0f99f7c',
  regtest: 'bip122:0f9188f13cb7b2c71f2a335e3a4fc328',
  litecoin: 'bip122:12a765e31ffd4059bada1e25190f6e98',
} as const

test('an address in upper case is rejected, so that each account has only one spelling', async () => {
  const address = p2wpkh(key).address as string
  const signature = simple(signedTx({ payment: p2wpkh(key), by: [secret] }))
  const spelt = (text: string) => verify({ account: at(text, chains.main), message, signature })
  expect([await spelt(address), await spelt(address.toUpperCase())]).toEqual([true, false])
})

test('an address is valid only on the chains that use its format', async () => {
  const signature = simple(signedTx({ payment: p2wpkh(key), by: [secret] }))
  const on = async (network: BTC_NETWORK) => {
    const address = p2wpkh(key, network).address as string
    const good = await Promise.all(
      Object.entries(chains).map(async ([name, chain]) =>
        (await verify({ account: at(address, chain), message, signature })) ? [name] : [],
      ),
    )
    return good.flat()
  }
  expect(await on(NETWORK)).toEqual(['main'])
  expect(await on(TEST_NETWORK)).toEqual(['test3', 'test4', 'signet'])
  expect(await on({ ...TEST_NETWORK, bech32: 'bcrt' })).toEqual(['regtest'])
  expect(await on({ ...NETWORK, bech32: 'ltc' })).toEqual([])
})

test.each([
  ['p2wpkh', p2wpkh(key), [secret]],
  ['p2tr', p2tr(key.subarray(1)), [secret]],
  ['p2sh-p2wpkh', p2sh(p2wpkh(key)), [secret]],
  ['p2wsh with one key', p2wsh(p2pk(key)), [secret]],
  ['p2wsh with 1-of-2 multisig', p2wsh(p2ms(1, [key, secp256k1.getPublicKey(stranger)])), [secret]],
])('BIP-322: simple and full signatures that a wallet library created verify: %s', async (_, payment, by) => {
  const tx = signedTx({ payment, by })
  const signed = { account: at(payment.address as string), message }
  expect(await verify({ ...signed, signature: simple(tx) })).toBe(true)
  expect(await verify({ ...signed, signature: toBase64(tx.toBytes(true, true)) })).toBe(true)
  expect(await verify({ ...signed, message: `${message} `, signature: simple(tx) })).toBe(false)
})

test('BIP-322: p2pkh requires the full form, because it has no witness', async () => {
  const payment = p2pkh(key)
  const tx = new Transaction({ version: 0, allowUnknownOutputs: true, allowLegacyWitnessUtxo: true })
  tx.addInput({
    txid: toSpendId({ message, script: payment.script }),
    index: 0,
    sequence: 0,
    witnessUtxo: { script: payment.script, amount: 0n },
  })
  tx.addOutput({ script: new Uint8Array([0x6a]), amount: 0n })
  tx.sign(secret)
  tx.finalize()
  const signature = toBase64(tx.toBytes(true, true))
  expect(await verify({ account: at(payment.address as string), message, signature })).toBe(true)
  const scriptSig = tx.getInput(0).finalScriptSig as Uint8Array
  // The same data, pushed with a longer opcode, is a different encoding.
  const raw = RawTx.decode(tx.toBytes(true, true))
  const [input] = raw.inputs as [(typeof raw.inputs)[0]]
  const longer = { ...input, finalScriptSig: new Uint8Array([0x4c, ...scriptSig]) }
  const respelled = toBase64(RawTx.encode({ ...raw, inputs: [longer] }))
  expect(await verify({ account: at(payment.address as string), message, signature: respelled })).toBe(false)
  // The scriptSig contains only the signature, nothing, or an extra push.
  const spelled = (...parts: readonly Uint8Array[]) => {
    const inputs = [{ ...input, finalScriptSig: Script.encode([...parts]) }]
    return verify({
      account: at(payment.address as string),
      message,
      signature: toBase64(RawTx.encode({ ...raw, inputs })),
    })
  }
  const [proof, owner] = [scriptSig.subarray(1, -34), key]
  expect(await Promise.all([spelled(proof, owner), spelled(proof), spelled(), spelled(proof, owner, key)])).toEqual([
    true,
    false,
    false,
    false,
  ])
  // The witness contains an extra element.
  const stuffed = toBase64(RawTx.encode({ ...raw, segwitFlag: true, witnesses: [[key]] }))
  expect(await verify({ account: at(payment.address as string), message, signature: stuffed })).toBe(false)
  // The pushes of a scriptSig are disguised as a witness.
  const dressed = toBase64(RawWitness.encode([scriptSig.subarray(1, -34), key]))
  expect(await verify({ account: at(payment.address as string), message, signature: dressed })).toBe(false)
})

test('BIP-322: a full signature must have exactly one input, which spends the message, and one empty output', async () => {
  const payment = p2wpkh(key)
  const good = RawTx.decode(signedTx({ payment, by: [secret] }).toBytes(true, true))
  const holds = (tx: typeof good): Promise<boolean> =>
    verify({ account: at(payment.address as string), message, signature: toBase64(RawTx.encode(tx)) })
  const [input, output] = [good.inputs[0] as (typeof good.inputs)[0], good.outputs[0] as (typeof good.outputs)[0]]
  const witness = good.witnesses?.[0] as Uint8Array[]
  expect(await holds(good)).toBe(true)
  const first = RawTx.decode(signedTx({ payment, by: [secret], version: 1 }).toBytes(true, true))
  const second = RawTx.decode(signedTx({ payment, by: [secret], version: 2 }).toBytes(true, true))
  expect([await holds(first), await holds(second)]).toEqual([false, true])
  expect(await holds({ ...good, version: 2 })).toBe(false)
  expect(await holds({ ...good, lockTime: 1 })).toBe(false)
  expect(await holds({ ...good, inputs: [{ ...input, sequence: 1 }] })).toBe(false)
  expect(await holds({ ...good, inputs: [{ ...input, index: 1 }] })).toBe(false)
  expect(await holds({ ...good, inputs: [{ ...input, txid: new Uint8Array(32) }] })).toBe(false)
  expect(await holds({ ...good, inputs: [{ ...input, finalScriptSig: new Uint8Array([0]) }] })).toBe(false)
  expect(await holds({ ...good, inputs: [input, input], witnesses: [witness, witness] })).toBe(false)
  expect(await holds({ ...good, outputs: [{ ...output, amount: 1n }] })).toBe(false)
  expect(await holds({ ...good, outputs: [{ ...output, script: new Uint8Array([0x6a, 0]) }] })).toBe(false)
  expect(await holds({ ...good, outputs: [output, output] })).toBe(false)
})

test('BIP-322: a signature must use SIGHASH_ALL, strict DER and low s, and the witness must not contain extra elements', async () => {
  const payment = p2wpkh(key)
  const [der = new Uint8Array(), owner = new Uint8Array()] = witnessOf(signedTx({ payment, by: [secret] }))
  const holds = (...stack: readonly Uint8Array[]): Promise<boolean> =>
    verify({
      account: at(payment.address as string),
      message,
      signature: toBase64(RawWitness.encode([...stack])),
    })
  expect(await holds(der, owner)).toBe(true)
  expect(await holds(new Uint8Array([...der.subarray(0, -1), 2]), owner)).toBe(false)
  expect(await holds(new Uint8Array([...der.subarray(0, -1), 0x81]), owner)).toBe(false)
  expect(await holds(der.subarray(0, -1), owner)).toBe(false)
  expect(await holds(der, owner, owner)).toBe(false)
  expect(await holds(new Uint8Array(), der, owner)).toBe(false)
  expect(await holds(der, secp256k1.getPublicKey(secret, false))).toBe(false)
  // A Taproot signature has 64 bytes, or 65 bytes if the hash type is appended to it.
  const taproot = p2tr(key.subarray(1))
  const [short = new Uint8Array()] = witnessOf(signedTx({ payment: taproot, by: [secret] }))
  const whole = (...stack: readonly Uint8Array[]): Promise<boolean> =>
    verify({ account: at(taproot.address as string), message, signature: toBase64(RawWitness.encode([...stack])) })
  expect(await whole(short)).toBe(true)
  expect(await whole(new Uint8Array([...short, 0]))).toBe(false)
  expect(await whole(new Uint8Array([...short, 1]))).toBe(false)
  expect(await whole(short, new Uint8Array([0x50]))).toBe(false)
  expect(await whole(schnorr.sign(messageHash(message), secret))).toBe(false)
})

test('a multisignature must contain the required number of signatures, in the order of the keys and with at most one for each key', async () => {
  const [a, b, c] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [Uint8Array, Uint8Array, Uint8Array]
  const payment = p2wsh(
    p2ms(
      2,
      [a, b, c].map((privateKey) => secp256k1.getPublicKey(privateKey)),
    ),
  )
  const empty = new Uint8Array()
  const [, byA = empty, byB = empty, code = empty] = witnessOf(signedTx({ payment, by: [a, b] }))
  const [, , byC = empty] = witnessOf(signedTx({ payment, by: [a, c] }))
  const holds = (...stack: readonly Uint8Array[]): Promise<boolean> =>
    verify({ account: at(payment.address as string), message, signature: toBase64(RawWitness.encode([...stack])) })
  expect(await holds(empty, byA, byB, code)).toBe(true)
  expect(await holds(empty, byA, byC, code)).toBe(true)
  expect(await holds(empty, byB, byC, code)).toBe(true)
  expect(await holds(empty, byB, byA, code)).toBe(false)
  expect(await holds(empty, byA, byA, code)).toBe(false)
  expect(await holds(empty, byA, code)).toBe(false)
  expect(await holds(empty, byA, empty, code)).toBe(false)
  expect(await holds(byA, byB, code)).toBe(false)
  expect(await holds(new Uint8Array([1]), byA, byB, code)).toBe(false)
  expect(await holds(empty, byA, byB, byC, code)).toBe(false)
})

test('BIP-322: the revealed script or key must match the hash in the address', async () => {
  const spent = (script: Uint8Array): Transaction => {
    const tx = new Transaction({ version: 0, allowUnknownOutputs: true })
    tx.addInput({ txid: toSpendId({ message, script }), index: 0, sequence: 0 })
    tx.addOutput({ script: new Uint8Array([0x6a]), amount: 0n })
    return tx
  }
  const by = (who: Uint8Array, digest: Uint8Array): Uint8Array =>
    new Uint8Array([...secp256k1.sign(digest, who, { prehash: false, format: 'der' }), 1])
  const holds = (address: string | undefined, ...stack: readonly Uint8Array[]): Promise<boolean> =>
    verify({ account: at(address as string), message, signature: toBase64(RawWitness.encode([...stack])) })

  // An attacker uses their own script with another user's address.
  const attackerScript = p2pk(secp256k1.getPublicKey(stranger)).script
  const victim = p2wsh(p2pk(key))
  const forged = by(stranger, spent(victim.script).preimageWitnessV0(0, attackerScript, 1, 0n))
  expect(await holds(victim.address, forged, attackerScript)).toBe(false)

  // Segwit does not allow uncompressed keys, even if the address was derived from one.
  const long = secp256k1.getPublicKey(secret, false)
  const odd = OutScript.encode({ type: 'wpkh', hash: hash160(long) })
  const code = OutScript.encode({ type: 'pkh', hash: hash160(long) })
  const address = Address().encode({ type: 'wpkh', hash: hash160(long) })
  expect(await holds(address, by(secret, spent(odd).preimageWitnessV0(0, code, 1, 0n)), long)).toBe(false)

  // The scriptSig must contain the nested script, in the standard encoding.
  const nested = p2sh(p2wpkh(key))
  const full = RawTx.decode(signedTx({ payment: nested, by: [secret] }).toBytes(true, true))
  const [input] = full.inputs as [(typeof full.inputs)[0]]
  for (const finalScriptSig of [new Uint8Array(), new Uint8Array([0x4c, ...input.finalScriptSig])]) {
    const signature = toBase64(RawTx.encode({ ...full, inputs: [{ ...input, finalScriptSig }] }))
    expect(await verify({ account: at(nested.address as string), message, signature })).toBe(false)
  }
})

function oldHash(text: string): Uint8Array {
  const bytes = toUtf8(text)
  return sha256x2(toUtf8('\x18Bitcoin Signed Message:\n'), new Uint8Array([bytes.length]), bytes)
}

/** Uses a wallet library to sign a transaction that spends an output of `payment`. */
function signedTx({
  payment,
  by,
  version = 0,
}: {
  version?: number
  payment: { readonly script: Uint8Array; readonly redeemScript?: Uint8Array; readonly witnessScript?: Uint8Array }
  by: readonly Uint8Array[]
}): Transaction {
  const tx = new Transaction({ version, allowUnknownOutputs: true })
  const { script: spends, ...rest } = payment
  const txid = toSpendId({ message, script: spends })
  tx.addInput({ ...rest, txid, index: 0, sequence: 0, witnessUtxo: { script: spends, amount: 0n } } as never)
  tx.addOutput({ script: new Uint8Array([0x6a]), amount: 0n })
  for (const signer of by) tx.sign(signer)
  tx.finalize()
  return tx
}

function witnessOf(tx: Transaction): readonly Uint8Array[] {
  return tx.getInput(0).finalScriptWitness ?? []
}

function simple(tx: Transaction): string {
  return toBase64(RawWitness.encode([...witnessOf(tx)]))
}
