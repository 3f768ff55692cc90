import { createServer } from 'node:http'

/**
 * Serves a description of each worker's local environment. The first request to `/<worker>` starts that worker's environment.
 * @param {{ start: (worker: number) => Promise<{ port: number, facts: object, stop: () => Promise<void> }> }} options
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function serveWorlds({ start }) {
  /** @type {Map<number, ReturnType<typeof start>>} */
  const worlds = new Map()
  /** @param {number} worker */
  const worldOf = (worker) => {
    const world = worlds.get(worker) ?? start(worker)
    worlds.set(worker, world)
    return world
  }
  const server = createServer((request, response) => {
    worldOf(Number(request.url?.slice(1))).then(
      ({ port, facts }) => response.end(JSON.stringify({ port, facts })),
      (error) => response.writeHead(500).end(String(error?.stack ?? error)),
    )
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.close()
      for (const world of await Promise.allSettled(worlds.values()))
        if (world.status === 'fulfilled') await world.value.stop()
    },
  }
}
