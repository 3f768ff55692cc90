import { toBase64Url } from '@latchkey/protocol/bytes'
import type { WebAuthnJson } from '@latchkey/protocol/http/vault'
import type { Bytes, CryptoEnvironment } from './cryptoEnvironment.ts'
import { KeyError } from './errors.ts'
import { passkeyPrfInput, passkeyUnlockKey, type UnlockKey } from './keyWrapping.ts'

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
export interface PasskeyResult {
  /** Its credential id in base64url. */
  readonly id: string
  /** What the server checks. What the passkey computed for the vault is not in it. */
  readonly response: WebAuthnJson
  /** What opens a vault; `undefined` when it computed nothing (yet: some do so only when they are asked, not when made). */
  readonly key: UnlockKey | undefined
}

/**
 * Makes a passkey from the server's options. What a server could weaken is fixed here: the party is this very host, never
 * a parent whose pages could ask for the same secret; the person is verified; the passkey is found without a name.
 */
export async function createPasskey(window: PasskeyWindow, options: WebAuthnJson): Promise<PasskeyResult> {
  const publicKey = window.PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
  publicKey.rp = { ...publicKey.rp, id: window.location.hostname }
  publicKey.authenticatorSelection = {
    ...publicKey.authenticatorSelection,
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  }
  publicKey.extensions = prfExtension()
  return toPasskeyResult(await window.navigator.credentials.create({ publicKey }))
}

/** Asks for a passkey with the server's options, to sign in and to open the vault in one step. */
export async function getPasskey(window: PasskeyWindow, options: WebAuthnJson): Promise<PasskeyResult> {
  const publicKey = window.PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
  publicKey.rpId = window.location.hostname
  // The secret of a passkey is another one without verification: it is always asked for with it.
  publicKey.userVerification = 'required'
  publicKey.extensions = prfExtension()
  return toPasskeyResult(await window.navigator.credentials.get({ publicKey }))
}

/** Options to ask one of these passkeys for what it computes only: no server is there to check the answer. */
export function prfRequestOptions(environment: CryptoEnvironment, ids: readonly string[]): WebAuthnJson {
  return {
    challenge: toBase64Url(environment.random(32)),
    allowCredentials: ids.map((id) => ({ id, type: 'public-key' })),
    timeout: 120_000,
  }
}

function prfExtension(): AuthenticationExtensionsClientInputs {
  return { prf: { eval: { first: passkeyPrfInput() } } }
}

function toPasskeyResult(credential: Credential | null): PasskeyResult {
  const publicKeyCredential = credential as PublicKeyCredential | null
  if (publicKeyCredential?.type !== 'public-key') throw new KeyError('passkey/none')
  const { first } = publicKeyCredential.getClientExtensionResults().prf?.results ?? {}
  const prfOutput = first === undefined ? undefined : bytesOf(first)
  // `toJSON` writes the secret too: it must not leave this frame.
  const response = { ...publicKeyCredential.toJSON(), clientExtensionResults: {} }
  const id = toBase64Url(new Uint8Array(publicKeyCredential.rawId))
  return { id, response, key: prfOutput?.length === 32 ? passkeyUnlockKey(id, prfOutput) : undefined }
}

function bytesOf(source: BufferSource): Bytes {
  return source instanceof ArrayBuffer
    ? new Uint8Array(source.slice(0))
    : Uint8Array.from(new Uint8Array(source.buffer, source.byteOffset, source.byteLength))
}
