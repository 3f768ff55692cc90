import type { TypedData } from '@latchkey/vault/signers/typedData'
import type { Contracts } from './contractFacts.ts'
import { readPermit2, readTokenPermit, tokensOfPermit } from './permits.ts'
import { readSeaportOrder, tokensOfOrder } from './seaport.ts'
import type { DecodedTypedData } from './typedDataParts.ts'

/** Returns the contracts whose kind must be known to decode the typed data. */
export function contractsOfTypedData(typed: TypedData): readonly string[] {
  return [...tokensOfPermit(typed), ...tokensOfOrder(typed)]
}

/** Decodes what typed data means for `account` on `chainId`. The result is unknown unless the data matches a standard exactly. */
export function recognizeTypedData(
  typed: TypedData,
  context: { readonly account: string; readonly chainId: number; readonly contracts: Contracts },
): DecodedTypedData {
  return (
    readTokenPermit(typed, context) ??
    readPermit2(typed, context) ??
    readSeaportOrder(typed, context) ?? { kind: 'unknown' }
  )
}
