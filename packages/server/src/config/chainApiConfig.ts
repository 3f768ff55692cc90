import * as v from 'valibot'
import { documented, type Environment, type Variable, variableReader } from './environment.ts'
import { isHttpUrl, text } from './variableSchemas.ts'

const table = {
  CHAINS_FILE: {
    fallback: '',
    schema: text,
    meaning:
      'JSON file with the nodes, token lists and contracts of your chains; RPC_URLS alone is enough for usual chains',
  },
  PRICES_URL: {
    fallback: '',
    schema: v.pipe(v.string(), v.check(isHttpUrl, 'an http or https URL')),
    meaning:
      'Your price source; if not set, prices in US dollars are read from Uniswap V3 pools where a chain has them',
  },
  IPFS_GATEWAY: {
    fallback: '',
    schema: v.pipe(
      v.string(),
      v.check((url) => isHttpUrl(url) && url.startsWith('https:'), 'an https URL'),
    ),
    meaning: 'Gateway for profile images on IPFS, like https://ipfs.example; if not set, such images are left out',
  },
} as const

/** The environment variables for the chain API. */
export const chainApiVariables: readonly Variable[] = documented(table)

/** The configuration for the chain API. */
export interface ChainApiConfig {
  /** The path of the operator's chains file. `undefined` if there is none. */
  chainsFile: string | undefined
  /** The URL of the operator's price source. `undefined` if there is none. */
  pricesUrl: string | undefined
  /** The URL of the gateway for images on IPFS. `undefined` if there is none. */
  ipfsGateway: string | undefined
}

/** Reads the configuration for the chain API. */
export function readChainApiConfig(env: Environment): ChainApiConfig {
  const { readIfSet } = variableReader(table, env)
  return {
    chainsFile: readIfSet('CHAINS_FILE'),
    pricesUrl: readIfSet('PRICES_URL'),
    ipfsGateway: readIfSet('IPFS_GATEWAY'),
  }
}
