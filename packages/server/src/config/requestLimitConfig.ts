import * as v from 'valibot'
import { isRange, type TrustedProxies } from '../ipAddresses/clientAddress.ts'
import type { RateLimits } from '../serverDependencies.ts'
import { documented, type Environment, type Variable, variableReader } from './environment.ts'
import { list, number } from './variableSchemas.ts'

const headerName = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/i, 'a header name'), v.toLowerCase())

const trustedProxies = v.pipe(
  v.string(),
  v.check(
    (input) => /^[1-9]\d?$/.test(input) || (list(input).length > 0 && list(input).every(isRange)),
    'addresses, blocks like 203.0.113.0/24, loopback, private, or a number of proxies',
  ),
  v.transform((input): TrustedProxies => (/^\d+$/.test(input) ? { hops: Number(input) } : { ranges: list(input) })),
)

const table = {
  RATE_PER_ADDRESS: {
    fallback: '1200',
    schema: number(0, 10_000_000),
    meaning:
      'Requests per minute and address, for each of directory, chains and wallet; a quarter of it for analytics. 0 means no limit',
  },
  RATE_PER_PROJECT: {
    fallback: '120000',
    schema: number(0, 1_000_000_000),
    meaning: 'The same limit for all users of one registered project; 0 means no limit',
  },
  CLIENT_ADDRESS_HEADER: {
    fallback: '',
    schema: headerName,
    meaning: 'Header in which your own proxy writes the client address; clients must not be able to set it themselves',
  },
  TRUSTED_PROXIES: {
    fallback: 'loopback,private',
    schema: trustedProxies,
    meaning:
      'Proxies whose CLIENT_ADDRESS_HEADER is trusted: addresses and blocks like 203.0.113.0/24, the words loopback and private, or the number of proxies in a row',
  },
  MAX_BYTES_PER_ADDRESS: {
    fallback: '16777216',
    schema: number(65_536, 10_737_418_240),
    meaning:
      'Maximum bytes in memory per address: open requests and their responses, relay calls and unread data of relay clients, and, up to half of it, messages stored in this process',
  },
  MAX_BYTES_TOTAL: {
    fallback: '134217728',
    schema: number(1_048_576, 107_374_182_400),
    meaning: 'Maximum bytes of open requests and their responses, for all addresses together',
  },
} as const

/** The environment variables for the limits on each client. */
export const requestLimitVariables: readonly Variable[] = documented(table)

/** The limits on each client, and how the server finds a client's address. */
export interface RequestLimitConfig {
  /** The maximum number of requests per minute. */
  rateLimits: RateLimits
  /** The header in which a trusted proxy passes the client's address. */
  clientAddressHeader: string | undefined
  /** The proxies that the server trusts to set the header. */
  trustedProxies: TrustedProxies
  /** The maximum number of bytes in memory for one address: requests, responses, relay calls and messages. */
  bytesPerAddress: number
  maxBytesTotal: number
}

/** Reads the limits on each client. */
export function readRequestLimitConfig(env: Environment): RequestLimitConfig {
  const { read, readIfSet } = variableReader(table, env)
  return {
    rateLimits: { perAddress: read('RATE_PER_ADDRESS'), perProject: read('RATE_PER_PROJECT') },
    clientAddressHeader: readIfSet('CLIENT_ADDRESS_HEADER'),
    trustedProxies: read('TRUSTED_PROXIES'),
    bytesPerAddress: read('MAX_BYTES_PER_ADDRESS'),
    maxBytesTotal: read('MAX_BYTES_TOTAL'),
  }
}
