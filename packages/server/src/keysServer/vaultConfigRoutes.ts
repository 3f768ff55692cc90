import { getVaultConfig } from '@latchkey/protocol/http/vault'
import { postIdentifyFailure } from '@latchkey/protocol/http/visitorIdentification'
import { defineRoute, type VaultApp } from '../keysOrigin/defineRoute.ts'
import type { Embedders } from '../keysOrigin/embedderOrigins.ts'
import type { Vault } from '../keysOrigin/vaultServices.ts'
import { hasPasskeys } from '../login/webAuthn.ts'
import { smartAccountConfig } from '../smartAccounts/smartAccountRoutes.ts'

/** Adds the routes that tell the frame what is configured, and that notify the operator if visitor identification fails. */
export function vaultConfigRoutes(app: VaultApp, vault: Vault, { embedders }: { embedders: Embedders }): void {
  const { chain, escrowKeyService, farcaster, identify, log, metrics, origin, smartSessions, social } = vault

  defineRoute(app, getVaultConfig, async () => ({
    custody: escrowKeyService ? ('assisted' as const) : ('self' as const),
    origins: await embedders.patterns(),
    social: [...social.keys()],
    farcaster: farcaster !== undefined,
    passkeys: hasPasskeys(origin),
    networks: chain.supported(),
    ...smartAccountConfig(vault),
    ...(smartSessions ? { smartSessions: true } : {}),
    ...(identify ? { identify } : {}),
  }))

  defineRoute(app, postIdentifyFailure, async ({ body: { failure } }) => {
    // The operator's own configuration is at fault, so only the operator is notified.
    metrics.count('latchkey_identify_failures_total', { failure })
    log('warn', 'visitor identification failed', { failure })
    return {}
  })
}
