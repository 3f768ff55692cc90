import { identificationCacheMostS, identificationCacheS } from '@latchkey/protocol/constants'
import { type SocialProvider, socialProviders } from '@latchkey/protocol/http/vault'
import * as v from 'valibot'
import { isRange, type TrustedProxies } from '../clientAddress.ts'
import type { ListenerLimits } from '../httpListener.ts'
import { type LogLevel, logLevels } from '../logger.ts'
import type { CapacityLimits } from '../relay/capacity.ts'
import type { MessageStoreLimits } from '../relay/messageStore.ts'
import type { RateLimits } from '../serverDependencies.ts'

/** The configuration of a server. */
export interface Config {
  host: string
  port: number
  /** Whether the port was set explicitly. If so, no other port is tried. */
  portIsFixed: boolean
  databaseUrl: string | undefined
  dataFolder: string
  walletsFile: string | undefined
  walletImagesFolder: string | undefined
  analytics: boolean
  analyticsDays: number
  rpcUrls: ReadonlyMap<string, readonly string[]>
  rpcTimeoutMs: number
  rpcRequestBytes: number
  rpcResponseBytes: number
  rpcBatchMax: number
  rpcExtraMethods: readonly string[]
  metricsToken: string | undefined
  relay: RelayConfig
  /** Sign-in with a wallet. `undefined` if it is disabled. */
  signIn: SignInConfig | undefined
  /** The mail transport. `undefined` if mail is not configured. */
  mail: { url: string; from: string; perHour: number } | undefined
  /** The embedded wallet. `undefined` if it is not configured. */
  keys: KeysConfig | undefined
  /** Visitor identification. `undefined` if it is disabled, which is the default. */
  identify: IdentifyConfig | undefined
  /** Requests per minute. */
  rateLimits: RateLimits
  /** The header in which a trusted proxy passes the client's address. */
  clientAddressHeader: string | undefined
  /** The proxies whose header is trusted. */
  trustedProxies: TrustedProxies
  /** Maximum number of bytes that open requests of one address can hold in memory. */
  bytesPerAddress: number
  maxBytesTotal: number
  logLevel: LogLevel
  drainDelayMs: number
  startTimeoutMs: number
  stopTimeoutMs: number
  /** Limits per connection and in total for the listener. */
  listener: ListenerLimits
}

/** Configuration of the WalletConnect relay. */
export interface RelayConfig {
  isOn: boolean
  /** The Redis that stores messages. If `undefined`, they are stored in this process. */
  redisUrl: string | undefined
  /** Additional host names of the relay. */
  names: readonly string[]
  connectionsPerAddress: number
  messagesPerAddress: number
  /** Limits on connections and their use of this process. */
  capacity: CapacityLimits
  /** Maximum number of bytes of stored messages. */
  storedBytes: MessageStoreLimits['maxBytes']
  /** Origins that the verify service flags as scams. */
  scamOrigins: readonly string[]
}

/** Configuration of sign-in with a wallet. */
export interface SignInConfig {
  hours: number
  transport: 'cookie' | 'token'
}

/** Configuration of the embedded wallet. */
export interface KeysConfig {
  /** The origin of the key frame. */
  url: string
  frameFolder: string | undefined
  /** Newest first. */
  secrets: readonly string[] | undefined
  smtpUrl: string
  mailFrom: string
  mailsPerHour: number
  sessionHours: number
  deviceApproval: boolean
  /** How long a new device must wait for approval if it was opened with an email code only, in hours. */
  deviceHoldHours: number
  /** Set only in assisted custody, which allows the operator to sign. */
  escrowKey: string | undefined
  smartSessions: boolean
  /** Whether Farcaster login is enabled. */
  farcaster: boolean
  social: ReadonlyMap<SocialProvider, { clientId: string; clientSecret: string }>
  smart: SmartAccountConfig
}

/** Configuration of smart accounts. */
export interface SmartAccountConfig {
  bundlerUrls: ReadonlyMap<string, readonly string[]>
  bundlerTimeoutMs: number
  paymasterUrls: ReadonlyMap<string, readonly string[]>
  sponsorOrigins: readonly string[]
  sponsorDailyPerAccount: number
  sponsorDailyPerAddress: number
  sponsorDailyTotal: number
  sponsorMaxCostWei: bigint
  pagePaymasters: readonly string[]
}

/** Configuration of visitor identification. */
export interface IdentifyConfig {
  /** The origin of the identification server. */
  url: string
  /** A custom script that replaces the bundled library. */
  script: string | undefined
  key: string | undefined
  cacheSeconds: number
}

/** A documented environment variable. */
export interface Variable {
  name: string
  fallback: string
  meaning: string
}

const number = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,13}$/, 'a whole number'),
    v.transform(Number),
    v.minValue(min, `a whole number from ${min} to ${max}`),
    v.maxValue(max, `a whole number from ${min} to ${max}`),
  )

const onOff = v.pipe(
  v.picklist(['on', 'off'], '"on" or "off"'),
  v.transform((word) => word === 'on'),
)

const methodNames = v.pipe(
  v.string(),
  v.transform((text) => text.split(/[\s,]+/).filter((word) => word !== '')),
  v.array(
    v.pipe(v.string(), v.regex(/^[A-Za-z][A-Za-z0-9_]*\*?$/, 'method names, with * at the end for a whole family')),
  ),
)

const httpUrl = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

const rpcUrls = v.pipe(
  v.string(),
  v.check(
    (text) =>
      entriesOf(text).every(
        ({ chain, urls }) => /^[-a-z0-9]{3,8}:[-\w]{1,64}$/.test(chain) && urls.length > 0 && urls.every(httpUrl),
      ),
    'in the form eip155:1=https://one.example,https://two.example;eip155:10=https://three.example',
  ),
  v.check(
    (text) => entriesOf(text).every(({ chain }) => !/^eip155:(?!\d+$)/.test(chain)),
    'a list of chains, with numbers after eip155:',
  ),
  v.transform(
    (text): ReadonlyMap<string, readonly string[]> => new Map(entriesOf(text).map(({ chain, urls }) => [chain, urls])),
  ),
)

const text = v.pipe(v.string(), v.nonEmpty('non-empty'))

const listed = (text: string): readonly string[] => text.split(/[\s,]+/).filter((word) => word !== '')

const originPatterns = v.pipe(
  v.string(),
  v.transform(listed),
  v.check(
    (all) => all.every((item) => /^(https?:\/\/)?[\w*.-]+(:\d{1,5})?$/i.test(item)),
    'origins like https://shop.example,https://*.shop.example',
  ),
)

const origins = v.pipe(
  v.string(),
  v.transform(listed),
  v.check(
    (all) => all.every((item) => httpUrl(item) && new URL(item).origin === item),
    'origins like https://paymaster.example',
  ),
)

// http is allowed only for names that always resolve to this machine.
const keysUrl = v.pipe(
  v.string(),
  v.check((input) => URL.canParse(input), 'a separate origin, like https://keys.shop.example'),
  v.check((input) => {
    if (!URL.canParse(input)) return true
    return new URL(input).origin === input.replace(/\/$/, '')
  }, 'an origin without a path, like https://keys.shop.example'),
  v.check((input) => {
    if (!URL.canParse(input)) return true
    const { protocol, hostname } = new URL(input)
    const isHere = hostname === 'localhost' || hostname.endsWith('.localhost')
    return protocol === 'https:' || (protocol === 'http:' && isHere)
  }, 'https: over http, anyone on the network could change the code that holds the keys, and browsers allow neither passkeys nor secure cookies. Only localhost and names under .localhost can use http'),
  v.transform((input) => new URL(input).origin),
)

const scriptUrl = v.pipe(
  v.string(),
  v.check(
    (input) => URL.canParse(input) && /^https:$|^http:$/.test(new URL(input).protocol) && !/[\s;,'"<>]/.test(input),
    'the URL of a script, like https://…',
  ),
)

const smtpUrl = v.pipe(
  v.string(),
  v.check(
    (input) => URL.canParse(input) && /^smtps?:$/.test(new URL(input).protocol) && new URL(input).hostname !== '',
    'a URL like smtp://user:secret@mail.example:587',
  ),
)

const mailFrom = v.pipe(
  v.string(),
  v.regex(/^[^\r\n]*[^\s@<>]+@[^\s@<>]+>?$/, 'an email address, like Shop <wallet@shop.example>'),
)

const secrets = v.pipe(
  v.string(),
  v.transform((input): readonly string[] => {
    const parts = input.split(',').map((part) => part.trim())
    // A secret can itself contain commas.
    return parts.every(({ length }) => length >= 32) ? parts : [input]
  }),
  v.check((all) => all.every(({ length }) => length >= 32), 'at least 32 characters long'),
)

const escrowKey = v.pipe(v.string(), v.regex(/^[\w-]{43}$/, '32 random bytes in base64url'))

const headerName = v.pipe(v.string(), v.regex(/^[a-z0-9-]{1,64}$/i, 'a header name'), v.toLowerCase())

const socialLogins = v.pipe(
  v.string(),
  v.transform((input) =>
    input
      .split(';')
      .map((entry) => /^\s*(\w+)=([^:\s]+):(\S+)\s*$/.exec(entry))
      .map((found) => ({ provider: found?.[1] ?? '', clientId: found?.[2] ?? '', clientSecret: found?.[3] ?? '' })),
  ),
  v.array(
    v.object({
      provider: v.picklist(
        socialProviders,
        `in the form google=<client id>:<secret>;github=<client id>:<secret>, with these providers: ${socialProviders.join(', ')}`,
      ),
      clientId: v.string(),
      clientSecret: v.string(),
    }),
  ),
  v.transform(
    (entries): KeysConfig['social'] =>
      new Map(entries.map(({ provider, clientId, clientSecret }) => [provider, { clientId, clientSecret }])),
  ),
)

// Parsing usually fails because of a special character in the password.
const readable =
  'a valid URL: special characters in the user name or password must be percent-encoded, as in p%40ss for p@ss'

const redisUrl = v.pipe(
  v.string(),
  v.regex(/^rediss?:\/\//, 'a URL that starts with redis:// or rediss://'),
  v.check((input) => URL.canParse(input), readable),
  v.check(
    (input) => !URL.canParse(input) || /^(\/\d{0,4})?$/.test(new URL(input).pathname),
    'a URL like redis://user:secret@host:6379/0, with only a database number after the host',
  ),
)

const hostNames = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.transform(listed),
  v.check(
    (all) => all.every((item) => /^[a-z0-9.-]+(:\d{1,5})?$/.test(item)),
    'host names like relay.shop.example,relay.shop.example:8443',
  ),
)

const trustedProxies = v.pipe(
  v.string(),
  v.check(
    (input) => /^[1-9]\d?$/.test(input) || (listed(input).length > 0 && listed(input).every(isRange)),
    'addresses, blocks like 203.0.113.0/24, loopback, private, or a number of proxies',
  ),
  v.transform((input): TrustedProxies => (/^\d+$/.test(input) ? { hops: Number(input) } : { ranges: listed(input) })),
)

const databaseUrl = v.pipe(
  v.string(),
  v.regex(/^postgres(ql)?:\/\//, 'a URL that starts with postgres://'),
  v.check((input) => URL.canParse(input), readable),
)

// Name, default (an empty string means "not set"), parser, meaning.
const table = {
  HOST: { fallback: '127.0.0.1', schema: text, meaning: 'Address to listen on' },
  PORT: {
    fallback: '4100',
    schema: number(0, 65_535),
    meaning: 'Port to listen on; if not set and 4100 is taken, the next free port',
  },
  DATABASE_URL: {
    fallback: '',
    schema: databaseUrl,
    meaning: 'URL of a PostgreSQL server; if not set, a database in DATA_DIR is used',
  },
  DATA_DIR: { fallback: './.latchkey', schema: text, meaning: 'Folder for the database' },
  WALLETS_FILE: { fallback: '', schema: text, meaning: 'Your own wallet list, instead of the one in the package' },
  WALLET_IMAGES_DIR: { fallback: '', schema: text, meaning: 'Folder with the logos that the wallet list refers to' },
  ANALYTICS: { fallback: 'on', schema: onOff, meaning: 'Whether analytics events are accepted: on or off' },
  ANALYTICS_DAYS: {
    fallback: '90',
    schema: number(1, 36_500),
    meaning: 'Number of days after which events are deleted',
  },
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
  METRICS_TOKEN: {
    fallback: '',
    schema: text,
    meaning: 'Bearer token for /metrics; if not set, there are no metrics',
  },
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
  SIGN_IN: {
    fallback: 'on',
    schema: onOff,
    meaning: 'Whether users can sign in with their wallets: on or off',
  },
  SIGN_IN_HOURS: { fallback: '24', schema: number(1, 8760), meaning: 'How long a wallet sign-in lasts, in hours' },
  SIGN_IN_TRANSPORT: {
    fallback: 'cookie',
    schema: v.picklist(['cookie', 'token'], '"cookie" or "token"'),
    meaning:
      'cookie: the session is in an HttpOnly cookie, for pages on the same site; token: pages store the session and send it, also from other sites',
  },
  KEYS_URL: {
    fallback: '',
    schema: keysUrl,
    meaning:
      'Origin of the embedded wallet, like https://keys.shop.example, which must point to this server; if not set, there is no embedded wallet',
  },
  FRAME_DIR: {
    fallback: '',
    schema: text,
    meaning: 'Your own build of the key frame, instead of the one in the package',
  },
  AUTH_SECRET: {
    fallback: '',
    schema: secrets,
    meaning:
      'Signs cookies and hashes codes; if not set, a secret is created in DATA_DIR. To replace a secret, list several, separated by commas: the first one signs, all are accepted',
  },
  SMTP_URL: {
    fallback: '',
    schema: smtpUrl,
    meaning: 'Mail server, like smtp://user:secret@mail.example:587; required with KEYS_URL',
  },
  MAIL_FROM: {
    fallback: '',
    schema: mailFrom,
    meaning: 'Sender of emails, like Shop <wallet@shop.example>; required with KEYS_URL',
  },
  MAILS_PER_HOUR: {
    fallback: '2000',
    schema: number(1, 10_000_000),
    meaning: 'Maximum number of emails per hour, in total',
  },
  SESSION_HOURS: {
    fallback: '168',
    schema: number(1, 8760),
    meaning: 'How long a sign-in to the embedded wallet lasts, in hours',
  },
  CUSTODY: {
    fallback: 'self',
    schema: v.picklist(['self', 'assisted'], '"self" or "assisted"'),
    meaning:
      'self: only the owner can open a vault; assisted: you can, too (with two of three shares), which needs a key frame built for it and ESCROW_KEY',
  },
  ESCROW_KEY: {
    fallback: '',
    schema: escrowKey,
    meaning:
      'Encrypts the key share held by your key service: 32 random bytes in base64url; required with CUSTODY=assisted',
  },
  DEVICE_APPROVAL: {
    fallback: 'off',
    schema: onOff,
    meaning: 'Whether an unknown browser must be approved through an emailed link before a code is sent: on or off',
  },
  DEVICE_HOLD_HOURS: {
    fallback: '24',
    schema: number(0, 720),
    meaning:
      'Hours that a new device waits before a device opened with only an emailed code can approve it; with a passkey or recovery kit, there is no wait',
  },
  SMART_SESSIONS: {
    fallback: 'off',
    schema: onOff,
    meaning: 'Whether users can let pages sign within limits that the key frame enforces, not the chain: on or off',
  },
  FARCASTER: {
    fallback: 'off',
    schema: onOff,
    meaning: 'Whether users can sign in with Farcaster: on or off; needs a node for eip155:10 in RPC_URLS',
  },
  SOCIAL_LOGINS: {
    fallback: '',
    schema: socialLogins,
    meaning: 'Client credentials from the login providers: google=<client id>:<secret>;github=<client id>:<secret>',
  },
  IDENTIFY_URL: {
    fallback: '',
    schema: keysUrl,
    meaning:
      'Enables visitor identification on its own origin, like https://id.shop.example, which must point to this server; needs KEYS_URL',
  },
  IDENTIFY_SCRIPT: {
    fallback: '',
    schema: scriptUrl,
    meaning: 'URL of a module with load(), instead of the included library; {key} is replaced with IDENTIFY_KEY',
  },
  IDENTIFY_KEY: { fallback: '', schema: text, meaning: 'Public key passed to the script of IDENTIFY_SCRIPT' },
  IDENTIFY_CACHE_SECONDS: {
    fallback: String(identificationCacheS),
    schema: number(0, identificationCacheMostS),
    meaning: 'How long a browser caches its identification, in seconds',
  },
  BUNDLER_URLS: {
    fallback: '',
    schema: rpcUrls,
    meaning: 'Bundlers (ERC-4337) per chain, in the format of RPC_URLS; smart accounts are available on these chains',
  },
  BUNDLER_TIMEOUT_MS: {
    fallback: '30000',
    schema: number(10, 600_000),
    meaning: 'Timeout of a bundler or paymaster',
  },
  PAYMASTER_URLS: {
    fallback: '',
    schema: rpcUrls,
    meaning: 'Paymaster services (ERC-7677) per chain that pay fees on your behalf, in the format of RPC_URLS',
  },
  SPONSOR_ORIGINS: {
    fallback: '',
    schema: originPatterns,
    meaning:
      'Pages whose users you pay fees for, like https://shop.example; if not set, all pages that may embed the wallet',
  },
  SPONSOR_DAILY_PER_ACCOUNT: {
    fallback: '50',
    schema: number(0, 1_000_000),
    meaning: 'Maximum number of sponsored transactions per account in 24 hours',
  },
  SPONSOR_DAILY_PER_ADDRESS: {
    fallback: '200',
    schema: number(0, 1_000_000),
    meaning: 'The same limit for all accounts at one network address',
  },
  SPONSOR_DAILY_TOTAL: {
    fallback: '5000',
    schema: number(0, 100_000_000),
    meaning: 'The same limit for all accounts together',
  },
  SPONSOR_MAX_COST_WEI: {
    fallback: '50000000000000000',
    schema: v.pipe(
      v.string(),
      v.regex(/^[0-9]{1,30}$/, 'a whole number in the smallest unit of the network'),
      v.transform((text) => BigInt(text)),
    ),
    meaning: 'Maximum cost of a sponsored transaction (gas times gas price), in the smallest unit of its network',
  },
  PAGE_PAYMASTERS: {
    fallback: '',
    schema: origins,
    meaning: 'Origins of paymaster services that pages may request, like https://paymaster.example',
  },
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
  LOG_LEVEL: {
    fallback: 'info',
    schema: v.picklist(logLevels, logLevels.join(', ')),
    meaning: `One of ${logLevels.join(', ')}`,
  },
  DRAIN_DELAY_MS: {
    fallback: '5000',
    schema: number(0, 600_000),
    meaning:
      'How long the server keeps serving after SIGTERM while /ready returns 503, so that load balancers stop sending requests; Ctrl-C does not wait',
  },
  START_TIMEOUT_MS: {
    fallback: '30000',
    schema: number(0, 3_600_000),
    meaning: 'How long the server keeps trying to reach DATABASE_URL and REDIS_URL on startup',
  },
  STOP_TIMEOUT_MS: {
    fallback: '10000',
    schema: number(0, 600_000),
    meaning: 'How long the server waits for running requests when it stops',
  },
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

type Table = typeof table

/** Every environment variable that the server reads. */
export const variables: readonly Variable[] = Object.entries(table).map(([name, { fallback, meaning }]) => ({
  name,
  fallback,
  meaning,
}))

/** Thrown if variables are missing or invalid. The message has one sentence per variable, each on its own line. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Reads the configuration from environment variables.
 *
 * @throws {ConfigError} if any variable is missing or invalid; lists all of them.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  // A set, because some variables are read more than once.
  const wrong = new Set<string>()
  const config = readAll(env, (sentence) => void wrong.add(sentence))
  if (wrong.size > 0) throw new ConfigError([...wrong].join('\n'))
  return config
}

/** Reads the configuration. If `isWrong` was called, the result contains placeholder values and must be discarded. */
function readAll(env: Readonly<Record<string, string | undefined>>, isWrong: (sentence: string) => void): Config {
  function read<Name extends keyof Table>(name: Name): v.InferOutput<Table[Name]['schema']> {
    const input = env[name]?.trim() || table[name].fallback
    const parsed = v.safeParse(table[name].schema, input)
    if (parsed.success) return parsed.output as v.InferOutput<Table[Name]['schema']>
    isWrong(`${name} must be ${parsed.issues[0].message}.`)
    const instead = v.safeParse(table[name].schema, table[name].fallback)
    return (instead.success ? instead.output : undefined) as v.InferOutput<Table[Name]['schema']>
  }
  function readIfSet<Name extends keyof Table>(name: Name): v.InferOutput<Table[Name]['schema']> | undefined {
    return env[name]?.trim() ? read(name) : undefined
  }

  function readNeeded<Name extends keyof Table>(name: Name): v.InferOutput<Table[Name]['schema']> {
    if (env[name]?.trim()) return read(name)
    isWrong(`${name} must be set if KEYS_URL is set.`)
    return '' as v.InferOutput<Table[Name]['schema']>
  }
  function readEscrow(): string | undefined {
    const key = readIfSet('ESCROW_KEY')
    if (read('CUSTODY') === 'self') return undefined
    if (key === undefined) isWrong('ESCROW_KEY must be set if CUSTODY is assisted.')
    return key
  }
  function readFarcaster(): boolean {
    const isOn = read('FARCASTER')
    if (isOn && !readIfSet('RPC_URLS')?.has('eip155:10'))
      isWrong('RPC_URLS must contain a node for eip155:10 if FARCASTER is on.')
    return isOn
  }
  function readKeys(): KeysConfig | undefined {
    const url = readIfSet('KEYS_URL')
    // Always read, so that an invalid value is reported at startup.
    const unknownNames = {
      frameFolder: readIfSet('FRAME_DIR'),
      secrets: readIfSet('AUTH_SECRET'),
      smtpUrl: readIfSet('SMTP_URL'),
      mailFrom: readIfSet('MAIL_FROM'),
      mailsPerHour: read('MAILS_PER_HOUR'),
      sessionHours: read('SESSION_HOURS'),
      deviceApproval: read('DEVICE_APPROVAL'),
      deviceHoldHours: read('DEVICE_HOLD_HOURS'),
      escrowKey: readEscrow(),
      smartSessions: read('SMART_SESSIONS'),
      farcaster: readFarcaster(),
      social: readIfSet('SOCIAL_LOGINS') ?? new Map(),
      smart: {
        bundlerUrls: readIfSet('BUNDLER_URLS') ?? new Map(),
        bundlerTimeoutMs: read('BUNDLER_TIMEOUT_MS'),
        paymasterUrls: readIfSet('PAYMASTER_URLS') ?? new Map(),
        sponsorOrigins: readIfSet('SPONSOR_ORIGINS') ?? [],
        sponsorDailyPerAccount: read('SPONSOR_DAILY_PER_ACCOUNT'),
        sponsorDailyPerAddress: read('SPONSOR_DAILY_PER_ADDRESS'),
        sponsorDailyTotal: read('SPONSOR_DAILY_TOTAL'),
        sponsorMaxCostWei: read('SPONSOR_MAX_COST_WEI'),
        pagePaymasters: readIfSet('PAGE_PAYMASTERS') ?? [],
      },
    }
    if (url === undefined) return undefined
    if (unknownNames.secrets === undefined && env.DATABASE_URL?.trim())
      isWrong(
        'AUTH_SECRET must be set if DATABASE_URL and KEYS_URL are set. Generate one with `openssl rand -base64 32`.',
      )
    return { ...unknownNames, url, smtpUrl: readNeeded('SMTP_URL'), mailFrom: readNeeded('MAIL_FROM') }
  }

  function readMail(): Config['mail'] {
    const [url, from, perHour] = [readIfSet('SMTP_URL'), readIfSet('MAIL_FROM'), read('MAILS_PER_HOUR')]
    return url === undefined || from === undefined ? undefined : { url, from, perHour }
  }

  function readCapacity(): CapacityLimits {
    // Burst allowance, in seconds of the sustained rate.
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

  function readSignIn(): SignInConfig | undefined {
    const requestedPort: SignInConfig = { hours: read('SIGN_IN_HOURS'), transport: read('SIGN_IN_TRANSPORT') }
    return read('SIGN_IN') ? requestedPort : undefined
  }

  function readIdentify(keys: KeysConfig | undefined): IdentifyConfig | undefined {
    const url = readIfSet('IDENTIFY_URL')
    const unknownNames = {
      script: readIfSet('IDENTIFY_SCRIPT'),
      key: readIfSet('IDENTIFY_KEY'),
      cacheSeconds: read('IDENTIFY_CACHE_SECONDS'),
    }
    if (url === undefined) return undefined
    if (keys === undefined) isWrong('KEYS_URL must be set if IDENTIFY_URL is set.')
    // On the frame's origin, a third-party script would have the frame's privileges.
    if (url === keys?.url) isWrong('IDENTIFY_URL must be a different origin than KEYS_URL.')
    return { ...unknownNames, url }
  }
  const keys = readKeys()

  return {
    host: read('HOST'),
    port: read('PORT'),
    portIsFixed: Boolean(env.PORT?.trim()),
    databaseUrl: readIfSet('DATABASE_URL'),
    dataFolder: read('DATA_DIR'),
    walletsFile: readIfSet('WALLETS_FILE'),
    walletImagesFolder: readIfSet('WALLET_IMAGES_DIR'),
    analytics: read('ANALYTICS'),
    analyticsDays: read('ANALYTICS_DAYS'),
    rpcUrls: readIfSet('RPC_URLS') ?? new Map(),
    rpcTimeoutMs: read('RPC_TIMEOUT_MS'),
    rpcRequestBytes: read('RPC_REQUEST_BYTES'),
    rpcResponseBytes: read('RPC_RESPONSE_BYTES'),
    rpcBatchMax: read('RPC_BATCH_MAX'),
    rpcExtraMethods: readIfSet('RPC_EXTRA_METHODS') ?? [],
    metricsToken: readIfSet('METRICS_TOKEN'),
    relay: {
      isOn: read('RELAY'),
      redisUrl: readIfSet('REDIS_URL'),
      names: readIfSet('RELAY_HOSTS') ?? [],
      connectionsPerAddress: read('RELAY_CONNECTIONS_PER_ADDRESS'),
      messagesPerAddress: read('RELAY_MESSAGES_PER_ADDRESS'),
      capacity: readCapacity(),
      storedBytes: {
        process: read('RELAY_MAX_STORED_BYTES'),
        project: read('RELAY_MAX_STORED_BYTES_PER_PROJECT'),
        // Without Redis, messages are stored in this process: half of the address's memory quota is reserved for its calls.
        address: Math.min(
          read('RELAY_MAX_STORED_BYTES_PER_ADDRESS'),
          readIfSet('REDIS_URL') ? Number.POSITIVE_INFINITY : read('MAX_BYTES_PER_ADDRESS') / 2,
        ),
        client: read('RELAY_MAX_STORED_BYTES_PER_CLIENT'),
      },
      scamOrigins: readIfSet('SCAM_ORIGINS') ?? [],
    },
    signIn: readSignIn(),
    mail: readMail(),
    keys,
    identify: readIdentify(keys),
    rateLimits: { perAddress: read('RATE_PER_ADDRESS'), perProject: read('RATE_PER_PROJECT') },
    clientAddressHeader: readIfSet('CLIENT_ADDRESS_HEADER'),
    trustedProxies: read('TRUSTED_PROXIES'),
    bytesPerAddress: read('MAX_BYTES_PER_ADDRESS'),
    maxBytesTotal: read('MAX_BYTES_TOTAL'),
    logLevel: read('LOG_LEVEL'),
    drainDelayMs: read('DRAIN_DELAY_MS'),
    startTimeoutMs: read('START_TIMEOUT_MS'),
    stopTimeoutMs: read('STOP_TIMEOUT_MS'),
    listener: {
      headersTimeoutMs: read('HEADERS_TIMEOUT_MS'),
      requestTimeoutMs: read('REQUEST_TIMEOUT_MS'),
      keepAliveTimeoutMs: read('KEEP_ALIVE_TIMEOUT_MS'),
      maxRequestsPerSocket: read('MAX_REQUESTS_PER_CONNECTION'),
      maxConnections: read('MAX_CONNECTIONS'),
    },
  }
}

function entriesOf(input: string): { chain: string; urls: string[] }[] {
  return input
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const at = entry.indexOf('=')
      const urls =
        at < 0
          ? []
          : entry
              .slice(at + 1)
              .split(',')
              .map((url) => url.trim())
              .filter((url) => url !== '')
      return { chain: at < 0 ? entry : entry.slice(0, at).trim(), urls }
    })
}
