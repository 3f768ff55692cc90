import { documented, type Environment, type Variable, variableReader } from './environment.ts'
import { text } from './variableSchemas.ts'

const table = {
  CHAINS_FILE: {
    fallback: '',
    schema: text,
    meaning:
      'JSON file with the nodes, token lists and contracts of your chains; RPC_URLS alone is enough for usual chains',
  },
} as const

/** The environment variables for the chain API. */
export const chainsVariables: readonly Variable[] = documented(table)

/** The configuration for the chain API. */
export interface ChainsConfig {
  /** The path of the operator's chains file. `undefined` if there is none. */
  chainsFile: string | undefined
}

/** Reads the configuration for the chain API. */
export function readChainsConfig(env: Environment): ChainsConfig {
  const { readIfSet } = variableReader(table, env)
  return { chainsFile: readIfSet('CHAINS_FILE') }
}
