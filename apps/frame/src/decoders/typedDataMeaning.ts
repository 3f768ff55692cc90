import type { TypedData } from '../keys/signers/typedData.ts'
import type { Contracts } from './contractFacts.ts'
import type { DecodedTypedData } from './decodedTypedData.ts'
import { readPermit2, readTokenPermit, tokensOfPermit } from './permits.ts'
import { readSeaportOrder, tokensOfOrder } from './seaport.ts'

/** The contracts whose kind decides what typed data mean. */
export function contractsOfTypedData(typed: TypedData): readonly string[] {
  return [...tokensOfPermit(typed), ...tokensOfOrder(typed)]
}

/** What typed data of `account` on `chainId` mean. Whatever does not fit a standard whole is unknown. */
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
