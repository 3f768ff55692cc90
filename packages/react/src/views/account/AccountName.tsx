import { shortAddress } from '@latchkey/ui'
import type { ReactNode } from 'react'

/** The name of an account, or its short address if it has no known name. Always left to right. */
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
