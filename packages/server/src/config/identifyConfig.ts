import { identificationCacheS, maxIdentificationCacheS } from '@latchkey/protocol/specificationConstants'
import * as v from 'valibot'
import { documented, type Environment, type Variable, variableReader } from './environment.ts'
import { number, separateOrigin, text } from './variableSchemas.ts'

const scriptUrl = v.pipe(
  v.string(),
  v.check(
    (input) => URL.canParse(input) && /^https:$|^http:$/.test(new URL(input).protocol) && !/[\s;,'"<>]/.test(input),
    'the URL of a script, like https://…',
  ),
)

const table = {
  IDENTIFY_URL: {
    fallback: '',
    schema: separateOrigin,
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
    schema: number(0, maxIdentificationCacheS),
    meaning: 'How long a browser caches its identification, in seconds',
  },
} as const

/** The environment variables for visitor identification. */
export const identifyVariables: readonly Variable[] = documented(table)

/** The configuration for visitor identification. */
export interface IdentifyConfig {
  /** The origin of the identification server. */
  url: string
  /** A custom script that replaces the bundled library. */
  script: string | undefined
  key: string | undefined
  cacheSeconds: number
}

/**
 * Reads the configuration for visitor identification. Returns `undefined` if it is disabled. `keysUrl` is the keys origin.
 */
export function readIdentifyConfig(
  env: Environment,
  { keysUrl }: { keysUrl: string | undefined },
): IdentifyConfig | undefined {
  const { read, readIfSet } = variableReader(table, env)
  const url = readIfSet('IDENTIFY_URL')
  // The variables are read even if identification is disabled, so that an invalid value is reported at startup.
  const config = {
    script: readIfSet('IDENTIFY_SCRIPT'),
    key: readIfSet('IDENTIFY_KEY'),
    cacheSeconds: read('IDENTIFY_CACHE_SECONDS'),
  }
  if (url === undefined) return undefined
  if (keysUrl === undefined) env.reject('KEYS_URL must be set if IDENTIFY_URL is set.')
  // On the keys origin, a third-party script would have the same privileges as the frame.
  if (url === keysUrl) env.reject('IDENTIFY_URL must be a different origin than KEYS_URL.')
  return { ...config, url }
}
