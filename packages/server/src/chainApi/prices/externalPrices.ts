import type { Currency } from '@latchkey/protocol/http/chainApi'
import * as v from 'valibot'
import { HttpError } from '../../errors/httpError.ts'
import { readLimitedText } from '../../http/readLimitedBody.ts'

/** The time limit for a response of the price source, in milliseconds. */
const defaultTimeoutMs = 5_000
const maxBytes = 1_048_576
/** The maximum plausible price in any currency. Larger prices are errors of the source. */
const maxPrice = 1e12

const schema = v.object({
  prices: v.record(
    v.pipe(v.string(), v.maxLength(200)),
    v.fallback(
      v.nullable(
        v.object({
          price: v.pipe(v.number(), v.finite(), v.minValue(0), v.maxValue(maxPrice)),
          pricedAt: v.fallback(v.optional(v.pipe(v.string(), v.isoTimestamp())), undefined),
        }),
      ),
      null,
    ),
  ),
})

/** A price from the operator's source. */
export interface ExternalPrice {
  readonly price: number
  /** When the price was determined (ISO 8601). `undefined` if the source does not report it. */
  readonly pricedAt: string | undefined
}

/**
 * Reads prices from the operator's source (`PRICES_URL`). Sends `POST { currency, tokens }` with CAIP-10 tokens, where the native
 * currency of an EVM chain is `…:0xeeee…eeee`, and expects `{ prices: { [token]: { price, pricedAt? } } }`. Tokens that the source
 * does not know are omitted.
 *
 * @throws {HttpError} 503 if the source does not respond with valid prices in time.
 */
export async function externalPrices({
  url,
  fetch,
  currency,
  tokens,
  signal,
  timeoutMs = defaultTimeoutMs,
}: {
  url: string
  fetch: typeof globalThis.fetch
  currency: Currency
  tokens: readonly string[]
  signal: AbortSignal
  timeoutMs?: number | undefined
}): Promise<ReadonlyMap<string, ExternalPrice>> {
  const text = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ currency, tokens }),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  })
    .then(async (response) => (response.ok ? readLimitedText(response, maxBytes) : undefined))
    .catch(() => undefined)
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text)
  if (!parsed.success) throw new HttpError(503, 'server', 'The price source did not respond', 1)
  const prices = new Map<string, ExternalPrice>()
  for (const token of tokens) {
    const found = Object.hasOwn(parsed.output.prices, token) ? parsed.output.prices[token] : undefined
    if (found && found.price > 0) prices.set(token, { price: found.price, pricedAt: found.pricedAt })
  }
  return prices
}
