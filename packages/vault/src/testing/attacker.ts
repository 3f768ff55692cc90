import { toBase58 } from '@latchkey/protocol/bytes'
import { ed25519 } from '@noble/curves/ed25519.js'
import { hex } from '@scure/base'
import { HDKey } from '@scure/bip32'
import { mnemonicToEntropy } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { assistedUnlockKey, escrowAdditionalData } from '../assistedCustody.ts'
import type { Bytes } from '../cryptoEnvironment.ts'
import { deriveEip155Address, privateKeyToAddress } from '../derivation/eip155.ts'
import { withRootSecret } from '../derivation/rootSecret.ts'
import { unwrap, unwrapWithKey, wrapperContextOf } from '../keyWrapping.ts'
import { withSealedRoot } from '../sealedVault.ts'
import type { VaultRecord, Wrapper } from '../vaultRecord.ts'
import { unseal } from '../webCrypto.ts'
import {
  type Candidate,
  type Captured,
  type SealedBox,
  type SecretScan,
  scanForSecrets,
} from './findCandidateSecrets.ts'
import { nodeEnvironment } from './nodeEnvironment.ts'

/** A captured secret that opens a vault or can sign for one of its accounts. */
export interface Finding {
  readonly wallet: string
  readonly address: string
  /** A description of the secret. */
  readonly what: string
  /** The sources in which the secret was found. */
  readonly where: string
}

/** The result of an attack. */
export interface Attack {
  readonly records: number
  readonly wallets: number
  readonly candidates: number
  /** The number of attempts. */
  readonly tries: number
  readonly findings: readonly Finding[]
}

/**
 * The maximum number of candidates that are tried in pairs. If there are more, only the newest are used. Data from a real server
 * contains fewer candidates.
 */
const maxPairedSecrets = 300

/** The results of an attacker's attempts. */
export interface AttackMemory {
  /** Resolves to the result of trying `secret` in the way that `attempt` describes. Calls `run` only the first time. */
  recall<Result>(attempt: string, secret: string, run: () => Promise<Result>): Promise<Result>
}

/**
 * Creates an empty memory. The result of an attempt depends only on its secret and its target, so attacks that share a memory
 * have the same results as separate attacks, but skip what has already been tried.
 */
export function createAttackMemory(): AttackMemory {
  const results = new Map<string, Map<string, Promise<unknown>>>()
  return {
    recall<Result>(attempt: string, secret: string, run: () => Promise<Result>): Promise<Result> {
      const known = results.get(attempt) ?? new Map<string, Promise<unknown>>()
      results.set(attempt, known)
      const result = known.get(secret) ?? run()
      known.set(secret, result)
      return result as Promise<Result>
    },
  }
}

/**
 * Simulates a thief or a malicious operator. Decrypts captured shares with every captured secret, and then tries every secret and
 * every pair of secrets on each wrapper, vault and account.
 */
export async function attack(captured: readonly Captured[], memory = createAttackMemory()): Promise<Attack> {
  const environment = nodeEnvironment()
  const scan = scanForSecrets(captured)
  const findings = new Map<string, Finding>()
  let tries = 0

  const addFinding = (record: VaultRecord, what: string, where: string): void => {
    const { wallet, addresses } = record
    findings.set(`${wallet}/${what}/${where}`, { wallet, address: addresses.eip155, what, where })
  }
  const tryVaultKey = async (record: VaultRecord, vaultKey: Bytes, what: string, where: string): Promise<void> => {
    const opens = await memory.recall(`the vault ${vaultOf(record)}`, hex.encode(vaultKey), () =>
      withSealedRoot(environment, vaultKey, { record, use: () => true }).catch(() => false),
    )
    if (opens) addFinding(record, what, where)
  }

  const candidates = [...scan.candidates]
  for (const added of await unsealShares(scan)) candidates.push(added)

  const vaults = vaultsIn(scan.records)
  const vaultsWith = (addresses: readonly string[]): VaultRecord[] =>
    vaults.filter(({ addresses: ownSealed }) =>
      addresses.some((item) => item === ownSealed.eip155 || item === ownSealed.solana),
    )
  for (const { words, where } of scan.sentences) {
    for (const entropy of entropiesOf(words)) {
      tries += vaults.length
      for (const record of vaultsWith([await addressFromEntropy(entropy)]))
        addFinding(record, 'the recovery words', where)
    }
  }
  for (const { bytes, where, as } of candidates) {
    tries += 3 * vaults.length
    const secret = hex.encode(bytes)
    const ofKey = await memory.recall('the addresses of a key', secret, async () => keyAddresses(bytes))
    for (const record of vaultsWith(ofKey)) addFinding(record, `an account's private key, as ${as}`, where)
    const ofRoot = await memory.recall('the addresses of a root', secret, () => rootAddresses(bytes))
    for (const record of vaultsWith(ofRoot)) addFinding(record, `the seed, as ${as}`, where)
  }
  for (const record of vaults) {
    for (const { bytes, where, as } of candidates) {
      tries++
      if (bytes.length === 32) await tryVaultKey(record, bytes as Bytes, `the vault's key, as ${as}`, where)
      for (const wrapper of record.wrappers) {
        tries += 2
        const vaultKey = (await tryUnwrap(wrapper, record, bytes)) ?? (await tryWrappingKey(wrapper, record, bytes))
        if (vaultKey)
          await tryVaultKey(record, vaultKey, `the unlock secret of the ${wrapper.kind} key, as ${as}`, where)
      }
    }
    for (const [first, second] of pairsOf(candidates)) {
      for (const wrapper of record.wrappers) {
        const secret = await combineSecrets(wrapper, first, second)
        if (!secret) continue
        tries++
        const vaultKey = await tryUnwrap(wrapper, record, secret)
        const where = [...new Set([first.where, second.where])].sort().join(' and ')
        if (vaultKey) await tryVaultKey(record, vaultKey, `two parts of the ${wrapper.kind} key`, where)
      }
    }
    for (const extended of extendedKeysIn(captured)) {
      tries++
      if (isAncestor(extended.key, record)) addFinding(record, 'an extended private key', extended.where)
    }
  }
  return {
    records: scan.records.length,
    wallets: new Set(scan.records.map(({ wallet }) => wallet)).size,
    candidates: candidates.length,
    tries,
    findings: [...findings.values()],
  }

  async function tryUnwrap(wrapper: Wrapper, record: VaultRecord, secret: Uint8Array): Promise<Bytes | undefined> {
    const key = { kind: wrapper.kind, id: wrapper.id, secret: async () => new Uint8Array(secret) }
    return memory.recall(`the secret of ${targetOf(wrapper, record)}`, hex.encode(secret), () =>
      unwrap(environment, wrapper, { key, context: wrapperContextOf(record) }),
    )
  }

  async function tryWrappingKey(wrapper: Wrapper, record: VaultRecord, key: Uint8Array): Promise<Bytes | undefined> {
    if (key.length !== 32) return undefined
    return memory.recall(`the key of ${targetOf(wrapper, record)}`, hex.encode(key), () =>
      unwrapWithKey(environment, wrapper, { key: key as Bytes, context: wrapperContextOf(record) }),
    )
  }

  async function addressFromEntropy(entropy: Bytes): Promise<string> {
    return withRootSecret(environment, entropy, (root) => deriveEip155Address(root))
  }

  async function rootAddresses(bytes: Uint8Array): Promise<string[]> {
    const found: string[] = []
    if (bytes.length === 64) found.push(deriveEip155Address({ entropy: new Uint8Array(), seed: bytes as Bytes }))
    if ([16, 20, 24, 28, 32].includes(bytes.length)) found.push(await addressFromEntropy(bytes as Bytes))
    return found
  }

  /** Tries to decrypt the operator's encrypted shares with every candidate that could be a key. Returns the decrypted shares. */
  async function unsealShares({ boxes, records, candidates: keys }: SecretScan): Promise<Candidate[]> {
    const added: Candidate[] = []
    const ownSealed = new Set(
      records.flatMap(({ vault, wrappers }) => [vault.sealed, ...wrappers.map(({ sealed }) => sealed)]),
    )
    for (const box of boxes.filter(({ sealed }) => !ownSealed.has(sealed))) {
      for (const key of keys.filter(({ bytes }) => bytes.length === 32)) {
        for (const record of vaultsIn(records)) {
          tries++
          const share = await shareIn(box, key, record)
          if (share) added.push({ bytes: share, where: `${box.where} and ${key.where}`, as: 'a sealed share' })
        }
      }
    }
    return added
  }

  function shareIn(box: SealedBox, key: Candidate, record: VaultRecord): Promise<Bytes | undefined> {
    return unseal(environment, key.bytes as Bytes, box, escrowAdditionalData(record))
  }
}

/** Returns the parts of a record on which an attempt to decrypt its vault depends, in addition to the vault key. */
function vaultOf({ user, wallet, createdAt, addresses, vault }: VaultRecord): string {
  return JSON.stringify([user, wallet, createdAt, addresses, vault])
}

/** Returns the data on which an attempt to decrypt a wrapper depends, in addition to the secret. */
function targetOf(wrapper: Wrapper, record: VaultRecord): string {
  return JSON.stringify([wrapper, wrapperContextOf(record)])
}

/** Returns each vault once, with the wrappers from every version of its record. */
function vaultsIn(records: readonly VaultRecord[]): VaultRecord[] {
  const vaults = new Map<string, VaultRecord>()
  for (const record of records) {
    const { user, wallet, addresses, vault } = record
    const id = [user, wallet, addresses.eip155, vault.sealed].join('/')
    const known = vaults.get(id)?.wrappers ?? []
    const added = record.wrappers.filter(({ sealed }) => !known.some((item) => item.sealed === sealed))
    vaults.set(id, { ...record, wrappers: [...known, ...added] })
  }
  return [...vaults.values()]
}

/** Combines two secrets for a wrapper that requires two. Resolves to `undefined` if the wrapper requires only one. */
async function combineSecrets(wrapper: Wrapper, first: Candidate, second: Candidate): Promise<Uint8Array | undefined> {
  if (wrapper.kind === 'device') {
    if (first.bytes.length !== 32 || second.bytes.length !== 32) return undefined
    return Uint8Array.from([...first.bytes, ...second.bytes])
  }
  if (wrapper.kind !== 'assisted' || first.bytes.length !== 33 || second.bytes.length !== 33) return undefined
  try {
    const key = await assistedUnlockKey(wrapper.id, [first.bytes as Bytes, second.bytes as Bytes])
    return await key.secret('')
  } catch {
    return undefined
  }
}

function* pairsOf(candidates: readonly Candidate[]): Generator<[Candidate, Candidate]> {
  for (const length of [32, 33]) {
    const some = candidates.filter(({ bytes }) => bytes.length === length).slice(-maxPairedSecrets)
    for (const first of some) for (const second of some) if (first !== second) yield [first, second]
  }
}

function entropiesOf(words: readonly string[]): Bytes[] {
  const addFinding: Bytes[] = []
  for (const count of [12, 15, 18, 21, 24]) {
    for (let at = 0; at + count <= words.length; at++) {
      try {
        addFinding.push(new Uint8Array(mnemonicToEntropy(words.slice(at, at + count).join(' '), wordlist)))
      } catch {}
    }
  }
  return addFinding
}

/** Returns the addresses for which `bytes` is a private key. */
function keyAddresses(bytes: Uint8Array): string[] {
  if (bytes.length !== 32 && bytes.length !== 64) return []
  const key = bytes.subarray(0, 32)
  const addFinding = [toBase58(ed25519.getPublicKey(key))]
  try {
    if (bytes.length === 32) addFinding.push(privateKeyToAddress(key))
  } catch {
    // Not every 32-byte value is a valid private key.
  }
  return addFinding
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
    return child.privateKey !== null && privateKeyToAddress(child.privateKey) === addresses.eip155
  } catch {
    return false
  }
}
