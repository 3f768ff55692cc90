import { failure } from '@latchkey/protocol/errors/errorMessages'
import { readBody } from '@latchkey/protocol/http/readResponseBody'
import { read } from '@latchkey/protocol/parseWithSchema'
import { contractCallTimeoutMs, maxContractResponseBytes } from '@latchkey/protocol/specificationConstants'
import * as v from 'valibot'

/**
 * Sends `eth_call` at the latest block to a node for `chain`. Resolves to the `result`, or to `undefined` if the contract
 * reverted. Rejects if no node responded. Without `to`, `data` is code that runs once and returns a result.
 */
export type ContractCall = (params: {
  readonly chain: string
  readonly to?: string | undefined
  readonly data: string
}) => Promise<unknown>

const answered = v.union([
  v.object({ result: v.string() }),
  v.object({ error: v.object({ code: v.optional(v.number(), 0), message: v.optional(v.string(), '') }) }),
])

/** Matches the errors that nodes return if a contract's code failed. All other errors are about the node. */
const failedInside =
  /revert|invalid opcode|out of ?gas|gas required exceeds|stack (under|over)flow|invalid jump|VM (execution|exception)|EVM error|OpcodeNotFound/i

/**
 * Returns the contract's result from a node's JSON-RPC response to `eth_call`, or `undefined` if the contract's code failed.
 * Throws `sign-in/no-node` if the response is not about the contract.
 */
export function contractAnswer({
  chain,
  answer,
}: {
  readonly chain: string
  readonly answer: unknown
}): string | undefined {
  const parsed = read(answered, answer)
  if (!parsed) throw failure('sign-in/no-node', { chain, message: 'the response is invalid' })
  if ('result' in parsed) return parsed.result
  const { code, message } = parsed.error
  if (code === 3 || code === -32015 || failedInside.test(message)) return undefined
  throw failure('sign-in/no-node', { chain, message: message.slice(0, 200) || `error ${code}` })
}

/**
 * Creates a contract call that uses the RPC URL of each chain. The call rejects if its chain has no URL.
 *
 * @example
 * const call = callThrough({ rpcUrl: (chain) => (chain === 'eip155:1' ? 'https://rpc.example.com' : undefined) })
 */
export function callThrough({
  rpcUrl,
  fetch: fetcher = fetch,
  timeoutMs = contractCallTimeoutMs,
}: {
  /**
   * Returns the RPC URL of a chain (CAIP-2), such as `networks[chain]?.rpcUrls.default.http[0]`. The node must be on that chain,
   * because a different chain can have a different contract at the same address.
   */
  readonly rpcUrl: (chain: string) => string | undefined
  readonly fetch?: typeof fetch | undefined
  readonly timeoutMs?: number
}): ContractCall {
  return async (params) => {
    const url = rpcUrl(params.chain)
    if (!url) throw failure('sign-in/no-node', { chain: params.chain, message: 'there is no RPC URL' })
    return ask({ url, params, fetcher, timeoutMs })
  }
}

/**
 * Creates a contract call that uses a server's RPC proxy: `POST {base}/?chainId&projectId`.
 *
 * @example
 * const call = callThroughProxy({ base: 'https://connect.example.com/v1', projectId: 'shop' })
 */
export function callThroughProxy({
  base,
  projectId,
  fetch: fetcher = fetch,
  timeoutMs = contractCallTimeoutMs,
}: {
  /** The base URL of the proxy, such as `https://connect.example.com/v1`. */
  readonly base: string
  readonly projectId: string
  readonly fetch?: typeof fetch
  readonly timeoutMs?: number
}): ContractCall {
  return async (params) => {
    const url = new URL(`${base.replace(/\/$/, '')}/`)
    url.searchParams.set('chainId', params.chain)
    url.searchParams.set('projectId', projectId)
    return ask({ url, params, fetcher, timeoutMs })
  }
}

async function ask({
  url,
  params: { chain, to, data },
  fetcher,
  timeoutMs,
}: {
  url: string | URL
  params: Parameters<ContractCall>[0]
  fetcher: typeof fetch
  timeoutMs: number
}): Promise<string | undefined> {
  let text: string | undefined
  try {
    const answer = await fetcher(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'eth_call', params: [{ to, data }, 'latest'] }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    text = await (await readBody(answer, { maxBytes: maxContractResponseBytes }))?.text()
    // Only a contract can return that much data, and such a result is never valid.
    if (text === undefined && answer.ok) return undefined
  } catch (cause) {
    throw failure('sign-in/no-node', { chain, message: 'it cannot be reached' }, { cause })
  }
  return contractAnswer({ chain, answer: json(text) })
}

function json(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}
