import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import type { Delivery } from '@latchkey/protocol/relay'
import { formatKey } from '../crypto/keyPair.ts'
import type { Primitives } from '../crypto/primitives.ts'
import { openEnvelope, readEnvelope, seal } from '../envelope.ts'
import type { KeyValueStorage } from '../storage.ts'

/** Maximum number of remembered envelopes that this client has encrypted. */
const maxOwnEnvelopes = 200

/** The key of a type 1 envelope, and the public key that its recipient derives it from. */
export interface EnvelopeSeal {
  readonly key: Uint8Array
  readonly sender: Uint8Array
}

/** The keys of the topics, which encrypt and decrypt their messages. */
export interface Keychain {
  /** Restores the stored keys and resolves to their topics. */
  restore(): Promise<readonly string[]>
  /** Whether `topic` has a symmetric key. */
  has(topic: string): boolean
  /** Adds and stores the symmetric key of `topic`. */
  add(topic: string, key: Uint8Array): Promise<void>
  /** Adds our private key, for messages of unknown peers on the topic of its public key. It is not stored. */
  addPrivateKey(topic: string, privateKey: Uint8Array): void
  /** Deletes the keys of `topic`. */
  remove(topic: string): Promise<void>
  /**
   * Encrypts a message with the key of `topic`, or with `sealing`.
   * @throws `request/aborted` if there is no key, or no longer one.
   */
  encrypt(topic: string, text: string, sealing?: EnvelopeSeal): Promise<string>
  /** Decrypts another peer's message. Resolves to `undefined` if there is no key for it, or if the message is our own. */
  decrypt(
    delivery: Pick<Delivery, 'topic' | 'message'>,
  ): Promise<{ readonly text: string; readonly sender?: Uint8Array | undefined } | undefined>
}

/** The topic of a key: its SHA-256, in hex. */
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

/** A prefix that identifies an envelope: it includes random bytes even if a sender's key precedes them. */
const envelopePrefix = (message: string): string => message.slice(0, 64)

/** Creates a keychain that stores symmetric keys in `storage`. */
export function createKeychain(crypto: Primitives, storage: KeyValueStorage): Keychain {
  const keys = new Map<string, Uint8Array>()
  /** Our private keys, by the topic on which unknown peers can reach us. */
  const privateKeys = new Map<string, Uint8Array>()
  /** Prefixes of our own envelopes. Both directions share a key, so a relay could replay our messages to us. */
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
      // On the topic of our public key, the key is derived from the sender's key. On other topics, a sender could choose the key.
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
