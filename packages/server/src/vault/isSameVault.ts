import { readJson } from '@latchkey/protocol/schemas'
import * as v from 'valibot'

const record = v.looseObject({
  format: v.number(),
  user: v.string(),
  wallet: v.string(),
  addresses: v.looseObject({ eip155: v.string() }),
  vault: v.looseObject({ nonce: v.string(), sealed: v.string() }),
})

/**
 * Whether `after` can replace `before`: the same wallet with its sealed seed unchanged. Only the list of keys changes over time, so an
 * attacker with access to the mailbox can neither substitute their own wallet nor destroy the seed. A record that cannot be parsed can be
 * replaced.
 */
export function isSameVault(before: string, after: string): boolean {
  const old = readJson(record, before)
  if (!old) return true
  const next = readJson(record, after)
  if (!next || next.user !== old.user || next.wallet !== old.wallet) return false
  if (next.addresses.eip155 !== old.addresses.eip155) return false
  // There is only one format. A new format that reseals the seed has to verify the owner in this function.
  if (next.format !== old.format) return false
  return next.vault.nonce === old.vault.nonce && next.vault.sealed === old.vault.sealed
}
