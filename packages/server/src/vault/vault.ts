import { type Accounts, createAccounts } from './accounts.ts'
import { type Audit, createAudit } from './audit.ts'
import { type CookieNames, cookieNames } from './cookies.ts'
import { createDevices, type Devices } from './devices.ts'
import { createLimits, type Limits } from './limits.ts'
import type { VaultPorts } from './ports.ts'
import { createDigest, type Digest } from './secrets.ts'

const lookMs = 1000

/** The ports, and what stands on them: all that a route of the keys origin needs. */
export interface Vault extends VaultPorts {
  readonly digest: Digest
  readonly names: CookieNames
  readonly accounts: Accounts
  readonly audit: Audit
  readonly devices: Devices
  readonly limits: Limits
  /** Resolves when `topic` is published in this process, or after a second: another instance may have written. */
  wake(topic: string, signal: AbortSignal): Promise<void>
}

/** What stands on these ports. */
export function createVault(ports: VaultPorts): Vault {
  const { bus, connection, now, origin, pause, policy, secret } = ports
  const digest = createDigest(secret)
  const names = cookieNames(origin)
  return {
    ...ports,
    digest,
    names,
    accounts: createAccounts({ connection, origin, secret, names, sessionMs: policy.sessionMs, now }),
    audit: createAudit({ connection, now }),
    devices: createDevices({ connection, now }),
    limits: createLimits({ connection, digest, now }),
    wake: async (topic, signal) => {
      const ended = new AbortController()
      let leave = (): void => {}
      const published = new Promise<void>((resolve) => {
        leave = bus.subscribe(topic, resolve)
      })
      try {
        await Promise.race([published, pause(lookMs, AbortSignal.any([signal, ended.signal])).catch(() => {})])
      } finally {
        leave()
        ended.abort()
      }
    },
  }
}
