import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import { writeMessage } from '../message/messageText.ts'
import { newP256Key } from '../testing/newP256Key.ts'
import { visitor } from '../testing/testVisitor.ts'
import { signedByKey } from '../verify/eip155.ts'
import { createSignIn } from './createSignIn.ts'
import { memoryReplayStore } from './replayStore.ts'
import type { SignInSecret } from './tokens.ts'

const shop = 'https://shop.example'
const now = Date.UTC(2026, 10, 22)
const secret = 'a test secret of at least 32 characters'
const ada = privateKeyToAccount(generatePrivateKey())
const verifiers = {
  eip155: async ({ account, message, signature }: { account: string; message: string; signature: string }) =>
    signedByKey({ address: account.split(':')[2] ?? '', message, signature }),
}

/** Signs a user in with the library in token mode. */
async function signedIn(options: { secret?: SignInSecret; name?: string } = {}) {
  const made = createSignIn({
    origins: [shop],
    secret,
    verifiers,
    replayStore: memoryReplayStore(),
    session: { transport: 'token' },
    clock: () => now,
    ...options,
  })
  const page = visitor({ page: shop, base: `${shop}/auth/v1`, server: made.handle })
  const { nonce, token: nonceToken } = (await (await page.ask('GET', '/nonce')).json()) as {
    nonce: string
    token: string
  }
  const message = writeMessage({
    domain: 'shop.example',
    uri: `${shop}/cart`,
    version: '1',
    nonce,
    chainId: 'eip155:1',
    accountAddress: ada.address,
    issuedAt: new Date(now).toISOString(),
    expirationTime: new Date(now + 3_600_000).toISOString(),
  })
  const body = { message, signature: await ada.signMessage({ message }) }
  const answer = await page.ask('POST', '/authenticate', { body, headers: { 'x-nonce-jwt': `Bearer ${nonceToken}` } })
  const { token } = (await answer.json()) as { token: string }
  const me = (bearer: string) => page.ask('GET', '/me', { headers: { authorization: `Bearer ${bearer}` } })
  return { page, me, token, nonceToken, body, made }
}

describe('tokens', () => {
  test('a nonce token is not accepted as a session token, or vice versa', async () => {
    const { me, page, token, nonceToken, body } = await signedIn()
    expect((await me(token)).status).toBe(200)
    expect((await me(nonceToken)).status).toBe(401)
    // The session token is rejected even by an instance that does not store the used nonce. After ten minutes, no instance stores
    // it any more, but the session is still valid and contains the nonce.
    for (const other of [page, (await signedIn()).page]) {
      const answer = await other.ask('POST', '/authenticate', { body, headers: { 'x-nonce-jwt': `Bearer ${token}` } })
      expect(answer.status).toBe(401)
    }
    const forgetful = (await signedIn()).page
    const headers = { 'x-nonce-jwt': `Bearer ${nonceToken}` }
    expect((await forgetful.ask('POST', '/authenticate', { body, headers })).status).toBe(200)
  })

  test('a token that is missing or "undefined" is rejected', async () => {
    const { me, page, body } = await signedIn()
    expect((await me('undefined')).status).toBe(401)
    expect((await page.ask('GET', '/me')).status).toBe(401)
    for (const headers of [{}, { 'x-nonce-jwt': 'Bearer undefined' }])
      expect((await page.ask('POST', '/authenticate', { body, headers })).status).toBe(401)
  })

  test('a token for a different project is rejected, even with the same secret', async () => {
    const { token } = await signedIn({ name: 'one' })
    const { me } = await signedIn({ name: 'two' })
    expect((await me(token)).status).toBe(401)
  })

  test('a token with a different signature algorithm or without a signature is rejected', async () => {
    const jwk = await newP256Key()
    const { me, token } = await signedIn({ secret: jwk })
    expect((await me(token)).status).toBe(200)
    const [, payload = ''] = token.split('.')
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
    const nobody = `${Buffer.from('{"alg":"none","typ":"latchkey-session+jwt"}').toString('base64url')}.${payload}.`
    expect((await me(nobody)).status).toBe(401)
    // Forged with the public key as the HMAC secret.
    const { d: _, ...open } = jwk
    for (const text of [JSON.stringify(open), String(open.x)]) {
      const forged = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', typ: 'latchkey-session+jwt' })
        .sign(new TextEncoder().encode(text))
      expect((await me(forged)).status).toBe(401)
    }
    const swapped = token.replace(
      payload,
      Buffer.from(JSON.stringify({ ...claims, address: '0x' })).toString('base64url'),
    )
    expect((await me(swapped)).status).toBe(401)
  })

  test('a token can be verified with the public key alone', async () => {
    const { page, token } = await signedIn({ secret: await newP256Key() })
    const keys = (await (await page.ask('GET', '/keys')).json()) as Parameters<typeof createLocalJWKSet>[0]
    expect(JSON.stringify(keys)).not.toContain('"d"')
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      audience: 'shop.example',
      currentDate: new Date(now),
    })
    expect(payload).toMatchObject({ sub: `eip155:1:${ada.address}`, uri: `${shop}/cart` })
    // The session does not outlive the signed message.
    expect(payload.exp).toBe(now / 1000 + 3600)
    const open = await signedIn()
    expect(await (await open.page.ask('GET', '/keys')).json()).toEqual({ keys: [] })
  })
})
