import { join } from 'node:path'
import { table, UsageError } from './commandLineTable.ts'
import type { Config } from './config.ts'
import { addKey, keyRefreshMs, removeKey, type StoredKey, signingKey, storedKeys } from './data/keyRing.ts'
import { readSecrets, retireSecrets, rotateSecret } from './data/secretFile.ts'
import { openConnection } from './nodeServer.ts'
import { newVerifyKey, verifyKeyLifeS } from './verify/verifyService.ts'

// A new key starts to sign once every instance has loaded it and, for `verify`, once every wallet has refetched the public key.
const purposes: Readonly<Record<string, { delayMs: number; usedForMs: (config: Config) => number }>> = {
  'sign-in': { delayMs: 2 * keyRefreshMs, usedForMs: ({ signIn }) => (signIn?.hours ?? 24) * 60 * 60_000 },
  verify: { delayMs: verifyKeyLifeS * 1000, usedForMs: () => 2 * 60 * 60_000 },
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
  if (more.length > 0) throw new UsageError(`"${more[0]}" was not expected.`)
  if (action === 'list') return listKeys(config, out, now())
  if (action === 'rotate') return rotate(config, name, out, now())
  if (action === 'retire') return retire(config, { name, isSure: values.yes === true }, out, now())
  throw new UsageError('"keys" needs list, rotate or retire.')
}

async function listKeys(config: Config, out: (text: string) => void, now: number): Promise<number> {
  const rows = await withConnection(config, async (connection) => {
    const found: string[][] = []
    for (const purpose of Object.keys(purposes)) {
      const keys = await storedKeys(connection, purpose)
      for (const key of keys) found.push([key.name, purpose, stateOf(key, keys, now), `made ${dayOf(key.createdAt)}`])
    }
    return found
  })
  const secrets = await secretRows(config)
  out(
    rows.length + secrets.length > 0
      ? table([...rows, ...secrets])
      : 'There is no key yet: the first start makes them.\n',
  )
  return 0
}

async function secretRows(config: Config): Promise<string[][]> {
  if (!config.keys) return []
  const { secrets } = config.keys
  const all = secrets ?? (await readSecrets({ file: fileOf(config) }))
  const place = secrets ? 'AUTH_SECRET' : fileOf(config)
  return all.map((_, at) => ['secret', place, at === 0 ? 'signs' : 'is believed', `${at + 1} of ${all.length}`])
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
      'put a new secret behind the old one (old,new) on every instance, then before it (new,old), and leave the old one away when SESSION_HOURS have passed.',
    )
    await rotateSecret(fileOf(config))
    out(
      `${fileOf(config)} has a new secret. It signs from the next start on; the others are believed until "keys retire secret".\n`,
    )
    return 0
  }
  const rule = what !== undefined && Object.hasOwn(purposes, what) ? purposes[what] : undefined
  if (what === undefined || rule === undefined) throw new UsageError('"keys rotate" needs sign-in, verify or secret.')
  const key = await withConnection(config, async (connection) => {
    // The newest key signs. A key dated before it, for example because of a slow clock, would silently never sign.
    const later = (await storedKeys(connection, what)).find(({ signsFrom }) => signsFrom >= now + rule.delayMs)
    if (later)
      throw new UsageError(
        `${later.name} signs from ${new Date(later.signsFrom).toISOString()} on, so a key that is made now would never sign. Is the clock of this machine right?`,
      )
    return addKey({ connection, purpose: what, key: await newVerifyKey(), delayMs: rule.delayMs, now })
  })
  out(
    `${key.name} is published within ${keyRefreshMs / 1000} s by every instance, and signs from ${new Date(key.signsFrom).toISOString()} on. Nobody is signed out.\n`,
  )
  return 0
}

async function retire(
  config: Config,
  { name, isSure }: { name: string | undefined; isSure: boolean },
  out: (text: string) => void,
  now: number,
): Promise<number> {
  if (name === undefined) throw new UsageError('"keys retire" needs the name of a key: see "keys list".')
  if (name === 'secret') {
    refuseOwnSecret(config, 'leave the old secret away there.')
    if (!isSure)
      throw new UsageError(
        'Sign-ins under an older secret end at the next start, if they are younger than SESSION_HOURS. Say so with --yes.',
      )
    const removed = await retireSecrets(fileOf(config))
    out(removed > 0 ? `${removed} older secrets are removed.\n` : 'There is no older secret.\n')
    return removed > 0 ? 0 : 1
  }
  const removed = await withConnection(config, async (connection) => {
    for (const [purpose, { usedForMs }] of Object.entries(purposes)) {
      const keys = await storedKeys(connection, purpose)
      const key = keys.find((one) => one.name === name)
      if (!key) continue
      const signing = signingKey(keys, now)
      if (key === signing)
        throw new UsageError(`${name} is the key that signs: rotate first, and wait until the new one does.`)
      // It signed until the current key became active.
      const usedUntil = key.signsFrom > now ? now : (signing?.signsFrom ?? now) + usedForMs(config)
      if (usedUntil > now && !isSure)
        throw new UsageError(
          `What ${name} signed may be in use until ${new Date(usedUntil).toISOString()}: wait, or end it now with --yes.`,
        )
      await removeKey(connection, name)
      return true
    }
    return false
  })
  out(
    removed
      ? `${name} is removed; every instance forgets it within ${keyRefreshMs / 1000} s.\n`
      : `There is no key ${name}.\n`,
  )
  return removed ? 0 : 1
}

function refuseOwnSecret(config: Config, way: string): void {
  if (!config.keys) throw new UsageError('There is no secret without KEYS_URL.')
  if (config.keys.secrets) throw new UsageError(`AUTH_SECRET is set, so its secrets are yours to change: ${way}`)
}

function stateOf(key: StoredKey, keys: readonly StoredKey[], now: number): string {
  if (key === signingKey(keys, now)) return 'signs'
  return key.signsFrom > now ? `signs from ${new Date(key.signsFrom).toISOString()}` : 'is believed'
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
