import { toBase64Url } from '@latchkey/protocol/bytes'
import type { WebAuthnJson } from '@latchkey/protocol/http/keys'
import type { Bytes, CryptoEnvironment } from './cryptoEnvironment.ts'
import { KeyError } from './errors.ts'
import type { UnlockKey } from './keyWrapping.ts'
import { passkeyPrfInput, passkeyUnlockKey } from './passkeyUnlockKey.ts'

/** The parts of a browser's `Window` that WebAuthn requires. */
export interface PasskeyWindow {
  /** The API that creates and requests credentials. */
  readonly navigator: { readonly credentials: Pick<CredentialsContainer, 'create' | 'get'> }
  /** The class that parses the server's options. */
  readonly PublicKeyCredential: Pick<
    typeof PublicKeyCredential,
    'parseCreationOptionsFromJSON' | 'parseRequestOptionsFromJSON'
  >
  /** The page's location. Its hostname becomes the ID of the relying party. */
  readonly location: { readonly hostname: string }
}

/** The result of creating or requesting a passkey. */
export interface PasskeyResult {
  /** The credential ID in base64url. */
  readonly id: string
  /** The response for the server, without the PRF output that opens the vault. */
  readonly response: WebAuthnJson
  /**
   * The key that can open a vault, or `undefined` if there is no PRF output. Some authenticators evaluate PRF only when a passkey
   * is requested, not when it is created.
   */
  readonly key: UnlockKey | undefined
}

/**
 * Creates a passkey from the server's options, but overrides the options that a malicious server could weaken. The relying party
 * is this host, never a parent domain, because pages on a parent domain could request the same secret. User verification is
 * required, and the credential is discoverable.
 *
 * @throws {KeyError} `passkey/none` if the browser returns no passkey.
 * @throws {DOMException} `NotAllowedError` if the user cancels or the request times out (WebAuthn).
 *
 * @example
 * const { response, key } = await createPasskey(window, options)
 * if (key) await vault.addWrapper(key, 'Laptop')
 */
export async function createPasskey(browser: PasskeyWindow, options: WebAuthnJson): Promise<PasskeyResult> {
  const publicKey = browser.PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
  publicKey.rp = { ...publicKey.rp, id: browser.location.hostname }
  publicKey.authenticatorSelection = {
    ...publicKey.authenticatorSelection,
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  }
  publicKey.extensions = prfExtension()
  return toPasskeyResult(await browser.navigator.credentials.create({ publicKey }))
}

/**
 * Requests a passkey with the server's options, to log in and open the vault in one step.
 *
 * @throws {KeyError} `passkey/none` if the browser returns no passkey.
 * @throws {DOMException} `NotAllowedError` if the user cancels or the request times out (WebAuthn).
 *
 * @example
 * const { response, key } = await getPasskey(window, options)
 */
export async function getPasskey(browser: PasskeyWindow, options: WebAuthnJson): Promise<PasskeyResult> {
  const publicKey = browser.PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
  publicKey.rpId = browser.location.hostname
  // Always require user verification, because authenticators use a different PRF secret without it.
  publicKey.userVerification = 'required'
  publicKey.extensions = prfExtension()
  return toPasskeyResult(await browser.navigator.credentials.get({ publicKey }))
}

/** Returns options that request only the PRF output of one of the given passkeys. No server verifies the response. */
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
  // `toJSON()` includes the PRF output, which must not leave this frame.
  const response = { ...publicKeyCredential.toJSON(), clientExtensionResults: {} }
  const id = toBase64Url(new Uint8Array(publicKeyCredential.rawId))
  return { id, response, key: prfOutput?.length === 32 ? passkeyUnlockKey(id, prfOutput) : undefined }
}

function bytesOf(source: BufferSource): Bytes {
  return source instanceof ArrayBuffer
    ? new Uint8Array(source.slice(0))
    : Uint8Array.from(new Uint8Array(source.buffer, source.byteOffset, source.byteLength))
}
