import { fromBase64Url, toBase64Url } from '@latchkey/protocol/bytes'
import { checkWords } from './accounts/words.ts'
import { derived, seal, unseal } from './aead.ts'
import { type Canonical, canonicalBytes } from './canonical.ts'
import { KeyError } from './errors.ts'
import type { Bytes, Machine } from './ports.ts'
import type { VaultRecord } from './record.ts'
import type { UnlockedVault } from './unlocked.ts'
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
export type Subject = Pick<VaultRecord, 'user' | 'wallet'>

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
export interface OldDevice {
  /** What to send when a commitment has come. */
  readonly offer: string
  /** The words to show when the new device has opened its commitment; throws `approval/mismatch` when it is another. */
  hear(reveal: string): Promise<{ readonly words: readonly string[]; give(vault: UnlockedVault): Promise<string> }>
}

/** Starts to ask, on the new device. */
export async function askApproval(machine: Machine, subject: Subject): Promise<NewDevice> {
  const pair = await machine.subtle.generateKey(curve, false, ['deriveBits'])
  const point = await pointOf(machine, pair.publicKey)
  const salt = machine.random(32)
  const opening = joined(point, salt)
  const commitment = await commitmentTo(machine, opening)
  return {
    commitment,
    async reveal(offer) {
      const theirs = await publicKeyOf(machine, bytesOf(offer, pointLength))
      const about = { commitment, offer, reveal: toBase64Url(opening), ...whose(subject) }
      const { key, words } = await agreed(machine, { own: pair.privateKey, theirs, about })
      return {
        reveal: about.reveal,
        words,
        async accept(sealed) {
          const bytes = bytesOf(sealed, 60)
          const box = { nonce: toBase64Url(bytes.subarray(0, 12)), sealed: toBase64Url(bytes.subarray(12)) }
          const vaultKey = await unseal(machine, key, box, beside(about))
          if (!vaultKey) throw new KeyError('approval/mismatch')
          wipe(key)
          return vaultKey
        },
      }
    },
  }
}

/** Starts to answer a commitment, on a device that can open the vault. */
export async function answerApproval(machine: Machine, subject: Subject, commitment: string): Promise<OldDevice> {
  bytesOf(commitment, 32)
  const pair = await machine.subtle.generateKey(curve, false, ['deriveBits'])
  const offer = toBase64Url(await pointOf(machine, pair.publicKey))
  return {
    offer,
    async hear(reveal) {
      const opening = bytesOf(reveal, pointLength + 32)
      if ((await commitmentTo(machine, opening)) !== commitment) throw new KeyError('approval/mismatch')
      const theirs = await publicKeyOf(machine, opening.slice(0, pointLength))
      const about = { commitment, offer, reveal, ...whose(subject) }
      const { key, words } = await agreed(machine, { own: pair.privateKey, theirs, about })
      let given = false
      return {
        words,
        async give(vault) {
          const { user, wallet } = vault.record
          if (wallet !== subject.wallet || user !== subject.user) throw new KeyError('vault/other-user')
          // Once: what is wiped below must never seal a second time.
          if (given) throw new KeyError('approval/malformed')
          given = true
          const { nonce, sealed } = await vault.withVaultKey((vaultKey) => seal(machine, key, vaultKey, beside(about)))
          wipe(key)
          return toBase64Url(joined(bytesOf(nonce, 12), bytesOf(sealed, 48)))
        },
      }
    },
  }
}

/** What both devices know for sure. The rest of a record changes whenever a key is added, on one device before the other. */
function whose({ user, wallet }: Subject): Subject {
  return { user, wallet }
}

/** How many sets of words a person picks from. */
const setCount = 6

/**
 * `words` among others of their kind, in an order that chance decides. No word is in two sets: who sees one word of a set on the other
 * device has found it or has found out that somebody is in between.
 */
export function wordSets(
  machine: Pick<Machine, 'random'>,
  words: readonly string[],
): { readonly sets: readonly (readonly string[])[]; readonly right: number } {
  const used = new Set(words)
  const right = numberBelow(machine, setCount)
  const sets = Array.from({ length: setCount }, (_, at) => {
    if (at === right) return words
    for (;;) {
      const others = checkWords(machine.random(6), 4)
      if (new Set(others).size < 4 || others.some((word) => used.has(word))) continue
      for (const word of others) used.add(word)
      return others
    }
  })
  return { sets, right }
}

/** Each number as likely as the others. */
function numberBelow(machine: Pick<Machine, 'random'>, end: number): number {
  for (;;) {
    const [byte = 255] = machine.random(1)
    if (byte < 256 - (256 % end)) return byte % end
  }
}

async function agreed(
  machine: Machine,
  { own, theirs, about }: { own: CryptoKey; theirs: CryptoKey; about: Canonical },
): Promise<{ key: Bytes; words: readonly string[] }> {
  const shared = new Uint8Array(await machine.subtle.deriveBits({ name: 'ECDH', public: theirs }, own, 256))
  // The whole talk is the salt: whoever heard another one has other words and another key.
  const salt = new Uint8Array(await machine.subtle.digest('SHA-256', canonicalBytes(about)))
  const key = await derived(machine, shared, salt, { use: 'approval' })
  const spoken = await derived(machine, shared, salt, { use: 'approval-words' })
  wipe(shared)
  return { key, words: checkWords(spoken, 4) }
}

async function commitmentTo(machine: Machine, opening: Bytes): Promise<string> {
  return toBase64Url(new Uint8Array(await machine.subtle.digest('SHA-256', opening)))
}

async function pointOf(machine: Machine, key: CryptoKey): Promise<Bytes> {
  return new Uint8Array(await machine.subtle.exportKey('raw', key))
}

async function publicKeyOf(machine: Machine, point: Bytes): Promise<CryptoKey> {
  try {
    return await machine.subtle.importKey('raw', point, curve, false, [])
  } catch {
    throw new KeyError('approval/malformed')
  }
}

function bytesOf(text: string, length: number): Bytes {
  const bytes = text.length < 1000 ? fromBase64Url(text) : undefined
  if (bytes?.length !== length) throw new KeyError('approval/malformed')
  return bytes as Bytes
}

function joined(first: Uint8Array, second: Uint8Array): Bytes {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

function beside(about: { readonly [name: string]: string }): Canonical {
  return { what: 'approval', ...about }
}
