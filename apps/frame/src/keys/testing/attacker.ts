import { toBase58 } from '@latchkey/protocol/bytes'
import { ed25519 } from '@noble/curves/ed25519.js'
import { HDKey } from '@scure/bip32'
import { mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { eip155Address, eip155AddressOf } from '../accounts/eip155.ts'
import { withRoot } from '../accounts/root.ts'
import { unseal } from '../aead.ts'
import { assistedKey, escrowSubject } from '../assisted.ts'
import type { Bytes } from '../ports.ts'
import type { VaultRecord, Wrapper } from '../record.ts'
import { withVault } from '../vault.ts'
import { homeOf, unwrap, unwrapWithKey } from '../wrappers.ts'
import { type Box, type Candidate, type Captured, type Loot, lootOf } from './loot.ts'
import { quickMachine } from './quickMachine.ts'

/** A key that was recovered, or what opens one. */
export interface Finding {
  readonly wallet: string
  readonly address: string
  /** What was found, in words. */
  readonly what: string
  /** Where its parts stood. */
  readonly where: string
}

/** What an attack came to. */
export interface Attack {
  readonly records: number
  readonly wallets: number
  readonly candidates: number
  /** How many times something was tried on something. */
  readonly tries: number
  readonly findings: readonly Finding[]
}

/** Pairs of secrets are tried for the newest this many; more than one server has is not needed. */
const mostPaired = 300

/**
 * Does what a thief or the operator would: takes all that was captured, tries every secret in it (and every pair) on every
 * wrapper, vault and account, opens what is sealed with what it finds, and goes on until nothing new turns up.
 */
export async function attack(captured: readonly Captured[]): Promise<Attack> {
  const machine = quickMachine()
  const loot = lootOf(captured)
  const findings = new Map<string, Finding>()
  let tries = 0

  const found = (record: VaultRecord, what: string, where: string): void => {
    const { wallet, addresses } = record
    findings.set(`${wallet}/${what}/${where}`, { wallet, address: addresses.eip155, what, where })
  }
  const open = async (record: VaultRecord, vaultKey: Bytes, what: string, where: string): Promise<void> => {
    const opens = await withVault(machine, vaultKey, { record, use: () => true }).catch(() => false)
    if (opens) found(record, what, where)
  }

  const candidates = [...loot.candidates]
  for (const fresh of await unsealedShares(loot)) candidates.push(fresh)

  const vaults = vaultsIn(loot.records)
  const holders = (addresses: readonly string[]): VaultRecord[] =>
    vaults.filter(({ addresses: own }) => addresses.some((each) => each === own.eip155 || each === own.solana))
  for (const { words, where } of loot.sentences) {
    for (const entropy of entropiesOf(words)) {
      tries += vaults.length
      for (const record of holders([await grownFrom(entropy)])) found(record, 'the recovery words', where)
    }
  }
  for (const { bytes, where, as } of candidates) {
    tries += 3 * vaults.length
    for (const record of holders(keyAddresses(bytes))) found(record, `an account's private key, as ${as}`, where)
    for (const record of holders(await rootAddresses(bytes))) found(record, `the seed, as ${as}`, where)
  }
  for (const record of vaults) {
    for (const { bytes, where, as } of candidates) {
      tries++
      if (bytes.length === 32) await open(record, bytes as Bytes, `the vault's key, as ${as}`, where)
      for (const wrapper of record.wrappers) {
        tries += 2
        const vaultKey = (await opened(wrapper, record, bytes)) ?? (await openedDirectly(wrapper, record, bytes))
        if (vaultKey) await open(record, vaultKey, `what opens the ${wrapper.kind} key, as ${as}`, where)
      }
    }
    for (const [first, second] of pairsOf(candidates)) {
      for (const wrapper of record.wrappers) {
        const secret = await together(wrapper, first, second)
        if (!secret) continue
        tries++
        const vaultKey = await opened(wrapper, record, secret)
        const where = [...new Set([first.where, second.where])].sort().join(' and ')
        if (vaultKey) await open(record, vaultKey, `two parts of the ${wrapper.kind} key`, where)
      }
    }
    for (const extended of extendedKeysIn(captured)) {
      tries++
      if (isAncestor(extended.key, record)) found(record, 'an extended private key', extended.where)
    }
  }
  return {
    records: loot.records.length,
    wallets: new Set(loot.records.map(({ wallet }) => wallet)).size,
    candidates: candidates.length,
    tries,
    findings: [...findings.values()],
  }

  async function opened(wrapper: Wrapper, record: VaultRecord, secret: Uint8Array): Promise<Bytes | undefined> {
    const key = { kind: wrapper.kind, id: wrapper.id, secret: async () => new Uint8Array(secret) }
    return unwrap(machine, wrapper, { key, home: homeOf(record) })
  }

  async function openedDirectly(wrapper: Wrapper, record: VaultRecord, key: Uint8Array): Promise<Bytes | undefined> {
    return key.length === 32 ? unwrapWithKey(machine, wrapper, { key: key as Bytes, home: homeOf(record) }) : undefined
  }

  async function grownFrom(entropy: Bytes): Promise<string> {
    return withRoot(machine, entropy, (root) => eip155Address(root))
  }

  async function rootAddresses(bytes: Uint8Array): Promise<string[]> {
    const found: string[] = []
    if (bytes.length === 64) found.push(eip155Address({ entropy: new Uint8Array(), seed: bytes as Bytes }))
    if ([16, 20, 24, 28, 32].includes(bytes.length)) found.push(await grownFrom(bytes as Bytes))
    return found
  }

  /** What the operator's key service sealed, opened with every key that lies around. */
  async function unsealedShares({ boxes, records, candidates: keys }: Loot): Promise<Candidate[]> {
    const fresh: Candidate[] = []
    const own = new Set(
      records.flatMap(({ vault, wrappers }) => [vault.sealed, ...wrappers.map(({ sealed }) => sealed)]),
    )
    for (const box of boxes.filter(({ sealed }) => !own.has(sealed))) {
      for (const key of keys.filter(({ bytes }) => bytes.length === 32)) {
        for (const record of vaultsIn(records)) {
          tries++
          const share = await shareIn(box, key, record)
          if (share) fresh.push({ bytes: share, where: `${box.where} and ${key.where}`, as: 'a sealed share' })
        }
      }
    }
    return fresh
  }

  function shareIn(box: Box, key: Candidate, record: VaultRecord): Promise<Bytes | undefined> {
    return unseal(machine, key.bytes as Bytes, box, escrowSubject(record))
  }
}

/** Each vault once, with every wrapper that any version of its record has. */
function vaultsIn(records: readonly VaultRecord[]): VaultRecord[] {
  const vaults = new Map<string, VaultRecord>()
  for (const record of records) {
    const { user, wallet, addresses, vault } = record
    const id = [user, wallet, addresses.eip155, vault.sealed].join('/')
    const known = vaults.get(id)?.wrappers ?? []
    const fresh = record.wrappers.filter(({ sealed }) => !known.some((each) => each.sealed === sealed))
    vaults.set(id, { ...record, wrappers: [...known, ...fresh] })
  }
  return [...vaults.values()]
}

/** Two secrets as one, where this kind of wrapper takes two. */
async function together(wrapper: Wrapper, first: Candidate, second: Candidate): Promise<Uint8Array | undefined> {
  if (wrapper.kind === 'device') {
    if (first.bytes.length !== 32 || second.bytes.length !== 32) return undefined
    return Uint8Array.from([...first.bytes, ...second.bytes])
  }
  if (wrapper.kind !== 'assisted' || first.bytes.length !== 33 || second.bytes.length !== 33) return undefined
  try {
    const key = await assistedKey(wrapper.id, [first.bytes as Bytes, second.bytes as Bytes])
    return await key.secret('')
  } catch {
    return undefined
  }
}

function* pairsOf(candidates: readonly Candidate[]): Generator<[Candidate, Candidate]> {
  for (const length of [32, 33]) {
    const some = candidates.filter(({ bytes }) => bytes.length === length).slice(-mostPaired)
    for (const first of some) for (const second of some) if (first !== second) yield [first, second]
  }
}

function entropiesOf(words: readonly string[]): Bytes[] {
  const found: Bytes[] = []
  for (const count of [12, 15, 18, 21, 24]) {
    for (let at = 0; at + count <= words.length; at++) {
      try {
        found.push(new Uint8Array(mnemonicToEntropy(words.slice(at, at + count).join(' '), wordlist)))
      } catch {}
    }
  }
  return found
}

/** Whose accounts these bytes would sign for. */
function keyAddresses(bytes: Uint8Array): string[] {
  if (bytes.length !== 32 && bytes.length !== 64) return []
  const key = bytes.subarray(0, 32)
  const found = [toBase58(ed25519.getPublicKey(key))]
  try {
    if (bytes.length === 32) found.push(eip155AddressOf(key))
  } catch {
    // Not every number is a key.
  }
  return found
}

function extendedKeysIn(captured: readonly Captured[]): { key: HDKey; where: string }[] {
  return captured.flatMap(({ text, where }) =>
    [...text.matchAll(/\b[xyz]prv[1-9A-HJ-NP-Za-km-z]{107,108}\b/g)].flatMap(([match]) => {
      try {
        return [{ key: HDKey.fromExtendedKey(match), where }]
      } catch {
        return []
      }
    }),
  )
}

function isAncestor(key: HDKey, { addresses }: VaultRecord): boolean {
  const path = ["44'", "60'", "0'", '0', '0']
  const rest = path.slice(key.depth)
  try {
    const child = rest.length > 0 ? key.derive(`m/${rest.join('/')}`) : key
    return child.privateKey !== null && eip155AddressOf(child.privateKey) === addresses.eip155
  } catch {
    return false
  }
}
