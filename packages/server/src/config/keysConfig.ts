import { type SocialProvider, socialProviders } from '@latchkey/protocol/http/keys'
import * as v from 'valibot'
import {
  documented,
  type Environment,
  isSet,
  type Variable,
  type VariableReader,
  variableReader,
} from './environment.ts'
import { readRequiredMailConfig } from './mailConfig.ts'
import { readRpcUrls } from './rpcConfig.ts'
import { readSmartAccountConfig, type SmartAccountConfig } from './smartAccountConfig.ts'
import { number, onOff, separateOrigin, text } from './variableSchemas.ts'

const secrets = v.pipe(
  v.string(),
  v.transform((input): readonly string[] => {
    const parts = input.split(',').map((part) => part.trim())
    // A single secret can contain commas.
    return parts.every(({ length }) => length >= 32) ? parts : [input]
  }),
  v.check((all) => all.every(({ length }) => length >= 32), 'at least 32 characters long'),
)

const escrowKey = v.pipe(v.string(), v.regex(/^[\w-]{43}$/, '32 random bytes in base64url'))

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

const originTable = {
  KEYS_URL: {
    fallback: '',
    schema: separateOrigin,
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
} as const

const loginTable = {
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
} as const

/** The environment variables for the keys origin. */
export const keysOriginVariables: readonly Variable[] = documented(originTable)
/** The environment variables for logins, devices and custody. */
export const keysLoginVariables: readonly Variable[] = documented(loginTable)

/** The configuration for the embedded wallet. */
export interface KeysConfig {
  /** The origin of the key frame. */
  url: string
  frameFolder: string | undefined
  /** The secrets, newest first. */
  secrets: readonly string[] | undefined
  smtpUrl: string
  mailFrom: string
  mailsPerHour: number
  sessionHours: number
  deviceApproval: boolean
  /** How many hours a new device must wait before a device that was opened with only an emailed code can approve it. */
  deviceHoldHours: number
  /** The key that encrypts the operator's key share. Set only in assisted custody, in which the operator can sign. */
  escrowKey: string | undefined
  smartSessions: boolean
  /** Whether users can sign in with Farcaster. */
  farcaster: boolean
  social: ReadonlyMap<SocialProvider, { clientId: string; clientSecret: string }>
  smart: SmartAccountConfig
}

/** Reads the configuration for the embedded wallet. Returns `undefined` if the wallet is not configured. */
export function readKeysConfig(env: Environment): KeysConfig | undefined {
  const origin = variableReader(originTable, env)
  const login = variableReader(loginTable, env)
  const url = origin.readIfSet('KEYS_URL')
  // The variables are read even if the wallet is not configured, so that an invalid value is reported at startup.
  const config = {
    frameFolder: origin.readIfSet('FRAME_DIR'),
    secrets: origin.readIfSet('AUTH_SECRET'),
    sessionHours: login.read('SESSION_HOURS'),
    deviceApproval: login.read('DEVICE_APPROVAL'),
    deviceHoldHours: login.read('DEVICE_HOLD_HOURS'),
    escrowKey: readEscrowKey(login, env),
    smartSessions: login.read('SMART_SESSIONS'),
    farcaster: readFarcaster(login, env),
    social: login.readIfSet('SOCIAL_LOGINS') ?? new Map(),
    smart: readSmartAccountConfig(env),
  }
  if (url === undefined) return undefined
  if (config.secrets === undefined && isSet(env, 'DATABASE_URL'))
    env.reject(
      'AUTH_SECRET must be set if DATABASE_URL and KEYS_URL are set. Generate one with `openssl rand -base64 32`.',
    )
  const mail = readRequiredMailConfig(env, 'KEYS_URL is set')
  return { ...config, url, smtpUrl: mail.url, mailFrom: mail.from, mailsPerHour: mail.perHour }
}

function readEscrowKey({ read, readIfSet }: VariableReader<typeof loginTable>, env: Environment): string | undefined {
  const key = readIfSet('ESCROW_KEY')
  if (read('CUSTODY') === 'self') return undefined
  if (key === undefined) env.reject('ESCROW_KEY must be set if CUSTODY is assisted.')
  return key
}

function readFarcaster({ read }: VariableReader<typeof loginTable>, env: Environment): boolean {
  const isOn = read('FARCASTER')
  if (isOn && !readRpcUrls(env).has('eip155:10'))
    env.reject('RPC_URLS must contain a node for eip155:10 if FARCASTER is on.')
  return isOn
}
