import { originListed } from '@latchkey/protocol/origins'
import * as v from 'valibot'
import type { AttestationSigner, Projects } from '../serverDependencies.ts'
import type { KeyRing } from '../storage/keyRing.ts'

/**
 * The lifetime of an attestation, in seconds. It exceeds the lifetime of a request, except for requests that stay pending for
 * days.
 */
const lifeS = 2 * 3600
/** How long wallets cache the public key, in seconds. A new key signs only after every wallet has fetched it. */
export const attestationKeyLifeS = 86_400

const publicKeySchema = v.object({ x: v.string(), y: v.string() })

/**
 * Creates a signer for WalletConnect's Verify API. Its attestations identify the page that sent a message. A page is verified if
 * a registered project lists the page's origin, and is marked as a scam if the operator lists the origin.
 */
export function createAttestationSigner({
  ring,
  projects,
  scams,
  now,
}: {
  /** The key ring. Its first key signs. */
  ring: Pick<KeyRing, 'keys'>
  projects: Projects
  /** Origins that the operator lists as scams. */
  scams: readonly string[]
  /** Epoch milliseconds. */
  now: () => number
}): AttestationSigner {
  return {
    async attest({ id, origin, projectId }) {
      const project = (await projects.all()).find((registered) => registered.id === projectId)
      const claims = {
        id,
        origin,
        isScam: originListed(origin, scams),
        isVerified: project !== undefined && originListed(origin, project.allowedOrigins),
      }
      const [signing] = await ring.keys()
      // Loaded with the first attestation, because most servers never issue one.
      const { importJWK, SignJWT } = await import('jose')
      return new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
        .setExpirationTime(Math.floor(now() / 1000) + lifeS)
        .sign(await importJWK(signing?.key ?? {}, 'ES256'))
    },
    async publicKey() {
      const keys = await ring.keys()
      const { x = '', y = '' } = v.parse(publicKeySchema, keys[0]?.key)
      // Wallets fetch the key again when the next key starts to sign.
      const next = keys.map(({ signsFrom }) => signsFrom).filter((at) => at > now())
      return {
        publicKey: { kty: 'EC', crv: 'P-256', x, y, ext: true, key_ops: ['verify'] },
        expiresAt: Math.floor(Math.min(now() + attestationKeyLifeS * 1000, ...next) / 1000),
      }
    },
  }
}
