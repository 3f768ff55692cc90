import { isEnsZone, isNameZone } from '@latchkey/protocol/accountNames'
import * as v from 'valibot'
import { documented, type Environment, isSet, type Variable, variableReader } from './environment.ts'
import { list, number } from './variableSchemas.ts'

const zone = v.pipe(v.string(), v.toLowerCase(), v.check(isNameZone, 'a domain with two parts, like shop.example'))

const reserved = v.pipe(
  v.string(),
  v.toLowerCase(),
  v.transform(list),
  v.check((words) => words.every((word) => /^[a-z0-9-]{1,64}$/.test(word)), 'names like admin,support'),
)

const table = {
  NAMES_ZONE: {
    fallback: '',
    schema: zone,
    meaning:
      'Domain under which users can register names for their accounts, like shop.example for alice.shop.example; if not set, there are no names',
  },
  NAMES_RESERVED: {
    fallback: 'admin,administrator,billing,help,info,official,payments,root,security,staff,support,system,team',
    schema: reserved,
    meaning: 'Names that cannot be registered',
  },
  NAMES_PER_ACCOUNT: {
    fallback: '3',
    schema: number(1, 100),
    meaning: 'Maximum number of names that an account can register',
  },
  NAMES_SIGNING_SECONDS: {
    fallback: '300',
    schema: number(10, 3600),
    meaning: 'How long users can take to sign a name: older signatures are rejected',
  },
  NAMES_RESOLVER_KEY: {
    fallback: '',
    schema: v.pipe(
      v.string(),
      v.regex(/^0x[0-9a-fA-F]{64}$/, 'a private key: 0x and 64 hexadecimal digits'),
      v.transform((key) => key as `0x${string}`),
    ),
    meaning:
      'Private key that signs the records of names for an ENS resolver contract; if not set, ENS does not know the names',
  },
} as const

/** The environment variables for account names. */
export const namesVariables: readonly Variable[] = documented(table)

/** The configuration for account names. */
export interface NamesConfig {
  /** The domain of the names, such as `shop.example`. */
  readonly zone: string
  /** The labels that cannot be registered. */
  readonly reserved: readonly string[]
  readonly maxPerAccount: number
  /** The maximum age of a signed message. */
  readonly signingSeconds: number
  /** The private key that signs records for ENS. `undefined` if ENS does not know the names. */
  readonly resolverKey?: `0x${string}` | undefined
}

/** Reads the configuration for account names. Returns `undefined` if there is no zone. */
export function readNamesConfig(env: Environment): NamesConfig | undefined {
  const { read, readIfSet } = variableReader(table, env)
  const zone = readIfSet('NAMES_ZONE')
  if (zone !== undefined && isEnsZone(zone) && !isSet(env, 'NAMES_RESOLVER_KEY'))
    env.reject(
      `NAMES_RESOLVER_KEY must be set if NAMES_ZONE is ${zone}. Pages resolve such names through ENS only, whose resolver must ask this server.`,
    )
  const rest = {
    reserved: read('NAMES_RESERVED'),
    maxPerAccount: read('NAMES_PER_ACCOUNT'),
    signingSeconds: read('NAMES_SIGNING_SECONDS'),
    resolverKey: readIfSet('NAMES_RESOLVER_KEY'),
  }
  return zone === undefined ? undefined : { zone, ...rest }
}
