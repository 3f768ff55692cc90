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
const patienceMs = 3_000

/** Asks the identification origin who is there. */
export interface VisitorQuestion {
  readonly window: Pick<Window, 'document' | 'addEventListener' | 'removeEventListener' | 'setTimeout' | 'clearTimeout'>
  /** `https://id.shop.example`. */
  readonly origin: string
  readonly failed: (failure: IdentifyFailure) => void
}

/**
 * Asks once. The origin stands in a sandboxed iframe for as long as it takes, hears nothing from here, and may say one thing.
 * Never rejects: an unknown visitor is `undefined`.
 */
export function askVisitor({ window, origin, failed }: VisitorQuestion): Promise<string | undefined> {
  return new Promise((resolve) => {
    const { document } = window
    const frame = document.createElement('iframe')
    // Of another origin than ours, so it may have its own store without being able to leave the sandbox.
    frame.setAttribute('sandbox', 'allow-scripts allow-same-origin')
    frame.setAttribute('aria-hidden', 'true')
    frame.tabIndex = -1
    frame.title = ''
    frame.hidden = true

    const settle = (said?: Identified | 'late' | 'blocked'): void => {
      window.removeEventListener('message', hear)
      document.removeEventListener('securitypolicyviolation', refused)
      window.clearTimeout(patience)
      window.clearTimeout(end)
      frame.remove()
      if (said === 'late') failed('identify/timeout')
      else if (said === 'blocked') failed('identify/blocked-by-csp')
      else if (said && 'failure' in said) failed(said.failure)
      resolve(said && typeof said === 'object' && 'visitorId' in said ? said.visitorId : undefined)
    }
    const hear = ({ source, origin: from, data }: MessageEvent): void => {
      if (source === null || source !== frame.contentWindow || from !== origin) return
      const said = read(identified, data)
      if (said) settle(said)
    }
    const refused = ({ effectiveDirective }: SecurityPolicyViolationEvent): void => {
      if (effectiveDirective === 'frame-src') settle('blocked')
    }
    // What comes later is still told to the operator when it failed, and remembered over there when it did not.
    const patience = window.setTimeout(() => resolve(undefined), patienceMs)
    const end = window.setTimeout(() => settle('late'), identificationTimeoutMs + patienceMs)
    window.addEventListener('message', hear)
    document.addEventListener('securitypolicyviolation', refused)
    frame.src = `${origin}/`
    document.body.append(frame)
  })
}

/** Tells the server of a failure, as far as that succeeds. */
export function tellFailure(vault: VaultClient): VisitorQuestion['failed'] {
  return (failure) => void vault(postIdentifyFailure, { body: { failure } }).catch(() => {})
}
