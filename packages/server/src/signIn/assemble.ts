import { namespaces } from '@latchkey/protocol/caip'
import { signInSkewMs } from '@latchkey/protocol/constants'
import { verifiersFor } from '@latchkey/protocol/verify'
import type { Connection } from '../data/connection.ts'
import { createKeyRing, type KeyRing, type StoredKey } from '../data/keyRing.ts'
import { keptKey } from '../data/keys.ts'
import { databaseSignInRecords } from '../data/signInRecords.ts'
import { databaseSpentIds, rememberedSpentIds } from '../data/spentIds.ts'
import type { Metrics } from '../metrics.ts'
import type { Chain, SignInCalls } from '../ports.ts'
import type { SignInSettings } from '../settings.ts'
import type { Mailer } from '../vault/ports.ts'
import { randomToken } from '../vault/secrets.ts'
import { newVerifyKey } from '../verify/verify.ts'
import { callThroughChain } from './contractCall.ts'
import { createDesk, serve } from './desk.ts'
import { createEmails } from './emails.ts'
import { recordCalls } from './records.ts'
import { createTokens, type TokenKey, type TokenKeys } from './tokens.ts'

/** Sign-in as the server itself has it, over its own stores and nodes. */
export function assembleSignIn({
  settings,
  connection,
  chain,
  metrics,
  mailer,
  mailsPerHour = 2000,
  now,
  clock = () => performance.now(),
}: {
  settings: SignInSettings
  connection: Connection
  chain: Chain
  metrics: Metrics
  /** Without one nobody is asked for an address. */
  mailer?: Mailer | undefined
  mailsPerHour?: number
  /** Epoch milliseconds. */
  now: () => number
  /** Monotonic milliseconds. */
  clock?: (() => number) | undefined
}): SignInCalls & { sweep(): Promise<void> } {
  const spent = rememberedSpentIds({ spent: databaseSpentIds(connection), connection })
  const records = databaseSignInRecords(connection)
  const emails = createEmails({
    connection,
    secret: async () => {
      const { secret } = await keptKey({
        connection,
        name: 'sign-in-codes',
        make: async () => ({ secret: randomToken() }),
      })
      return String(secret)
    },
    mailer,
    mailsPerHour,
    now,
  })
  const desk = createDesk({
    // In the database: what one instance signed, each of them can read.
    tokens: createTokens({
      secret: tokenKeys(createKeyRing({ connection, purpose: 'sign-in', make: newVerifyKey, now, clock })),
      issuer: 'latchkey',
    }),
    transport: settings.transport,
    sessionSeconds: settings.hours * 3600,
    verifiers: verifiersFor(namespaces, { call: callThroughChain(chain) }),
    spent,
    clock: now,
    tried: (outcome) => metrics.count('latchkey_sign_ins_total', { outcome }),
    emailOf: emails.emailOf,
    signedIn: ({ aud, sub }) => records.signedIn({ projectId: aud, account: sub, at: now() }),
  })
  const calls = { ...desk.calls, ...recordCalls(records, desk), ...emails.calls }
  return {
    answer: (request, place, address) => serve(request, place, calls, address),
    sweep: async () => {
      // The clock of another instance may be behind: to it the token is still good.
      await spent.sweep(now() - signInSkewMs)
      await emails.sweep()
    },
  }
}

/** The keys of a ring as tokens take them. */
function tokenKeys(ring: KeyRing): TokenKeys {
  const named = (keys: readonly StoredKey[]): readonly TokenKey[] =>
    keys.map(({ name, key }) => ({ id: name, secret: key }))
  return { keys: async () => named(await ring.keys()), refreshed: async () => named(await ring.refreshed()) }
}
