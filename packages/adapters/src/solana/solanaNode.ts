import type { Network } from '@latchkey/core/adapter'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'

/** A Solana node's JSON-RPC API. */
export interface SolanaNode {
  /**
   * Sends a request and parses the result. Rejects with `http/unreachable`, `http/failed`, `http/malformed` or
   * `request/aborted`, with `wallet/failed` if the node returns an error, and with `network/unsupported` if the network has no
   * RPC URL.
   */
  call<Result>(method: string, params: readonly unknown[], schema: v.GenericSchema<unknown, Result>): Promise<Result>
}

/** How long a node can take to respond, in milliseconds. */
const answerMs = 20_000
/** The maximum size of a response, in characters. The requests concern single accounts. */
const maxAnswerLength = 1_000_000

const answer = v.object({
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ code: v.number(), message: v.pipe(v.string(), v.maxLength(10_000)) })),
})

/** Returns the node of a network. Requests end when `signal` aborts. */
export function solanaNode({
  network,
  fetch = globalThis.fetch,
  signal,
}: {
  readonly network: Pick<Network<'solana'>, 'rpcUrls' | 'caipNetworkId'>
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly signal?: AbortSignal | undefined
}): SolanaNode {
  const [address] = network.rpcUrls.default?.http ?? []
  return {
    async call(method, params, schema) {
      if (address === undefined) throw new LatchkeyError('network/unsupported', { chain: network.caipNetworkId })
      // Errors only contain the origin, because the URLs of nodes often contain a key.
      const url = new URL(address).origin
      const late = AbortSignal.timeout(answerMs)
      const request = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        signal: signal ? AbortSignal.any([signal, late]) : late,
      }
      const response = await fetch(address, request).catch((cause: unknown) => {
        throw signal?.aborted
          ? new LatchkeyError('request/aborted', undefined, { cause })
          : new LatchkeyError('http/unreachable', { url }, { cause })
      })
      if (!response.ok) throw new LatchkeyError('http/failed', { status: response.status, url })
      const text = await response.text()
      const parsed = text.length <= maxAnswerLength ? read(v.pipe(v.string(), v.parseJson(), answer), text) : undefined
      if (parsed?.error) throw new LatchkeyError('wallet/failed', { message: parsed.error.message.slice(0, 500) })
      const result = parsed && read(schema, parsed.result)
      if (result === undefined) throw new LatchkeyError('http/malformed', { url })
      return result
    },
  }
}

/** An amount in base units. Nodes return JSON numbers, which are exact up to nine million SOL. */
export const lamports: v.GenericSchema<unknown, bigint> = v.pipe(
  v.number(),
  v.safeInteger(),
  v.minValue(0),
  v.transform((value) => BigInt(value)),
)

/** Returns the schema for a result that comes with the slot at which it was read. The slot is dropped. */
export const inContext = <Value>(value: v.GenericSchema<unknown, Value>): v.GenericSchema<unknown, Value> =>
  v.pipe(
    v.object({ value }),
    v.transform((found): Value => found.value as Value),
  )
