import { fakeClock } from '@latchkey/protocol/testing'
import {
  hashTypedData,
  parseEther,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
  type TransactionSerializable,
  zeroAddress,
} from 'viem'
import { mnemonicToAccount, toAccount } from 'viem/accounts'
import { recoverAuthorizationAddress } from 'viem/utils'
import { expect, test } from 'vitest'
import { seededEnvironment } from '../testing/seededEnvironment.ts'
import { createVaultFixture } from '../testing/vaultFixture.ts'
import { eip155Signer } from './eip155.ts'
import { parseTypedData, type TypedData } from './typedData.ts'

async function both() {
  const { vault } = await createVaultFixture(seededEnvironment(19, fakeClock()))
  return { vault, signer: eip155Signer(vault), other: mnemonicToAccount((await vault.mnemonic()).join(' ')) }
}

const fees = { maxFeePerGas: 30_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n, gas: 21_000n, nonce: 3 }
const to = '0x00000000000000000000000000000000000000AA'

test('signatures for messages, typed data and transactions are identical to those created by viem', async () => {
  const { signer, other } = await both()
  expect(signer.address).toBe(other.address)
  for (const raw of ['0x', '0x68656c6c6f', `0x${'00'.repeat(500)}`] as const) {
    expect(await signer.signMessage({ message: { raw } })).toBe(await other.signMessage({ message: { raw } }))
  }
  const typed = parseTypedData(mail)
  expect(await signer.signTypedData(typed)).toBe(await other.signTypedData(typed as never))
  const authorization = await other.signAuthorization!({ address: to, chainId: 1, nonce: 4 })
  const transactions: TransactionSerializable[] = [
    { chainId: 1, to, value: parseEther('1'), ...fees },
    { chainId: 10, type: 'legacy', gasPrice: 5n, gas: 21_000n, nonce: 0, to, value: 1n },
    {
      chainId: 137,
      type: 'eip2930',
      gasPrice: 5n,
      gas: 21_000n,
      nonce: 0,
      to,
      accessList: [{ address: to, storageKeys: [] }],
    },
    { chainId: 1, data: '0x600160005260206000f3', ...fees },
    { chainId: 1, type: 'eip7702', authorizationList: [authorization], to, ...fees },
  ]
  for (const transaction of transactions) {
    const signed = await signer.signTransaction(transaction)
    expect(signed).toBe(await other.signTransaction(transaction as never))
    expect(await recoverTransactionAddress({ serializedTransaction: signed as never })).toBe(signer.address)
  }
}, 60_000)

test('a signed EIP-7702 authorization recovers to the signer’s address', async () => {
  const { signer } = await both()
  const authorization = await signer.signAuthorization({ address: to, chainId: 31_337, nonce: 7 })
  expect(await recoverAuthorizationAddress({ authorization })).toBe(signer.address)
})

test('viem accepts the signer as a local account', async () => {
  const { signer } = await both()
  const account = toAccount(signer as Parameters<typeof toAccount>[0])
  expect(account).toMatchObject({ address: signer.address, type: 'local' })
})

test('a transaction with blobs or without a chain ID is rejected', async () => {
  const { signer } = await both()
  await expect(signer.signTransaction({ type: 'legacy', to, gasPrice: 1n })).rejects.toMatchObject({
    code: 'sign/malformed',
  })
  const blob = { type: 'eip4844', chainId: 1, to, blobVersionedHashes: [], maxFeePerBlobGas: 1n } as const
  await expect(signer.signTransaction(blob as never)).rejects.toMatchObject({ code: 'sign/malformed' })
})

test.each([0, -0, Number.NaN, 1.5, 2 ** 53])('a transaction for the chain ID %o is rejected', async (chainId) => {
  const { signer } = await both()
  const signing = signer.signTransaction({ type: 'legacy', chainId, to, gasPrice: 1n })
  await expect(signing).rejects.toThrow(/invalid chain ID/)
})

test('only a hash of 32 bytes can be signed', async () => {
  const { signer, other } = await both()
  const hash = `0x${'ab'.repeat(32)}` as const
  expect(await signer.sign({ hash })).toBe(await other.sign!({ hash }))
  for (const wrong of ['0x', hash.slice(0, -2), `${hash}00`, '0xzz'] as `0x${string}`[])
    await expect(signer.sign({ hash: wrong })).rejects.toThrow(/not a hash/)
})

test('nothing is signed if the record names an address other than that of the key', async () => {
  const { vault } = await both()
  const record = { ...vault.record, addresses: { ...vault.record.addresses, eip155: to } }
  const signing = eip155Signer({ ...vault, record }).signMessage({ message: { raw: '0x01' } })
  await expect(signing).rejects.toMatchObject({ code: 'vault/wrong-address' })
})

test('a locked vault does not sign', async () => {
  const { vault, signer } = await both()
  vault.lock()
  await expect(signer.signMessage({ message: { raw: '0x00' } })).rejects.toMatchObject({ code: 'vault/locked' })
})

test('signatures for messages and typed data recover to the signer’s address', async () => {
  const { signer } = await both()
  const message = { raw: '0xff00' } as const
  const signature = await signer.signMessage({ message })
  expect(await recoverMessageAddress({ message, signature })).toBe(signer.address)
  const typed = parseTypedData(JSON.stringify(mail))
  const over = await signer.signTypedData(typed)
  expect(await recoverTypedDataAddress({ ...(typed as TypedData & { message: never }), signature: over })).toBe(
    signer.address,
  )
})

// --- Typed data -----------------------------------------------------------------------------------------------------

// The example from EIP-712.
const mail = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
} as const

test('the hash of the EIP-712 example matches the published hash', () => {
  const hash = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2'
  expect(hashTypedData(parseTypedData(mail) as never)).toBe(hash)
})

test('the parsed result omits data that is not signed', () => {
  const decoy = {
    ...mail,
    types: { ...mail.types, Decoy: [{ name: 'x', type: 'string' }] },
    message: { ...mail.message, amount: 'nothing at all', from: { ...mail.message.from, title: 'your bank' } },
  }
  expect(parseTypedData(decoy)).toEqual(parseTypedData(mail))
})

const with1 = (type: string, value: unknown) => ({
  types: { EIP712Domain: [], A: [{ name: 'x', type }], B: [{ name: 'x', type: 'B' }] },
  primaryType: 'A',
  domain: {},
  message: { x: value },
})

test.each([
  ['invalid JSON', '{'],
  ['null', null],
  ['an undeclared primary type', { ...mail, primaryType: 'Letter' }],
  ['an undeclared domain type', { ...mail, types: { Person: mail.types.Person, Mail: mail.types.Mail } }],
  ['the domain as the message', { ...mail, primaryType: 'EIP712Domain' }],
  ['the name of a prototype property', { ...mail, primaryType: 'constructor' }],
  ['a missing field', { ...mail, message: { from: mail.message.from, to: mail.message.to } }],
  ['a missing domain field', { ...mail, domain: { ...mail.domain, verifyingContract: undefined } }],
  [
    'a domain field with the wrong type',
    { ...mail, types: { ...mail.types, EIP712Domain: [{ name: 'chainId', type: 'string' }] } },
  ],
  ['duplicate fields', { ...mail, types: { ...mail.types, Person: [...mail.types.Person, ...mail.types.Person] } }],
  ['a recursive type', with1('B', { x: {} })],
  ['an integer above its range', with1('uint8', 256)],
  ['a negative unsigned integer', with1('uint256', -1)],
  ['an integer below its range', with1('int8', -129)],
  ['a fraction', with1('uint256', 1.5)],
  ['a number that is not a safe integer', with1('uint256', 2 ** 60)],
  ['a short address', with1('address', '0x00')],
  ['an address with an invalid checksum', with1('address', '0xcCCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC')],
  ['bytes of the wrong length', with1('bytes32', '0x00')],
  ['an array of the wrong length', with1('bool[2]', [true])],
  ['a string instead of a bool', with1('bool', 'true')],
  ['an invalid integer width', with1('uint7', 1)],
  ['an object instead of a string', with1('string', {})],
])('parseTypedData() rejects %s', (_, input) => {
  expect(() => parseTypedData(input)).toThrow(/data to sign is not valid/)
})

test.each([
  ['uint256', (2n ** 256n - 1n).toString(), 2n ** 256n - 1n],
  ['int8', -128, -128n],
  ['uint8', '0xff', 255n],
  ['bytes', '0x', '0x'],
  ['address', zeroAddress, zeroAddress],
  ['string[][2]', [['a'], []], [['a'], []]],
])('parseTypedData() parses a value of type %s', (type, value, read) => {
  expect(parseTypedData(with1(type, value)).message.x).toEqual(read)
})
