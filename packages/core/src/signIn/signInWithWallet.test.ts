import { expect, test } from 'vitest'
import { fakeAuthentication, fakeConnector, fakeSession } from '../testing/index.ts'
import { signInWithWallet } from './signInWithWallet.ts'

const account = 'eip155:1:0x1111111111111111111111111111111111111111' as const
const connection = { chain: 'eip155:1', health: 'ok', connectorId: 'io.a' } as const

function wallet(signMessage?: () => Promise<Uint8Array>) {
  const can = signMessage ? { signMessage } : {}
  return fakeSession(fakeConnector(), {
    chain: 'eip155:1',
    addresses: ['0x1111111111111111111111111111111111111111'],
    can,
  })
}

const signs = wallet(async () => new Uint8Array([1]))
const declines = wallet(() => Promise.reject(new Error('no')))

function signIn(params: Partial<Parameters<typeof signInWithWallet>[0]> = {}) {
  const authentication = fakeAuthentication()
  const { signal } = new AbortController()
  const promise = signInWithWallet({
    authentication,
    account,
    session: signs,
    connection,
    isContract: () => false,
    signal,
    ...params,
  })
  return { promise, authentication }
}

test('the signed message is stored and returned', async () => {
  const { promise, authentication } = signIn()
  const session = await promise
  expect(session).toMatchObject({ signature: '0x01', data: { chainId: 'eip155:1' } })
  expect(session.message).toContain('wants you to sign in with your Ethereum account')
  expect([...authentication.stored.values()]).toEqual([session])
})

test.each([
  ['if no account is connected', { account: undefined, connection: {} }, 'sign-in/no-address'],
  ['if the host does not support the network', { account: undefined }, 'sign-in/no-network'],
  ['if the wallet cannot sign', { session: wallet() }, 'sign-in/no-client'],
  ['while the wallet is unreachable', { session: undefined, connection: { health: 'unknown' } }, 'wallet/unreachable'],
  ['if the user declines', { session: declines }, 'sign-in/declined'],
  ['if a smart account declines', { session: declines, isContract: () => true }, 'sign-in/no-smart-accounts'],
] as const)('rejects %s, and stores nothing', async (_, params, code) => {
  const { promise, authentication } = signIn(params as Partial<Parameters<typeof signInWithWallet>[0]>)
  await expect(promise).rejects.toMatchObject({ code })
  expect(authentication.stored.size).toBe(0)
})

test('an unexpected error from the authentication adapter is reported as `sign-in/invalid`', async () => {
  const authentication = fakeAuthentication({ addSession: () => Promise.reject(new TypeError('no server')) })
  await expect(signIn({ authentication }).promise).rejects.toMatchObject({ code: 'sign-in/invalid' })
})

test('a signature that arrives after the request was cancelled is not stored', async () => {
  const controller = new AbortController()
  const session = wallet(async () => {
    controller.abort()
    return new Uint8Array([1])
  })
  const { promise, authentication } = signIn({ session, signal: controller.signal })
  await expect(promise).rejects.toMatchObject({ code: 'request/aborted' })
  expect(authentication.stored.size).toBe(0)
})
