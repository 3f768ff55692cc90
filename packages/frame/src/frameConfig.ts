import { getVaultConfig, type VaultConfig } from '@latchkey/protocol/http/vault'
import { loadOnce } from '@latchkey/protocol/loadOnce'
import type { VaultClient } from './vaultClient.ts'

/** The operator's configuration for the frame. */
export interface FrameConfig {
  /** Fetches the configuration once. If the request fails, the next call tries again. */
  load(): Promise<VaultConfig>
  /** Returns the custody mode, which is `self` until the configuration has been fetched. */
  custody(): VaultConfig['custody']
}

/** Creates a configuration that is fetched on first use. */
export function createFrameConfig({
  vault,
  isCrossSite,
}: {
  readonly vault: VaultClient
  readonly isCrossSite: boolean
}): FrameConfig {
  let custody: VaultConfig['custody'] = 'self'
  return {
    load: loadOnce(async () => {
      const config = await vault(getVaultConfig)
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
export function custodyOf({ custody }: Pick<VaultConfig, 'custody'>): VaultConfig['custody'] {
  return import.meta.env.CUSTODY === 'assisted' ? custody : 'self'
}
