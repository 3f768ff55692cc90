import { createEventIngest } from './analytics/ingestEvents.ts'
import { createDirectory } from './directory/directory.ts'
import { createImages } from './images/walletImages.ts'
import { createInFlight } from './memoryLimits/inFlightBytes.ts'
import { createMetrics } from './monitoring/metrics.ts'
import { createMemoryRateLimiter } from './rateLimits/memoryRateLimiter.ts'
import type { AnalyticsEvent, Events, Project, Projects, ServerDependencies } from './serverDependencies.ts'

/**
 * Creates an in-memory project store. If `initial` is empty, every project ID is allowed.
 *
 * @example
 * inMemoryProjects([{ id: 'shop', name: 'Shop', allowedOrigins: ['https://shop.example'], features: [], analytics: true }])
 */
export function inMemoryProjects(initial: readonly Project[] = []): Projects {
  const stored = new Map(initial.map((project) => [project.id, project]))
  return {
    all: async () => [...stored.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    save: async (project) => {
      stored.set(project.id, project)
    },
    remove: async (id) => stored.delete(id),
  }
}

/** Creates an in-memory store for analytics events. */
export function inMemoryEvents(): Events & { readonly all: readonly AnalyticsEvent[] } {
  const stored = new Map<string, AnalyticsEvent>()
  return {
    get all() {
      return [...stored.values()]
    },
    insert: async (events) => {
      for (const event of events) {
        const key = JSON.stringify([event.projectId, event.eventId])
        if (!stored.has(key)) stored.set(key, event)
      }
    },
    count: async (projectId) => [...stored.values()].filter((event) => event.projectId === projectId).length,
    removeBefore: async (date) => {
      for (const [key, event] of stored) if (event.timestamp < date) stored.delete(key)
    },
  }
}

/**
 * Creates in-memory dependencies: an empty directory, no projects, no chains and a silent log.
 *
 * @example
 * const server = createServer(inMemoryDependencies({ directory: createDirectory(wallets) }))
 */
export function inMemoryDependencies(overrides: Partial<ServerDependencies> = {}): ServerDependencies {
  return {
    directory: createDirectory([]),
    images: createImages({ folder: '', files: new Map() }),
    projects: inMemoryProjects(),
    intake: createEventIngest({ events: inMemoryEvents(), log: () => {} }),
    analytics: true,
    chain: { supported: () => [], send: async () => ({ kind: 'unsupported' }) },
    chainApi: {},
    metrics: createMetrics(),
    metricsToken: undefined,
    limits: { analyticsBytes: 64 * 1024, rpcBytes: 2 * 1024 * 1024 },
    inFlight: createInFlight(),
    rateLimiter: createMemoryRateLimiter(() => performance.now()),
    rateLimits: { perAddress: 0, perProject: 0 },
    log: () => {},
    clock: () => performance.now(),
    ready: async () => ({ isDraining: false, stores: {} }),
    ...overrides,
  }
}
