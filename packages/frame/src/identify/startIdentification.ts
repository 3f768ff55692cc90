import type { Identified } from '@latchkey/protocol/http/visitorIdentification'
import { getVisitorId, IdentifyError, type IdentityScript } from './getVisitorId.ts'

/**
 * Identifies the visitor on a page of the identification origin, and sends the result only to the key frame that embeds the page.
 */
export function startIdentification(window: Window & typeof globalThis): void {
  const { document, parent } = window
  const { script = '', key, needsKey, cache = '0', keys = '' } = document.body.dataset
  // `frame-ancestors` restricts all ancestors, but cannot specify which of them must be the direct parent.
  const embedder = window.location.ancestorOrigins?.[0]
  if (parent === window || (embedder !== undefined && embedder !== keys)) return
  let blocked = false
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
    if (effectiveDirective.startsWith('script-src')) blocked = true
  })

  const loadScript = async (attempt: number): Promise<IdentityScript> => {
    if (script === '') return import('@fingerprintjs/fingerprintjs')
    try {
      // Browsers can cache a failed module by its URL, so each attempt uses a different fragment. Fragments are not sent to the
      // server.
      return (await import(/* @vite-ignore */ attempt === 1 ? script : `${script}#${attempt}`)) as IdentityScript
    } catch (error) {
      // The violation event is dispatched shortly after the import fails.
      await new Promise((resolve) => window.setTimeout(resolve, 0))
      throw blocked ? new IdentifyError('identify/blocked-by-csp', { cause: error }) : error
    }
  }

  const say = (response: Identified): void => parent.postMessage(response, keys)
  getVisitorId({
    loadScript,
    key,
    needsKey: needsKey !== undefined,
    cacheSeconds: Number(cache),
    // `localStorage` is accessed lazily, because the browser can throw an error, which the caller handles.
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
