import type { TypedData } from '@latchkey/vault/signers/typedData'
import type { Contracts } from './contractFacts.ts'
import type { DecodedTypedData } from './decodedTypedData.ts'
import { readPermit2, readTokenPermit, tokensOfPermit } from './permits.ts'
import { readSeaportOrder, tokensOfOrder } from './seaport.ts'

/** The contracts whose kind determines the meaning of typed data. */
export function contractsOfTypedData(typed: TypedData): readonly string[] {
  return [...tokensOfPermit(typed), ...tokensOfOrder(typed)]
}

/** Decodes the meaning of typed data for `account` on `chainId`. Data that does not match a standard exactly is unknown. */
export function readMeaning(
  typed: TypedData,
  context: { readonly account: string; readonly chainId: number; readonly contracts: Contracts },
): DecodedTypedData {
  return (
    readTokenPermit(typed, context) ??
    readPermit2(typed, context) ??
    readSeaportOrder(typed, context) ?? { kind: 'unknown' }
  )
}
