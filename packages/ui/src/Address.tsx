import type { ReactNode } from 'react'
import { shortAddress } from './shortAddress.ts'

/** `address` in groups of four; a `0x` stays with the first. */
export function groupsOf(address: string): readonly string[] {
  const prefix = address.startsWith('0x') ? '0x' : ''
  const groups = address.slice(prefix.length).match(/.{1,4}/gsu) ?? []
  return prefix && groups.length > 0 ? [`${prefix}${groups[0]}`, ...groups.slice(1)] : groups
}

/** What an address needs. */
export interface AddressProps {
  readonly address: string
  /** Whole, in groups of four; without it cut in the middle. */
  readonly whole?: boolean | undefined
}

/** An address, whole or short, always left-to-right. Copying a whole one gives it without the gaps. */
export function Address({ address, whole }: AddressProps): ReactNode {
  if (!whole)
    return (
      <bdi className="address" dir="ltr" title={address}>
        {shortAddress(address)}
      </bdi>
    )
  return (
    <bdi className="address" data-whole dir="ltr">
      {groupsOf(address).map((group, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: groups repeat and never move
        <span key={at}>{group}</span>
      ))}
    </bdi>
  )
}
