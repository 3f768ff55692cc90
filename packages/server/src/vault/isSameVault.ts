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
 * Whether `after` may follow `before`: the same wallet, and its seed sealed as it was. Keys are added and removed, the rest of a vault is
 * written once; so whoever takes over a mailbox neither puts a wallet of their own in its place nor destroys the seed. What cannot be read
 * here says nothing.
 */
export function isSameVault(before: string, after: string): boolean {
  const old = readJson(record, before)
  if (!old) return true
  const next = readJson(record, after)
  if (!next || next.user !== old.user || next.wallet !== old.wallet) return false
  if (next.addresses.eip155 !== old.addresses.eip155) return false
  // There is one format. A next one that seals anew has to say here what proves that it was the owner.
  if (next.format !== old.format) return false
  return next.vault.nonce === old.vault.nonce && next.vault.sealed === old.vault.sealed
}
