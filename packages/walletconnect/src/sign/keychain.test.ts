import { expect, test } from 'vitest'
import { createKeyPair, parseKey } from '../crypto/keyPair.ts'
import { primitives } from '../crypto/primitives.ts'
import { memoryStorage } from '../storage.ts'
import { createKeychain, deriveSharedKey } from './keychain.ts'

const key = new Uint8Array(32).fill(7)
const crypto = await primitives()
const keychain = (storage = memoryStorage()) => createKeychain(crypto, storage)

test('a peer with the same key can decrypt a message, even after a reload', async () => {
  const [own, storage] = [keychain(), memoryStorage()]
  await own.add('a', key)
  await keychain(storage).add('a', key)
  const message = await own.encrypt('a', 'hello')
  const reloaded = keychain(storage)
  expect(await reloaded.decrypt({ topic: 'a', message })).toBeUndefined()
  expect(await reloaded.restore()).toEqual(['a'])
  expect(await reloaded.decrypt({ topic: 'a', message })).toEqual({ text: 'hello', sender: undefined })
})

test('a client does not decrypt its own messages, although it has the key', async () => {
  const own = keychain()
  await own.add('a', key)
  const message = await own.encrypt('a', 'hello')
  expect(await own.decrypt({ topic: 'a', message })).toBeUndefined()
})

test('a message for our public key is decrypted with a key derived from the sender’s key, but is ignored on the topic of a symmetric key', async () => {
  const [own, peer] = [await createKeyPair(crypto), await createKeyPair(crypto)]
  const sender = parseKey(peer.publicKey)
  const shared = await deriveSharedKey(crypto, peer.privateKey, parseKey(own.publicKey))
  const message = await keychain().encrypt('public', 'hello', { key: shared, sender })
  const recipient = keychain()
  recipient.addPrivateKey('public', own.privateKey)
  await recipient.add('symmetric', shared)
  expect(await recipient.decrypt({ topic: 'public', message })).toEqual({ text: 'hello', sender })
  expect(await recipient.decrypt({ topic: 'symmetric', message })).toBeUndefined()
})

test('a removed key can neither encrypt nor decrypt, and is deleted from the storage', async () => {
  const storage = memoryStorage()
  const [own, peer] = [keychain(storage), keychain()]
  await Promise.all([own.add('a', key), peer.add('a', key)])
  const message = await peer.encrypt('a', 'hello')
  await own.remove('a')
  expect([own.has('a'), await own.decrypt({ topic: 'a', message })]).toEqual([false, undefined])
  await expect(own.encrypt('a', 'hello')).rejects.toMatchObject({ code: 'request/aborted' })
  expect(await storage.list('key:')).toEqual([])
})

test('stored values that are not keys are ignored', async () => {
  const storage = memoryStorage()
  await storage.set('key:a', 'secret')
  await storage.set('key:b', new Uint8Array(31))
  expect(await keychain(storage).restore()).toEqual([])
})
