import * as v from 'valibot'
import { documented, type Environment, type Variable, variableReader } from './environment.ts'
import { number, rpcUrls } from './variableSchemas.ts'

const methodNames = v.pipe(
  v.string(),
  v.transform((text) => text.split(/[\s,]+/).filter((word) => word !== '')),
  v.array(
    v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_]*\*?$/, 'method names, with * at the end for a whole family')),
  ),
)

const table = {
  RPC_URLS: {
    fallback: '',
    schema: rpcUrls,
    meaning: 'RPC nodes per chain: eip155:1=https://a,https://b;eip155:10=https://c',
  },
  RPC_TIMEOUT_MS: {
    fallback: '10000',
    schema: number(10, 120_000),
    meaning: 'Timeout of one node, after which the next one is tried',
  },
  RPC_REQUEST_BYTES: { fallback: '2097152', schema: number(1024, 104_857_600), meaning: 'Maximum size of a request' },
  RPC_RESPONSE_BYTES: {
    fallback: '10485760',
    schema: number(1024, 104_857_600),
    meaning: 'Maximum size of a response',
  },
  RPC_BATCH_MAX: { fallback: '100', schema: number(1, 10_000), meaning: 'Maximum number of calls in a batch' },
  RPC_EXTRA_METHODS: {
    fallback: '',
    schema: methodNames,
    meaning: 'Allowed methods in addition to those for reading and sending: anvil_*,debug_traceCall',
  },
} as const

/** The environment variables for the RPC proxy. */
export const rpcVariables: readonly Variable[] = documented(table)

/** The configuration for the RPC proxy. */
export interface RpcConfig {
  rpcUrls: ReadonlyMap<string, readonly string[]>
  rpcTimeoutMs: number
  rpcRequestBytes: number
  rpcResponseBytes: number
  rpcBatchMax: number
  rpcExtraMethods: readonly string[]
}

/** Reads the RPC URLs for each chain, in the order in which they are tried. */
export function readRpcUrls(env: Environment): ReadonlyMap<string, readonly string[]> {
  return variableReader(table, env).readIfSet('RPC_URLS') ?? new Map()
}

/** Reads the configuration for the RPC proxy. */
export function readRpcConfig(env: Environment): RpcConfig {
  const { read, readIfSet } = variableReader(table, env)
  return {
    rpcUrls: readRpcUrls(env),
    rpcTimeoutMs: read('RPC_TIMEOUT_MS'),
    rpcRequestBytes: read('RPC_REQUEST_BYTES'),
    rpcResponseBytes: read('RPC_RESPONSE_BYTES'),
    rpcBatchMax: read('RPC_BATCH_MAX'),
    rpcExtraMethods: readIfSet('RPC_EXTRA_METHODS') ?? [],
  }
}
