import { documented, type Environment, type Variable, variableReader } from './environment.ts'
import { text } from './variableSchemas.ts'

const table = {
  WALLETS_FILE: { fallback: '', schema: text, meaning: 'Your own wallet list, instead of the one in the package' },
  WALLET_IMAGES_DIR: { fallback: '', schema: text, meaning: 'Folder with the logos that the wallet list refers to' },
} as const

/** The environment variables for the wallet directory. */
export const directoryVariables: readonly Variable[] = documented(table)

/** The wallet directory's configuration. */
export interface DirectoryConfig {
  walletsFile: string | undefined
  walletImagesFolder: string | undefined
}

/** Reads the wallet directory's configuration. */
export function readDirectoryConfig(env: Environment): DirectoryConfig {
  const { readIfSet } = variableReader(table, env)
  return { walletsFile: readIfSet('WALLETS_FILE'), walletImagesFolder: readIfSet('WALLET_IMAGES_DIR') }
}
