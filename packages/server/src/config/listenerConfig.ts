import type { ListenerLimits } from '../http/httpListener.ts'
import { documented, type Environment, isSet, type Variable, variableReader } from './environment.ts'
import { number, text } from './variableSchemas.ts'

const addressTable = {
  HOST: { fallback: '127.0.0.1', schema: text, meaning: 'Address to listen on' },
  PORT: {
    fallback: '4100',
    schema: number(0, 65_535),
    meaning: 'Port to listen on; if not set and 4100 is taken, the next free port',
  },
} as const

const limitTable = {
  HEADERS_TIMEOUT_MS: {
    fallback: '10000',
    schema: number(100, 600_000),
    meaning: 'Timeout for receiving the headers of a request or a WebSocket handshake',
  },
  REQUEST_TIMEOUT_MS: {
    fallback: '30000',
    schema: number(100, 600_000),
    meaning: 'Timeout for receiving a whole request',
  },
  KEEP_ALIVE_TIMEOUT_MS: {
    fallback: '65000',
    schema: number(100, 3_600_000),
    meaning: 'How long an idle connection is kept open; must be longer than the timeout of your proxy',
  },
  MAX_REQUESTS_PER_CONNECTION: {
    fallback: '10000',
    schema: number(1, 1_000_000_000),
    meaning: 'Number of requests after which a connection is closed',
  },
  MAX_CONNECTIONS: {
    fallback: '20000',
    schema: number(1, 1_000_000),
    meaning:
      'Maximum number of open connections, including those of the relay; further connections are closed immediately',
  },
} as const

/** The environment variables for the address that the server listens on. */
export const listenAddressVariables: readonly Variable[] = documented(addressTable)
/** The environment variables for the listener's limits. */
export const listenerLimitVariables: readonly Variable[] = documented(limitTable)

/** The address that the server listens on, and its connection limits. */
export interface ListenerConfig {
  host: string
  port: number
  /** Whether the port was set explicitly. If it was, the server does not try any other port. */
  portIsFixed: boolean
  /** The limits for each connection and for the listener as a whole. */
  listener: ListenerLimits
}

/** Reads the listener configuration. */
export function readListenerConfig(env: Environment): ListenerConfig {
  const address = variableReader(addressTable, env)
  const limit = variableReader(limitTable, env)
  return {
    host: address.read('HOST'),
    port: address.read('PORT'),
    portIsFixed: isSet(env, 'PORT'),
    listener: {
      headersTimeoutMs: limit.read('HEADERS_TIMEOUT_MS'),
      requestTimeoutMs: limit.read('REQUEST_TIMEOUT_MS'),
      keepAliveTimeoutMs: limit.read('KEEP_ALIVE_TIMEOUT_MS'),
      maxRequestsPerSocket: limit.read('MAX_REQUESTS_PER_CONNECTION'),
      maxConnections: limit.read('MAX_CONNECTIONS'),
    },
  }
}
