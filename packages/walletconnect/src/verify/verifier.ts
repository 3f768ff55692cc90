import { type Clock, systemClock } from '@latchkey/protocol/clock'
import { readJsonBody } from '@latchkey/protocol/http/body'
import { read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import type { Attested } from '../sign/peer.ts'
import { readAttestation, type Verdict, type VerifyKey } from './readAttestation.ts'

/** How long a wallet waits for the key of its verify service. */
const keyMs = 5_000

const base64Url = v.pipe(v.string(), v.regex(/^[\w-]{43}$/))
const answerSchema = v.object({
  publicKey: v.object({ kty: v.literal('EC'), crv: v.literal('P-256'), x: base64Url, y: base64Url }),
  expiresAt: v.number(),
})

/** Judges where messages come from, for a wallet. */
export interface Verifier {
  /** `attested` is what came with a question; `url` is where the page says that it is. */
  judge(attested: Attested | undefined, url: string): Promise<Verdict>
}

/** A verifier by the key of the service at `verify`, which is fetched when it is needed and again when it expires. */
export function createVerifier({
  verify,
  clock = systemClock,
  fetch = globalThis.fetch,
}: {
  /** The service's origin. */
  verify: string
  clock?: Clock | undefined
  fetch?: ((url: string, init: { signal: AbortSignal }) => Promise<Response>) | undefined
}): Verifier {
  let known: { key: VerifyKey; until: number } | undefined

  const keyOf = async (): Promise<VerifyKey | undefined> => {
    if (known && clock.now() < known.until) return known.key
    const late = new AbortController()
    const stop = clock.after(keyMs, () => late.abort())
    try {
      const response = await fetch(new URL('/v3/public-key', verify).href, { signal: late.signal })
      const answer = response.ok ? read(answerSchema, await readJsonBody(response)) : undefined
      if (answer) known = { key: answer.publicKey, until: answer.expiresAt * 1000 }
      return answer?.publicKey
    } catch {
      return undefined
    } finally {
      stop()
    }
  }

  return {
    async judge(attested, url) {
      if (!attested) return 'unknown'
      const { attestation, messageId } = attested
      const publicKey = await keyOf()
      if (!publicKey) return 'unknown'
      return readAttestation(attestation, { publicKey, id: messageId, origin: url, now: clock.now() })
    },
  }
}
