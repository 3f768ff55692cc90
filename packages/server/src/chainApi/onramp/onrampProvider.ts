import type {
  HistoryAnswer,
  OnrampOptions,
  OnrampQuote,
  OnrampQuoteBody,
  OnrampUrlBody,
} from '@latchkey/protocol/http/chainApi'
import * as v from 'valibot'

/** A decimal number, such as `12.50`. */
export const decimalText: v.GenericSchema<unknown, string> = v.pipe(v.string(), v.regex(/^\d{1,30}(\.\d{1,30})?$/))

/** The maximum number of purchases on a page. */
export const purchasePageSize = 50

/**
 * A company that sells crypto. If a method fails, it rejects with an `HttpError`: 400 for an invalid request, 503 if the
 * company does not respond.
 */
export interface OnrampProvider {
  options(signal: AbortSignal): Promise<OnrampOptions>
  quote(body: OnrampQuoteBody, request: { readonly signal: AbortSignal }): Promise<OnrampQuote>
  url(
    body: OnrampUrlBody,
    request: { readonly signal: AbortSignal; readonly clientAddress: string | undefined },
  ): Promise<string>
  purchases(address: string, cursor: string | undefined, signal: AbortSignal): Promise<HistoryAnswer>
}

/** Returns the buyer's ID at a provider. For EVM addresses, it does not depend on the checksum. */
export function customerIdOf(partnerUserId: string): string {
  return /^0x[0-9a-fA-F]{40}$/.test(partnerUserId) ? partnerUserId.toLowerCase() : partnerUserId
}

/** Returns the chain (CAIP-2) of a provider's network, or `undefined` if its family is neither eip155 nor solana. */
export function chainOfNetwork({ name, chain_id }: { name: string; chain_id: string }): string | undefined {
  if (name.toLowerCase() === 'solana') return solanaMainnet
  return /^[1-9]\d{0,15}$/.test(chain_id) ? `eip155:${chain_id}` : undefined
}

const solanaMainnet = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
