import type { Identified } from '@latchkey/protocol/http/identify'
import { IdentifyError, type IdentityScript, identify } from './identify.ts'

/** Identifies the visitor in a page of the identification origin, and tells the key frame that embeds it, and nobody else. */
export function startIdentification(window: Window & typeof globalThis): void {
  const { document, parent } = window
  const { script = '', key, needsKey, cache = '0', keys = '' } = document.body.dataset
  // A policy cannot tell the window that embeds us from the one around that.
  const embedder = window.location.ancestorOrigins?.[0]
  if (parent === window || (embedder !== undefined && embedder !== keys)) return
  let blocked = false
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    if (effectiveDirective.startsWith('script-src')) blocked = true
  })

  const bring = async (attempt: number): Promise<IdentityScript> => {
    if (script === '') return import('@fingerprintjs/fingerprintjs')
    try {
      // A module that failed may be remembered as failed, by its address: each attempt has its own, which no server sees.
      return (await import(/* @vite-ignore */ attempt === 1 ? script : `${script}#${attempt}`)) as IdentityScript
    } catch (error) {
      // The browser says so a moment after it refused.
      await new Promise((resolve) => window.setTimeout(resolve, 0))
      throw blocked ? new IdentifyError('identify/blocked-by-csp', { cause: error }) : error
    }
  }

  const say = (response: Identified): void => parent.postMessage(response, keys)
  identify({
    bring,
    key,
    needsKey: needsKey !== undefined,
    cacheSeconds: Number(cache),
    // Asked for inside, where a refusal is caught.
    storage: {
      getItem: (name) => window.localStorage.getItem(name),
      setItem: (name, value) => window.localStorage.setItem(name, value),
      removeItem: (name) => window.localStorage.removeItem(name),
    },
    now: () => Date.now(),
    after: (ms, task) => {
      const timer = window.setTimeout(task, ms)
      return () => window.clearTimeout(timer)
    },
  }).then(
    (visitorId) => say({ type: 'latchkey/visitor', visitorId }),
    (error: unknown) =>
      say({
        type: 'latchkey/visitor',
        failure: error instanceof IdentifyError ? error.code : 'identify/script-failed',
      }),
  )
}
