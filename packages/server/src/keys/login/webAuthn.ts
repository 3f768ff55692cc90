import type { KeysPasskey, WebAuthnJson } from '@latchkey/protocol/http/keys'
import { parseJson } from '@latchkey/protocol/parseJson'
import { storableText } from '@latchkey/protocol/storableText'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import * as v from 'valibot'
import type { Embedders } from '../http/embedderOrigins.ts'
import { KeysError } from '../keysError.ts'
import type { PasskeyRow } from './passkeyStore.ts'

const common = {
  id: storableText(1400),
  rawId: storableText(1400),
  type: v.literal('public-key'),
  authenticatorAttachment: v.optional(v.picklist(['platform', 'cross-platform'])),
  // Extension results can contain the page's secrets, such as a PRF output, so the server discards them.
  clientExtensionResults: v.pipe(
    v.optional(v.unknown()),
    v.transform(() => ({})),
  ),
}
const registration = v.object({
  ...common,
  response: v.object({
    clientDataJSON: storableText(8192),
    attestationObject: storableText(65_536),
    transports: v.optional(v.pipe(v.array(storableText(32)), v.maxLength(16))),
  }),
})
const assertion = v.object({
  ...common,
  response: v.object({
    clientDataJSON: storableText(8192),
    authenticatorData: storableText(8192),
    signature: storableText(8192),
    userHandle: v.optional(storableText(128)),
  }),
})
const clientData = v.object({ topOrigin: v.optional(storableText(300)) })

/**
 * Returns whether passkeys can be bound to this origin alone. On `localhost`, they cannot be, because pages on every port could
 * use them.
 */
export function hasPasskeys(origin: string): boolean {
  const { hostname, protocol } = new URL(origin)
  const isName = !/^[\d.]+$|^\[/.test(hostname)
  return isName && hostname !== 'localhost' && (protocol === 'https:' || hostname.endsWith('.localhost'))
}

/** Returns the error for a response that is not accepted. The error does not include the reason. */
export function passkeyRefused(): KeysError {
  return new KeysError('passkey/refused', 'The passkey was not accepted')
}

/** The WebAuthn relying party for the keys origin. Creates options for the browser and verifies the browser's responses. */
export interface WebAuthn {
  /**
   * Resolves to the options for a new passkey. `handle` identifies the account, and `known` lists passkeys that must not be
   * replaced.
   */
  registrationOptions(params: {
    handle: string
    sanitizeName: string
    known: readonly KeysPasskey[]
  }): Promise<PublicKeyCredentialCreationOptionsJSON>
  /**
   * Verifies a registration response. Resolves to the passkey's database row without its user. Throws if the response is not
   * accepted.
   */
  verifyRegistration(
    body: { name: string; response: WebAuthnJson },
    expectedChallenge: string,
  ): Promise<Omit<PasskeyRow, 'userId' | 'lastUsedAt'>>
  /** Resolves to the options for a sign-in. */
  authenticationOptions(): Promise<PublicKeyCredentialRequestOptionsJSON>
  /**
   * Verifies a sign-in response. Resolves to the passkey and the authenticator's counter. Throws if the response is not accepted.
   */
  verifyAuthentication(
    response: WebAuthnJson,
    expectedChallenge: string,
    find: (id: string) => Promise<PasskeyRow | undefined>,
  ): Promise<{ readonly passkey: PasskeyRow; readonly newCounter: number }>
}

/** Creates the relying party. Its ID is the exact host of the keys origin. */
export function createWebAuthn({
  origin,
  embedders,
  now,
}: {
  origin: string
  embedders: Pick<Embedders, 'may'>
  now: () => number
}): WebAuthn {
  const rpID = new URL(origin).hostname
  const library = () => import('@simplewebauthn/server')

  /** Resolves to the origin of the top-level page that contains the frame, if the browser reports it. */
  async function topOriginOf(clientDataJSON: string): Promise<string | undefined> {
    const parsed = v.safeParse(clientData, jsonOf(clientDataJSON))
    if (!parsed.success) throw passkeyRefused()
    const { topOrigin } = parsed.output
    // If the browser reports the top-level page, that page must be allowed to embed the frame.
    if (topOrigin !== undefined && !(await embedders.may(topOrigin))) throw passkeyRefused()
    return topOrigin
  }

  return {
    registrationOptions: async ({ handle, sanitizeName, known }) => {
      const { generateRegistrationOptions } = await library()
      return generateRegistrationOptions({
        rpName: rpID,
        rpID,
        userID: new TextEncoder().encode(handle),
        userName: sanitizeName,
        userDisplayName: sanitizeName,
        attestationType: 'none',
        excludeCredentials: known.map(({ id }) => ({ id })),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
    },
    verifyRegistration: async ({ name, response }, expectedChallenge) => {
      const parsed = v.safeParse(registration, response)
      if (!parsed.success) throw passkeyRefused()
      await topOriginOf(parsed.output.response.clientDataJSON)
      const { verifyRegistrationResponse } = await library()
      const verdict = await verifyRegistrationResponse({
        response: parsed.output as RegistrationResponseJSON,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
      }).catch(() => undefined)
      if (!verdict?.verified) throw passkeyRefused()
      const { id, publicKey, counter } = verdict.registrationInfo.credential
      // The library does not compare the ID in the authenticator data with the ID in the response. That ID can be empty or 64 kB
      // long, and the frame rejects the whole account if one of its passkeys has such an ID.
      if (id !== parsed.output.id) throw passkeyRefused()
      return {
        id,
        name,
        publicKey: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: [...(parsed.output.response.transports ?? [])],
        createdAt: now(),
      }
    },
    authenticationOptions: async () => {
      const { generateAuthenticationOptions } = await library()
      // There is no list of credentials, so the response does not reveal which accounts exist.
      return generateAuthenticationOptions({ rpID, userVerification: 'required' })
    },
    verifyAuthentication: async (body, expectedChallenge, find) => {
      const parsed = v.safeParse(assertion, body)
      if (!parsed.success) throw passkeyRefused()
      const response = parsed.output
      const expectedTopOrigin = await topOriginOf(response.response.clientDataJSON)
      const passkey = await find(response.id)
      if (!passkey) throw passkeyRefused()
      const { verifyAuthenticationResponse } = await library()
      const verdict = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        ...(expectedTopOrigin === undefined ? {} : { expectedTopOrigin }),
        requireUserVerification: true,
        credential: {
          id: passkey.id,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
          counter: passkey.counter,
        },
      }).catch(() => undefined)
      if (!verdict?.verified) throw passkeyRefused()
      return { passkey, newCounter: verdict.authenticationInfo.newCounter }
    },
  }
}

function jsonOf(base64url: string): unknown {
  try {
    return parseJson(Buffer.from(base64url, 'base64url').toString('utf8'))
  } catch {
    return undefined
  }
}
