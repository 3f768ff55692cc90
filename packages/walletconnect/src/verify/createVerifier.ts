import { type Clock, systemClock } from '@latchkey/protocol/clock'
import { readJsonBody } from '@latchkey/protocol/http/readResponseBody'
import { getAttestationKey } from '@latchkey/protocol/http/walletConnectVerify'
import { read } from '@latchkey/protocol/parseWithSchema'
import type { MessageAttestation } from '../sign/rpcEngine.ts'
import { type Verdict, type VerifyKey, verifyAttestation } from './verifyAttestation.ts'

/** The timeout for fetching the verify service's key. */
const keyMs = 5_000

/** A verifier with which a wallet checks the origin of requests. */
export interface Verifier {
  /** Verifies a request's attestation. `url` is the page's self-reported URL. */
  verify(attested: MessageAttestation | undefined, url: string): Promise<Verdict>
}

/**
 * Creates a verifier that uses the public key from the service at `verify`. The key is fetched on demand and cached until it
 * expires.
 *
 * @example
 * const verifier = createVerifier({ verify: 'https://verify.example.com' })
 * responder.on('proposal', async ({ attested, proposal }) => {
 *   const verdict = await verifier.verify(attested, proposal.proposer.metadata.url)
 * })
 */
export function createVerifier({
  verify,
  clock = systemClock,
  fetch = globalThis.fetch,
}: {
  /** The origin of the verify service. */
  verify: string
  clock?: Clock | undefined
  fetch?: ((url: string, init: { signal: AbortSignal }) => Promise<Response>) | undefined
}): Verifier {
  let cached: { key: VerifyKey; until: number } | undefined

  const keyOf = async (): Promise<VerifyKey | undefined> => {
    if (cached && clock.now() < cached.until) return cached.key
    const late = new AbortController()
    const stop = clock.after(keyMs, () => late.abort())
    try {
      const response = await fetch(new URL(getAttestationKey.path, verify).href, { signal: late.signal })
      const answer = response.ok ? read(getAttestationKey.answer, await readJsonBody(response)) : undefined
      if (answer) cached = { key: answer.publicKey, until: answer.expiresAt * 1000 }
      return answer?.publicKey
    } catch {
      return undefined
    } finally {
      stop()
    }
  }

  return {
    async verify(attested, url) {
      if (!attested) return 'unknown'
      const { attestation, messageId } = attested
      const publicKey = await keyOf()
      if (!publicKey) return 'unknown'
      return verifyAttestation(attestation, { publicKey, id: messageId, origin: url, now: clock.now() })
    },
  }
}
