import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Fault, faultyAnswer } from '../faultyFetch.ts'

/** A local HTTP server with simulated faults. */
export interface FaultServer {
  /** The base URL, on 127.0.0.1 with a free port. */
  readonly url: string
  /** The path and query of every request, oldest first. */
  readonly requests: readonly string[]
  /** Applies `fault` to all requests from now on. */
  break(fault: Fault): void
  /** Removes the fault. */
  mend(): void
  /** Closes the server and all connections. Resolves once it is closed. */
  stop(): Promise<void>
}

/**
 * Starts a server that responds with the result of `answer`, a `fetch`-like handler, until a fault is applied.
 *
 * @example
 * const server = await startFaultServer(() => Response.json({ count: 0, data: [] }))
 * server.break({ kind: 'hang' })
 */
export async function startFaultServer(
  answer: (request: Request) => Response | Promise<Response>,
): Promise<FaultServer> {
  const requests: string[] = []
  let fault: Fault | undefined
  const server = createServer((incoming, outgoing) => {
    requests.push(incoming.url ?? '/')
    const cors = {
      'access-control-allow-origin': incoming.headers.origin ?? 'null',
      'access-control-allow-headers': incoming.headers['access-control-request-headers'] ?? '*',
    }
    const now = fault
    if (now?.kind === 'down') return void outgoing.destroy()
    if (now?.kind === 'hang') return
    const real = async (): Promise<void> => {
      const body = await new Response(incoming as unknown as ReadableStream).arrayBuffer()
      const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers: incoming.headers as Record<string, string>,
        ...(body.byteLength > 0 ? { body } : {}),
      })
      const response = await answer(request)
      send(
        outgoing,
        response.status,
        { ...Object.fromEntries(response.headers), ...cors },
        new Uint8Array(await response.arrayBuffer()),
      )
    }
    const failed = (error: unknown): void => send(outgoing, 500, cors, String(error))
    if (now === undefined) return void real().catch(failed)
    if (now.kind === 'slow') return void setTimeout(() => void real().catch(failed), now.ms)
    const broken = faultyAnswer(now)
    send(outgoing, broken.status, { ...cors, 'content-type': 'application/json' }, broken.body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    break(next) {
      fault = next
    },
    mend() {
      fault = undefined
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function send(
  outgoing: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: string | Uint8Array,
): void {
  outgoing.writeHead(status, headers)
  outgoing.end(body)
}
