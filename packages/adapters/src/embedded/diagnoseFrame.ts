import type { ConnectorContext } from '@latchkey/core/adapter'
import { LatchkeyError } from '@latchkey/protocol/latchkeyError'

/** The observed symptoms of a frame that did not start. */
export interface FrameSymptoms {
  /** The URL of the frame. */
  readonly url: string
  /** The origin of the page. */
  readonly page: string
  /** Whether the browser has loaded a document at the URL. */
  readonly hasLoaded: boolean
  /** The protocol version in READY. Set only if the version is incompatible. */
  readonly version?: string | undefined
  /** The page's Content-Security-Policy directive that blocks the frame, if any. */
  readonly policy?: string | undefined
  readonly fetch: typeof fetch
}

/** The likely reason why a frame did not start. */
export interface Diagnosis {
  /** A message for the page's developer. */
  readonly sentence: string
  /** Whether the page's origin is probably not allowed to embed the frame. */
  readonly isUnverified: boolean
}

/** Logs the likely reason why the embedded wallet did not start. Also reports a page that is not allowed to embed the frame. */
export async function logDiagnosis(
  symptoms: Omit<FrameSymptoms, 'page' | 'fetch'>,
  { fetch, log, report }: Pick<ConnectorContext, 'fetch' | 'log' | 'report'>,
): Promise<void> {
  const page = globalThis.location?.origin ?? ''
  const { sentence, isUnverified } = await diagnose({ ...symptoms, page, fetch })
  log.error(sentence)
  if (isUnverified) report('unverified_domain', new LatchkeyError('app/unverified-domain', { origin: page }))
}

/** The timeout for probing the origin. */
const probeMs = 3_000

/** Diagnoses why the embedded wallet did not start. The message includes the origin, the likely cause and a fix. */
export async function diagnose(symptoms: FrameSymptoms): Promise<Diagnosis> {
  const { origin } = new URL(symptoms.url)
  const { cause, fix, isUnverified = false } = await likelyCause(symptoms, origin)
  const sentence = `The embedded wallet at ${origin} did not start. Likely cause: ${cause}. ${fix}`
  return { sentence, isUnverified }
}

async function likelyCause(
  { url, page, hasLoaded, version, policy, fetch }: FrameSymptoms,
  origin: string,
): Promise<{ readonly cause: string; readonly fix: string; readonly isUnverified?: boolean }> {
  if (policy)
    return {
      cause: `the Content-Security-Policy of this page (${policy}) does not allow that origin`,
      fix: `Add ${origin} to ${policy}.`,
    }
  if (version !== undefined)
    return {
      cause: `the frame uses protocol version ${version.slice(0, 20)}, and this page uses a different one`,
      fix: 'Update @latchkey/adapters and the server of the keys origin to the same release.',
    }
  const { protocol, hostname } = new URL(url)
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost') || hostname.startsWith('127.')
  if (page.startsWith('https:') && protocol === 'http:' && !isHere)
    return {
      cause: 'this page uses https and the keys origin uses http, which browsers block (mixed content)',
      fix: 'Serve the keys origin over https, and use its https address in embedded({ url }).',
    }
  const answers = await isAnswering(origin, fetch)
  if (answers === 'none')
    return {
      cause: 'nothing responds there: the server is not running, its name does not resolve, or a firewall blocks it',
      fix: `Start the server, set KEYS_URL=${origin} for it, and open ${origin}/sdk in a tab to check that it responds.`,
    }
  if (answers === 'silent')
    return {
      cause: 'the server accepts connections but does not respond',
      fix: `Check the server's log and the proxy in front of it. ${origin}/sdk must respond within seconds.`,
    }
  if (answers === 'unknown')
    return {
      cause: `nothing responds there, something else is served there, or the server does not allow ${page} to embed the frame (frame-ancestors). The Content-Security-Policy of this page (connect-src) blocks the check that would tell them apart`,
      fix: `Open ${origin}/sdk in a tab to check that it responds, and add ${page} to the allowed origins of the project.`,
    }
  return {
    isUnverified: hasLoaded,
    cause: hasLoaded
      ? `something else is served there, or the server does not allow ${page} to embed the frame (frame-ancestors)`
      : 'the frame or its scripts load too slowly',
    fix: hasLoaded
      ? `Add ${page} to the allowed origins of the project, and check that the server's KEYS_URL is ${origin}.`
      : `Open ${origin}/sdk in a tab and check its network log.`,
  }
}

/** Probes whether a server responds at `origin`. Resolves to `'unknown'` if the page's CSP blocks the request. */
async function isAnswering(
  origin: string,
  fetch: typeof globalThis.fetch,
): Promise<'ok' | 'none' | 'silent' | 'unknown'> {
  const signal = AbortSignal.timeout(probeMs)
  let isForbidden = false
  const forbidden = ({ blockedURI }: SecurityPolicyViolationEvent): void => {
    isForbidden ||= blockedURI.startsWith(origin)
  }
  const { document } = globalThis as Partial<Pick<typeof globalThis, 'document'>>
  document?.addEventListener('securitypolicyviolation', forbidden)
  try {
    await fetch(`${origin}/sdk`, { mode: 'no-cors', credentials: 'omit', cache: 'no-store', signal })
    return 'ok'
  } catch {
    // Wait for the violation event, which is dispatched in a separate task after the fetch has failed.
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => {
        port1.close()
        resolve()
      }
      port2.postMessage(undefined)
    })
    if (isForbidden) return 'unknown'
    return signal.aborted ? 'silent' : 'none'
  } finally {
    document?.removeEventListener('securitypolicyviolation', forbidden)
  }
}
