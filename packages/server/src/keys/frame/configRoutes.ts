import { getKeysOriginConfig } from '@latchkey/protocol/http/keys'
import { postIdentifyFailure } from '@latchkey/protocol/http/visitorIdentification'
import { defineKeysRoute, type KeysApp } from '../http/defineKeysRoute.ts'
import type { Embedders } from '../http/embedderOrigins.ts'
import type { KeysServices } from '../keysServices.ts'
import { hasPasskeys } from '../login/webAuthn.ts'
import { smartAccountConfig } from '../smartAccounts/smartAccountRoutes.ts'

/** Adds the routes that tell the frame what is configured, and that notify the operator if visitor identification fails. */
export function configRoutes(app: KeysApp, services: KeysServices, { embedders }: { embedders: Embedders }): void {
  const { chain, escrowKeyService, farcaster, identify, log, metrics, origin, smartSessions, social } = services

  defineKeysRoute(app, getKeysOriginConfig, async () => ({
    custody: escrowKeyService ? ('assisted' as const) : ('self' as const),
    origins: await embedders.patterns(),
    social: [...social.keys()],
    farcaster: farcaster !== undefined,
    passkeys: hasPasskeys(origin),
    networks: chain.supported(),
    ...smartAccountConfig(services),
    ...(smartSessions ? { smartSessions: true } : {}),
    ...(identify ? { identify } : {}),
  }))

  defineKeysRoute(app, postIdentifyFailure, async ({ body: { failure } }) => {
    // The operator's own configuration is at fault, so only the operator is notified.
    metrics.count('latchkey_identify_failures_total', { failure })
    log('warn', 'visitor identification failed', { failure })
    return {}
  })
}
