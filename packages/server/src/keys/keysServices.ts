import { type ActionLimit, type ActionLimits, createActionLimits } from '../rateLimits/actionLimits.ts'
import { createDigest, type Digest } from '../storage/secretDigests.ts'
import { type Accounts, createAccounts } from './accounts/accounts.ts'
import { type Audit, createAudit } from './accounts/auditLog.ts'
import { type CookieNames, cookieNames } from './accounts/cookieNames.ts'
import { createDevices, type Devices } from './accounts/devices.ts'
import { type Browsers, createBrowsers } from './accounts/knownBrowsers.ts'
import { createMailboxGuessLimit, type MailboxGuessLimit } from './accounts/mailboxGuessLimit.ts'
import type { KeysDependencies } from './keysDependencies.ts'
import type { RequestContext } from './requestContext.ts'

const lookMs = 1000

/** The dependencies of the keys origin, and the services built on them, for use by its routes. */
export interface KeysServices extends KeysDependencies {
  readonly digest: Digest
  readonly names: CookieNames
  readonly accounts: Accounts
  readonly audit: Audit
  readonly devices: Devices
  readonly limits: ActionLimits
  readonly browsers: Browsers
  readonly guesses: MailboxGuessLimit
  /** Counts a request without a known account: per browser if the browser has signed in before, otherwise per network. */
  spendBy(context: RequestContext, limit: Omit<ActionLimit, 'whom'>): Promise<void>
  /**
   * Resolves when `topic` is published in this process or `signal` is aborted. Otherwise, resolves after one second, in case a
   * different instance has published `topic`.
   */
  wake(topic: string, signal: AbortSignal): Promise<void>
}

/** Creates the services of the keys origin from its dependencies. */
export function createKeysServices(dependencies: KeysDependencies): KeysServices {
  const { bus, connection, now, origin, pause, policy, secrets } = dependencies
  const digest = createDigest(secrets)
  const names = cookieNames(origin)
  const limits = createActionLimits({ connection, digest, now })
  const browsers = createBrowsers({ connection, now })
  return {
    ...dependencies,
    digest,
    names,
    accounts: createAccounts({ connection, origin, secrets, names, sessionMs: policy.sessionMs, browsers, now }),
    audit: createAudit({ connection, now }),
    devices: createDevices({ connection, now }),
    limits,
    browsers,
    // A guess succeeds with a probability of 10⁻⁶. At 2,000 emails per hour, 1,000 guesses per day are allowed, so the chance
    // that any guess in a day is right is 0.1%.
    guesses: createMailboxGuessLimit({ limits, maxPerDay: Math.ceil(policy.mailsPerHour / 2) }),
    spendBy: async (context, limit) => {
      if (!(await browsers.isReturning(context.browser()))) return limits.spend({ ...limit, key: context.network })
      await limits.spend(
        { ...limit, key: `browser ${context.browser()}` },
        // A user can sign in with many browsers, so returning browsers also share a limit per network.
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
