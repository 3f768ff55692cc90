import type { Clock, Readiness, StoreProbe, StoreState } from './serverPorts.ts'

/** How long a store may take to answer. */
const probeMs = 1500
/** How long an answer holds: many who ask at once ask once. */
const keepMs = 250

/**
 * Asks every store at the same time, each with a short limit. One probe of a store runs at a time; one that is over its
 * limit is given up, so that a store that comes back is seen by the next.
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
