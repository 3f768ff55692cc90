import * as v from 'valibot'
import { documented, type Environment, type Variable, variableReader } from './environment.ts'
import { isHttpUrl, list, number, originPatterns, rpcUrls } from './variableSchemas.ts'

const origins = v.pipe(
  v.string(),
  v.transform(list),
  v.check(
    (all) => all.every((item) => isHttpUrl(item) && new URL(item).origin === item),
    'origins like https://paymaster.example',
  ),
)

const table = {
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
} as const

/** The environment variables for smart accounts. */
export const smartAccountVariables: readonly Variable[] = documented(table)

/** The configuration for smart accounts. */
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

/** Reads the configuration for smart accounts. */
export function readSmartAccountConfig(env: Environment): SmartAccountConfig {
  const { read, readIfSet } = variableReader(table, env)
  return {
    bundlerUrls: readIfSet('BUNDLER_URLS') ?? new Map(),
    bundlerTimeoutMs: read('BUNDLER_TIMEOUT_MS'),
    paymasterUrls: readIfSet('PAYMASTER_URLS') ?? new Map(),
    sponsorOrigins: readIfSet('SPONSOR_ORIGINS') ?? [],
    sponsorDailyPerAccount: read('SPONSOR_DAILY_PER_ACCOUNT'),
    sponsorDailyPerAddress: read('SPONSOR_DAILY_PER_ADDRESS'),
    sponsorDailyTotal: read('SPONSOR_DAILY_TOTAL'),
    sponsorMaxCostWei: read('SPONSOR_MAX_COST_WEI'),
    pagePaymasters: readIfSet('PAGE_PAYMASTERS') ?? [],
  }
}
