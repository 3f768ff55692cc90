import { fromBase64Url, fromUtf8, toHex, toUtf8 } from '@latchkey/protocol/bytes'
import type { Clock } from '@latchkey/protocol/clock'
import { read } from '@latchkey/protocol/parseWithSchema'
import * as v from 'valibot'
import type { Primitives } from '../crypto/primitiveTypes.ts'

/** The timeout for an attestation. The message is not published until the attestation arrives or times out. */
const attestMs = 5_000

const messageSchema = v.object({ type: v.literal('verify_attestation'), attestation: v.nullish(v.string()) })

/**
 * Requests an attestation for a message from the verify service, in an iframe that is removed afterwards. Resolves to a JWT, or
 * to an empty string if the service does not issue a JWT in time or there is no window.
 */
export async function requestAttestation({
  verify,
  message,
  projectId = '',
  crypto,
  clock,
  page = globalThis.window,
}: {
  /** The origin of the verify service. */
  verify: string
  /** The encrypted message, as it will be published. */
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
    const finish = (attestation: string): void => {
      stop()
      page.removeEventListener('message', onMessage)
      frame.remove()
      resolve(attestation)
    }
    const onMessage = ({ source, origin, data }: MessageEvent): void => {
      if (source !== frame.contentWindow || origin !== address.origin) return
      const attestation = read(messageSchema, parseJson(data))?.attestation
      if (attestation === undefined) return
      finish(attestation !== null && messageIdOf(attestation) === id ? attestation : '')
    }
    const stop = clock.after(attestMs, () => finish(''))
    page.addEventListener('message', onMessage)
    body.append(frame)
  })
}

/** Returns the ID of the message that a JWT attests. */
function messageIdOf(jwt: string): unknown {
  const bytes = fromBase64Url(jwt.split('.')[1] ?? '')
  const payload = bytes && parseJson(fromUtf8(bytes))
  return read(v.object({ id: v.string() }), payload)?.id
}

function parseJson(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}
