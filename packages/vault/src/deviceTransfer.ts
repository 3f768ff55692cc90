import { fromBase64Url, toBase64Url } from '@latchkey/protocol/bytes'
import { type CanonicalValue, canonicalJsonBytes } from './canonicalJson.ts'
import type { Bytes, CryptoEnvironment } from './cryptoEnvironment.ts'
import { verificationWords } from './derivation/mnemonic.ts'
import { KeyError } from './errors.ts'
import type { UnlockedVault } from './unlockedVault.ts'
import type { VaultRecord } from './vaultRecord.ts'
import { deriveKey, seal, unseal } from './webCrypto.ts'
import { wipe } from './wipe.ts'

// A new device requests the vault key from an existing device, through a server that neither device trusts. The new device
// commits to its public key before it sees the existing device's public key. An attacker in the middle therefore cannot search
// for keys that happen to produce the same four words, and has only one attempt to match 44 bits. The vault key is sent after
// the user has compared the words.
//
//   new → commitment = SHA-256(public key, salt)
//   old → offer      = public key
//   new → reveal     = public key, salt
//   both devices display four words; the user compares them; then
//   old → sealed     = the vault key, encrypted with the shared key

const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const pointLength = 65

/** The user and wallet that identify the vault. Both devices know them before the exchange. */
export type VaultIdentity = Pick<VaultRecord, 'user' | 'wallet'>

/** The side of the exchange that runs on the new device. */
export interface NewDevice {
  /** The first message to send. */
  readonly commitment: string
  /** Returns the message to send in response to the existing device's offer, and the words to display. */
  reveal(
    offer: string,
  ): Promise<{ readonly reveal: string; readonly words: readonly string[]; accept(sealed: string): Promise<Bytes> }>
}

/** The side of the exchange that runs on the existing device, which can open the vault. */
export interface ExistingDevice {
  /** The message to send in response to a commitment. */
  readonly offer: string
  /**
   * Verifies the new device's reveal and returns the words to display.
   * @throws {KeyError} `approval/mismatch` if the reveal does not match the commitment.
   */
  verifyReveal(
    reveal: string,
  ): Promise<{ readonly words: readonly string[]; sealVaultKey(vault: UnlockedVault): Promise<string> }>
}

/**
 * Starts the exchange on the new device.
 *
 * @example
 * const device = await requestDeviceTransfer(environment, { user, wallet })
 * send(device.commitment)
 * const { reveal, words, accept } = await device.reveal(await receive('offer'))
 * send(reveal)
 * if (!(await userConfirms(words))) return
 * const vault = await openWithVaultKey({ user, record, vaultKey: await accept(await receive('sealed')), environment, store })
 */
export async function requestDeviceTransfer(
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

/**
 * Responds to a commitment on a device that can open the vault.
 *
 * @throws {KeyError} `approval/malformed` if the commitment is not 32 bytes long.
 *
 * @example
 * const device = await respondToDeviceTransfer(environment, vault.record, commitment)
 * send(device.offer)
 * const { words, sealVaultKey } = await device.verifyReveal(await receive('reveal'))
 * if (await userConfirms(words)) send(await sealVaultKey(vault))
 */
export async function respondToDeviceTransfer(
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
          // The key is wiped below, so it can be used only once.
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

/** Returns only the fields that never differ between the devices. The rest of a record changes when either device adds a key. */
function identityOf({ user, wallet }: VaultIdentity): VaultIdentity {
  return { user, wallet }
}

/** The number of word sets that the user chooses from. */
const choiceCount = 6

/**
 * Mixes `words` with random word sets, in random order. No word appears in two sets, so a single word on the other device is
 * enough to identify the correct set, or to detect an attacker in the middle.
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

/** Returns a uniformly distributed random integer from 0 to `end` − 1. */
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
  // The salt covers the whole transcript, so a device that received different messages derives different words and a different
  // key.
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
