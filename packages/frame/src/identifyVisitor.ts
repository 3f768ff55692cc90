import {
  type Identified,
  type IdentifyFailure,
  identified,
  postIdentifyFailure,
} from '@latchkey/protocol/http/visitorIdentification'
import { read } from '@latchkey/protocol/parseWithSchema'
import { identificationTimeoutMs } from '@latchkey/protocol/specificationConstants'
import type { KeysApiClient } from './keysApiClient.ts'

/**
 * The maximum time that a login waits for the visitor ID, in milliseconds. After that, the login continues without a visitor ID.
 */
const loginWaitMs = 3_000

/** The parameters of `identifyVisitor`. */
export interface IdentifyParameters {
  readonly window: Pick<Window, 'document' | 'addEventListener' | 'removeEventListener' | 'setTimeout' | 'clearTimeout'>
  /** The identification origin, such as `https://id.shop.example`. */
  readonly origin: string
  readonly failed: (failure: IdentifyFailure) => void
}

/**
 * Requests the visitor ID from the identification origin once. The origin is loaded in a sandboxed iframe that receives no
 * messages, and only the first valid message from the iframe is used. Never rejects. Resolves to `undefined` if the visitor is
 * not identified.
 */
export function identifyVisitor({ window, origin, failed }: IdentifyParameters): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { document } = window
    const frame = document.createElement('iframe')
    // The iframe is cross-origin, so it can have its own storage without being able to escape the sandbox.
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
    frame.setAttribute('aria-hidden', 'true')
    frame.tabIndex = -1
    frame.title = ''
    frame.hidden = true

    const settle = (result?: Identified | 'late' | 'blocked'): void => {
      window.removeEventListener('message', onMessage)
      document.removeEventListener('securitypolicyviolation', onViolation)
      window.clearTimeout(timer)
      window.clearTimeout(end)
      frame.remove()
      if (result === 'late') failed('identify/timeout')
      else if (result === 'blocked') failed('identify/blocked-by-csp')
      else if (result && 'failure' in result) failed(result.failure)
      resolve(result && typeof result === 'object' && 'visitorId' in result ? result.visitorId : undefined)
    }
    const onMessage = ({ source, origin: from, data }: MessageEvent): void => {
      if (source === null || source !== frame.contentWindow || from !== origin) return
      const result = read(identified, data)
      if (result) settle(result)
    }
    const onViolation = ({ effectiveDirective }: SecurityPolicyViolationEvent): void => {
      if (effectiveDirective === 'frame-src') settle('blocked')
    }
    // After this delay, failures are still reported to the operator, and the identification origin can still recognize the
    // visitor next time.
    const timer = window.setTimeout(() => resolve(undefined), loginWaitMs)
    const end = window.setTimeout(() => settle('late'), identificationTimeoutMs + loginWaitMs)
    window.addEventListener('message', onMessage)
    document.addEventListener('securitypolicyviolation', onViolation)
    frame.src = `${origin}/`
    document.body.append(frame)
  })
}

/** Returns a function that reports a failure to the server. Errors are ignored. */
export function reportFailure(keysClient: KeysApiClient): IdentifyParameters['failed'] {
  return (failure) => void keysClient(postIdentifyFailure, { body: { failure } }).catch(() => {})
}
