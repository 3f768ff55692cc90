import { fakeClock } from '@latchkey/core/testing'
import {
  getMe,
  type KeysMe,
  postEmailCode,
  postPasskeySignIn,
  postPasskeySignInOptions,
} from '@latchkey/protocol/http/keys'
import type { UnlockKey } from '@latchkey/vault'
import { formatRecoveryCode, generateRecoveryCode } from '@latchkey/vault/recoveryKit'
import { createVaultFixture, seededEnvironment } from '@latchkey/vault/testing'
import { expect, test } from 'vitest'
import type { KeysApiClient } from '../keysApiClient.ts'
import type { OpenedWallet } from '../wallet/embeddedWallet.ts'
import { type ReauthenticationProof, reauthenticate } from './reauthentication.ts'

const environment = seededEnvironment(59, fakeClock())
const { vault: unlocked, keys, recoveryCode, prfOutput } = await createVaultFixture(environment)
const record = { record: JSON.stringify(unlocked.record), version: unlocked.record.version }
const me = { user: { id: 'user-1' }, record } as unknown as KeysMe
const passkeyId = keys.passkey.id

/**
 * Creates the wallet page for `me`. `used` is the passkey that the user chooses, and `signedInAs` is the account that the server
 * then reports.
 */
function page({ used = passkeyId, hasPrf = true, signedInAs = 'user-1' } = {}) {
  const events: unknown[] = []
  const requested: (readonly { readonly id: string }[])[] = []
  const keysClient = (async (call: object) => {
    if (call === getMe) return me
    if (call === postPasskeySignInOptions) return { options: { allowCredentials: [{ id: 'any', type: 'public-key' }] } }
    if (call === postEmailCode || call === postPasskeySignIn) return { user: { id: signedInAs } }
    throw new Error('not expected')
  }) as unknown as KeysApiClient
  const bytes = Uint8Array.from(atob(used.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))
  const credential = {
    type: 'public-key',
    rawId: bytes.buffer,
    getClientExtensionResults: () => (hasPrf ? { prf: { results: { first: prfOutput.buffer } } } : {}),
    toJSON: () => ({}),
  }
  const window = {
    navigator: {
      credentials: {
        get: async ({ publicKey }: { publicKey: { allowCredentials: readonly { readonly id: string }[] } }) => {
          requested.push(publicKey.allowCredentials)
          return credential
        },
      },
    },
    PublicKeyCredential: { parseRequestOptionsFromJSON: (options: object) => ({ ...options }) },
    location: { hostname: 'keys.example' },
  } as never
  const wallet = {
    lock: () => void events.push('lock'),
    open: async (_: KeysMe, key?: UnlockKey) => {
      events.push(key?.id)
      return {} as OpenedWallet
    },
  }
  const session = {
    me: async () => ({ ...me, user: { id: signedInAs } }) as KeysMe,
    signedIn: ({ id }: { readonly id: string }) => void events.push(`signed in as ${id}`),
  }
  return {
    events,
    requested,
    reauthenticate: (proof: ReauthenticationProof) =>
      reauthenticate({ keysClient, session, wallet, environment, window }, me, proof),
  }
}

test.each<[name: string, proof: ReauthenticationProof, events: readonly unknown[]]>([
  [
    'an emailed code and this device’s key',
    { kind: 'code', otp: '123456' },
    ['signed in as user-1', 'lock', undefined],
  ],
  ['a passkey', { kind: 'passkey' }, ['signed in as user-1', 'lock', passkeyId]],
  ['the recovery kit', { kind: 'kit', typed: formatRecoveryCode(recoveryCode) }, ['lock', keys.kit.id]],
])('locks the wallet and opens it again with %s', async (_, proof, events) => {
  const found = page()
  await found.reauthenticate(proof)
  expect(found.events).toEqual(events)
})

test('requests only passkeys that belong to this wallet', async () => {
  const { reauthenticate, requested } = page()
  await reauthenticate({ kind: 'passkey' })
  expect(requested.map((list) => list.map(({ id }) => id))).toEqual([[passkeyId]])
})

test.each<[name: string, options: Parameters<typeof page>[0], proof: ReauthenticationProof, error: object]>([
  [
    'an emailed code for a different account',
    { signedInAs: 'user-2' },
    { kind: 'code', otp: '123456' },
    { message: 'Another account is signed in' },
  ],
  [
    'a passkey for a different wallet',
    { used: 'b3RoZXI' },
    { kind: 'passkey' },
    { message: 'This passkey cannot open a wallet' },
  ],
  [
    'a passkey without an unlock key',
    { hasPrf: false },
    { kind: 'passkey' },
    { message: 'This passkey cannot open a wallet' },
  ],
  [
    'a recovery kit for a different wallet',
    {},
    { kind: 'kit', typed: formatRecoveryCode(generateRecoveryCode(environment)) },
    { code: 'wrapper/unknown' },
  ],
  ['a mistyped recovery code', {}, { kind: 'kit', typed: 'ABC' }, { name: 'Error', codeError: expect.anything() }],
])('does not open the wallet with %s', async (_, options, proof, error) => {
  const { reauthenticate, events } = page(options)
  await expect(reauthenticate(proof)).rejects.toMatchObject(error)
  expect(events.filter((event) => event === 'lock')).toEqual([])
})
