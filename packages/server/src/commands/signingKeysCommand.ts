import { join } from 'node:path'
import type { Config } from '../config/readConfig.ts'
import { addKey, keyRefreshMs, removeKey, type StoredKey, signingKey, storedKeys } from '../storage/keyRing.ts'
import { newSigningKey } from '../storage/newSigningKey.ts'
import { openConnection } from '../storage/openConnection.ts'
import { readSecrets, retireSecrets, rotateSecret } from '../storage/secretFile.ts'
import { attestationKeyLifeS } from '../walletConnectVerify/attestationSigner.ts'
import { table, UsageError } from './terminalOutput.ts'

// A new key starts signing once every instance has loaded it and, for `verify`, once every wallet has refetched the public keys.
const purposes: Readonly<Record<string, { delayMs: number; usedForMs: (config: Config) => number }>> = {
  'sign-in': { delayMs: 2 * keyRefreshMs, usedForMs: ({ signIn }) => (signIn?.hours ?? 24) * 60 * 60_000 },
  verify: { delayMs: attestationKeyLifeS * 1000, usedForMs: () => 2 * 60 * 60_000 },
}

/** Runs `latchkey-server keys …`. Resolves to the exit code. */
export async function keysCommand({
  config,
  args: { positionals, values },
  out,
  now = Date.now,
}: {
  config: Config
  args: { positionals: readonly string[]; values: { yes?: boolean } }
  out: (text: string) => void
  now?: () => number
}): Promise<number> {
  const [action, name, ...more] = positionals
  if (more.length > 0) throw new UsageError(`Unexpected argument "${more[0]}".`)
  if (action === 'list') return listKeys(config, out, now())
  if (action === 'rotate') return rotate(config, name, out, now())
  if (action === 'retire') return retire(config, { name, isSure: values.yes === true }, out, now())
  throw new UsageError('"keys" requires list, rotate or retire.')
}

async function listKeys(config: Config, out: (text: string) => void, now: number): Promise<number> {
  const rows = await withConnection(config, async (connection) => {
    const found: string[][] = []
    for (const purpose of Object.keys(purposes)) {
      const keys = await storedKeys(connection, purpose)
      for (const key of keys)
        found.push([key.name, purpose, stateOf(key, keys, now), `created ${dayOf(key.createdAt)}`])
    }
    return found
  })
  const secrets = await secretRows(config)
  out(
    rows.length + secrets.length > 0
      ? table([...rows, ...secrets])
      : 'There are no keys yet. They are created on the first start.\n',
  )
  return 0
}

async function secretRows(config: Config): Promise<string[][]> {
  if (!config.keys) return []
  const { secrets } = config.keys
  const all = secrets ?? (await readSecrets({ file: fileOf(config) }))
  const place = secrets ? 'AUTH_SECRET' : fileOf(config)
  return all.map((_, at) => ['secret', place, at === 0 ? 'signs' : 'accepted', `${at + 1} of ${all.length}`])
}

async function rotate(
  config: Config,
  what: string | undefined,
  out: (text: string) => void,
  now: number,
): Promise<number> {
  if (what === 'secret') {
    refuseOwnSecret(
      config,
      'on every instance, add a new secret after the old one (old,new), then put it first (new,old), and remove the old one after SESSION_HOURS.',
    )
    await rotateSecret(fileOf(config))
    out(
      `${fileOf(config)} has a new secret. It is used for signing after the next restart; the older ones are accepted until "keys retire secret".\n`,
    )
    return 0
  }
  const rule = what !== undefined && Object.hasOwn(purposes, what) ? purposes[what] : undefined
  if (what === undefined || rule === undefined)
    throw new UsageError('"keys rotate" requires sign-in, verify or secret.')
  const key = await withConnection(config, async (connection) => {
    // The newest key signs. If this machine's clock is behind, the new key could be dated before an existing key. It would then
    // never sign, and nothing would report an error.
    const later = (await storedKeys(connection, what)).find(({ signsFrom }) => signsFrom >= now + rule.delayMs)
    if (later)
      throw new UsageError(
        `${later.name} signs from ${new Date(later.signsFrom).toISOString()}, so a key created now would never sign. Is the clock of this machine correct?`,
      )
    return addKey({ connection, purpose: what, key: await newSigningKey(), delayMs: rule.delayMs, now })
  })
  out(
    `${key.name} is published within ${keyRefreshMs / 1000} s by every instance and signs from ${new Date(key.signsFrom).toISOString()}. Users stay signed in.\n`,
  )
  return 0
}

async function retire(
  config: Config,
  { name, isSure }: { name: string | undefined; isSure: boolean },
  out: (text: string) => void,
  now: number,
): Promise<number> {
  if (name === undefined) throw new UsageError('"keys retire" requires the name of a key. See "keys list".')
  if (name === 'secret') {
    refuseOwnSecret(config, 'remove the old secret there.')
    if (!isSure)
      throw new UsageError(
        'Users who signed in under an older secret within the last SESSION_HOURS are signed out on the next restart. Confirm with --yes.',
      )
    const removed = await retireSecrets(fileOf(config))
    out(removed > 0 ? `Older secrets removed: ${removed}.\n` : 'There are no older secrets.\n')
    return removed > 0 ? 0 : 1
  }
  const removed = await withConnection(config, async (connection) => {
    for (const [purpose, { usedForMs }] of Object.entries(purposes)) {
      const keys = await storedKeys(connection, purpose)
      const key = keys.find((item) => item.name === name)
      if (!key) continue
      const signing = signingKey(keys, now)
      if (key === signing)
        throw new UsageError(`${name} is the current signing key: rotate first, and wait until the new key signs.`)
      // The key was used for signing until the current key took over.
      const usedUntil = key.signsFrom > now ? now : (signing?.signsFrom ?? now) + usedForMs(config)
      if (usedUntil > now && !isSure)
        throw new UsageError(
          `Signatures of ${name} may be in use until ${new Date(usedUntil).toISOString()}. Wait, or invalidate them now with --yes.`,
        )
      await removeKey(connection, name)
      return true
    }
    return false
  })
  out(
    removed
      ? `Removed ${name}. Every instance stops using it within ${keyRefreshMs / 1000} s.\n`
      : `Key ${name} does not exist.\n`,
  )
  return removed ? 0 : 1
}

function refuseOwnSecret(config: Config, way: string): void {
  if (!config.keys) throw new UsageError('There is no secret because KEYS_URL is not set.')
  if (config.keys.secrets)
    throw new UsageError(`AUTH_SECRET is set, so you have to change its secrets yourself: ${way}`)
}

function stateOf(key: StoredKey, keys: readonly StoredKey[], now: number): string {
  if (key === signingKey(keys, now)) return 'signs'
  return key.signsFrom > now ? `signs from ${new Date(key.signsFrom).toISOString()}` : 'accepted'
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10)
}

function fileOf(config: Config): string {
  return join(config.dataFolder, 'secret')
}

async function withConnection<T>(
  config: Config,
  work: (connection: Awaited<ReturnType<typeof openConnection>>) => Promise<T>,
): Promise<T> {
  const connection = await openConnection({ config, log: () => {} })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}
