import { fromBase64Url, toBase64Url } from '@latchkey/protocol/bytes'
import { type CanonicalValue, canonicalJsonBytes } from './canonicalJson.ts'
import type { Bytes, CryptoEnvironment } from './cryptoEnvironment.ts'
import { verificationWords } from './derivation/mnemonic.ts'
import { KeyError } from './errors.ts'
import type { UnlockedVault } from './unlockedVault.ts'
import type { VaultRecord } from './vaultRecord.ts'
import { deriveKey, seal, unseal } from './webCrypto.ts'
import { wipe } from './wipe.ts'

// A new device asks an old one for the vault's key, through a server that neither trusts. The new one commits to its key
// before it sees the other's, so that nobody in between can search for keys whose four words agree by chance: 44 bits,
// one try. The key travels only after a person has compared the words.
//
//   new → commitment = SHA-256(public key, salt)
//   old → offer      = public key
//   new → reveal     = public key, salt
//   both show four words; a person compares; then
//   old → sealed     = the vault's key under a key of both

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const pointLength = 65

/** What both devices know before they talk: whose vault it is. */
export type VaultIdentity = Pick<VaultRecord, 'user' | 'wallet'>

/** The side of the new device. */
export interface NewDevice {
  /** What to send first. */
  readonly commitment: string
  /** What to send when the old device has made its offer, and the words to show. */
  reveal(
    offer: string,
  ): Promise<{ readonly reveal: string; readonly words: readonly string[]; accept(sealed: string): Promise<Bytes> }>
}

/** The side of a device that can open the vault. */
export interface ExistingDevice {
  /** What to send when a commitment has come. */
  readonly offer: string
  /** The words to show when the new device has opened its commitment; throws `approval/mismatch` when it is another. */
  verifyReveal(
    reveal: string,
  ): Promise<{ readonly words: readonly string[]; sealVaultKey(vault: UnlockedVault): Promise<string> }>
}

/** Starts to ask, on the new device. */
export async function requestDeviceApproval(
  environment: CryptoEnvironment,
  identity: VaultIdentity,
): Promise<NewDevice> {
  const pair = await environment.subtle.generateKey(curve, false, ['deriveBits'])
  const point = await exportPoint(environment, pair.publicKey)
  const salt = environment.random(32)
  const opening = concatBytes(point, salt)
  const commitment = await commitTo(environment, opening)
  return {
    commitment,
    async reveal(offer) {
      const publicKey = await importPoint(environment, bytesOf(offer, pointLength))
      const transcript = { commitment, offer, reveal: toBase64Url(opening), ...identityOf(identity) }
      const { key, words } = await agreeOnKey(environment, { privateKey: pair.privateKey, publicKey, transcript })
      return {
        reveal: transcript.reveal,
        words,
        async accept(sealed) {
          const bytes = bytesOf(sealed, 60)
          const box = { nonce: toBase64Url(bytes.subarray(0, 12)), sealed: toBase64Url(bytes.subarray(12)) }
          const vaultKey = await unseal(environment, key, box, additionalData(transcript))
          if (!vaultKey) throw new KeyError('approval/mismatch')
          wipe(key)
          return vaultKey
        },
      }
    },
  }
}

/** Starts to answer a commitment, on a device that can open the vault. */
export async function respondToDeviceApproval(
  environment: CryptoEnvironment,
  identity: VaultIdentity,
  commitment: string,
): Promise<ExistingDevice> {
  bytesOf(commitment, 32)
  const pair = await environment.subtle.generateKey(curve, false, ['deriveBits'])
  const offer = toBase64Url(await exportPoint(environment, pair.publicKey))
  return {
    offer,
    async verifyReveal(reveal) {
      const opening = bytesOf(reveal, pointLength + 32)
      if ((await commitTo(environment, opening)) !== commitment) throw new KeyError('approval/mismatch')
      const publicKey = await importPoint(environment, opening.slice(0, pointLength))
      const transcript = { commitment, offer, reveal, ...identityOf(identity) }
      const { key, words } = await agreeOnKey(environment, { privateKey: pair.privateKey, publicKey, transcript })
      let isSealed = false
      return {
        words,
        async sealVaultKey(vault) {
          const { user, wallet } = vault.record
          if (wallet !== identity.wallet || user !== identity.user) throw new KeyError('vault/other-user')
          // Once: what is wiped below must never seal a second time.
          if (isSealed) throw new KeyError('approval/malformed')
          isSealed = true
          const { nonce, sealed } = await vault.withVaultKey((vaultKey) =>
            seal(environment, key, vaultKey, additionalData(transcript)),
          )
          wipe(key)
          return toBase64Url(concatBytes(bytesOf(nonce, 12), bytesOf(sealed, 48)))
        },
      }
    },
  }
}

/** What both devices know for sure. The rest of a record changes whenever a key is added, on one device before the other. */
function identityOf({ user, wallet }: VaultIdentity): VaultIdentity {
  return { user, wallet }
}

/** How many sets of words a person picks from. */
const choiceCount = 6

/**
 * `words` among others of their kind, in an order that chance decides. No word is in two sets: who sees one word of a set on the other
 * device has found it or has found out that somebody is in between.
 */
export function shuffleWordChoices(
  environment: Pick<CryptoEnvironment, 'random'>,
  words: readonly string[],
): { readonly choices: readonly (readonly string[])[]; readonly correctIndex: number } {
  const used = new Set(words)
  const correctIndex = randomBelow(environment, choiceCount)
  const choices = Array.from({ length: choiceCount }, (_, at) => {
    if (at === correctIndex) return words
    for (;;) {
      const otherWords = verificationWords(environment.random(6), 4)
      if (new Set(otherWords).size < 4 || otherWords.some((word) => used.has(word))) continue
      for (const word of otherWords) used.add(word)
      return otherWords
    }
  })
  return { choices, correctIndex }
}

/** Each number as likely as the others. */
function randomBelow(environment: Pick<CryptoEnvironment, 'random'>, end: number): number {
  for (;;) {
    const [byte = 255] = environment.random(1)
    if (byte < 256 - (256 % end)) return byte % end
  }
}

async function agreeOnKey(
  environment: CryptoEnvironment,
  { privateKey, publicKey, transcript }: { privateKey: CryptoKey; publicKey: CryptoKey; transcript: CanonicalValue },
): Promise<{ key: Bytes; words: readonly string[] }> {
  const shared = new Uint8Array(
    await environment.subtle.deriveBits({ name: 'ECDH', public: publicKey }, privateKey, 256),
  )
  // The whole talk is the salt: whoever heard another one has other words and another key.
  const salt = new Uint8Array(await environment.subtle.digest('SHA-256', canonicalJsonBytes(transcript)))
  const key = await deriveKey(environment, shared, salt, { use: 'approval' })
  const wordBytes = await deriveKey(environment, shared, salt, { use: 'approval-words' })
  wipe(shared)
  return { key, words: verificationWords(wordBytes, 4) }
}

async function commitTo(environment: CryptoEnvironment, opening: Bytes): Promise<string> {
  return toBase64Url(new Uint8Array(await environment.subtle.digest('SHA-256', opening)))
}

async function exportPoint(environment: CryptoEnvironment, key: CryptoKey): Promise<Bytes> {
  return new Uint8Array(await environment.subtle.exportKey('raw', key))
}

async function importPoint(environment: CryptoEnvironment, point: Bytes): Promise<CryptoKey> {
  try {
    return await environment.subtle.importKey('raw', point, curve, false, [])
  } catch {
    throw new KeyError('approval/malformed')
  }
}

function bytesOf(text: string, length: number): Bytes {
  const bytes = text.length < 1000 ? fromBase64Url(text) : undefined
  if (bytes?.length !== length) throw new KeyError('approval/malformed')
  return bytes as Bytes
}

function concatBytes(first: Uint8Array, second: Uint8Array): Bytes {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

function additionalData(transcript: { readonly [name: string]: string }): CanonicalValue {
  return { what: 'approval', ...transcript }
}
