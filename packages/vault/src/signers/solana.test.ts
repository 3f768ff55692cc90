import { fromBase58, toBase58, toUtf8 } from '@latchkey/protocol/bytes'
import { fakeClock } from '@latchkey/protocol/testing'
import {
  AccountRole,
  address,
  appendTransactionMessageInstruction,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  compressTransactionMessageUsingAddressLookupTables,
  createKeyPairFromPrivateKeyBytes,
  createTransactionMessage,
  getBase58Decoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signBytes,
  signTransaction,
  type Transaction,
} from '@solana/kit'
import { expect, test } from 'vitest'
import { deriveSolanaKey } from '../derivation/solana.ts'
import { seededEnvironment } from '../testing/seededEnvironment.ts'
import { createVaultFixture } from '../testing/vaultFixture.ts'
import { solanaSigner } from './solana.ts'
import { isSolanaMessage, parseSolanaTransaction } from './solanaTransaction.ts'

async function both() {
  const { vault } = await createVaultFixture(seededEnvironment(23, fakeClock()))
  const pair = await vault.withRootSecret((root) => createKeyPairFromPrivateKeyBytes(deriveSolanaKey(root)))
  return { vault, signer: solanaSigner(vault), pair }
}

const lifetime = { blockhash: 'EkSnNWid2cvwEVnVx9aBqawnmiCNiDgp3gUdkDPTKN1N' as Blockhash, lastValidBlockHeight: 5n }
const system = address('11111111111111111111111111111111')
const other = address('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T')
const table = address('AddressLookupTab1e1111111111111111111111111')
const looked = address('SysvarRent111111111111111111111111111111111')

function transfer(from: string, extra: Instruction['accounts'] = []): Instruction {
  const accounts = [
    { address: address(from), role: AccountRole.WRITABLE_SIGNER },
    { address: other, role: AccountRole.WRITABLE },
    ...extra,
  ]
  return { programAddress: system, accounts, data: new Uint8Array([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]) }
}

function compiled(version: 'legacy' | 0, from: string, payer = from): Transaction {
  return compileTransaction(
    pipe(
      createTransactionMessage({ version: version as 0 }),
      (message) => setTransactionMessageFeePayer(address(payer), message),
      (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
      (message) => appendTransactionMessageInstruction(transfer(from), message),
    ),
  )
}

const textOf = (transaction: Transaction) => toBase58(new Uint8Array(getTransactionEncoder().encode(transaction)))

test.each(['legacy', 0] as const)(
  "a signed transaction (version %s) is identical to one signed by Solana's own library",
  async (version) => {
    const { signer, pair } = await both()
    const transaction = compiled(version, signer.address)
    const signed = await signer.signTransaction({ transaction: textOf(transaction) })
    expect(signed.transaction).toBe(textOf(await signTransaction([pair], transaction)))
    const { signatures } = getTransactionDecoder().decode(fromBase58(signed.transaction)!)
    expect(getBase58Decoder().decode(Object.values(signatures)[0]!)).toBe(signed.signature)
  },
)

test("if a different account pays the fee, only this account's signature is added and existing signatures are unchanged", async () => {
  const { signer } = await both()
  const payer = await createKeyPairFromPrivateKeyBytes(new Uint8Array(32).fill(3))
  const payerAddress = toBase58(new Uint8Array(await crypto.subtle.exportKey('raw', payer.publicKey)))
  const unsigned = compiled(0, signer.address, payerAddress)
  const paid = { ...unsigned, signatures: { ...unsigned.signatures } }
  const byPayer = await signBytes(payer.privateKey, unsigned.messageBytes)
  paid.signatures[address(payerAddress)] = byPayer
  const { transaction } = await signer.signTransaction({ transaction: textOf(paid) })
  const { signatures } = getTransactionDecoder().decode(fromBase58(transaction)!)
  expect(Object.keys(signatures)).toEqual([payerAddress, signer.address])
  expect(signatures[address(payerAddress)]).toEqual(byPayer)
  expect(signatures[address(signer.address)]).not.toBe(null)
})

test('a transaction is parsed into its parts, including accounts from lookup tables', () => {
  const from = other
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (item) => setTransactionMessageFeePayer(from, item),
    (item) => setTransactionMessageLifetimeUsingBlockhash(lifetime, item),
    (item) =>
      appendTransactionMessageInstructions([transfer(from, [{ address: looked, role: AccountRole.READONLY }])], item),
    (item) => compressTransactionMessageUsingAddressLookupTables(item, { [table]: [system, looked] }),
  )
  const bytes = new Uint8Array(getTransactionEncoder().encode(compileTransaction(message)))
  const read = parseSolanaTransaction(bytes)
  expect(read.message).toMatchObject({
    version: 0,
    accounts: [from, system],
    signerCount: 1,
    blockhash: lifetime.blockhash,
    lookups: [{ table, writable: [], readonly: [1] }],
  })
  expect(read.message.instructions).toEqual([
    { program: 1, accounts: [0, 0, 2], data: new Uint8Array([2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0]) },
  ])
})

test('signAllTransactions() signs every transaction in order, or rejects if one is invalid', async () => {
  const { signer } = await both()
  const [first, second] = [textOf(compiled(0, signer.address)), textOf(compiled('legacy', signer.address))]
  const { transactions } = await signer.signAllTransactions({ transactions: [first, second] })
  expect(transactions).toEqual([
    (await signer.signTransaction({ transaction: first })).transaction,
    (await signer.signTransaction({ transaction: second })).transaction,
  ])
  const foreign = textOf(compiled(0, other))
  const signing = signer.signAllTransactions({ transactions: [first, foreign] })
  await expect(signing).rejects.toMatchObject({ code: 'sign/wrong-account' })
})

test('signMessage() signs the bytes of the message', async () => {
  const { signer, pair } = await both()
  for (const text of ['hello', 'ü'.repeat(500), '1']) {
    const { signature } = await signer.signMessage({ message: toBase58(toUtf8(text)), pubkey: signer.address })
    expect(signature).toBe(toBase58(new Uint8Array(await signBytes(pair.privateKey, toUtf8(text)))))
  }
})

test('signMessage() rejects transactions and the public keys of other accounts', async () => {
  const { signer } = await both()
  for (const version of ['legacy', 0] as const) {
    const bytes = new Uint8Array(compiled(version, signer.address).messageBytes)
    expect(isSolanaMessage(bytes)).toBe(true)
    await expect(signer.signMessage({ message: toBase58(bytes) })).rejects.toMatchObject({ code: 'sign/malformed' })
  }
  const signing = signer.signMessage({ message: toBase58(toUtf8('hi')), pubkey: other })
  await expect(signing).rejects.toMatchObject({ code: 'sign/wrong-account' })
})

test('nothing is signed if the record names an address other than that of the key', async () => {
  const { vault } = await both()
  const record = { ...vault.record, addresses: { ...vault.record.addresses, solana: other } }
  const signing = solanaSigner({ ...vault, record }).signMessage({ message: toBase58(toUtf8('hi')) })
  await expect(signing).rejects.toMatchObject({ code: 'vault/wrong-address' })
})

test('a message can have 4,096 base58 characters, but no more', async () => {
  const { signer } = await both()
  // A leading 1 stands for a zero byte, so the text has exactly this length.
  const text = (length: number): string => '1'.repeat(length)
  expect(await signer.signMessage({ message: text(4096) })).toHaveProperty('signature')
  await expect(signer.signMessage({ message: text(4097) })).rejects.toThrow(/too large/)
  await expect(signer.signMessage({ message: '0OIl' })).rejects.toThrow(/not base58/)
})

test('truncated, extended and corrupted transactions are rejected', async () => {
  const { signer } = await both()
  const bytes = new Uint8Array(getTransactionEncoder().encode(compiled(0, signer.address)))
  for (let length = 0; length < bytes.length; length++) {
    expect(() => parseSolanaTransaction(bytes.subarray(0, length))).toThrow(/data to sign is not valid/)
  }
  expect(() => parseSolanaTransaction(new Uint8Array([...bytes, 0]))).toThrow(/length/)
  expect(() => parseSolanaTransaction(new Uint8Array(1233))).toThrow(/too large/)
  const versionOne = bytes.slice()
  versionOne[65] = 0x81
  expect(() => parseSolanaTransaction(versionOne)).toThrow(/version/)
  await expect(signer.signTransaction({ transaction: '0OIl' })).rejects.toMatchObject({ code: 'sign/malformed' })
})
