import * as v from 'valibot'
import { documented, type Environment, type Variable, variableReader } from './environment.ts'
import { number, percentEncodedUrl, text } from './variableSchemas.ts'

const databaseUrl = v.pipe(
  v.string(),
  v.regex(/^postgres(ql)?:\/\//, 'a URL that starts with postgres://'),
  v.check((input) => URL.canParse(input), percentEncodedUrl),
)

const table = {
  DATABASE_URL: {
    fallback: '',
    schema: databaseUrl,
    meaning: 'URL of a PostgreSQL server; if not set, a database in DATA_DIR is used',
  },
  DATA_DIR: { fallback: './.latchkey', schema: text, meaning: 'Folder for the database' },
  DATABASE_IDLE_SECONDS: {
    fallback: '3',
    schema: number(1, 86_400),
    meaning:
      'Seconds without queries after which the database in DATA_DIR is closed, which frees about 160 MB; the next query opens it again',
  },
} as const

/** The environment variables for the database. */
export const storageVariables: readonly Variable[] = documented(table)

/** The database configuration. */
export interface StorageConfig {
  databaseUrl: string | undefined
  dataFolder: string
  databaseIdleSeconds: number
}

/** Reads the database configuration. */
export function readStorageConfig(env: Environment): StorageConfig {
  const { read, readIfSet } = variableReader(table, env)
  return {
    databaseUrl: readIfSet('DATABASE_URL'),
    dataFolder: read('DATA_DIR'),
    databaseIdleSeconds: read('DATABASE_IDLE_SECONDS'),
  }
}
