import { groupsOf, useStyleSheet } from '@latchkey/ui'
import type { ReactNode } from 'react'
import css from './addressComparison.css?inline'

/** Props for `AddressComparison`. */
export interface AddressComparisonProps {
  readonly addresses: readonly { readonly label: string; readonly address: string }[]
}

/**
 * Renders addresses below each other, in groups of four characters, and marks the characters in which they differ.
 */
export function AddressComparison({ addresses }: AddressComparisonProps): ReactNode {
  useStyleSheet(css)
  const [first, second] = addresses
  return (
    <ul className="compare">
      {addresses.map(({ label, address }, at) => (
        <li key={address}>
          <p className="send-label">{label}</p>
          <bdi className="compare-address" dir="ltr">
            {groupsOf(address).map((group, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: groups can repeat, and their order is fixed
              <span key={place}>{marked(group, groupsOf((at === 0 ? second : first)?.address ?? '')[place])}</span>
            ))}
          </bdi>
        </li>
      ))}
    </ul>
  )
}

/** Returns a group, with the characters marked that differ from the other group. Case is only ignored for EVM addresses. */
function marked(group: string, other: string | undefined): ReactNode {
  const ignoresCase = /^(0x)?[0-9a-f]*$/i.test(group) && /^(0x)?[0-9a-f]*$/i.test(other ?? '')
  const same = (a: string, b: string | undefined): boolean =>
    a === b || (ignoresCase && a.toLowerCase() === b?.toLowerCase())
  return [...group].map((character, at) =>
    same(character, other?.[at]) ? (
      character
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: characters can repeat, and their order is fixed
      <mark key={at}>{character}</mark>
    ),
  )
}
