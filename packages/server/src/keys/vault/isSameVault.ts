import { readJson } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'

const record = v.looseObject({
  format: v.number(),
  user: v.string(),
  wallet: v.string(),
  addresses: v.looseObject({ eip155: v.string() }),
  vault: v.looseObject({ nonce: v.string(), sealed: v.string() }),
})

/**
 * Whether `after` can replace `before`. Both must be for the same wallet and contain the same sealed seed, because only the list
 * of keys changes over time. Without this check, an attacker with access to the mailbox could substitute their own wallet or
 * destroy the seed. A record that cannot be parsed can be replaced.
 */
export function isSameVault(before: string, after: string): boolean {
  const old = readJson(record, before)
  if (!old) return true
  const next = readJson(record, after)
  if (!next || next.user !== old.user || next.wallet !== old.wallet) return false
  if (next.addresses.eip155 !== old.addresses.eip155) return false
  // Only one format exists. If a new format reseals the seed, this function has to verify the owner.
  if (next.format !== old.format) return false
  return next.vault.nonce === old.vault.nonce && next.vault.sealed === old.vault.sealed
}
