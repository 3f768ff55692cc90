import { shortAddress } from '@latchkey/ui'
import type { ReactNode } from 'react'

/** What an account is called: its name where one is known, else its short address, always left to right. */
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
