import { getKeysOriginConfig, type KeysOriginConfig } from '@latchkey/protocol/http/keys'
import { loadOnce } from '@latchkey/protocol/loadOnce'
import type { KeysApiClient } from './keysApiClient.ts'

/** The operator's configuration for the frame. */
export interface FrameConfig {
  /** Fetches the configuration once. If the request fails, the next call tries again. */
  load(): Promise<KeysOriginConfig>
  /** Returns the custody mode, which is `self` until the configuration has been fetched. */
  custody(): KeysOriginConfig['custody']
}

/** Creates a configuration that is fetched on first use. */
export function createFrameConfig({
  keysClient,
  isCrossSite,
}: {
  readonly keysClient: KeysApiClient
  readonly isCrossSite: boolean
}): FrameConfig {
  let custody: KeysOriginConfig['custody'] = 'self'
  return {
    load: loadOnce(async () => {
      const config = await keysClient(getKeysOriginConfig)
      custody = custodyOf(config)
      // On a cross-site page, permissions to sign without approval are disabled, because using one would require opening a window.
      return isCrossSite ? { ...config, smartSessions: false } : config
    }),
    custody: () => custody,
  }
}

/**
 * Returns the custody mode. It is `assisted` only if the frame was built for assisted custody and the server enables it, so
 * neither can enable it alone.
 */
export function custodyOf({ custody }: Pick<KeysOriginConfig, 'custody'>): KeysOriginConfig['custody'] {
  return import.meta.env.CUSTODY === 'assisted' ? custody : 'self'
}
