import { createUpstreams } from '../chain/upstreamNodes.ts'
import { chainApiFromConfig } from '../chainApi/chainApiFromConfig.ts'
import type { ChainConfig } from '../chainApi/chainConfig.ts'
import { inMemoryDependencies } from '../inMemoryDependencies.ts'
import { createMetrics } from '../monitoring/metrics.ts'
import type { Clock, ServerDependencies } from '../serverDependencies.ts'
import { createTestServer } from './declaredErrors.ts'

/** A server with the chain API of the given chains, for tests. */
export interface ChainApiServer {
  /** Sends a GET request to a path. Resolves to the status, the JSON body and the headers. */
  get(path: string): Promise<ChainApiAnswer>
  /** Sends a POST request with a JSON body. */
  post(path: string, body: unknown): Promise<ChainApiAnswer>
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
  clock = () => performance.now(),
  now = Date.now,
  ...overrides
}: {
  chains: readonly ChainConfig[]
  config?: Partial<Parameters<typeof chainApiFromConfig>[0]['config']>
  names?: Parameters<typeof chainApiFromConfig>[0]['names']
  timeoutMs?: number
  clock?: Clock
  now?: Clock
} & Partial<Pick<ServerDependencies, 'projects'>>): ChainApiServer {
  const log = () => {}
  const send = createUpstreams({
    upstreams: new Map(chains.map(({ chainId, rpcUrls }) => [chainId, rpcUrls])),
    limits: { timeoutMs, responseBytes: 2_000_000 },
    fetch,
    metrics: createMetrics(),
    log,
    clock,
  })
  const chainApi = chainApiFromConfig({
    config: { pricesUrl: undefined, ipfsGateway: undefined, ...config },
    chains: new Map(chains.map((chain) => [chain.chainId, chain])),
    send,
    names,
    log,
    clock,
    now,
  })
  const server = createTestServer(inMemoryDependencies({ ...overrides, chainApi }))
  const answerOf = async (response: Response): Promise<ChainApiAnswer> => ({
    status: response.status,
    body: await response.json(),
    headers: response.headers,
  })
  return {
    get: async (path) => answerOf(await server(new Request(`http://connect.test${path}`))),
    post: async (path, body) =>
      answerOf(await server(new Request(`http://connect.test${path}`, { method: 'POST', body: JSON.stringify(body) }))),
  }
}
