import { chainApiFromConfig } from '../chainApi/chainApiFromConfig.ts'
import type { ChainConfig } from '../chainApi/chainConfig.ts'
import type { Server } from '../http/routeList.ts'
import { inMemoryDependencies } from '../inMemoryDependencies.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import { createUpstreams } from '../rpcProxy/upstreamNodes.ts'
import type { Clock, Log, ServerDependencies } from '../serverDependencies.ts'
import { createTestServer } from './declaredErrors.ts'

/** A server with the chain API of the given chains, for tests. */
export interface ChainApiServer {
  /** Sends a GET request to a path. Resolves to the status, the JSON body and the headers. */
  get(path: string): Promise<ChainApiAnswer>
  /** Sends a POST request with a JSON body. */
  post(path: string, body: unknown): Promise<ChainApiAnswer>
  /** The server itself. A request rejects if the response has an error that its endpoint does not declare. */
  readonly server: Server
}

/** A response of the chain API. */
export interface ChainApiAnswer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests compare the body as a whole.
  readonly body: any
  readonly headers: Headers
}

/** Creates a server with the chain API of the given chains. */
export function chainApiServer({
  chains,
  config = {},
  names,
  timeoutMs = 2_000,
  verifiesChains = false,
  publicFetch,
  log = () => {},
  clock = () => performance.now(),
  now = Date.now,
  sourceTimeoutMs,
  ...overrides
}: {
  chains: readonly ChainConfig[]
  config?: Partial<Parameters<typeof chainApiFromConfig>[0]['config']>
  names?: Parameters<typeof chainApiFromConfig>[0]['names']
  timeoutMs?: number
  /** Whether the chain ID of nodes is checked, as in production. */
  verifiesChains?: boolean
  /** Contacts the gateways of names. Defaults to one that only reaches public hosts. */
  publicFetch?: Parameters<typeof chainApiFromConfig>[0]['publicFetch']
  log?: Log
  clock?: Clock
  now?: Clock
  /** The time limit for a response of the price source, in milliseconds. */
  sourceTimeoutMs?: number
} & Partial<Pick<ServerDependencies, 'projects' | 'rateLimiter' | 'rateLimits'>>): ChainApiServer {
  const send = createUpstreams({
    upstreams: new Map(chains.map(({ chainId, rpcUrls }) => [chainId, rpcUrls])),
    limits: { timeoutMs, responseBytes: 2_000_000 },
    fetch,
    metrics: createMetrics(),
    log,
    clock,
    verifiesChains,
  })
  const chainApi = chainApiFromConfig({
    config: { pricesUrl: undefined, ipfsGateway: undefined, ...config },
    chains: new Map(chains.map((chain) => [chain.chainId, chain])),
    send,
    names,
    publicFetch,
    log,
    clock,
    now,
    sourceTimeoutMs,
  })
  const server = createTestServer(inMemoryDependencies({ ...overrides, chainApi: { ...chainApi, names } }))
  const answerOf = async (response: Response): Promise<ChainApiAnswer> => ({
    status: response.status,
    body: await response.json(),
    headers: response.headers,
  })
  return {
    server,
    get: async (path) => answerOf(await server(new Request(`http://connect.test${path}`))),
    post: async (path, body) =>
      answerOf(await server(new Request(`http://connect.test${path}`, { method: 'POST', body: JSON.stringify(body) }))),
  }
}
