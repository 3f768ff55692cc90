import { toBase64Url } from '@latchkey/protocol/bytes'
import type { WebAuthnJson } from '@latchkey/protocol/http/vault'
import { KeyError } from './errors.ts'
import type { Bytes, Machine } from './ports.ts'
import { passkeyInput, passkeyKey, type WrapperKey } from './wrappers.ts'

/** What passkeys need of a window. */
export interface PasskeyWindow {
  readonly navigator: { readonly credentials: Pick<CredentialsContainer, 'create' | 'get'> }
  readonly PublicKeyCredential: Pick<
    typeof PublicKeyCredential,
    'parseCreationOptionsFromJSON' | 'parseRequestOptionsFromJSON'
  >
  readonly location: { readonly hostname: string }
}

/** A passkey that answered. */
export interface PasskeyAnswer {
  /** Its credential id in base64url. */
  readonly id: string
  /** What the server checks. What the passkey computed for the vault is not in it. */
  readonly response: WebAuthnJson
  /** What opens a vault; `undefined` when it computed nothing (yet: some do so only when they are asked, not when made). */
  readonly key: WrapperKey | undefined
}

/**
 * Makes a passkey from the server's options. What a server could weaken is fixed here: the party is this very host, never
 * a parent whose pages could ask for the same secret; the person is verified; the passkey is found without a name.
 */
export async function makePasskey(window: PasskeyWindow, options: WebAuthnJson): Promise<PasskeyAnswer> {
  const asked = window.PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
  asked.rp = { ...asked.rp, id: window.location.hostname }
  asked.authenticatorSelection = {
    ...asked.authenticatorSelection,
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  }
  asked.extensions = computing()
  return answerOf(await window.navigator.credentials.create({ publicKey: asked }))
}

/** Asks for a passkey with the server's options, to sign in and to open the vault in one step. */
export async function askPasskey(window: PasskeyWindow, options: WebAuthnJson): Promise<PasskeyAnswer> {
  const asked = window.PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
  asked.rpId = window.location.hostname
  // The secret of a passkey is another one without verification: it is always asked for with it.
  asked.userVerification = 'required'
  asked.extensions = computing()
  return answerOf(await window.navigator.credentials.get({ publicKey: asked }))
}

/** Options to ask one of these passkeys for what it computes only: no server is there to check the answer. */
export function localPasskeyOptions(machine: Machine, ids: readonly string[]): WebAuthnJson {
  return {
    challenge: toBase64Url(machine.random(32)),
    allowCredentials: ids.map((id) => ({ id, type: 'public-key' })),
    timeout: 120_000,
  }
}

function computing(): AuthenticationExtensionsClientInputs {
  return { prf: { eval: { first: passkeyInput() } } }
}

function answerOf(credential: Credential | null): PasskeyAnswer {
  const made = credential as PublicKeyCredential | null
  if (made?.type !== 'public-key') throw new KeyError('passkey/none')
  const { first } = made.getClientExtensionResults().prf?.results ?? {}
  const output = first === undefined ? undefined : bytesOf(first)
  // `toJSON` writes the secret too: it must not leave this frame.
  const response = { ...made.toJSON(), clientExtensionResults: {} }
  const id = toBase64Url(new Uint8Array(made.rawId))
  return { id, response, key: output?.length === 32 ? passkeyKey(id, output) : undefined }
}

function bytesOf(source: BufferSource): Bytes {
  return source instanceof ArrayBuffer
    ? new Uint8Array(source.slice(0))
    : Uint8Array.from(new Uint8Array(source.buffer, source.byteOffset, source.byteLength))
}
