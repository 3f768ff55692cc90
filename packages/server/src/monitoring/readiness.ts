import type { StoreState } from '@latchkey/protocol/http/healthRoutes'
import type { Clock, Readiness, StoreProbe } from '../serverDependencies.ts'

/** The timeout for a store probe, in milliseconds. */
const probeMs = 1500
/** How long a result is cached, in milliseconds. */
const keepMs = 250

/**
 * Creates a readiness check that probes all stores in parallel, each with a short timeout. Only one probe per store runs at a
 * time. A probe that times out is abandoned, so that the next probe can detect that the store has recovered.
 */
export function createReadiness({
  stores,
  clock,
  isDraining,
}: {
  stores: readonly StoreProbe[]
  clock: Clock
  isDraining: () => boolean
}): () => Promise<Readiness> {
  const probes = stores.map((store) => ({ name: store.name, ask: remembered(() => answers(store), clock) }))
  return async () => {
    const found = await Promise.all(probes.map(async ({ name, ask }) => [name, await ask()] as const))
    return { isDraining: isDraining(), stores: Object.fromEntries(found) }
  }
}

function remembered(ask: () => Promise<StoreState>, clock: Clock): () => Promise<StoreState> {
  let asking: Promise<StoreState> | undefined
  let last: { answer: StoreState; until: number } | undefined
  return async () => {
    if (last && clock() < last.until) return last.answer
    asking ??= ask().finally(() => {
      asking = undefined
    })
    const answer = await asking
    last = { answer, until: clock() + keepMs }
    return answer
  }
}

async function answers({ ping, isOutOfMemory, isDiskFull }: StoreProbe): Promise<StoreState> {
  let timer: NodeJS.Timeout | undefined
  try {
    const limit = new Promise<StoreState>((resolve) => {
      timer = setTimeout(resolve, probeMs, 'unavailable')
    })
    return await Promise.race([
      ping().then(
        (): StoreState => (isOutOfMemory?.() ? 'out of memory' : isDiskFull?.() ? 'disk full' : 'ok'),
        (): StoreState => 'unavailable',
      ),
      limit,
    ])
  } finally {
    clearTimeout(timer)
  }
}
