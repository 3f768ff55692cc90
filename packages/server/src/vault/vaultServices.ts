import { type Accounts, createAccounts } from './accounts.ts'
import { type Audit, createAudit } from './auditLog.ts'
import { type CodeGuessLimit, createCodeGuessLimit } from './codeGuessLimit.ts'
import { type CookieNames, cookieNames } from './cookies.ts'
import { createDevices, type Devices } from './devices.ts'
import { type Browsers, createBrowsers } from './knownBrowsers.ts'
import type { RequestContext } from './requestContext.ts'
import { createDigest, type Digest } from './secretDigests.ts'
import type { VaultPorts } from './vaultPorts.ts'
import { createRateLimits, type RateLimit, type RateLimits } from './vaultRateLimits.ts'

const lookMs = 1000

/** The ports, and what stands on them: all that a route of the keys origin needs. */
export interface Vault extends VaultPorts {
  readonly digest: Digest
  readonly names: CookieNames
  readonly accounts: Accounts
  readonly audit: Audit
  readonly devices: Devices
  readonly limits: RateLimits
  readonly browsers: Browsers
  readonly guesses: CodeGuessLimit
  /** Counts a request where no account is known: a browser that has signed in before by itself, any other one by its network. */
  spendBy(context: RequestContext, limit: Omit<RateLimit, 'whom'>): Promise<void>
  /** Resolves when `topic` is published in this process, or after a second: another instance may have written. */
  wake(topic: string, signal: AbortSignal): Promise<void>
}

/** What stands on these ports. */
export function createVault(ports: VaultPorts): Vault {
  const { bus, connection, now, origin, pause, policy, secrets } = ports
  const digest = createDigest(secrets)
  const names = cookieNames(origin)
  const limits = createRateLimits({ connection, digest, now })
  const browsers = createBrowsers({ connection, now })
  return {
    ...ports,
    digest,
    names,
    accounts: createAccounts({ connection, origin, secrets, names, sessionMs: policy.sessionMs, browsers, now }),
    audit: createAudit({ connection, now }),
    devices: createDevices({ connection, now }),
    limits,
    browsers,
    // One in a million each: a thousandth a day that any account is entered, with 2,000 mails an hour.
    guesses: createCodeGuessLimit({ limits, maxPerDay: Math.ceil(policy.mailsPerHour / 2) }),
    spendBy: async (context, limit) => {
      if (!(await browsers.isReturning(context.browser()))) return limits.spend({ ...limit, key: context.network })
      await limits.spend(
        { ...limit, key: `browser ${context.browser()}` },
        // Whoever has an account makes as many such browsers as they like: their network bounds them all.
        { ...limit, action: `${limit.action}-returning`, key: context.network, max: 10 * limit.max },
      )
    },
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
