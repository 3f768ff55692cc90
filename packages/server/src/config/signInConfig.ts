import * as v from 'valibot'
import { documented, type Environment, type Variable, variableReader } from './environment.ts'
import { number, onOff } from './variableSchemas.ts'

const table = {
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
} as const

/** The environment variables for sign-in with a wallet. */
export const signInVariables: readonly Variable[] = documented(table)

/** The configuration for sign-in with a wallet. */
export interface SignInConfig {
  hours: number
  transport: 'cookie' | 'token'
}

/** Reads the configuration for sign-in with a wallet. Returns `undefined` if sign-in is disabled. */
export function readSignInConfig(env: Environment): SignInConfig | undefined {
  const { read } = variableReader(table, env)
  // The variables are read even if sign-in is disabled, so that an invalid value is reported at startup.
  const config: SignInConfig = { hours: read('SIGN_IN_HOURS'), transport: read('SIGN_IN_TRANSPORT') }
  return read('SIGN_IN') ? config : undefined
}
