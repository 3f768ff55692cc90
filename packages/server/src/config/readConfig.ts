import { type NamesConfig, namesVariables, readNamesConfig } from './accountNamesConfig.ts'
import { type AnalyticsConfig, analyticsVariables, readAnalyticsConfig } from './analyticsConfig.ts'
import { type ChainApiConfig, chainApiVariables, readChainApiConfig } from './chainApiConfig.ts'
import { type DirectoryConfig, directoryVariables, readDirectoryConfig } from './directoryConfig.ts'
import type { Environment, Variable } from './environment.ts'
import { type IdentifyConfig, identifyVariables, readIdentifyConfig } from './identifyConfig.ts'
import { type KeysConfig, keysLoginVariables, keysOriginVariables, readKeysConfig } from './keysConfig.ts'
import {
  type ListenerConfig,
  listenAddressVariables,
  listenerLimitVariables,
  readListenerConfig,
} from './listenerConfig.ts'
import { type MailConfig, mailVariables, readMailConfig } from './mailConfig.ts'
import { type MetricsConfig, metricsVariables, readMetricsConfig } from './metricsConfig.ts'
import { type OnrampConfig, onrampVariables, readOnrampConfig } from './onrampConfig.ts'
import { type ProcessConfig, processVariables, readProcessConfig } from './processConfig.ts'
import { type RelayConfig, readRelayConfig, relayVariables } from './relayConfig.ts'
import { type RequestLimitConfig, readRequestLimitConfig, requestLimitVariables } from './requestLimitConfig.ts'
import { type RpcConfig, readRpcConfig, rpcVariables } from './rpcConfig.ts'
import { readSignInConfig, type SignInConfig, signInVariables } from './signInConfig.ts'
import { smartAccountVariables } from './smartAccountConfig.ts'
import { readStorageConfig, type StorageConfig, storageVariables } from './storageConfig.ts'

/** The configuration for a server. */
export interface Config
  extends ListenerConfig,
    StorageConfig,
    DirectoryConfig,
    AnalyticsConfig,
    RpcConfig,
    ChainApiConfig,
    MetricsConfig,
    RequestLimitConfig,
    ProcessConfig {
  /** The WalletConnect relay and its limits. */
  relay: RelayConfig
  /** Sign-in with a wallet. `undefined` if sign-in is disabled. */
  signIn: SignInConfig | undefined
  /** Account names. `undefined` if there is no zone for them. */
  names: NamesConfig | undefined
  /** Buying crypto. `undefined` if no provider is configured. */
  onramp: OnrampConfig | undefined
  /** The mail transport. `undefined` if mail is not configured. */
  mail: MailConfig | undefined
  /** The embedded wallet. `undefined` if it is not configured. */
  keys: KeysConfig | undefined
  /** Visitor identification. `undefined` if it is disabled, as it is by default. */
  identify: IdentifyConfig | undefined
}

/** All environment variables that the server reads, in the order in which they are documented. */
export const variables: readonly Variable[] = [
  ...listenAddressVariables,
  ...storageVariables,
  ...directoryVariables,
  ...analyticsVariables,
  ...rpcVariables,
  ...chainApiVariables,
  ...namesVariables,
  ...onrampVariables,
  ...metricsVariables,
  ...relayVariables,
  ...signInVariables,
  ...keysOriginVariables,
  ...mailVariables,
  ...keysLoginVariables,
  ...identifyVariables,
  ...smartAccountVariables,
  ...requestLimitVariables,
  ...processVariables,
  ...listenerLimitVariables,
]

/** Thrown if environment variables are missing or invalid. The message has one line per variable. */
export class ConfigError extends Error {
  /** Always `ConfigError`, even in minified bundles. */
  override readonly name = 'ConfigError'
}

/**
 * Reads the configuration from environment variables.
 *
 * @throws {ConfigError} if any variable is missing or invalid. The message lists all of them.
 *
 * @example
 * const config = readConfig({ ...process.env, PORT: '4100' })
 */
export function readConfig(values: Readonly<Record<string, string | undefined>>): Config {
  // A set, because some variables are read more than once but each error should be reported only once.
  const errors = new Set<string>()
  const env: Environment = { values, reject: (sentence) => void errors.add(sentence) }
  const keys = readKeysConfig(env)
  const limits = readRequestLimitConfig(env)
  const config: Config = {
    ...readListenerConfig(env),
    ...readStorageConfig(env),
    ...readDirectoryConfig(env),
    ...readAnalyticsConfig(env),
    ...readRpcConfig(env),
    ...readChainApiConfig(env),
    ...readMetricsConfig(env),
    relay: readRelayConfig(env, limits),
    signIn: readSignInConfig(env),
    names: readNamesConfig(env),
    onramp: readOnrampConfig(env),
    mail: readMailConfig(env),
    keys,
    identify: readIdentifyConfig(env, { keysUrl: keys?.url }),
    ...limits,
    ...readProcessConfig(env),
  }
  if (errors.size > 0) throw new ConfigError([...errors].join('\n'))
  return config
}
