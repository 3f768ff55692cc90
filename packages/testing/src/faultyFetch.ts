/**
 * A network or server fault. `slow` responds after `ms`, `hang` never responds, and `status` responds with `code` and an empty
 * object.
 */
export type Fault =
  | { readonly kind: 'down' }
  | { readonly kind: 'hang' }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'bad-json' }
  | { readonly kind: 'wrong-types' }
  | { readonly kind: 'huge'; readonly bytes?: number }
  | { readonly kind: 'status'; readonly code: number }

/** A `fetch` with simulated faults. */
export interface FaultyFetch {
  /** The function to pass as `fetch`. Without a fault, it calls the wrapped function. */
  readonly fetch: typeof globalThis.fetch
  /** The requested URLs, oldest first. */
  readonly requests: readonly string[]
  /** Applies `fault` to all requests, or only to those whose URL contains `where`. */
  break(fault: Fault, where?: string): void
  /** Removes all faults. */
  mend(): void
}

/**
 * Creates a `fetch` that wraps `real` and simulates network and server faults on demand.
 *
 * @example
 * const server = faultyFetch()
 * createLatchkey({ fetch: server.fetch })
 * server.break({ kind: 'status', code: 503 }, '/getWallets')
 */
export function faultyFetch(real: typeof globalThis.fetch = globalThis.fetch): FaultyFetch {
  const requests: string[] = []
  let faults: { fault: Fault; where: string }[] = []
  return {
    requests,
    break(fault, where = '') {
      faults = [...faults, { fault, where }]
    },
    mend() {
      faults = []
    },
    async fetch(input, init) {
      const url = input instanceof Request ? input.url : String(input)
      requests.push(url)
      const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
      const found = faults.find(({ where }) => url.includes(where))
      if (!found) return real(input, init)
      const { fault } = found
      if (fault.kind === 'down') throw new TypeError('fetch failed')
      if (fault.kind === 'hang' || fault.kind === 'slow') {
        await pause(fault.kind === 'slow' ? fault.ms : undefined, signal)
        return real(input, init)
      }
      const answer = faultyAnswer(fault)
      return new Response(answer.body, {
        status: answer.status,
        headers: { 'content-type': 'application/json' },
      })
    },
  }
}

/** Returns the body and status of a response with the given fault. */
export function faultyAnswer(fault: Exclude<Fault, { kind: 'down' | 'hang' | 'slow' }>): {
  status: number
  body: string
} {
  switch (fault.kind) {
    case 'bad-json':
      return { status: 200, body: '{"data":[{"id":"' }
    case 'wrong-types':
      return {
        status: 200,
        body: '{"count":"many","data":{"0":null},"next":[],"jsonrpc":2,"id":{},"result":[]}',
      }
    case 'huge':
      return {
        status: 200,
        body: `{"count":1,"data":[{"id":"${'x'.repeat(fault.bytes ?? 5_000_000)}"}]}`,
      }
    case 'status':
      return { status: fault.code, body: '{}' }
  }
}

function pause(ms: number | undefined, signal: AbortSignal | null | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}
