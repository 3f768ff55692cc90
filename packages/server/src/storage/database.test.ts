import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryReplayStore, type ReplayStore } from '@latchkey/siwx'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inMemoryEvents, inMemoryProjects } from '../inMemoryDependencies.ts'
import type { AnalyticsEvent, Events, Project, Projects } from '../serverDependencies.ts'
import { startPostgres, type TestPostgres } from '../testing/postgres.ts'
import { databaseAnalyticsEvents } from './databaseAnalyticsEvents.ts'
import type { Connection } from './databaseConnection.ts'
import { databaseProjects, rememberedProjects } from './databaseProjects.ts'
import { cachedReplayStore, databaseReplayStore } from './databaseReplayStore.ts'
import { createMemoryEventBus } from './eventBus.ts'
import { pgliteConnection } from './pglite.ts'
import { postgresConnection } from './postgres.ts'
import { readOrCreateKey } from './readOrCreateKey.ts'

interface Stores {
  projects: Projects
  events: Events
  replayStore: ReplayStore
  end: () => Promise<void>
}

const shop: Project = {
  id: 'shop',
  name: 'Shop',
  allowedOrigins: ['https://*.shop.example'],
  features: ['swap', 'social_login=google,email'],
  analytics: true,
}

const opened: AnalyticsEvent = {
  projectId: 'shop',
  eventId: 'e1',
  url: 'https://shop.example/',
  domain: 'shop.example',
  timestamp: new Date('2025-01-01T00:00:00Z'),
  type: 'track',
  event: 'MODAL_OPEN',
  properties: { connected: false, nested: { list: [1, 'ü', null] } },
  address: null,
}

async function ofConnection(connection: Connection, end: () => Promise<void>): Promise<Stores> {
  return {
    projects: databaseProjects({ connection, bus: createMemoryEventBus() }),
    events: databaseAnalyticsEvents(connection),
    replayStore: databaseReplayStore(connection),
    end: async () => {
      await connection.close()
      await end()
    },
  }
}

async function inFolder(): Promise<Stores> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-data-'))
  return ofConnection(pgliteConnection({ folder }), () => rm(folder, { recursive: true }))
}

async function onServer(): Promise<Stores> {
  const postgres = await startPostgres()
  return ofConnection(await postgresConnection({ url: postgres.url, log: () => {} }), () => postgres.stop())
}

const stores: readonly (readonly [string, () => Promise<Stores>])[] = [
  [
    'memory',
    async () => ({
      projects: inMemoryProjects(),
      events: inMemoryEvents(),
      replayStore: memoryReplayStore(() => 0),
      end: async () => {},
    }),
  ],
  ['PGlite', inFolder],
  ['PostgreSQL', onServer],
]

describe.each(stores)('the stores in %s', { timeout: 60_000 }, (_, open) => {
  let store: Stores

  beforeAll(async () => {
    store = await open()
  }, 120_000)

  afterAll(() => store.end(), 60_000)

  test('saves and updates projects, lists them in order of ID and removes them', async () => {
    expect(await store.projects.all()).toEqual([])
    await store.projects.save(shop)
    await store.projects.save({ ...shop, id: 'bar', allowedOrigins: [] })
    await store.projects.save({ ...shop, analytics: false })
    expect(await store.projects.all()).toEqual([
      { ...shop, id: 'bar', allowedOrigins: [] },
      { ...shop, analytics: false },
    ])
    expect(await store.projects.remove('bar')).toBe(true)
    expect(await store.projects.remove('bar')).toBe(false)
    expect(await store.projects.all()).toEqual([{ ...shop, analytics: false }])
  })

  test('stores a name that contains SQL as text', async () => {
    const name = `'); drop table projects; --`
    await store.projects.save({ ...shop, id: 'sql', name, allowedOrigins: [`a','b`, '{"x"}', 'a"b\\c'] })
    const found = (await store.projects.all()).find(({ id }) => id === 'sql')
    expect(found).toMatchObject({ name, allowedOrigins: [`a','b`, '{"x"}', 'a"b\\c'] })
  })

  test('stores an event once per project, no matter how often it is sent', async () => {
    await store.events.insert([opened, { ...opened, eventId: 'e2' }])
    await store.events.insert([opened, { ...opened, projectId: 'other' }])
    await store.events.insert([])
    expect(await store.events.count('shop')).toBe(2)
    expect(await store.events.count('other')).toBe(1)
    expect(await store.events.count('nobody')).toBe(0)
  })

  test('when an ID is used concurrently, only one call succeeds until the ID is swept', async () => {
    expect(await store.replayStore.isUsed('n')).toBe(false)
    const all = await Promise.all(Array.from({ length: 20 }, () => store.replayStore.markUsed('n', 1000)))
    expect(all.filter(Boolean)).toHaveLength(1)
    await store.replayStore.markUsed('later', 2000)
    await store.replayStore.sweep(1500)
    expect([await store.replayStore.isUsed('n'), await store.replayStore.isUsed('later')]).toEqual([false, true])
    expect(await store.replayStore.markUsed('later', 3000)).toBe(false)
  })

  test('deletes old events', async () => {
    await store.events.insert([
      { ...opened, projectId: 'aging' },
      { ...opened, projectId: 'aging', eventId: 'new', timestamp: new Date('2026-06-01') },
    ])
    await store.events.removeBefore(new Date('2026-01-01'))
    expect(await store.events.count('aging')).toBe(1)
  })
})

describe('the cache of unused IDs', () => {
  function setUp() {
    const state = { stamp: 'a' as string | undefined, queries: 0 }
    const source = memoryReplayStore(() => 0)
    const counted: ReplayStore = {
      ...source,
      isUsed: (id) => {
        state.queries += 1
        return source.isUsed(id)
      },
    }
    const connection = {
      stamp: async () => state.stamp,
      touch: async () => {
        if (state.stamp !== undefined) state.stamp += '+'
      },
    }
    return { state, source, replayStore: cachedReplayStore({ replayStore: counted, connection }) }
  }

  test('the store is queried only once until another process writes to it', async () => {
    const { replayStore, state, source } = setUp()
    expect([await replayStore.isUsed('x'), await replayStore.isUsed('x'), state.queries]).toEqual([false, false, 1])
    await source.markUsed('x', 1000)
    state.stamp = 'b'
    expect(await replayStore.isUsed('x')).toBe(true)
  })

  test('an ID used by this process is found immediately', async () => {
    const { replayStore } = setUp()
    await replayStore.isUsed('x')
    await replayStore.markUsed('x', 1000)
    expect(await replayStore.isUsed('x')).toBe(true)
  })

  test('queries the store on every lookup if the connection has no stamp', async () => {
    const { replayStore, state } = setUp()
    state.stamp = undefined
    await replayStore.isUsed('x')
    await replayStore.isUsed('x')
    expect(state.queries).toBe(2)
  })
})

describe('PGlite in a folder', { timeout: 60_000 }, () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'latchkey-data-'))
  })

  afterAll(() => rm(folder, { recursive: true }))

  test('a second process waits until the first releases the folder and then sees the first one’s writes', async () => {
    const first = pgliteConnection({ folder, idleMs: 60_000 })
    const second = pgliteConnection({ folder })
    const [firstPool, secondPool] = [first, second].map((connection) =>
      databaseProjects({ connection, bus: createMemoryEventBus() }),
    )
    await firstPool?.save(shop)
    let isWaiting = true
    const waiting = secondPool?.all().finally(() => {
      isWaiting = false
    })
    await firstPool?.save({ ...shop, name: 'Later' })
    expect(isWaiting).toBe(true)
    // The first connection is still open. It releases the folder long before its idle timeout and locks the folder again later.
    expect(await waiting).toEqual([{ ...shop, name: 'Later' }])
    await Promise.all([firstPool?.save({ ...shop, name: 'Last' }), secondPool?.remove('nothing')])
    expect(await secondPool?.all()).toEqual([{ ...shop, name: 'Last' }])
    await first.close()
    await second.close()
  })

  test('concurrent calls create a key only once, and the key stays the same after a restart', async () => {
    const connection = pgliteConnection({ folder })
    let made = 0
    const ask = () =>
      readOrCreateKey({ connection, name: 'verify', make: async () => ({ kty: 'EC', d: String(++made) }) })
    const [firstResult, secondResult] = await Promise.all([ask(), ask()])
    expect(secondResult).toEqual(firstResult)
    await connection.close()
    expect(
      await readOrCreateKey({ connection: pgliteConnection({ folder }), name: 'verify', make: async () => ({}) }),
    ).toEqual(firstResult)
  })

  test.each([
    ['a process that has died', '999999999 1'],
    ['an earlier process with the same ID', `${process.pid} 1`],
    ['an unknown process', 'nonsense'],
  ])('takes over a lock held by %s', async (_, claim) => {
    await writeFile(join(folder, 'lock'), claim)
    const connection = pgliteConnection({ folder })
    expect(await databaseProjects({ connection, bus: createMemoryEventBus() }).all()).toHaveLength(1)
    await connection.close()
  })

  test('rejects a folder that is locked by another running process', async () => {
    await writeFile(join(folder, 'lock'), `${process.ppid} 1`)
    const connection = pgliteConnection({ folder, waitMs: 0 })
    await expect(databaseProjects({ connection, bus: createMemoryEventBus() }).all()).rejects.toThrow(
      /in use by process/,
    )
    await rm(join(folder, 'lock'))
  })
})

describe('PostgreSQL', () => {
  let postgres: TestPostgres

  beforeAll(async () => {
    postgres = await startPostgres()
  }, 60_000)

  afterAll(() => postgres.stop())

  test('three instances that start at the same time migrate the database once', async () => {
    const log = () => {}
    const connections = await Promise.all([1, 2, 3].map(() => postgresConnection({ url: postgres.url, log })))
    for (const connection of connections) {
      expect(await databaseProjects({ connection, bus: createMemoryEventBus() }).all()).toEqual([])
      await connection.close()
    }
  })
})

describe('cached projects', () => {
  function setUp() {
    const bus = createMemoryEventBus()
    const source = inMemoryProjects([shop])
    const state = { now: 0, queries: 0, stamp: 'a' as string | undefined, down: false }
    const counted: Projects = {
      ...source,
      all: async () => {
        state.queries += 1
        if (state.down) throw new Error('down')
        return source.all()
      },
    }
    const remembered = rememberedProjects({
      projects: counted,
      connection: { stamp: async () => state.stamp },
      bus,
      clock: () => state.now,
      keepMs: 1000,
    })
    return { bus, source, state, remembered }
  }

  test('concurrent requests query the store only once', async () => {
    const { state, remembered } = setUp()
    await Promise.all([remembered.all(), remembered.all(), remembered.all()])
    expect(state.queries).toBe(1)
  })

  test('queries the store again only after the stamp changes', async () => {
    const { state, remembered } = setUp()
    await remembered.all()
    state.now = 5000
    await remembered.all()
    expect(state.queries).toBe(1)
    state.now = 10_000
    state.stamp = 'b'
    await remembered.all()
    expect(state.queries).toBe(2)
  })

  test('queries the store again once the cache expires if the connection has no stamp', async () => {
    const { state, remembered } = setUp()
    state.stamp = undefined
    await remembered.all()
    state.now = 999
    await remembered.all()
    expect(state.queries).toBe(1)
    state.now = 1000
    await remembered.all()
    expect(state.queries).toBe(2)
  })

  test('a write by this process is visible immediately', async () => {
    const { bus, source, remembered } = setUp()
    await remembered.all()
    await source.save({ ...shop, id: 'new' })
    bus.publish('projects')
    expect((await remembered.all()).map(({ id }) => id)).toEqual(['new', 'shop'])
  })

  test('keeps using the last known projects while the store is down', async () => {
    const { state, remembered } = setUp()
    await remembered.all()
    state.stamp = undefined
    state.now = 2000
    state.down = true
    expect(await remembered.all()).toEqual([shop])
  })

  test('requests fail if the store has never been reachable', async () => {
    const { state, remembered } = setUp()
    state.down = true
    await expect(remembered.all()).rejects.toThrow('down')
  })
})
