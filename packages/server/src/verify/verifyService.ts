import { originListed } from '@latchkey/protocol/origins'
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose'
import * as v from 'valibot'
import type { KeyRing } from '../data/keyRing.ts'
import type { Projects, VerifyService } from '../serverPorts.ts'

/** How long an attestation counts: longer than any request lives that it travels with, but for those that wait for days. */
const lifeS = 2 * 3600
/** How long wallets keep the public key, in seconds; a new one signs when all have asked for it. */
export const verifyKeyLifeS = 86_400

const publicHalf = v.object({ x: v.string(), y: v.string() })

/** A private key in the form in which it is kept. */
export async function newVerifyKey(): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)) }
}

/**
 * A verify service: says in signed words which page sent a message. A page is verified when a
 * registered project lists its origin, and a scam when the operator says so.
 */
export function createVerify({
  ring,
  projects,
  scams,
  now,
}: {
  /** The keys; the first one signs. */
  ring: Pick<KeyRing, 'keys'>
  projects: Projects
  /** Origins that the operator warns of. */
  scams: readonly string[]
  /** Epoch milliseconds. */
  now: () => number
}): VerifyService {
  return {
    async attest({ id, origin, projectId }) {
      const project = (await projects.all()).find((one) => one.id === projectId)
      const claims = {
        id,
        origin,
        isScam: originListed(origin, scams),
        isVerified: project !== undefined && originListed(origin, project.allowedOrigins),
      }
      const [signing] = await ring.keys()
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
        .setExpirationTime(Math.floor(now() / 1000) + lifeS)
        .sign(await importJWK(signing?.key ?? {}, 'ES256'))
    },
    async publicKey() {
      const keys = await ring.keys()
      const { x = '', y = '' } = v.parse(publicHalf, keys[0]?.key)
      // Wallets ask again when the next key begins to sign.
      const next = keys.map(({ signsFrom }) => signsFrom).filter((at) => at > now())
      return {
        publicKey: { kty: 'EC', crv: 'P-256', x, y, ext: true, key_ops: ['verify'] },
        expiresAt: Math.floor(Math.min(now() + verifyKeyLifeS * 1000, ...next) / 1000),
      }
    },
  }
}
