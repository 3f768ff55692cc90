import type { ReactNode } from 'react'
import { shortAddress } from './shortAddress.ts'

/** Splits `address` into groups of four characters. A `0x` prefix is part of the first group. */
export function groupsOf(address: string): readonly string[] {
  const prefix = address.startsWith('0x') ? '0x' : ''
  const groups = address.slice(prefix.length).match(/.{1,4}/gsu) ?? []
  return prefix && groups.length > 0 ? [`${prefix}${groups[0]}`, ...groups.slice(1)] : groups
}

/** Props for `Address`. */
export interface AddressProps {
  readonly address: string
  /** Whether to show the full address, in groups of four. Otherwise, the address is shortened in the middle. */
  readonly whole?: boolean | undefined
}

/** Renders an address, in full or shortened, always left to right. Copying a full address omits the gaps. */
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
        // biome-ignore lint/suspicious/noArrayIndexKey: groups can repeat, and their order is fixed
        <span key={at}>{group}</span>
      ))}
    </bdi>
  )
}
