import * as v from 'valibot'
import { contractAnswerMost, contractCallTimeoutMs } from '../constants.ts'
import { failure } from '../errors/errorMessages.ts'
import { readBody } from '../http/body.ts'
import { read } from '../schemas.ts'

/**
 * Asks a node of a chain for `eth_call` at the latest block: the `result`; `undefined` when the contract gave none, as it reverted; a
 * rejection when no node answered. Without `to`, `data` is code that is run once and answers.
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

/** How the nodes of several makers say that the contract's code ran and failed. Anything else is about the node. */
const failedInside =
  /revert|invalid opcode|out of ?gas|gas required exceeds|stack (under|over)flow|invalid jump|VM (execution|exception)|EVM error|OpcodeNotFound/i

/**
 * What a node's answer to `eth_call` (JSON-RPC, parsed) says of a contract: its result, or `undefined` when its code failed. Throws
 * `sign-in/no-node` for what says nothing of the contract.
 */
export function contractAnswer({
  chain,
  answer,
}: {
  readonly chain: string
  readonly answer: unknown
}): string | undefined {
  const said = read(answered, answer)
  if (!said) throw failure('sign-in/no-node', { chain, message: 'the answer cannot be read' })
  if ('result' in said) return said.result
  const { code, message } = said.error
  if (code === 3 || code === -32015 || failedInside.test(message)) return undefined
  throw failure('sign-in/no-node', { chain, message: message.slice(0, 200) || `error ${code}` })
}

/** `eth_call` by a network's own RPC URL; `undefined` for a chain without one rejects. */
export function callThrough({
  rpcUrl,
  fetch: fetcher = fetch,
  timeoutMs = contractCallTimeoutMs,
}: {
  /** Where a chain (CAIP-2) is asked, its own nodes alone, as another chain's may know another contract at that address: `(chain) => networks[chain]?.rpcUrls.default.http[0]`. */
  readonly rpcUrl: (chain: string) => string | undefined
  readonly fetch?: typeof fetch | undefined
  readonly timeoutMs?: number
}): ContractCall {
  return async (params) => {
    const url = rpcUrl(params.chain)
    if (!url) throw failure('sign-in/no-node', { chain: params.chain, message: 'there is no RPC URL' })
    return ask({ url, asked: params, fetcher, timeoutMs })
  }
}

/** `eth_call` through the RPC proxy of a server: `POST {base}/?chainId&projectId`. */
export function callThroughProxy({
  base,
  projectId,
  fetch: fetcher = fetch,
  timeoutMs = contractCallTimeoutMs,
}: {
  /** `https://connect.example.com/v1`. */
  readonly base: string
  readonly projectId: string
  readonly fetch?: typeof fetch
  readonly timeoutMs?: number
}): ContractCall {
  return async (params) => {
    const url = new URL(`${base.replace(/\/$/, '')}/`)
    url.searchParams.set('chainId', params.chain)
    url.searchParams.set('projectId', projectId)
    return ask({ url, asked: params, fetcher, timeoutMs })
  }
}

async function ask({
  url,
  asked: { chain, to, data },
  fetcher,
  timeoutMs,
}: {
  url: string | URL
  asked: Parameters<ContractCall>[0]
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
    text = await (await readBody(answer, { maxBytes: contractAnswerMost }))?.text()
    // So much can only be what the contract said, and it is no yes.
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
