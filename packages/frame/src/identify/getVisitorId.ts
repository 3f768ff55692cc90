import { CodedError } from '@latchkey/protocol/codedError'
import { visitorId } from '@latchkey/protocol/http/keys'
import { type IdentifyFailure, identifyFailures } from '@latchkey/protocol/http/visitorIdentification'
import { read, readJson } from '@latchkey/protocol/parseWithSchema'
import {
  identificationTimeoutMs,
  maxIdentificationAttempts,
  maxIdentificationBackoffMs,
  maxIdentificationCacheS,
} from '@latchkey/protocol/specificationConstants'
import * as v from 'valibot'

/** The interface of an identification script, as published by FingerprintJS and similar vendors. */
export interface IdentityScript {
  load(options: { readonly apiKey?: string; readonly monitoring: false }): Promise<{ get(): Promise<unknown> }>
}

/** The parameters of `getVisitorId`. */
export interface GetVisitorIdParameters {
  /** Loads the script. `attempt` starts at 1. */
  readonly loadScript: (attempt: number) => Promise<IdentityScript>
  readonly key?: string | undefined
  /** Whether the operator's script requires a key. If so, a missing key is an error. */
  readonly needsKey?: boolean
  readonly cacheSeconds: number
  /** The identification origin's storage. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number
  readonly after: (ms: number, task: () => void) => () => void
}

/** Thrown if identification fails. Its code is one of the service's error codes. */
export class IdentifyError extends CodedError<IdentifyFailure> {
  override readonly name = 'IdentifyError'

  constructor(code: IdentifyFailure, options?: ErrorOptions) {
    super(code, code, options)
  }
}

const cacheKey = 'latchkey/visitor'
const cacheSchema = v.object({ visitorId, until: v.number() })
const agentResultSchema = v.object({ visitorId })

/**
 * Resolves to the visitor ID from the cache or the script. Tries up to five times to load the script, with increasing delays of
 * at most three seconds. Times out after ten seconds.
 * @throws {IdentifyError} if identification fails or times out.
 */
export async function getVisitorId(parameters: GetVisitorIdParameters): Promise<string> {
  const cached = readCache(parameters)
  if (cached !== undefined) return cached
  if (parameters.needsKey && !parameters.key) throw new IdentifyError('identify/missing-key')
  const ended = new AbortController()
  try {
    return await Promise.race([runScript(parameters, ended.signal), timeout(parameters, ended.signal)])
  } finally {
    ended.abort()
  }
}

async function runScript(parameters: GetVisitorIdParameters, ended: AbortSignal): Promise<string> {
  const script = await loadWithRetries(parameters, ended)
  const { key } = parameters
  try {
    const agent = await script.load({ ...(key ? { apiKey: key } : {}), monitoring: false })
    const response = read(agentResultSchema, await agent.get())
    if (!response) throw new Error('The script returned no visitor ID')
    writeCache(parameters, response.visitorId)
    return response.visitorId
  } catch (error) {
    throw new IdentifyError(failureOf(error), { cause: error })
  }
}

async function loadWithRetries(parameters: GetVisitorIdParameters, ended: AbortSignal): Promise<IdentityScript> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await parameters.loadScript(attempt)
    } catch (error) {
      if (error instanceof IdentifyError) throw error
      if (attempt >= maxIdentificationAttempts || ended.aborted)
        throw new IdentifyError('identify/script-failed', { cause: error })
      await pause(parameters, Math.min(maxIdentificationBackoffMs, 500 * 2 ** (attempt - 1)), ended)
    }
  }
}

/** Patterns for the error messages of vendors' scripts, and the error code for each. */
const texts: readonly (readonly [RegExp, IdentifyFailure])[] = [
  [/key (is )?(required|missing)/i, 'identify/missing-key'],
  [/key expired|expired.*key/i, 'identify/expired-key'],
  [/key (not found|invalid|is invalid)|(invalid|wrong).*key/i, 'identify/invalid-key'],
  [/rate limit|too many requests/i, 'identify/rate-limited'],
  [/timeout|timed out/i, 'identify/timeout'],
  [/csp|content security policy/i, 'identify/blocked-by-csp'],
]

function failureOf(error: unknown): IdentifyFailure {
  const code = (error as { code?: unknown } | null)?.code
  const known = identifyFailures.find((failure) => failure === code)
  const text = error instanceof Error ? error.message : String(error)
  return known ?? texts.find(([pattern]) => pattern.test(text))?.[1] ?? 'identify/script-failed'
}

function timeout({ after }: GetVisitorIdParameters, ended: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const cancel = after(identificationTimeoutMs, () => reject(new IdentifyError('identify/timeout')))
    ended.addEventListener('abort', cancel, { once: true })
  })
}

function pause({ after }: GetVisitorIdParameters, ms: number, ended: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = after(ms, resolve)
    ended.addEventListener('abort', cancel, { once: true })
  })
}

// If the browser denies access to storage, every visitor is treated as new.
function readCache({ storage, now, cacheSeconds }: GetVisitorIdParameters): string | undefined {
  try {
    const cached = readJson(cacheSchema, storage.getItem(cacheKey) ?? '')
    const maxUntil = now() + 1000 * Math.min(cacheSeconds, maxIdentificationCacheS)
    if (cached && cached.until > now() && cached.until <= maxUntil) return cached.visitorId
    storage.removeItem(cacheKey)
  } catch {}
  return undefined
}

function writeCache({ storage, now, cacheSeconds }: GetVisitorIdParameters, visitor: string): void {
  const until = now() + 1000 * Math.min(cacheSeconds, maxIdentificationCacheS)
  if (until <= now()) return
  try {
    storage.setItem(cacheKey, JSON.stringify({ visitorId: visitor, until }))
  } catch {}
}
