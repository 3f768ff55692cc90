// Builds typed data requests from the type strings that the standards publish.

import type { Hex } from 'viem'
import { me, transaction } from './encode.ts'
import type { TypedDataSample } from './sample.ts'

/** A struct member, as defined by EIP-712. */
export interface Member {
  readonly name: string
  readonly type: string
}

/** The current time in these samples, 2026-01-01. */
export const now = 1_767_225_600n
/** One month after `now`. */
export const nextMonth = now + 2_592_000n
/** A time before `now` (2020-09-13). */
export const past = 1_600_000_000n

/** Parses a published type string, such as `Mail(Person from,string contents)Person(string name)`. */
export function typesOf(...encoded: readonly string[]): Record<string, Member[]> {
  return Object.fromEntries(
    encoded.flatMap((part) =>
      [...part.matchAll(/(\w+)\(([^)]*)\)/g)].map(([, name, members]) => [
        name,
        (members ?? '')
          .split(',')
          .filter(Boolean)
          .map((member) => {
            const [type = '', memberName = ''] = member.trim().split(' ')
            return { name: memberName, type }
          }),
      ]),
    ),
  )
}

const domainMembers: readonly Member[] = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
  { name: 'salt', type: 'bytes32' },
]

/**
 * Builds the second parameter of `eth_signTypedData_v4`, as an object rather than a JSON string. The domain type lists the
 * members that are present in the domain.
 */
export function request(input: {
  readonly types: Record<string, readonly Member[]>
  readonly primaryType: string
  readonly domain: Readonly<Record<string, unknown>>
  readonly message: object
}) {
  const EIP712Domain = domainMembers.filter(({ name }) => name in input.domain)
  return { ...input, types: { EIP712Domain, ...input.types } }
}

/** Returns the EIP-712 domain of a contract on Ethereum. */
export function domainOf(verifyingContract: Hex, name: string, version?: string) {
  return { name, ...(version === undefined ? {} : { version }), chainId: 1, verifyingContract }
}

/** Creates a typed data sample for the user's account on Ethereum, with the contracts that all samples share. */
export function typedDataSample(
  sample: Pick<TypedDataSample, 'id' | 'source' | 'typedData' | 'expect'> & Partial<TypedDataSample>,
): TypedDataSample {
  const { contracts } = transaction({ id: '', source: '', calls: [], expect: { effects: [], canBeUnknown: false } })
  return { account: me, chainId: 1, ...sample, contracts: { ...contracts, ...sample.contracts } }
}
