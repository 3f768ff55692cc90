import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Delivery } from '@latchkey/protocol/relay'
import { formatKey } from '../crypto/keyPair.ts'
import type { Primitives } from '../crypto/primitiveTypes.ts'
import { openEnvelope, readEnvelope, seal } from '../envelope.ts'
import type { KeyValueStorage } from '../storage.ts'

/** The maximum number of its own envelopes that the client remembers, so that it does not decrypt them. */
const maxOwnEnvelopes = 200

/** The key for a type 1 envelope, and the sender's public key, from which the recipient derives the key. */
export interface EnvelopeSeal {
  readonly key: Uint8Array
  readonly sender: Uint8Array
}

/** A keychain that contains the keys for all topics. It encrypts and decrypts messages. */
export interface Keychain {
  /** Restores the stored keys and resolves to their topics. */
  restore(): Promise<readonly string[]>
  /** Whether `topic` has a symmetric key. */
  has(topic: string): boolean
  /** Adds and stores the symmetric key for `topic`. */
  add(topic: string, key: Uint8Array): Promise<void>
  /**
   * Adds a private key, so that unknown peers can send messages on the topic of its public key. The private key is not stored.
   */
  addPrivateKey(topic: string, privateKey: Uint8Array): void
  /** Deletes the keys for `topic`. */
  remove(topic: string): Promise<void>
  /**
   * Encrypts a message with the key of `topic`, or with `sealing`.
   * @throws `request/aborted` if there is no key, for example because the topic has ended.
   */
  encrypt(topic: string, text: string, sealing?: EnvelopeSeal): Promise<string>
  /**
   * Decrypts a message from another peer. Resolves to `undefined` if no key decrypts the message, or if this client has sent it.
   */
  decrypt(
    delivery: Pick<Delivery, 'topic' | 'message'>,
  ): Promise<{ readonly text: string; readonly sender?: Uint8Array | undefined } | undefined>
}

/** Returns the topic of a key, which is the SHA-256 hash of the key in hex. */
export async function topicOf(crypto: Primitives, key: Uint8Array): Promise<string> {
  return formatKey(await crypto.sha256(key))
}

/** Derives the symmetric key that two peers share. */
export async function deriveSharedKey(
  crypto: Primitives,
  privateKey: Uint8Array,
  publicKey: Uint8Array,
): Promise<Uint8Array> {
  return crypto.hkdf(await crypto.agreement.shared(privateKey, publicKey))
}

/**
 * Returns a prefix that identifies an envelope. It is long enough to include random bytes even if a sender's key precedes them.
 */
const envelopePrefix = (message: string): string => message.slice(0, 64)

/** Creates a keychain that stores symmetric keys in `storage`. */
export function createKeychain(crypto: Primitives, storage: KeyValueStorage): Keychain {
  const keys = new Map<string, Uint8Array>()
  /** The client's private keys, keyed by the topic on which unknown peers can send messages. */
  const privateKeys = new Map<string, Uint8Array>()
  /**
   * The prefixes of the client's own envelopes. Both directions share a key, so a relay could send the client's own messages back
   * to the client.
   */
  const own = new Set<string>()
  return {
    async restore() {
      for (const [name, key] of await storage.list('key:'))
        if (key instanceof Uint8Array && key.length === 32) keys.set(name.slice('key:'.length), key)
      return [...keys.keys()]
    },
    has: (topic) => keys.has(topic),
    async add(topic, key) {
      keys.set(topic, key)
      await storage.set(`key:${topic}`, key)
    },
    addPrivateKey(topic, privateKey) {
      privateKeys.set(topic, privateKey)
    },
    async remove(topic) {
      keys.delete(topic)
      privateKeys.delete(topic)
      await storage.remove(`key:${topic}`)
    },
    async encrypt(topic, text, sealing) {
      const key = sealing?.key ?? keys.get(topic)
      if (!key) throw new LatchkeyError('request/aborted')
      const message = await seal(crypto, { key, text, sender: sealing?.sender })
      own.add(envelopePrefix(message))
      for (const oldest of own) if (own.size > maxOwnEnvelopes) own.delete(oldest)
      return message
    },
    async decrypt({ topic, message }) {
      if (own.has(envelopePrefix(message))) return undefined
      const envelope = readEnvelope(message)
      if (!envelope) return undefined
      const { sender } = envelope
      const privateKey = privateKeys.get(topic)
      // On the topic of our public key, the key is derived from the sender's public key. On other topics, an envelope that
      // includes a sender is ignored, because the sender could choose the key.
      const key =
        privateKey && sender
          ? await deriveSharedKey(crypto, privateKey, sender).catch(() => undefined)
          : sender
            ? undefined
            : keys.get(topic)
      const text = key && (await openEnvelope(crypto, { envelope, key }))
      return text === undefined ? undefined : { text, sender }
    },
  }
}
