import { createEventIngest } from './analytics/ingestEvents.ts'
import { createDirectory } from './directory/directory.ts'
import { createImages } from './images/walletImages.ts'
import { createInFlight } from './inFlightRequests.ts'
import { createMetrics } from './metrics.ts'
import type { AnalyticsEvent, Events, Ports, Project, Projects } from './ports.ts'
import { createMemoryRates } from './rateLimiter.ts'

/** Projects that live as long as the process. */
export function memoryProjects(initial: readonly Project[] = []): Projects {
  const kept = new Map(initial.map((project) => [project.id, project]))
  return {
    all: async () => [...kept.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
    save: async (project) => {
      kept.set(project.id, project)
    },
    remove: async (id) => kept.delete(id),
  }
}

/** Analytics events that live as long as the process. */
export function memoryEvents(): Events & { readonly all: readonly AnalyticsEvent[] } {
  const kept = new Map<string, AnalyticsEvent>()
  return {
    get all() {
      return [...kept.values()]
    },
    insert: async (events) => {
      for (const event of events) {
        const key = JSON.stringify([event.projectId, event.eventId])
        if (!kept.has(key)) kept.set(key, event)
      }
    },
    count: async (projectId) => [...kept.values()].filter((event) => event.projectId === projectId).length,
    removeBefore: async (date) => {
      for (const [key, event] of kept) if (event.timestamp < date) kept.delete(key)
    },
  }
}

/** Every port in memory: an empty directory, no projects, no chains, a silent log. */
export function memoryPorts(overrides: Partial<Ports> = {}): Ports {
  return {
    directory: createDirectory([]),
    images: createImages({ folder: '', files: new Map() }),
    projects: memoryProjects(),
    intake: createEventIngest({ events: memoryEvents(), log: () => {} }),
    analytics: true,
    chain: { supported: () => [], send: async () => ({ kind: 'unsupported' }) },
    metrics: createMetrics(),
    metricsToken: undefined,
    limits: { analyticsBytes: 64 * 1024, rpcBytes: 2 * 1024 * 1024 },
    inFlight: createInFlight(),
    rates: createMemoryRates(() => performance.now()),
    rateLimits: { perAddress: 0, perProject: 0 },
    log: () => {},
    clock: () => performance.now(),
    ready: async () => ({ isDraining: false, stores: {} }),
    ...overrides,
  }
}
