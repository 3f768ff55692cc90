import type { LatchkeyOptions } from '../options.ts'
import { storagePrefix } from '../storage/storagePrefix.ts'
import type { PageEnvironment } from './pageEnvironment.ts'

/** The names of the records that an instance restores on `start()`, without the prefix. */
const restoredRecords = [
  'connection_status',
  'active_caip_network_id',
  'active_namespace',
  'recent_wallets',
  'social_provider',
]

/** Whether an earlier visit stored anything that is restored on `start()`. Returns `true` if storage cannot be read. */
export function isReturningUser(
  { id }: Pick<LatchkeyOptions, 'id'>,
  { storage }: Pick<PageEnvironment, 'storage'>,
): boolean {
  try {
    const keys = restoredRecords.map((name) => storagePrefix(id) + name)
    return [...keys, '@appkit/connection_status'].some((key) => Boolean(storage?.getItem(key)))
  } catch {
    return true
  }
}
