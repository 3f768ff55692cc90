import {
  deletePasskey,
  postPasskey,
  postPasskeyAccount,
  postPasskeyAccountOptions,
  postPasskeyOptions,
  postPasskeySignIn,
  postPasskeySignInOptions,
  type VaultPasskey,
  type WebAuthnJson,
} from '@latchkey/protocol/http/vault'
import { parseJson } from '@latchkey/protocol/parseJson'
import { plainText } from '@latchkey/protocol/plainText'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import { and, desc, eq, lt, or, sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Connection } from '../data/databaseConnection.ts'
import { vaultPasskeys } from '../data/vaultSchema.ts'
import { defineRoute, type VaultApp } from '../vault/defineRoute.ts'
import type { Embedders } from '../vault/embedderOrigins.ts'
import { hashOf, randomToken } from '../vault/secretDigests.ts'
import { VaultError } from '../vault/vaultError.ts'
import type { Vault } from '../vault/vaultServices.ts'
import { createChallengeStore } from './challengeStore.ts'

const minute = 60_000
const maxPasskeys = 30

/** Lists the passkeys of an account. */
export interface Passkeys {
  of(userId: string): Promise<readonly VaultPasskey[]>
}

/** Passkeys stored in a database. */
export function createPasskeys({ connection }: { connection: Connection }): Passkeys {
  return {
    of: (userId) =>
      connection.use(async (database) => {
        const { id, name, createdAt, lastUsedAt } = vaultPasskeys
        return database
          .select({ id, name, createdAt, lastUsedAt })
          .from(vaultPasskeys)
          .where(eq(vaultPasskeys.userId, userId))
          .orderBy(desc(createdAt))
      }),
  }
}

/** Whether passkeys can be bound to this origin only. On `localhost` they cannot, as all of its pages could request the same passkeys. */
export function hasPasskeys(origin: string): boolean {
  const { hostname, protocol } = new URL(origin)
  const isName = !/^[\d.]+$|^\[/.test(hostname)
  return isName && hostname !== 'localhost' && (protocol === 'https:' || hostname.endsWith('.localhost'))
}

const common = {
  id: plainText(1400),
  rawId: plainText(1400),
  type: v.literal('public-key'),
  authenticatorAttachment: v.optional(v.picklist(['platform', 'cross-platform'])),
  // Extension results can contain secrets of the page (a PRF output), so the server discards them.
  clientExtensionResults: v.pipe(
    v.optional(v.unknown()),
    v.transform(() => ({})),
  ),
}
const registration = v.object({
  ...common,
  response: v.object({
    clientDataJSON: plainText(8192),
    attestationObject: plainText(65_536),
    transports: v.optional(v.pipe(v.array(plainText(32)), v.maxLength(16))),
  }),
})
const assertion = v.object({
  ...common,
  response: v.object({
    clientDataJSON: plainText(8192),
    authenticatorData: plainText(8192),
    signature: plainText(8192),
    userHandle: v.optional(plainText(128)),
  }),
})
const clientData = v.object({ topOrigin: v.optional(plainText(300)) })

/** The routes for registering passkeys and signing in with them. The relying party ID is the exact keys host. */
export function passkeyRoutes(
  app: VaultApp,
  vault: Vault,
  { embedders, passkeys }: { embedders: Embedders; passkeys: Passkeys },
): void {
  const { accounts, audit, connection, now, origin } = vault
  const rpID = new URL(origin).hostname
  const offered = hasPasskeys(origin)
  const challenge = v.object({ challenge: v.string(), userId: v.nullable(v.string()) })
  const registering = createChallengeStore({
    connection,
    kind: 'passkey-new',
    data: challenge,
    lifetimeMs: 5 * minute,
    now,
  })
  const beginning = createChallengeStore({
    connection,
    kind: 'passkey-account',
    data: challenge,
    lifetimeMs: 5 * minute,
    now,
  })
  const signingIn = createChallengeStore({ connection, kind: 'passkey', data: challenge, lifetimeMs: 5 * minute, now })
  const verifier = () => import('@simplewebauthn/server')
  const refused = () => new VaultError('passkey/refused', 'The passkey was not accepted')

  function mustBeOffered(): void {
    if (!offered) throw new VaultError('passkey/unavailable', 'Passkeys are not available at this address')
  }

  /** Uses up and returns the pending challenge of this frame session. */
  async function takeChallenge(pending: typeof registering, flow: string): Promise<v.InferOutput<typeof challenge>> {
    const step = await pending.find(flow)
    const taken = step && (await pending.take(flow, step.secret))
    if (!taken) throw refused()
    return taken.data
  }

  /** The top-level page around the frame, if the browser reports it. */
  async function pageOf(clientDataJSON: string): Promise<string | undefined> {
    const parsed = v.safeParse(clientData, jsonOf(clientDataJSON))
    if (!parsed.success) throw refused()
    const { topOrigin } = parsed.output
    // If the browser reports the top-level page, it has to be allowed to embed the frame.
    if (topOrigin !== undefined && !(await embedders.may(topOrigin))) throw refused()
    return topOrigin
  }

  async function creationFor({
    handle,
    shownName,
    known,
  }: {
    handle: string
    shownName: string
    known: readonly VaultPasskey[]
  }) {
    const { generateRegistrationOptions } = await verifier()
    return generateRegistrationOptions({
      rpName: rpID,
      rpID,
      userID: new TextEncoder().encode(handle),
      userName: shownName,
      userDisplayName: shownName,
      attestationType: 'none',
      excludeCredentials: known.map(({ id }) => ({ id })),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
  }

  /** Verifies a registration response and returns the passkey's row. */
  async function created(said: { name: string; response: WebAuthnJson }, expectedChallenge: string) {
    const parsed = v.safeParse(registration, said.response)
    if (!parsed.success) throw refused()
    await pageOf(parsed.output.response.clientDataJSON)
    const { verifyRegistrationResponse } = await verifier()
    const verdict = await verifyRegistrationResponse({
      response: parsed.output as RegistrationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    }).catch(() => undefined)
    if (!verdict?.verified) throw refused()
    const { id, publicKey, counter } = verdict.registrationInfo.credential
    return {
      id,
      name: said.name,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: [...(parsed.output.response.transports ?? [])],
      createdAt: now(),
    }
  }

  /** Stores a passkey. Resolves to false if it is registered already. */
  async function isKept(row: typeof vaultPasskeys.$inferInsert): Promise<boolean> {
    const made = await connection.use((database) =>
      database.insert(vaultPasskeys).values(row).onConflictDoNothing().returning({ id: vaultPasskeys.id }),
    )
    return made.length > 0
  }

  defineRoute(app, postPasskeyOptions, async ({ context }) => {
    mustBeOffered()
    const { user } = await context.requireRecentSignIn()
    const known = await passkeys.of(user.id)
    if (known.length >= maxPasskeys)
      throw new VaultError('limit/reached', 'There are too many passkeys: remove one first')
    const options = await creationFor({ handle: user.id, shownName: user.email ?? user.userName ?? 'Wallet', known })
    await registering.put({
      flow: context.flow(),
      secret: hashOf('challenge', options.challenge),
      data: { challenge: options.challenge, userId: user.id },
    })
    return { options: { ...options } as WebAuthnJson }
  })

  defineRoute(app, postPasskey, async ({ body, context }) => {
    mustBeOffered()
    const { user } = await context.requireAccount(body.userId, { recent: true })
    const { challenge: expectedChallenge, userId } = await takeChallenge(registering, context.flow())
    if (userId !== user.id) throw new VaultError('session/other-account', 'Another account is signed in')
    const row = { ...(await created(body, expectedChallenge)), userId: user.id }
    if (!(await isKept(row))) throw refused()
    await audit.note(user.id, 'passkey-added', body.name, context.place)
    return { passkey: { id: row.id, name: body.name, createdAt: row.createdAt, lastUsedAt: null } }
  })

  defineRoute(app, postPasskeyAccountOptions, async ({ context }) => {
    mustBeOffered()
    await vault.spendBy(context, { action: 'passkey-account', max: 30, windowMs: 60 * minute })
    const options = await creationFor({ handle: randomToken(), shownName: 'Wallet', known: [] })
    await beginning.put({
      flow: context.flow(),
      secret: hashOf('challenge', options.challenge),
      data: { challenge: options.challenge, userId: null },
    })
    return { options: { ...options } as WebAuthnJson }
  })

  defineRoute(app, postPasskeyAccount, async ({ body, context }) => {
    mustBeOffered()
    const { challenge: expectedChallenge } = await takeChallenge(beginning, context.flow())
    const made = await created(body, expectedChallenge)
    const user = await accounts.nameless()
    if (!(await isKept({ ...made, userId: user.id }))) {
      await accounts.forget(user.id)
      throw refused()
    }
    context.setCookies.push(...(await accounts.signIn({ userId: user.id, browser: context.browser() })))
    await audit.note(user.id, 'account-made', undefined, context.place)
    await audit.note(user.id, 'passkey-added', body.name, context.place)
    return { user }
  })

  defineRoute(app, deletePasskey, async ({ context, param }) => {
    const { user } = await context.requireSignedIn()
    const [row] = await connection.use((database) =>
      database
        .delete(vaultPasskeys)
        .where(and(eq(vaultPasskeys.userId, user.id), eq(vaultPasskeys.id, param('id'))))
        .returning({ name: vaultPasskeys.name }),
    )
    if (row) await audit.note(user.id, 'passkey-removed', row.name, context.place)
    return {}
  })

  defineRoute(app, postPasskeySignInOptions, async ({ context }) => {
    mustBeOffered()
    await vault.spendBy(context, { action: 'passkey', max: 100, windowMs: 10 * minute })
    const { generateAuthenticationOptions } = await verifier()
    // No list of credentials, so that the response does not reveal which accounts exist.
    const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' })
    await signingIn.put({
      flow: context.flow(),
      secret: hashOf('challenge', options.challenge),
      data: { challenge: options.challenge, userId: null },
    })
    return { options: { ...options } as WebAuthnJson }
  })

  defineRoute(app, postPasskeySignIn, async ({ body, context }) => {
    mustBeOffered()
    const { challenge: expectedChallenge } = await takeChallenge(signingIn, context.flow())
    const parsed = v.safeParse(assertion, body.response)
    if (!parsed.success) throw refused()
    const response = parsed.output
    const around = await pageOf(response.response.clientDataJSON)
    const [known] = await connection.use((database) =>
      database.select().from(vaultPasskeys).where(eq(vaultPasskeys.id, response.id)),
    )
    if (!known) throw refused()
    const { verifyAuthenticationResponse } = await verifier()
    const verdict = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      ...(around === undefined ? {} : { expectedTopOrigin: around }),
      requireUserVerification: true,
      credential: {
        id: known.id,
        publicKey: new Uint8Array(Buffer.from(known.publicKey, 'base64url')),
        counter: known.counter,
      },
    }).catch(() => undefined)
    if (!verdict?.verified) throw refused()
    const { newCounter } = verdict.authenticationInfo
    // A counter that does not increase indicates a cloned authenticator, even if two responses race. Most passkeys have no counter (0).
    const grows = or(lt(vaultPasskeys.counter, newCounter), and(eq(vaultPasskeys.counter, 0), sql`${newCounter} = 0`))
    const [used] = await connection.use((database) =>
      database
        .update(vaultPasskeys)
        .set({ counter: newCounter, lastUsedAt: now() })
        .where(and(eq(vaultPasskeys.id, known.id), grows))
        .returning({ id: vaultPasskeys.id }),
    )
    const user = used && (await accounts.userById(known.userId))
    if (!user) throw refused()
    context.setCookies.push(...(await accounts.signIn({ userId: user.id, browser: context.browser() })))
    await audit.note(user.id, 'signed-in-by-passkey', known.name, context.place)
    return { user }
  })
}

function jsonOf(base64url: string): unknown {
  try {
    return parseJson(Buffer.from(base64url, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
