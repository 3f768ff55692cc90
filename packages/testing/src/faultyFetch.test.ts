import { expect, test } from 'vitest'
import { type Fault, faultyFetch } from './faultyFetch.ts'
import { startFaultServer } from './node/index.ts'

const well = async (): Promise<Response> => Response.json({ count: 0, data: [] })

test.each<[Fault, number | undefined, boolean]>([
  [{ kind: 'bad-json' }, 200, false],
  [{ kind: 'wrong-types' }, 200, true],
  [{ kind: 'huge', bytes: 1000 }, 200, true],
  [{ kind: 'status', code: 503 }, 503, true],
])('a fetch with the fault %o responds with status %s', async (fault, status, isJson) => {
  const network = faultyFetch(well)
  network.break(fault)
  const answer = await network.fetch('http://service.test/getWallets')
  expect(answer.status).toBe(status)
  const read = answer.json().then(
    () => true,
    () => false,
  )
  expect(await read).toBe(isJson)
  network.mend()
  expect(await (await network.fetch('http://service.test/getWallets')).json()).toEqual({ count: 0, data: [] })
  expect(network.requests).toHaveLength(2)
})

test('faults apply only to matching URLs, a fetch rejects while the network is down, and a hanging request ends when it is aborted', async () => {
  const network = faultyFetch(well)
  network.break({ kind: 'down' }, '/getWallets')
  network.break({ kind: 'hang' }, '/e')
  await expect(network.fetch('http://service.test/getWallets')).rejects.toThrow('fetch failed')
  const life = new AbortController()
  const hanging = network.fetch('http://service.test/e', { signal: life.signal })
  life.abort(new Error('given up'))
  await expect(hanging).rejects.toThrow('given up')
  expect((await network.fetch('http://service.test/other')).status).toBe(200)
})

test('a fault server responds over HTTP, fails while a fault is set, and recovers once the fault is removed', async () => {
  const server = await startFaultServer(async (request) => Response.json({ path: new URL(request.url).pathname }))
  try {
    expect(await (await fetch(`${server.url}/one`)).json()).toEqual({ path: '/one' })
    server.break({ kind: 'down' })
    await expect(fetch(`${server.url}/two`)).rejects.toThrow()
    server.break({ kind: 'bad-json' })
    await expect((await fetch(`${server.url}/three`)).json()).rejects.toThrow()
    server.mend()
    expect((await fetch(`${server.url}/four`)).status).toBe(200)
    expect(server.requests).toEqual(expect.arrayContaining(['/one', '/two', '/three', '/four']))
  } finally {
    await server.stop()
  }
})
