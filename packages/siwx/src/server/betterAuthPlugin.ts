import { randomUUID } from 'node:crypto'
import type { BetterAuthPlugin } from 'better-auth'
import { APIError, createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import * as v from 'valibot'
import type { SignIn } from './createSignIn.ts'

/** The provider ID for wallet accounts in better-auth. */
const providerId = 'wallet'

/**
 * Creates a better-auth plugin. `GET /wallet/nonce` returns the nonce to sign, and `POST /wallet/sign-in` with
 * `{ message, signature }` creates a better-auth session. Users are identified by their account (CAIP-10). For a new account, a
 * user with a placeholder email address is created.
 *
 * @example
 * export const auth = betterAuth({ database, plugins: [walletSignIn(signIn)] })
 */
export function walletSignIn(signIn: SignIn): BetterAuthPlugin {
  return {
    id: 'latchkey-wallet',
    endpoints: {
      walletNonce: createAuthEndpoint('/wallet/nonce', { method: 'GET', requireRequest: true }, (ctx) =>
        signIn.nonce(ctx.request),
      ),
      walletSignIn: createAuthEndpoint(
        '/wallet/sign-in',
        { method: 'POST', requireRequest: true, body: v.object({ message: v.string(), signature: v.string() }) },
        async (ctx) => {
          const redeemed = await signIn.verify(ctx.request, ctx.body)
          if (!redeemed.ok) throw new APIError('UNAUTHORIZED', { message: redeemed.reason })
          const users = ctx.context.internalAdapter
          const key = { providerId, accountId: redeemed.account }
          const known = await users.findAccountOwnerByKey(key)
          if (known?.kind === 'owned') return open(known.user)
          const made = await users.createUser(
            { name: redeemed.fields.accountAddress, email: `${randomUUID()}@nobody.invalid`, emailVerified: false },
            { method: 'other' },
          )
          try {
            await users.linkAccount({ ...key, userId: made.id })
          } catch (error) {
            // If a concurrent request has already created a user for this account, sign in that user instead of this one.
            await users.deleteUser(made.id)
            const first = await users.findAccountOwnerByKey(key)
            if (first?.kind === 'owned') return open(first.user)
            throw error
          }
          return open(made)

          async function open(user: typeof made): Promise<{ user: { id: string; account: string } }> {
            const session = await users.createSession(user.id, false)
            await setSessionCookie(ctx, { session, user })
            return { user: { id: user.id, account: key.accountId } }
          }
        },
      ),
    },
  }
}
