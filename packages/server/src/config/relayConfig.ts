import * as v from 'valibot'
import type { ClientQuotaLimits } from '../relay/limits/clientQuotas.ts'
import type { MessageStoreLimits } from '../relay/messages/messageStore.ts'
import {
  documented,
  type Environment,
  isSet,
  type Variable,
  type VariableReader,
  variableReader,
} from './environment.ts'
import { list, number, onOff, originPatterns, percentEncodedUrl } from './variableSchemas.ts'

const redisUrl = v.pipe(
  v.string(),
  v.regex(/^rediss?:\/\//, 'a URL that starts with redis:// or rediss://'),
  v.check((input) => URL.canParse(input), percentEncodedUrl),
  v.check(
    (input) => !URL.canParse(input) || /^(\/\d{0,4})?$/.test(new URL(input).pathname),
    'a URL like redis://user:secret@host:6379/0, with only a database number after the host',
  ),
)

const hostNames = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.transform(list),
  v.check(
    (all) => all.every((item) => /^[a-z0-9.-]+(:\d{1,5})?$/.test(item)),
    'host names like relay.shop.example,relay.shop.example:8443',
  ),
)

const table = {
  RELAY: { fallback: 'on', schema: onOff, meaning: 'Whether this server is a WalletConnect relay: on or off' },
  REDIS_URL: {
    fallback: '',
    schema: redisUrl,
    meaning:
      'Redis for pending relay messages, like redis://user:secret@host:6379. With it, any instance can serve any client and a restart loses no messages; without it, they are kept in this process',
  },
  RELAY_HOSTS: {
    fallback: '',
    schema: hostNames,
    meaning:
      'Host names under which clients know the relay; tokens for other names are rejected. If not set, the Host header is used',
  },
  RELAY_CONNECTIONS_PER_ADDRESS: {
    fallback: '300',
    schema: number(0, 10_000_000),
    meaning: 'Maximum relay connections per minute and address; 0 means no limit',
  },
  RELAY_MESSAGES_PER_ADDRESS: {
    fallback: '12000',
    schema: number(0, 100_000_000),
    meaning: 'Maximum relay calls per minute and address; each publication in a batch counts. 0 means no limit',
  },
  RELAY_MAX_CONNECTIONS: {
    fallback: '10000',
    schema: number(1, 1_000_000),
    meaning: 'Maximum number of open relay connections. Above it, a connection of the network with the most is closed',
  },
  RELAY_MAX_CONNECTIONS_PER_ADDRESS: {
    fallback: '300',
    schema: number(1, 1_000_000),
    meaning: 'The same limit per address; a /24, /56 or /48 may have 32, 4 or 8 times as many',
  },
  RELAY_MAX_CONNECTIONS_PER_CLIENT: {
    fallback: '20',
    schema: number(1, 1_000_000),
    meaning: 'The same limit per client, identified by its key',
  },
  RELAY_MAX_CONNECTIONS_PER_PROJECT: {
    fallback: '5000',
    schema: number(0, 1_000_000),
    meaning: 'The same limit per registered project; 0 means no limit',
  },
  RELAY_MAX_BYTES: {
    fallback: '67108864',
    schema: number(1_048_576, 100_000_000_000),
    meaning:
      'Maximum bytes in memory for relay clients that do not read, and for calls that are still being received or processed. Above it, the connection with the most is closed',
  },
  RELAY_MAX_BYTES_PER_CLIENT: {
    fallback: '8388608',
    schema: number(1_048_576, 100_000_000_000),
    meaning: 'The same limit per client; half of it per connection',
  },
  RELAY_MAX_TOPICS: {
    fallback: '100000',
    schema: number(1, 1_000_000_000),
    meaning: 'Maximum number of topics that relay clients are subscribed to',
  },
  RELAY_MAX_TOPICS_PER_ADDRESS: {
    fallback: '20000',
    schema: number(1, 1_000_000_000),
    meaning: 'The same limit per address',
  },
  RELAY_MAX_TOPICS_PER_CLIENT: {
    fallback: '5000',
    schema: number(1, 1_000_000_000),
    meaning: 'The same limit per client',
  },
  RELAY_BYTES_PER_SECOND_PER_ADDRESS: {
    fallback: '2097152',
    schema: number(0, 100_000_000_000),
    meaning:
      'Maximum bytes per second of the relay calls of one address, in both directions, after a burst of 16 times as many. Further calls are delayed. 0 means no limit',
  },
  RELAY_BYTES_PER_SECOND_PER_CLIENT: {
    fallback: '524288',
    schema: number(0, 100_000_000_000),
    meaning: 'The same limit per client',
  },
  RELAY_MAX_STORED_BYTES: {
    fallback: '100663296',
    schema: number(1_048_576, 1_000_000_000_000),
    meaning:
      'Maximum bytes of stored messages, in this process or in Redis. Above it, messages of the network with the most are deleted first',
  },
  RELAY_MAX_STORED_BYTES_PER_ADDRESS: {
    fallback: '33554432',
    schema: number(1_048_576, 1_000_000_000_000),
    meaning: 'The same limit per address',
  },
  RELAY_MAX_STORED_BYTES_PER_CLIENT: {
    fallback: '16777216',
    schema: number(1_048_576, 1_000_000_000_000),
    meaning: 'The same limit per client',
  },
  RELAY_MAX_STORED_BYTES_PER_PROJECT: {
    fallback: '67108864',
    schema: number(0, 1_000_000_000_000),
    meaning: 'The same limit per registered project; 0 means no limit',
  },
  SCAM_ORIGINS: {
    fallback: '',
    schema: originPatterns,
    meaning: 'Origins that the verify service reports to wallets as scams, like https://evil.example',
  },
} as const

/** The environment variables for the relay. */
export const relayVariables: readonly Variable[] = documented(table)

/** The configuration for the WalletConnect relay. */
export interface RelayConfig {
  isOn: boolean
  /** The URL of the Redis server that stores messages. If `undefined`, messages are stored in this process. */
  redisUrl: string | undefined
  /**
   * The host names under which clients reach the relay. Tokens for any other name are rejected. If empty, the `Host` header is
   * used.
   */
  names: readonly string[]
  connectionsPerAddress: number
  messagesPerAddress: number
  /** The limits on the connections to this process and the resources they use. */
  capacity: ClientQuotaLimits
  /** The maximum size of stored messages, in bytes. */
  storedBytes: MessageStoreLimits['maxBytes']
  /** The origins that the verify service reports as scams. */
  scamOrigins: readonly string[]
}

/** Reads the configuration for the relay. `bytesPerAddress` is the memory quota for each address. */
export function readRelayConfig(env: Environment, { bytesPerAddress }: { bytesPerAddress: number }): RelayConfig {
  const reader = variableReader(table, env)
  const { read, readIfSet } = reader
  return {
    isOn: read('RELAY'),
    redisUrl: readIfSet('REDIS_URL'),
    names: readIfSet('RELAY_HOSTS') ?? [],
    connectionsPerAddress: read('RELAY_CONNECTIONS_PER_ADDRESS'),
    messagesPerAddress: read('RELAY_MESSAGES_PER_ADDRESS'),
    capacity: readCapacity(reader),
    storedBytes: {
      process: read('RELAY_MAX_STORED_BYTES'),
      project: read('RELAY_MAX_STORED_BYTES_PER_PROJECT'),
      // Without Redis, messages are stored in this process. An address can use half of its memory quota for stored messages,
      // because the other half is reserved for its calls.
      address: Math.min(
        read('RELAY_MAX_STORED_BYTES_PER_ADDRESS'),
        isSet(env, 'REDIS_URL') ? Number.POSITIVE_INFINITY : bytesPerAddress / 2,
      ),
      client: read('RELAY_MAX_STORED_BYTES_PER_CLIENT'),
    },
    scamOrigins: readIfSet('SCAM_ORIGINS') ?? [],
  }
}

function readCapacity({ read }: VariableReader<typeof table>): ClientQuotaLimits {
  // The burst size, in seconds at the sustained rate.
  const burstS = 16
  const rate = (perSecond: number) => ({ burst: perSecond * burstS, perSecond })
  const bytesOfClient = read('RELAY_MAX_BYTES_PER_CLIENT')
  return {
    open: {
      process: read('RELAY_MAX_CONNECTIONS'),
      project: read('RELAY_MAX_CONNECTIONS_PER_PROJECT'),
      address: read('RELAY_MAX_CONNECTIONS_PER_ADDRESS'),
      client: read('RELAY_MAX_CONNECTIONS_PER_CLIENT'),
    },
    bytes: {
      process: read('RELAY_MAX_BYTES'),
      client: bytesOfClient,
      connection: Math.ceil(bytesOfClient / 2),
    },
    topics: {
      process: read('RELAY_MAX_TOPICS'),
      address: read('RELAY_MAX_TOPICS_PER_ADDRESS'),
      client: read('RELAY_MAX_TOPICS_PER_CLIENT'),
    },
    cost: {
      client: rate(read('RELAY_BYTES_PER_SECOND_PER_CLIENT')),
      address: rate(read('RELAY_BYTES_PER_SECOND_PER_ADDRESS')),
    },
  }
}
