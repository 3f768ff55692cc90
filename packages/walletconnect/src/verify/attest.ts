import { fromBase64Url, fromUtf8, toHex, toUtf8 } from '@latchkey/protocol/bytes'
import type { Clock } from '@latchkey/protocol/clock'
import { read } from '@latchkey/protocol/schemas'
import * as v from 'valibot'
import type { Primitives } from '../crypto/primitives.ts'

/** How long a publication waits for its attestation. */
const attestMs = 5_000

const saidSchema = v.object({ type: v.literal('verify_attestation'), attestation: v.nullish(v.string()) })

/**
 * What the verify service says of this page: a JWT about the message, or an empty text when it says nothing in time, or there
 * is no page. Its frame is gone afterwards.
 */
export async function attest({
  verify,
  message,
  projectId = '',
  crypto,
  clock,
  page = globalThis.window,
}: {
  /** The service's origin. */
  verify: string
  /** Sealed, as it will be published. */
  message: string
  projectId?: string | undefined
  crypto: Pick<Primitives, 'sha256'>
  clock: Clock
  page?: Window | undefined
}): Promise<string> {
  const body = page?.document?.body
  if (!page || !body) return ''
  const id = toHex(await crypto.sha256(toUtf8(message))).slice(2)
  const address = new URL('/v3/attestation', verify)
  address.search = String(new URLSearchParams({ projectId, origin: page.location.origin, id }))
  const frame = page.document.createElement('iframe')
  frame.hidden = true
  frame.title = 'Verify'
  frame.referrerPolicy = 'origin'
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
  frame.src = address.href
  return new Promise((resolve) => {
    const end = (attestation: string): void => {
      stop()
      page.removeEventListener('message', heard)
      frame.remove()
      resolve(attestation)
    }
    const heard = ({ source, origin, data }: MessageEvent): void => {
      if (source !== frame.contentWindow || origin !== address.origin) return
      const attestation = read(saidSchema, parsed(data))?.attestation
      if (attestation === undefined) return
      end(attestation !== null && claimOf(attestation) === id ? attestation : '')
    }
    const stop = clock.after(attestMs, () => end(''))
    page.addEventListener('message', heard)
    body.append(frame)
  })
}

/** Which message a JWT is about. */
function claimOf(jwt: string): unknown {
  const bytes = fromBase64Url(jwt.split('.')[1] ?? '')
  const payload = bytes && parsed(fromUtf8(bytes))
  return read(v.object({ id: v.string() }), payload)?.id
}

function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}
