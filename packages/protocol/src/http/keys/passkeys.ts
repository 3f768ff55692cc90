import * as v from 'valibot'
import { isStorableJson } from '../../storableText.ts'
import { defineEndpoint, type Endpoint, type EndpointErrors } from '../endpoint.ts'
import { type KeysPasskey, type KeysUser, passkey, user } from './accountSchemas.ts'
import type { KeysFailureCode } from './errors.ts'
import { id, type Nothing, name, nothing } from './fieldSchemas.ts'

/** WebAuthn JSON. The browser and the server's verifier validate it; the frame passes it on. */
export type WebAuthnJson = Readonly<Record<string, unknown>>

const webAuthnJson: v.GenericSchema<unknown, WebAuthnJson> = v.pipe(
  v.record(v.string(), v.unknown()),
  v.check((json) => isStorableJson(json)),
)

/**
 * `POST /vault/passkeys/options`: returns options for `PublicKeyCredential.parseCreationOptionsFromJSON`. The user must have
 * signed in within the last ten minutes.
 */
export const postPasskeyOptions: Endpoint<undefined, { readonly options: WebAuthnJson }> = defineEndpoint({
  method: 'POST',
  path: '/vault/passkeys/options',
  answer: v.object({ options: webAuthnJson }),
})

/** `POST /vault/passkeys`: registers a passkey with `credential.toJSON()`. */
export const postPasskey: Endpoint<
  { readonly userId: string; readonly name: string; readonly response: WebAuthnJson },
  { readonly passkey: KeysPasskey }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/passkeys',
  body: v.object({ userId: id, name, response: webAuthnJson }),
  answer: v.object({ passkey }),
})

/** `DELETE /vault/passkeys/:id`: removes a passkey. */
export const deletePasskey: Endpoint<undefined, Nothing> = defineEndpoint({
  method: 'DELETE',
  path: '/vault/passkeys/:id',
  answer: nothing,
})

/**
 * `POST /vault/passkeys/sign-in/options`: returns options for `PublicKeyCredential.parseRequestOptionsFromJSON`, which allow any
 * registered passkey.
 */
export const postPasskeySignInOptions: Endpoint<undefined, { readonly options: WebAuthnJson }> = defineEndpoint({
  method: 'POST',
  path: '/vault/passkeys/sign-in/options',
  answer: v.object({ options: webAuthnJson }),
})

/** `POST /vault/passkeys/sign-in`: signs the user in with a registered passkey. */
export const postPasskeySignIn: Endpoint<{ readonly response: WebAuthnJson }, { readonly user: KeysUser }> =
  defineEndpoint({
    method: 'POST',
    path: '/vault/passkeys/sign-in',
    body: v.object({ response: webAuthnJson }),
    answer: v.object({ user }),
  })

/**
 * `POST /vault/passkeys/account/options`: returns passkey creation options for a new account. The user does not need to be signed
 * in.
 */
export const postPasskeyAccountOptions: Endpoint<undefined, { readonly options: WebAuthnJson }> = defineEndpoint({
  method: 'POST',
  path: '/vault/passkeys/account/options',
  answer: v.object({ options: webAuthnJson }),
})

/** `POST /vault/passkeys/account`: creates an account with this passkey as its only sign-in method, and signs the user in. */
export const postPasskeyAccount: Endpoint<
  { readonly name: string; readonly response: WebAuthnJson },
  { readonly user: KeysUser }
> = defineEndpoint({
  method: 'POST',
  path: '/vault/passkeys/account',
  body: v.object({ name, response: webAuthnJson }),
  answer: v.object({ user }),
})

/** The errors of these endpoints, in addition to `commonKeysErrors`. */
export const passkeyErrors: EndpointErrors<KeysFailureCode> = [
  [postPasskeyOptions, 'session/none', 'session/stale', 'passkey/unavailable'],
  [postPasskey, 'session/none', 'session/stale', 'session/other-account', 'passkey/unavailable', 'passkey/refused'],
  [deletePasskey, 'session/none'],
  [postPasskeySignInOptions, 'passkey/unavailable'],
  [postPasskeySignIn, 'passkey/unavailable', 'passkey/refused'],
  [postPasskeyAccountOptions, 'passkey/unavailable'],
  [postPasskeyAccount, 'passkey/unavailable', 'passkey/refused'],
]
