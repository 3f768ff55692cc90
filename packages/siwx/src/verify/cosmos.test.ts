import { encodeSecp256k1Pubkey, makeSignDoc, pubkeyToAddress, Secp256k1Wallet, serializeSignDoc } from '@cosmjs/amino'
import { toBase64, toUtf8 } from '@latchkey/protocol/bytes'
import type { AccountId } from '@latchkey/protocol/caip'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { expect, test } from 'vitest'
import { cosmosVerifier } from './cosmos.ts'

const verify = cosmosVerifier()
const secret = new Uint8Array(32).fill(9)
const key = secp256k1.getPublicKey(secret)
const message = 'example.com wants <you> & "me" to sign in\nGrüße 🦊'

/** Returns the document to sign, as CosmJS creates it. */
function documentOf(signer: string, text = message) {
  const msg = { type: 'sign/MsgSignData', value: { signer, data: toBase64(toUtf8(text)) } }
  return makeSignDoc([msg], { gas: '0', amount: [] }, '', '', 0, 0)
}

test.each([
  ['cosmoshub-4', 'cosmos'],
  ['osmosis-1', 'osmo'],
])('a signature that CosmJS created for %s verifies (ADR-36)', async (chain, prefix) => {
  const wallet = await Secp256k1Wallet.fromKey(secret, prefix)
  const [{ address } = { address: '' }] = await wallet.getAccounts()
  const { signature } = await wallet.signAmino(address, documentOf(address))
  const account = `cosmos:${chain}:${address}` as const
  const written = JSON.stringify(signature)
  expect(await verify({ account, message, signature: written })).toBe(true)
  expect(await verify({ account, message: `${message} `, signature: written })).toBe(false)
  // For an address with a different chain's prefix, the same key signs a different document.
  const elsewhere = pubkeyToAddress(encodeSecp256k1Pubkey(key), prefix === 'osmo' ? 'juno' : 'osmo')
  expect(await verify({ account: `cosmos:${chain}:${elsewhere}`, message, signature: written })).toBe(false)
  expect(await verify({ account: account.toUpperCase() as AccountId, message, signature: written })).toBe(false)
  expect(await verify({ account: `cosmos:${chain}:${address.toUpperCase()}`, message, signature: written })).toBe(false)
})

test('a document that differs from the one specified in ADR-36 is rejected', async () => {
  const address = pubkeyToAddress(encodeSecp256k1Pubkey(key), 'cosmos')
  const good = documentOf(address)
  const holds = (document: typeof good): Promise<boolean> => {
    const signature = toBase64(secp256k1.sign(serializeSignDoc(document), secret))
    return verify({
      account: `cosmos:cosmoshub-4:${address}`,
      message,
      signature: JSON.stringify({ pub_key: encodeSecp256k1Pubkey(key), signature }),
    })
  }
  expect(await holds(good)).toBe(true)
  // The other documents contain a different message, or could be transactions.
  expect(await holds({ ...good, chain_id: 'cosmoshub-4' })).toBe(false)
  expect(await holds({ ...good, sequence: '1' })).toBe(false)
  expect(await holds({ ...good, memo: 'x' })).toBe(false)
  expect(await holds(documentOf(address, `${message} `))).toBe(false)
  expect(await holds({ ...good, msgs: [...good.msgs, ...good.msgs] })).toBe(false)
})

test('an uppercase address is rejected, even if the signed document contains it in upper case', async () => {
  const address = pubkeyToAddress(encodeSecp256k1Pubkey(key), 'cosmos').toUpperCase()
  const signature = toBase64(secp256k1.sign(serializeSignDoc(documentOf(address)), secret))
  const answer = JSON.stringify({ pub_key: encodeSecp256k1Pubkey(key), signature })
  expect(await verify({ account: `cosmos:cosmoshub-4:${address}`, message, signature: answer })).toBe(false)
})

test.each(['ethermint/PubKeyEthSecp256k1', 'injective/PubKeyEthSecp256k1', 'tendermint/PubKeySecp256k1'])(
  'on a chain with Ethereum keys, the address and the hash use keccak, regardless of the name of the key type: %s',
  async (type) => {
    const value = toBase64(key)
    const address = pubkeyToAddress({ type: 'os/PubKeyEthSecp256k1', value }, 'inj')
    const digest = (hash: (bytes: Uint8Array) => Uint8Array): string =>
      JSON.stringify({
        pub_key: { type, value },
        signature: toBase64(secp256k1.sign(hash(serializeSignDoc(documentOf(address))), secret, { prehash: false })),
      })
    const account = `cosmos:injective-1:${address}` as const
    expect(await verify({ account, message, signature: digest(keccak_256) })).toBe(true)
    expect(await verify({ account, message, signature: digest((bytes) => bytes.slice(0, 32)) })).toBe(false)
    // A different key is rejected, and so is the uncompressed encoding of the same key.
    const by = (secretKey: Uint8Array, isShort: boolean): string => {
      const hash = keccak_256(serializeSignDoc(documentOf(address)))
      return JSON.stringify({
        pub_key: { type, value: toBase64(secp256k1.getPublicKey(secretKey, isShort)) },
        signature: toBase64(secp256k1.sign(hash, secretKey, { prehash: false })),
      })
    }
    expect(await verify({ account, message, signature: by(secret, true) })).toBe(true)
    expect(await verify({ account, message, signature: by(secret, false) })).toBe(false)
    expect(await verify({ account, message, signature: by(new Uint8Array(32).fill(5), true) })).toBe(false)
  },
)

test('a key that does not match the address or has an unsupported type is rejected', async () => {
  const address = pubkeyToAddress(encodeSecp256k1Pubkey(key), 'cosmos')
  const stranger = new Uint8Array(32).fill(5)
  const bytes = serializeSignDoc(documentOf(address))
  const holds = (by: Uint8Array, pub_key: unknown): Promise<boolean> =>
    verify({
      account: `cosmos:cosmoshub-4:${address}`,
      message,
      signature: JSON.stringify({ pub_key, signature: toBase64(secp256k1.sign(bytes, by)) }),
    })
  const value = toBase64(key)
  expect(await holds(secret, { type: 'tendermint/PubKeySecp256k1', value })).toBe(true)
  expect(await holds(stranger, { type: 'tendermint/PubKeySecp256k1', value })).toBe(false)
  const foreign = toBase64(secp256k1.getPublicKey(stranger))
  expect(await holds(stranger, { type: 'tendermint/PubKeySecp256k1', value: foreign })).toBe(false)
  // The uncompressed form of the same key has a different address.
  const long = toBase64(secp256k1.getPublicKey(secret, false))
  expect(await holds(secret, { type: 'tendermint/PubKeySecp256k1', value: long })).toBe(false)
  expect(await holds(secret, { type: 'tendermint/PubKeyMultisigThreshold', value })).toBe(false)
  expect(await holds(secret, { type: 'tendermint/PubKeyEd25519', value })).toBe(false)
})
