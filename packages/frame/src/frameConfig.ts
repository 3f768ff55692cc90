import { getVaultConfig, type VaultConfig } from '@latchkey/protocol/http/vault'
import { loadOnce } from './loadOnce.ts'
import type { VaultClient } from './vaultClient.ts'

/** The operator's configuration. */
export interface FrameConfig {
  /** Fetches the configuration once. If that fails, the next call tries again. */
  load(): Promise<VaultConfig>
  /** The custody, `self` until the configuration is known. */
  custody(): VaultConfig['custody']
}

/** Creates the configuration of a frame, which is not fetched yet. */
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
      // Permissions without approval are off on a cross-site page, since using one would require a window.
      return isCrossSite ? { ...config, smartSessions: false } : config
    }),
    custody: () => custody,
  }
}

/** Custody is assisted only if both server and frame are built for it: neither alone can add a key for the operator. */
export function custodyOf({ custody }: Pick<VaultConfig, 'custody'>): VaultConfig['custody'] {
  return import.meta.env.CUSTODY === 'assisted' ? custody : 'self'
}
