import type { Namespace } from '@latchkey/protocol/caip'
import { defaultAccountTypes } from '@latchkey/protocol/specificationConstants'
import type { LoginRecords } from '../adapter.ts'
import type { LatchkeyOptions } from '../options.ts'

/** Returns the account type of the embedded wallet in `namespace`. The user's choice takes precedence over the host's default. */
export function embeddedAccountType(
  namespace: Namespace,
  {
    options,
    records,
  }: {
    readonly options: Pick<LatchkeyOptions, 'defaultAccountTypes'>
    readonly records: Pick<LoginRecords, 'accountTypes'>
  },
): string {
  const defaults: Readonly<Partial<Record<Namespace, string>>> = {
    ...defaultAccountTypes,
    ...options.defaultAccountTypes,
  }
  return records.accountTypes.get()?.[namespace] ?? defaults[namespace] ?? 'eoa'
}
