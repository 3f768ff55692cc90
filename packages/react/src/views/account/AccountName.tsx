import { shortAddress } from '@latchkey/ui'
import type { ReactNode } from 'react'

/** Renders an account's name, or its shortened address if the account has no known name. */
export function AccountName({
  address,
  name,
}: {
  readonly address: string
  readonly name?: string | undefined
}): ReactNode {
  return name ? (
    <bdi title={name}>{name}</bdi>
  ) : (
    <bdi dir="ltr" title={address}>
      {shortAddress(address)}
    </bdi>
  )
}
