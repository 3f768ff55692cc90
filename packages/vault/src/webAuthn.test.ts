import { fromBase64Url, toBase64Url } from '@latchkey/protocol/bytes'
import { fakeClock } from '@latchkey/protocol/testing'
import { expect, test } from 'vitest'
import type { Bytes } from './cryptoEnvironment.ts'
import { findLeaks } from './testing/findKnownSecrets.ts'
import { seededEnvironment } from './testing/seededEnvironment.ts'
import { createPasskey, getPasskey, type PasskeyWindow, prfRequestOptions } from './webAuthn.ts'

const environment = seededEnvironment(43, fakeClock())

/** Creates a window that records the requests and whose passkey returns `secret` as its PRF output. */
function windowWith(secret: Bytes | undefined) {
  const requested: { create?: PublicKeyCredentialCreationOptions; get?: PublicKeyCredentialRequestOptions } = {}
  const results = { prf: { enabled: true, ...(secret && { results: { first: secret.buffer } }) } }
  const credential = {
    type: 'public-key',
    rawId: new Uint8Array([1, 2, 3]).buffer,
    getClientExtensionResults: () => results,
    toJSON: () => ({
      id: 'AQID',
      response: { clientDataJSON: 'e30' },
      clientExtensionResults: secret && { prf: { results: { first: toBase64Url(secret) } } },
    }),
  }
  const window = {
    navigator: {
      credentials: {
        create: async ({ publicKey }: CredentialCreationOptions) => {
          requested.create = publicKey!
          return credential
        },
        get: async ({ publicKey }: CredentialRequestOptions) => {
          requested.get = publicKey!
          return credential
        },
      },
    },
    PublicKeyCredential: {
      parseCreationOptionsFromJSON: (options: object) => ({ ...options }),
      parseRequestOptionsFromJSON: (options: object) => ({ ...options }),
    },
    location: { hostname: 'keys.demo.localhost' },
  }
  return { window: window as unknown as PasskeyWindow, requested }
}

test('the response for the server does not contain the PRF output', async () => {
  const secret = environment.random(32)
  const { window } = windowWith(secret)
  for (const answer of [await createPasskey(window, { rp: {} }), await getPasskey(window, {})]) {
    const traffic = [{ where: 'traffic', text: JSON.stringify(answer.response) }]
    expect(findLeaks(traffic, [{ name: 'secret', bytes: secret }])).toEqual([])
    expect(answer.response).toMatchObject({ id: 'AQID', response: { clientDataJSON: 'e30' } })
    expect([answer.id, await answer.key?.secret('w')]).toEqual(['AQID', secret])
  }
})

test('the server cannot override the host, user verification or the PRF input', async () => {
  const { window, requested } = windowWith(environment.random(32))
  const weak = { userVerification: 'discouraged', residentKey: 'discouraged' }
  const extensions = { prf: { eval: { first: 'AAAA' } } }
  await createPasskey(window, { rp: { id: 'demo.localhost', name: 'x' }, authenticatorSelection: weak, extensions })
  await getPasskey(window, { rpId: 'demo.localhost', ...weak, extensions })
  const first = new TextEncoder().encode('latchkey/v1/passkey')
  expect(requested.create).toMatchObject({
    rp: { id: 'keys.demo.localhost', name: 'x' },
    authenticatorSelection: { userVerification: 'required', residentKey: 'required' },
    extensions: { prf: { eval: { first } } },
  })
  expect(requested.get).toMatchObject({
    rpId: 'keys.demo.localhost',
    userVerification: 'required',
    extensions: { prf: { eval: { first } } },
  })
})

test('a passkey that has no PRF output cannot open a vault', async () => {
  const { window } = windowWith(undefined)
  expect((await createPasskey(window, { rp: {} })).key).toBe(undefined)
})

test('prfRequestOptions() returns the passkey IDs and a fresh challenge each time', () => {
  const [first, second] = [prfRequestOptions(environment, ['YQ', 'Yg']), prfRequestOptions(environment, [])]
  expect(first.allowCredentials).toEqual([
    { id: 'YQ', type: 'public-key' },
    { id: 'Yg', type: 'public-key' },
  ])
  expect(fromBase64Url(String(first.challenge))).toHaveLength(32)
  expect(first.challenge).not.toBe(second.challenge)
})
