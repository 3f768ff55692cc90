import { namespaces } from '@latchkey/protocol/caip'
import { signInSkewMs } from '@latchkey/protocol/specificationConstants'
import { createSignInHandlers, createTokens, serveSignIn, type TokenKey, type TokenKeys } from '@latchkey/siwx/server'
import { verifiersFor } from '@latchkey/siwx/verify'
import type { SignInConfig } from '../config/signInConfig.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import { callThroughChain } from '../rpcProxy/contractCallOverRpc.ts'
import type { RpcProxy, SignInEndpoints } from '../serverDependencies.ts'
import type { Connection } from '../storage/databaseConnection.ts'
import { cachedReplayStore, databaseReplayStore } from '../storage/databaseReplayStore.ts'
import { databaseSignInRecords } from '../storage/databaseSignInRecords.ts'
import { createKeyRing, type KeyRing, type StoredKey } from '../storage/keyRing.ts'
import { newSigningKey } from '../storage/newSigningKey.ts'
import { readOrCreateKey } from '../storage/readOrCreateKey.ts'
import { randomToken } from '../storage/secretDigests.ts'
import { accountMetadataRoutes } from './accountMetadataRoutes.ts'
import { createEmailVerification } from './emailVerification.ts'

/** Creates the server's built-in sign-in from the configuration, the database connection and the RPC proxy. */
export function signInFromConfig({
  config,
  connection,
  chain,
  metrics,
  mailer,
  mailsPerHour = 2000,
  now,
  clock = () => performance.now(),
}: {
  config: SignInConfig
  connection: Connection
  chain: RpcProxy
  metrics: Metrics
  /** If absent, users cannot enter an email address. */
  mailer?: Mailer | undefined
  mailsPerHour?: number
  /** Epoch milliseconds. */
  now: () => number
  /** Monotonic milliseconds. */
  clock?: (() => number) | undefined
}): SignInEndpoints & { sweep(): Promise<void> } {
  const replayStore = cachedReplayStore({ replayStore: databaseReplayStore(connection), connection })
  const records = databaseSignInRecords(connection)
  const emails = createEmailVerification({
    connection,
    secret: async () => {
      const { secret } = await readOrCreateKey({
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
  const handlers = createSignInHandlers({
    // The keys are stored in the database, so that every instance accepts tokens issued by the others.
    tokens: createTokens({
      secret: tokenKeys(createKeyRing({ connection, purpose: 'sign-in', make: newSigningKey, now, clock })),
      issuer: 'latchkey',
    }),
    transport: config.transport,
    sessionSeconds: config.hours * 3600,
    verifiers: verifiersFor(namespaces, { call: callThroughChain(chain) }),
    replayStore,
    clock: now,
    onAttempt: (outcome) => metrics.count('latchkey_sign_ins_total', { outcome }),
    emailOf: emails.emailOf,
    onSignedIn: ({ aud, sub }) => records.signedIn({ projectId: aud, account: sub, at: now() }),
  })
  // The `me` route that can include the account's record replaces the handlers' own `me` route.
  const routes = Object.values({ ...handlers.routes, ...accountMetadataRoutes(records, handlers), ...emails.routes })
  return {
    answer: (request, relyingParty, address) => serveSignIn(request, relyingParty, routes, address),
    sweep: async () => {
      // Records are kept for the allowed clock skew, because an instance whose clock is behind could still accept a token that
      // has expired here.
      await replayStore.sweep(now() - signInSkewMs)
      await emails.sweep()
    },
  }
}

/** Adapts a key ring to `TokenKeys`. */
function tokenKeys(ring: KeyRing): TokenKeys {
  const named = (keys: readonly StoredKey[]): readonly TokenKey[] =>
    keys.map(({ name, key }) => ({ id: name, secret: key }))
  return { keys: async () => named(await ring.keys()), refreshed: async () => named(await ring.refreshed()) }
}
