import type { Server as NodeServer } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import type { StaticSite } from './staticSite.ts'

/** An HTTP listener on the loopback address. */
export interface LocalListener {
  readonly server: NodeServer
  readonly port: number
  /** Sets the site that handles requests. Before the first call, every response is a 503. */
  serve(site: StaticSite): void
  close(): Promise<void>
}

/** Listens on the first free port of the twenty ports that start at `port`, or on any free port if all of them are in use. */
export async function listenNear(port: number): Promise<LocalListener> {
  let site: StaticSite = async () => new Response('Starting', { status: 503, headers: { 'retry-after': '1' } })
  const server = createAdaptorServer({ fetch: (request: Request) => site(request) }) as NodeServer
  const candidates = port === 0 ? [0] : [...Array.from({ length: 20 }, (_, step) => port + step), 0]
  for (const candidate of candidates) {
    if (!(await listens(server, candidate))) continue
    const address = server.address()
    return {
      server,
      port: typeof address === 'object' && address ? address.port : candidate,
      serve: (next) => {
        site = next
      },
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        }),
    }
  }
  throw new Error('No free port was found on this machine.')
}

function listens(server: NodeServer, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => {
      server.off('listening', done)
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    }
    const done = (): void => {
      server.off('error', failed)
      resolve(true)
    }
    server.once('error', failed)
    server.once('listening', done)
    server.listen(port, '127.0.0.1')
  })
}
