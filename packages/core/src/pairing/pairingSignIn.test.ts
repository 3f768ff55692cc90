import { expect, test } from 'vitest'
import type { AuthenticateRequest, SignedCacao } from '../adapter.ts'
import { fakeAuthentication, fakeClock, fakeLatchkey, fakeNetwork } from '../testing/index.ts'
import { createPairingSignIn } from './pairingSignIn.ts'

const account = 'eip155:1:0xab16a96D359eC26a11e2C2b3d8f8B8942d5Bfcdb'

function signInOf(authentication = fakeAuthentication()) {
  const calls: string[] = []
  const { state } = fakeLatchkey({
    state: (initial) => ({
      ...initial,
      networks: { namespace: 'eip155', active: 'eip155:1', known: [fakeNetwork('eip155:1')] },
    }),
  })
  const signIn = createPairingSignIn({
    authentication,
    state,
    clock: fakeClock(),
    log: { warn: (text) => void calls.push(text) },
    track: ({ event }) => calls.push(event),
    toast: (_, text) => calls.push(text),
    hideToast: () => calls.push('hidden'),
  })
  const signed = ({ chains: _, ...fields }: AuthenticateRequest): SignedCacao => ({
    account,
    message: 'message',
    signature: '0x',
    fields,
    cacao: {},
  })
  return { signIn, authentication, calls, signed }
}

test('the signed message is stored if it matches the request', async () => {
  const { signIn, authentication, calls, signed } = signInOf()
  const request = (await signIn.request()) as AuthenticateRequest
  await signIn.store({ signed: [signed(request)], request, text: 'Authenticating...' })
  expect([...authentication.stored.keys()]).toEqual([account])
  expect(calls).toEqual(['Authenticating...', 'SIWX_AUTH_SUCCESS', 'hidden'])
  await signIn.revoke()
  expect(authentication.stored.size).toBe(0)
})

test('a message that was not requested or that the adapter rejects is reported as an invalid sign-in', async () => {
  const { signIn, authentication, calls, signed } = signInOf()
  const request = (await signIn.request()) as AuthenticateRequest
  const other = signed({ ...request, nonce: 'another0' })
  await expect(signIn.store({ signed: [other], request, text: 'x' })).rejects.toMatchObject({ code: 'sign-in/invalid' })
  authentication.fail('setSessions', new Error('host'))
  await expect(signIn.store({ signed: [signed(request)], request, text: 'x' })).rejects.toMatchObject({
    code: 'sign-in/invalid',
  })
  expect(calls.filter((call) => call === 'SIWX_AUTH_ERROR')).toHaveLength(2)
  await signIn.revoke()
  expect(calls.at(-1)).toBe('A sign-in session was not revoked')
})
