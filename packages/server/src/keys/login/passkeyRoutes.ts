import {
  deletePasskey,
  postPasskey,
  postPasskeyAccount,
  postPasskeyAccountOptions,
  postPasskeyOptions,
  postPasskeySignIn,
  postPasskeySignInOptions,
} from '@latchkey/protocol/http/keys'
import { randomToken } from '../../storage/secretDigests.ts'
import { defineKeysRoute, type KeysApp } from '../http/defineKeysRoute.ts'
import type { Embedders } from '../http/embedderOrigins.ts'
import { KeysError } from '../keysError.ts'
import type { KeysServices } from '../keysServices.ts'
import { createPasskeyChallenges } from './passkeyChallenges.ts'
import type { Passkeys } from './passkeyStore.ts'
import { createWebAuthn, hasPasskeys, passkeyRefused } from './webAuthn.ts'

const minute = 60_000

/** Adds the routes for registering passkeys and for signing in with them. */
export function passkeyRoutes(
  app: KeysApp,
  services: KeysServices,
  { embedders, passkeys }: { embedders: Embedders; passkeys: Passkeys },
): void {
  const { accounts, audit, now, origin } = services
  const webAuthn = createWebAuthn({ origin, embedders, now })
  const registrations = createPasskeyChallenges(services, 'passkey-new')
  const accountRegistrations = createPasskeyChallenges(services, 'passkey-account')
  const signIns = createPasskeyChallenges(services, 'passkey')
  const isAvailable = hasPasskeys(origin)

  function requireAvailable(): void {
    if (!isAvailable) throw new KeysError('passkey/unavailable', 'Passkeys are not available at this address')
  }

  defineKeysRoute(app, postPasskeyOptions, async ({ context }) => {
    requireAvailable()
    const { user } = await context.requireRecentSignIn()
    await passkeys.requireRoom(user.id)
    const known = await passkeys.of(user.id)
    const sanitizeName = user.email ?? user.userName ?? 'Wallet'
    const options = await webAuthn.registrationOptions({ handle: user.id, sanitizeName, known })
    return { options: await registrations.start({ flow: context.flow(), options, userId: user.id }) }
  })

  defineKeysRoute(app, postPasskey, async ({ body, context }) => {
    requireAvailable()
    const { user } = await context.requireAccount(body.userId, { recent: true })
    const { challenge, userId } = await registrations.take(context.flow())
    if (userId !== user.id) throw new KeysError('session/other-account', 'Another account is signed in')
    const row = { ...(await webAuthn.verifyRegistration(body, challenge)), userId: user.id }
    if (!(await passkeys.add(row))) throw passkeyRefused()
    await audit.note(user.id, 'passkey-added', body.name, context.place)
    return { passkey: { id: row.id, name: body.name, createdAt: row.createdAt, lastUsedAt: null } }
  })

  defineKeysRoute(app, postPasskeyAccountOptions, async ({ context }) => {
    requireAvailable()
    await services.spendBy(context, { action: 'passkey-account', max: 30, windowMs: 60 * minute })
    const options = await webAuthn.registrationOptions({ handle: randomToken(), sanitizeName: 'Wallet', known: [] })
    return { options: await accountRegistrations.start({ flow: context.flow(), options, userId: null }) }
  })

  defineKeysRoute(app, postPasskeyAccount, async ({ body, context }) => {
    requireAvailable()
    const { challenge } = await accountRegistrations.take(context.flow())
    const passkey = await webAuthn.verifyRegistration(body, challenge)
    const user = await accounts.nameless()
    if (!(await passkeys.add({ ...passkey, userId: user.id }))) {
      await accounts.forget(user.id)
      throw passkeyRefused()
    }
    context.setCookies.push(...(await accounts.signIn({ userId: user.id, browser: context.browser() })))
    await audit.note(user.id, 'account-made', undefined, context.place)
    await audit.note(user.id, 'passkey-added', body.name, context.place)
    return { user }
  })

  defineKeysRoute(app, deletePasskey, async ({ context, param }) => {
    const { user } = await context.requireSignedIn()
    const name = await passkeys.remove(user.id, param('id'))
    if (name !== undefined) await audit.note(user.id, 'passkey-removed', name, context.place)
    return {}
  })

  defineKeysRoute(app, postPasskeySignInOptions, async ({ context }) => {
    requireAvailable()
    await services.spendBy(context, { action: 'passkey', max: 100, windowMs: 10 * minute })
    const options = await webAuthn.authenticationOptions()
    return { options: await signIns.start({ flow: context.flow(), options, userId: null }) }
  })

  defineKeysRoute(app, postPasskeySignIn, async ({ body, context }) => {
    requireAvailable()
    const { challenge } = await signIns.take(context.flow())
    const { passkey, newCounter } = await webAuthn.verifyAuthentication(body.response, challenge, passkeys.find)
    const user = (await passkeys.recordUse(passkey.id, newCounter)) && (await accounts.userById(passkey.userId))
    if (!user) throw passkeyRefused()
    context.setCookies.push(...(await accounts.signIn({ userId: user.id, browser: context.browser() })))
    await audit.note(user.id, 'signed-in-by-passkey', passkey.name, context.place)
    return { user }
  })
}
