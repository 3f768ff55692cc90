import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import { type Chain, type CustomTransport, custom, defineChain } from 'viem'

/** A network that this wallet supports. */
export interface Network {
  /** The CAIP-2 chain ID. */
  readonly id: `eip155:${number}` | `solana:${string}`
  readonly name: string
  readonly rpcUrl: string
  readonly currency: { readonly name: string; readonly symbol: string; readonly decimals: number }
}

/** Sends a JSON-RPC request to a network's node. */
export interface Ask {
  (network: Network, method: string, params: unknown): Promise<unknown>
}

/** The error thrown when a node returns an error or cannot be reached. */
export class NodeError extends Error {
  override readonly name = 'NodeError'
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

const answerSchema = v.object({
  result: v.optional(v.unknown()),
  error: v.optional(v.object({ code: v.number(), message: v.string(), data: v.optional(v.unknown()) })),
})

/** Returns a function that sends JSON-RPC requests over HTTP. If a request fails, the function rejects with a `NodeError`. */
export function askOver(fetch: typeof globalThis.fetch): Ask {
  return async ({ name, rpcUrl }, method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(rpcUrl, { method: 'POST', headers, body }).catch((cause: unknown) => {
      throw new NodeError(-32_000, `${name} cannot be reached.`, cause)
    })
    const answer = read(answerSchema, await response.json().catch(() => undefined))
    if (!answer) throw new NodeError(-32_000, `${name} returned an invalid response (${response.status}).`)
    const { result, error } = answer
    if (error) throw new NodeError(error.code, error.message, error.data)
    return result
  }
}

/** Converts an EVM network to a viem chain. */
export function viemChain({ id, name, rpcUrl, currency }: Network): Chain {
  const rpcUrls = { default: { http: [rpcUrl] } }
  return defineChain({ id: Number(id.slice('eip155:'.length)), name, nativeCurrency: currency, rpcUrls })
}

/** Creates a viem transport that sends requests with `ask`. */
export function viemTransport(network: Network, ask: Ask): CustomTransport {
  return custom({ request: ({ method, params }) => ask(network, method, params ?? []) }, { retryCount: 0 })
}
