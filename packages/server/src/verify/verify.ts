import { originListed } from '@latchkey/protocol/origins'
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import type { Projects, Verify } from '../ports.ts'

/** How long an attestation counts: longer than any request lives that it travels with, but for those that wait for days. */
const lifeS = 2 * 3600
/** How long wallets keep the public key. */
const keyLifeS = 86_400

/** A private key in the form in which it is kept. */
export async function newVerifyKey(): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)) }
}

/**
 * A verify service (specification, services 4.11): says in signed words which page sent a message. A page is verified when a
 * registered project lists its origin, and a scam when the operator says so.
 */
export function createVerify({
  key,
  projects,
  scams,
  now,
}: {
  /** The private JWK; asked for once, with the first question. */
  key: () => Promise<Record<string, unknown>>
  projects: Projects
  /** Origins that the operator warns of. */
  scams: readonly string[]
  /** Epoch milliseconds. */
  now: () => number
}): Verify {
  let asked: Promise<JWK> | undefined
  const known = (): Promise<JWK> => {
    asked ??= key().catch((error: unknown) => {
      asked = undefined
      throw error
    })
    return asked
  }

  return {
    async attest({ id, origin, projectId }) {
      const project = (await projects.all()).find((one) => one.id === projectId)
      const claims = {
        id,
        origin,
        isScam: originListed(origin, scams),
        isVerified: project !== undefined && originListed(origin, project.allowedOrigins),
      }
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
        .setExpirationTime(Math.floor(now() / 1000) + lifeS)
        .sign(await importJWK(await known(), 'ES256'))
    },
    async publicKey() {
      const { x = '', y = '' } = await known()
      return {
        publicKey: { kty: 'EC', crv: 'P-256', x, y, ext: true, key_ops: ['verify'] },
        expiresAt: Math.floor(now() / 1000) + keyLifeS,
      }
    },
  }
}
