import type { AccountId } from '@latchkey/protocol/caip'
import { verifiersFor } from '@latchkey/siwx/verify'
import { callThrough, eip155Verifier } from '@latchkey/siwx/verify/eip155'
import {
  concatHex,
  createPublicClient,
  createTestClient,
  createWalletClient,
  getContractAddress,
  type Hex,
  hashMessage,
  http,
  numberToHex,
  type PublicClient,
  padHex,
  serializeErc6492Signature,
  size,
  slice,
  zeroHash,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAccounts } from '../testAccounts.ts'
import { type Anvil, startAnvil } from './anvil.ts'

const owner = privateKeyToAccount(testAccounts[0].privateKey)
const stranger = privateKeyToAccount(testAccounts[1].privateKey)
const message = 'shop.example wants you to sign in\nGrüße 🦊'

/** The CREATE2 deployer that every local chain includes. Its calldata is a 32-byte salt followed by the creation code. */
const factory = '0x4e59b44847b379578588920cA78FbF26c0B4956C'

// Small contracts, written as bytecode.
const giveWord: Hex = '0x60005260206000f3'
/** Bytecode that returns the magic value if the address on the stack equals the result of ecrecover, and zeros otherwise. */
const yesIfEqual: Hex = concatHex(['0x600051', '0x14', '0x631626ba7e', '0x02', '0x60e01b', giveWord])
/**
 * Bytecode that recovers the signer from the hash and the 65-byte signature passed to `isValidSignature`, and stores it at memory
 * 0.
 */
const recover: Hex = concatHex([
  '0x600435600052',
  '0x60a43560f81c602052',
  '0x606435604052',
  '0x608435606052',
  '0x602060006080600060015afa50',
])

/** Returns the code of an ERC-1271 account that is owned by one key. */
const ownedBy = (address: Hex): Hex => concatHex([recover, '0x73', address, yesIfEqual])
/**
 * The code of an ERC-1271 account that is owned by the address in its storage, which anyone can set with 32 bytes of calldata.
 */
const openToAll: Hex = (() => {
  const code = concatHex([recover, '0x600054', yesIfEqual])
  const opening = numberToHex(7 + size(code), { size: 1 })
  return concatHex(['0x3660201460', opening, '0x57', code, '0x5b', '0x600035600055', '0x00'])
})()

/** Returns creation code that deploys `code`. */
const creating = (code: Hex): Hex =>
  concatHex(['0x61', numberToHex(size(code), { size: 2 }), '0x80600c6000396000f3', code])

const answers: readonly (readonly [lie: string, code: Hex])[] = [
  ['nothing', '0x00'],
  ['nothing because it reverts', '0x60006000fd'],
  ['the magic value as its revert data', concatHex(['0x631626ba7e60e01b600052', '0x60206000fd'])],
  ['nothing because it runs an invalid instruction', '0xfe'],
  ['nothing because it loops endlessly', '0x5b600056'],
  ['true', concatHex(['0x6001', giveWord])],
  ['the magic value with padding on the wrong side', concatHex(['0x631626ba7e', giveWord])],
  ['four bytes', '0x631626ba7e60e01b60005260046000f3'],
  ['the magic value of a different standard', concatHex(['0x6320c13b0b60e01b', giveWord])],
  ['its own calldata', '0x366000600037366000f3'],
  ['a megabyte', '0x631626ba7e60e01b60005262100000 6000f3'.replace(' ', '') as Hex],
]

let anvil: Anvil
let reader: PublicClient
let verify: (signed: { address: Hex; signature: Hex; text?: string }) => Promise<boolean>
let put: (address: Hex, bytecode: Hex) => Promise<void>

beforeAll(async () => {
  anvil = await startAnvil()
  const transport = http(anvil.url)
  reader = createPublicClient({ chain: anvil.chain, transport }) as PublicClient
  const hand = createTestClient({ mode: 'anvil', chain: anvil.chain, transport })
  put = (address, bytecode) => hand.setCode({ address, bytecode })
  const call = callThrough({ rpcUrl: (chain) => (chain === 'eip155:31337' ? anvil.url : undefined) })
  const { eip155 } = verifiersFor(['eip155'], { call })
  verify = async ({ address, signature, text = message }) =>
    (await eip155?.({ account: `eip155:31337:${address}` as AccountId, message: text, signature })) ?? false
}, 60_000)
afterAll(async () => anvil?.stop())

let next = 0x1000
const place = (): Hex => padHex(numberToHex(next++), { size: 20 })

test('a deployed contract is called, and the result is the same as in viem [R5.17]', async () => {
  const address = place()
  await put(address, ownedBy(owner.address))
  for (const [by, text] of [
    [owner, message],
    [owner, 'another'],
    [stranger, message],
  ] as const) {
    const signature = await by.signMessage({ message: text })
    const result = await reader.verifyMessage({ address, message, signature })
    expect(await verify({ address, signature })).toBe(result)
    expect(result).toBe(by === owner && text === message)
  }
})

test.each(answers)('a signature is rejected if the contract returns %s', async (_, code) => {
  const address = place()
  await put(address, code)
  const signature = await owner.signMessage({ message })
  expect(await verify({ address, signature })).toBe(false)
  // An ERC-6492 signature that claims that the contract is not deployed yet is rejected too.
  const wrapped = serializeErc6492Signature({ address: factory, data: '0x', signature })
  expect(await verify({ address, signature: wrapped })).toBe(false)
})

test('a signature by a different key is rejected for an address without code', async () => {
  expect(await verify({ address: place(), signature: await owner.signMessage({ message }) })).toBe(false)
  expect(await verify({ address: place(), signature: '0x' })).toBe(false)
})

test('for an EIP-7702 account, a signature verifies if it was made with the account’s own key or if the account’s code accepts it', async () => {
  const key = privateKeyToAccount(zeroHash.replace(/0$/, '7') as Hex)
  const code = place()
  await put(code, ownedBy(stranger.address))
  await put(key.address, concatHex(['0xef0100', code]))
  expect(await verify({ address: key.address, signature: await key.signMessage({ message }) })).toBe(true)
  expect(await verify({ address: key.address, signature: await stranger.signMessage({ message }) })).toBe(true)
  expect(await verify({ address: key.address, signature: await owner.signMessage({ message }) })).toBe(false)
  await put(code, '0x60006000fd')
  expect(await verify({ address: key.address, signature: await key.signMessage({ message }) })).toBe(true)
  expect(await verify({ address: key.address, signature: await stranger.signMessage({ message }) })).toBe(false)
})

/** Returns the address of an account that is not deployed yet, and the calldata that deploys the account. */
function undeployed(of: Hex, salt: Hex = zeroHash): { readonly address: Hex; readonly data: Hex } {
  const bytecode = creating(ownedBy(of))
  return {
    address: getContractAddress({ opcode: 'CREATE2', from: factory, salt, bytecode }),
    data: concatHex([salt, bytecode]),
  }
}

test('a signature of a counterfactual contract is verified with its deployment code, without deploying the contract (ERC-6492)', async () => {
  const { address, data } = undeployed(owner.address)
  const wrap = async (by = owner, made = data, text = message): Promise<Hex> =>
    serializeErc6492Signature({ address: factory, data: made, signature: await by.signMessage({ message: text }) })
  const good = await wrap()
  expect(await verify({ address, signature: good })).toBe(true)
  expect(await reader.verifyMessage({ address, message, signature: good })).toBe(true)
  expect(await reader.getCode({ address })).toBeUndefined()
  expect(await verify({ address, signature: good, text: 'another' })).toBe(false)
  expect(await verify({ address, signature: await wrap(stranger) })).toBe(false)
  // This factory call deploys to a different address.
  const elsewhere = undeployed(stranger.address, padHex('0x01', { size: 32 }))
  expect(await verify({ address, signature: await wrap(stranger, elsewhere.data) })).toBe(false)
  expect(await verify({ address: elsewhere.address, signature: good })).toBe(false)
  // These signatures have the ERC-6492 suffix, but no valid contents.
  for (const broken of [
    `0x${'6492'.repeat(16)}`,
    concatHex(['0x1234', slice(good, -32)]),
    concatHex([slice(good, 0, 96), slice(good, -32)]),
  ])
    expect(await verify({ address, signature: broken as Hex })).toBe(false)

  // Once the contract is deployed, both the same signature and the unwrapped signature are valid.
  const wallet = createWalletClient({ account: owner, chain: anvil.chain, transport: http(anvil.url) })
  await reader.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ to: factory, data }) })
  expect(await verify({ address, signature: good })).toBe(true)
  expect(await verify({ address, signature: await owner.signMessage({ message }) })).toBe(true)
  expect(await verify({ address, signature: await wrap(stranger) })).toBe(false)
})

test('a signature cannot take over an account whose owner anyone can set', async () => {
  const address = place()
  await put(address, openToAll)
  const signature = await stranger.signMessage({ message })
  // The "factory" is the account itself, so calling it during the check would make the stranger its owner.
  const opened = serializeErc6492Signature({ address, data: padHex(stranger.address, { size: 32 }), signature })
  expect(await verify({ address, signature: opened })).toBe(false)
  // The standard's reference contract calls the factory anyway, and reports the signature as valid.
  expect(await reader.verifyHash({ address, hash: hashMessage(message), signature: opened })).toBe(true)
})

test('a signature is not reported as invalid if the chain has no node: an error is thrown instead', async () => {
  const call = callThrough({ rpcUrl: () => undefined })
  const signed = { account: `eip155:5:${place()}`, message, signature: '0xab' } as const
  await expect(eip155Verifier({ call })(signed)).rejects.toMatchObject({ code: 'sign-in/no-node' })
  const wrapped = `0xab${'6492'.repeat(16)}` as Hex
  expect(await eip155Verifier({ call })({ ...signed, signature: wrapped })).toBe(false)
})
