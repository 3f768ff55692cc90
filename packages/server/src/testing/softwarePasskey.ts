import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A software authenticator that stores one resident passkey (ES256) at a time. */
export interface SoftwarePasskey {
  /**
   * Creates a passkey. Returns the response of `navigator.credentials.create` as a page would send it. `signedId` replaces the
   * credential ID in the authenticator data.
   */
  create(options: Json, page: Page, signedId?: Uint8Array): Json
  /** Signs with the last created passkey. Returns the response of `navigator.credentials.get` as a page would send it. */
  get(options: Json, page: Page): Json
  /** The signature counter. Writable, so that tests can simulate copies of a passkey, which count independently. */
  counter: number
}

// biome-ignore lint/suspicious/noExplicitAny: WebAuthn JSON, which tests read and change.
type Json = any

interface Page {
  readonly origin: string
  readonly topOrigin?: string
}

const b64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
const twoBytes = (value: number): Uint8Array => Uint8Array.of(value >> 8, value & 255)
const sha = (bytes: Uint8Array | string): Buffer => createHash('sha256').update(bytes).digest()

/** Creates an authenticator without passkeys. */
export function createSoftwarePasskey(): SoftwarePasskey {
  let pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let id = randomBytes(32)
  let userHandle = ''

  const clientData = (type: string, challenge: string, { origin, topOrigin }: Page): Buffer =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge,
        origin,
        crossOrigin: topOrigin !== undefined,
        ...(topOrigin ? { topOrigin } : {}),
      }),
    )

  function authenticatorData(rpId: string, flags: number, rest: Uint8Array = new Uint8Array()): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(authenticator.counter)
    return Buffer.concat([sha(rpId), Uint8Array.of(flags), count, rest])
  }

  const authenticator: SoftwarePasskey = {
    counter: 0,
    create: ({ challenge, rp, user }, page, signedId) => {
      pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      id = randomBytes(32)
      userHandle = user.id
      const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' })
      // COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
      const key = Buffer.concat([
        Uint8Array.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20),
        Buffer.from(x, 'base64url'),
        Uint8Array.of(0x22, 0x58, 0x20),
        Buffer.from(y, 'base64url'),
      ])
      const inside = signedId ?? id
      const credential = Buffer.concat([Buffer.alloc(16), twoBytes(inside.length), inside, key])
      // Flags: user present, user verified, attested credential data included.
      const data = authenticatorData(rp.id, 0x45, credential)
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}
      const attestationObject = Buffer.concat([
        Uint8Array.of(0xa3, 0x63),
        Buffer.from('fmt'),
        Uint8Array.of(0x64),
        Buffer.from('none'),
        Uint8Array.of(0x67),
        Buffer.from('attStmt'),
        Uint8Array.of(0xa0, 0x68),
        Buffer.from('authData'),
        Uint8Array.of(0x59),
        twoBytes(data.length),
        data,
      ])
      return {
        id: b64(id),
        rawId: b64(id),
        type: 'public-key',
        authenticatorAttachment: 'platform',
        clientExtensionResults: { prf: { results: { first: 'a secret of the page' } } },
        response: {
          clientDataJSON: b64(clientData('webauthn.create', challenge, page)),
          attestationObject: b64(attestationObject),
          transports: ['internal'],
        },
      }
    },
    get: ({ challenge, rpId }, page) => {
      const data = authenticatorData(rpId, 0x05)
      const client = clientData('webauthn.get', challenge, page)
      return {
        id: b64(id),
        rawId: b64(id),
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: b64(client),
          authenticatorData: b64(data),
          signature: b64(sign('sha256', Buffer.concat([data, sha(client)]), pair.privateKey)),
          userHandle,
        },
      }
    },
  }
  return authenticator
}
