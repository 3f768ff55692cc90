import { setMaxListeners } from 'node:events'
import { parseJson } from '@latchkey/protocol/parseJson'
import * as v from 'valibot'
import type { PublicClient } from 'viem'
import { HttpError } from '../errors/httpError.ts'
import type { Clock, RpcProxy } from '../serverDependencies.ts'
import type { ChainConfig } from './chainConfig.ts'
import { type CachedRead, createReadCache } from './readCache.ts'

/** An error that a node reported in its JSON-RPC response, such as a reverted call. */
export class NodeCallError extends Error {
  override readonly name = 'NodeCallError'
  /** The JSON-RPC error code. */
  readonly code: number
  /** The data of a reverted call, if the node returned any. */
  readonly data: unknown

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Sends a request to the gateways of a contract (ERC-3668). Resolves to the data that is passed back to the contract. */
export type CcipRequest = (request: {
  readonly data: `0x${string}`
  readonly sender: `0x${string}`
  readonly urls: readonly string[]
}) => Promise<`0x${string}`>

/** Reads from the nodes of the server's chains. Calls are not limited to the methods that pages can use. */
export interface NodeClient {
  /** The configured chains by CAIP-2 ID. Their token lists change when a remote list has been read. */
  readonly chains: ReadonlyMap<string, ChainConfig>
  /**
   * Resolves to a viem client for an eip155 chain. Its calls use the chain's nodes, and are aborted with `signal`. viem wraps
   * errors: pass them to `nodeError`. The gateways of names (ERC-3668) are not contacted, unless `ccipRead` is specified.
   *
   * @throws {HttpError} 400 if the chain is not configured.
   */
  client(chainId: string, signal?: AbortSignal, options?: { ccipRead: CcipRequest }): Promise<PublicClient>
  /**
   * Sends a JSON-RPC call to a node of any chain, and resolves to its result. Only the results of the methods that return a
   * number or bytes are validated.
   *
   * @throws {HttpError} 400 if the chain is not configured, 503 if no node responds.
   * @throws {NodeCallError} if the node reports an error.
   */
  call(chainId: string, method: string, params: readonly unknown[], signal?: AbortSignal): Promise<unknown>
  /**
   * Resolves to whether a contract is deployed at an address. The configured contracts are checked before their first use.
   *
   * @throws {HttpError} 503 if no node responds.
   */
  hasCode(chainId: string, address: `0x${string}`, signal: AbortSignal): Promise<boolean>
  /**
   * Shares a read with concurrent callers, and caches its result. See `ReadCache`. Errors of nodes are converted with
   * `nodeError`.
   */
  read<Value>(read: CachedRead<Value>): Promise<Value>
}

const envelope = { jsonrpc: v.literal('2.0'), id: v.number() }
const responseSchema = v.union([
  v.object({
    ...envelope,
    error: v.object({ code: v.number(), message: v.optional(v.string(), ''), data: v.optional(v.unknown()) }),
  }),
  v.object({ ...envelope, result: v.unknown() }),
])

// viem converts these results without checks. `BigInt([])`, for example, is 0, which would be shown as an empty account.
const resultPatterns = new Map<string, RegExp>([
  ...[
    'blockNumber',
    'chainId',
    'estimateGas',
    'gasPrice',
    'getBalance',
    'getTransactionCount',
    'maxPriorityFeePerGas',
  ].map((name) => [`eth_${name}`, /^0x[0-9a-fA-F]{1,64}$/] as const),
  ...['call', 'getCode', 'getStorageAt'].map((name) => [`eth_${name}`, /^0x([0-9a-fA-F]{2})*$/] as const),
])

// The error codes with which nodes report that they are overloaded, or that a method costs too much (EIP-1474).
const overloadedCodes = new Set([-32005, 429])

/**
 * Whether a node rejected a call because of its own state, such as an overload. Such an error must not be treated as a reverted
 * call.
 */
export function isNodeBusy({ code, message }: NodeCallError): boolean {
  return overloadedCodes.has(code) || /too many|rate.?limit|capacity|timed? ?out|unavailable|overload/i.test(message)
}

/**
 * Whether a node rejected a call because the contract reverted it, rather than because of the node's own limits or failures.
 */
export function isRevert({ code, message }: NodeCallError): boolean {
  return (
    code === 3 ||
    /revert|opcode|out ?of ?gas|invalid ?jump|stack ?(under|over)flow|evm error|vm execution/i.test(message)
  )
}

/**
 * Creates a client for the nodes of the chains. viem is loaded on first use.
 *
 * @example
 * const nodes = createNodeClient({ chains, send, clock: () => performance.now() })
 * const client = await nodes.client('eip155:1')
 * await client.getBlockNumber()
 */
export function createNodeClient({
  chains,
  send,
  clock,
}: {
  chains: ReadonlyMap<string, ChainConfig>
  /** Sends a body to the nodes of a chain: the function of `createUpstreams`. */
  send: RpcProxy['send']
  clock: Clock
}): NodeClient {
  const reads = createReadCache({ clock })
  const shared = new Map<string, PublicClient>()
  const never = new AbortController().signal
  setMaxListeners(0, never)

  async function call(
    chainId: string,
    method: string,
    params: readonly unknown[],
    signal: AbortSignal = never,
  ): Promise<unknown> {
    configuredChain(chains, chainId)
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await send(chainId, body, signal)
    if (response.kind !== 'answered')
      throw unavailable(chainId, response.kind === 'unavailable' ? response.seconds : undefined)
    const result = resultOf(chainId, response.body)
    if (!isExpected(method, result)) throw unavailable(chainId)
    return result
  }

  async function client(
    chainId: string,
    signal?: AbortSignal,
    options?: { ccipRead: CcipRequest },
  ): Promise<PublicClient> {
    const isShared = !signal && !options
    const existing = shared.get(chainId)
    if (isShared && existing) return existing
    const { name, nativeCurrency, multicall3 } = configuredChain(chains, chainId)
    const { createPublicClient, custom } = await import('viem')
    const created = createPublicClient({
      chain: {
        id: Number(chainId.slice(chainId.indexOf(':') + 1)),
        name,
        nativeCurrency,
        rpcUrls: { default: { http: [] } },
        ...(multicall3 ? { contracts: { multicall3: { address: multicall3 } } } : {}),
      },
      transport: custom(
        {
          request: ({ method, params }: { method: string; params?: readonly unknown[] }) =>
            call(chainId, method, params ?? [], signal),
        },
        // The next node is tried instead.
        { retryCount: 0 },
      ),
      // By default, viem would send requests to any URL that a contract names.
      ccipRead: options ? { request: options.ccipRead } : false,
      cacheTime: 0,
    }) as PublicClient
    if (isShared) shared.set(chainId, created)
    return created
  }

  return {
    chains,
    call,
    client,
    hasCode: (chainId, address, signal) =>
      reads.read({
        kind: 'tokens',
        key: `code ${chainId} ${address.toLowerCase()}`,
        signal,
        isPartOfRead: true,
        load: async (loadSignal) => {
          const code = await call(chainId, 'eth_getCode', [address, 'latest'], loadSignal).catch(rethrow)
          return typeof code === 'string' && code.length > 2
        },
      }),
    read: (read) => reads.read({ ...read, load: (signal) => read.load(signal).catch(rethrow) }),
  }
}

/**
 * Returns the configuration of a chain.
 *
 * @throws {HttpError} 400 if the chain is not configured.
 */
export function configuredChain(chains: ReadonlyMap<string, ChainConfig>, chainId: string): ChainConfig {
  const chain = chains.get(chainId)
  if (!chain) throw new HttpError(400, 'chainId', `The chain ${chainId} is not supported`)
  return chain
}

/** The networks of Rootstock. According to the specification, balances and histories on them are empty. */
const emptyChains = ['eip155:30', 'eip155:31']

/** Whether balances and histories on a chain are empty instead of an error, because the operator has not configured it. */
export function isEmptyChain(chains: ReadonlyMap<string, ChainConfig>, chainId: string): boolean {
  return emptyChains.includes(chainId) && !chains.has(chainId)
}

/**
 * Returns the error to report for a failed read. Errors of viem are unwrapped. An error that a node reported becomes 503,
 * because the caller's input was valid. Code that expects reverts must catch `NodeCallError` first.
 */
export function nodeError(error: unknown): unknown {
  const cause = nodeCause(error)
  return cause instanceof NodeCallError
    ? new HttpError(503, 'chainId', 'The node could not answer: try again', 1)
    : (cause ?? error)
}

/** Returns the error of the node client that viem has wrapped, or `undefined` if there is none. */
export function nodeCause(error: unknown): HttpError | NodeCallError | undefined {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 10; cause = cause.cause, depth++)
    if (cause instanceof HttpError || cause instanceof NodeCallError) return cause
  return undefined
}

function rethrow(error: unknown): never {
  throw nodeError(error)
}

function resultOf(chainId: string, body: string): unknown {
  const parsed = v.safeParse(responseSchema, parsedBody(chainId, body))
  if (!parsed.success || parsed.output.id !== 1) throw unavailable(chainId)
  if ('result' in parsed.output) return parsed.output.result
  const { error } = parsed.output
  if (overloadedCodes.has(error.code)) throw unavailable(chainId)
  throw new NodeCallError(error)
}

function parsedBody(chainId: string, body: string): unknown {
  try {
    return parseJson(body)
  } catch {
    throw unavailable(chainId)
  }
}

function isExpected(method: string, result: unknown): boolean {
  const pattern = resultPatterns.get(method)
  return !pattern || (typeof result === 'string' && pattern.test(result))
}

function unavailable(chainId: string, seconds = 1): HttpError {
  return new HttpError(503, 'chainId', `No node for ${chainId} is available`, seconds)
}
