import { identificationTimeoutMs } from '@latchkey/protocol/constants'
import {
  type Identified,
  type IdentifyFailure,
  identified,
  postIdentifyFailure,
} from '@latchkey/protocol/http/identify'
import { read } from '@latchkey/protocol/schemas'
import type { VaultClient } from './vaultClient.ts'

/** A login is held up for this long at most; whoever is not named by then is not. */
const loginWaitMs = 3_000

/** Asks the identification origin who is there. */
export interface IdentifyParameters {
  readonly window: Pick<Window, 'document' | 'addEventListener' | 'removeEventListener' | 'setTimeout' | 'clearTimeout'>
  /** `https://id.shop.example`. */
  readonly origin: string
  readonly failed: (failure: IdentifyFailure) => void
}

/**
 * Asks once. The origin stands in a sandboxed iframe for as long as it takes, hears nothing from here, and may say one thing.
 * Never rejects: an unknown visitor is `undefined`.
 */
export function identifyVisitor({ window, origin, failed }: IdentifyParameters): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { document } = window
    const frame = document.createElement('iframe')
    // Of another origin than ours, so it may have its own store without being able to leave the sandbox.
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
    frame.setAttribute('aria-hidden', 'true')
    frame.tabIndex = -1
    frame.title = ''
    frame.hidden = true

    const settle = (result?: Identified | 'late' | 'blocked'): void => {
      window.removeEventListener('message', onMessage)
      document.removeEventListener('securitypolicyviolation', onViolation)
      window.clearTimeout(patience)
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
    // What comes later is still told to the operator when it failed, and remembered over there when it did not.
    const patience = window.setTimeout(() => resolve(undefined), loginWaitMs)
    const end = window.setTimeout(() => settle('late'), identificationTimeoutMs + loginWaitMs)
    window.addEventListener('message', onMessage)
    document.addEventListener('securitypolicyviolation', onViolation)
    frame.src = `${origin}/`
    document.body.append(frame)
  })
}

/** Tells the server of a failure, as far as that succeeds. */
export function reportFailure(vault: VaultClient): IdentifyParameters['failed'] {
  return (failure) => void vault(postIdentifyFailure, { body: { failure } }).catch(() => {})
}
