import { expect, test } from 'vitest'
import { fakeAuthentication, fakeSignInSession } from '../testing/index.ts'
import { createSignInAttempt } from './signInAttempt.ts'

function page() {
  let answer = (): void => {}
  const authentication = fakeAuthentication()
  const signedIn: unknown[] = []
  const attempt = createSignInAttempt({
    authentication,
    log: { warn() {} },
    request: () =>
      new Promise((resolve) => {
        answer = () => resolve(fakeSignInSession)
      }),
    signedIn: (session) => signedIn.push(session),
  })
  return { attempt, authentication, signedIn, answer: () => answer() }
}

test('a signed session is reported and returned', async () => {
  const { attempt, signedIn, answer } = page()
  const started = attempt.start()
  answer()
  expect(await started).toBe(fakeSignInSession)
  expect(signedIn).toEqual([fakeSignInSession])
})

test('a cancelled request rejects immediately, and a session that is stored later is revoked', async () => {
  const { attempt, authentication, signedIn, answer } = page()
  const started = attempt.start()
  attempt.cancel()
  await expect(started).rejects.toMatchObject({ code: 'request/aborted' })
  expect(authentication.calls).toEqual([])
  answer()
  await Promise.resolve()
  const { chainId, accountAddress } = fakeSignInSession.data
  expect(authentication.calls).toEqual([['revokeSession', `${chainId}:${accountAddress}`]])
  expect(signedIn).toEqual([])
})
