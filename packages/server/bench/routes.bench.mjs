// Compares the routes that pages call with bare Hono routes that return the same body, and the RPC proxy with a bare Hono proxy
// to the same node. The server is started with its command, including rate limits, metrics and the log. Run `npm run build`
// first. `ONLY=search` measures one route, and `SEED=…` reproduces a run.

import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { processorMs, startChild, startServer } from './benchServer.mjs'
import { median, randomFrom } from './statistics.mjs'

const file = fileURLToPath(import.meta.url)
const rounds = Number(process.env.ROUNDS ?? 5)
const ms = Number(process.env.SECONDS ?? 2) * 1000
const connections = 32
/** The number of distinct searches. It is larger than any cache of the server, so that most searches are not cached. */
const searches = 2_000
/** The minimum rate of each route, relative to the bare route. */
const goals = { listing: 0.7, search: 0.7, image: 0.7, 'supported chains': 0.7, 'RPC proxy': 0.8 }

const [, , role = 'bench'] = process.argv
if (role === 'bare') serveBare()
else if (role === 'node') serveNode()
else process.exitCode = await bench()

async function bench() {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-routes-'))
  const node = startChild({ side: 'clients', file, args: ['node'] })
  const { url } = await node.ask('url')
  const env = { RPC_URLS: `eip155:1=${url};eip155:10=${url}`, RATE_PER_ADDRESS: '10000000' }
  const server = await startServer({ folder, env })
  const bare = startChild({ side: 'server', file, args: ['bare'] })
  const client = startChild({ side: 'clients', file: fileURLToPath(new URL('httpLoad.mjs', import.meta.url)) })
  try {
    const routes = await routesOf(server.port, randomFrom(seed))
    const answers = []
    for (const { method, path } of Object.values(routes).flat())
      if (method === undefined) answers.push([path, await answerOf(server.port, path)])
    const { port } = await bare.ask('answers', { answers, url })
    console.log(
      `seed ${seed}: ${connections} connections, ${searches} distinct searches, medians of ${rounds} alternating runs of ${ms / 1000} s`,
    )
    const ends = { ours: { port: server.port, pid: server.pid }, bare: { port, pid: bare.pid } }
    let isGood = true
    for (const [name, requests] of Object.entries(routes)) {
      if (process.env.ONLY && process.env.ONLY !== name) continue
      isGood = (await compare({ name, requests, client, ends })) && isGood
    }
    return isGood ? 0 : 1
  } finally {
    for (const one of [client, bare, server, node]) await one.stop()
    await rm(folder, { recursive: true })
  }
}

async function compare({ name, requests, client, ends }) {
  const found = { ours: [], bare: [] }
  for (const { port } of [ends.bare, ends.ours]) await client.ask('load', { port, requests, connections, ms })
  for (let round = 0; round < rounds; round += 1)
    // The order alternates, because the server that is measured first in a round can have a slight advantage.
    for (const kind of round % 2 === 0 ? ['bare', 'ours'] : ['ours', 'bare']) {
      await pause(100)
      const { port, pid } = ends[kind]
      const before = processorMs(pid)
      const run = await client.ask('load', { port, requests, connections, ms })
      found[kind].push({ ...run, cpu: ((processorMs(pid) - before) / run.count) * 1000 })
    }
  const ratio = median(found.ours.map(({ perSecond }, round) => perSecond / found.bare[round].perSecond))
  const of = (kind, field) => median(found[kind].map((run) => run[field]))
  const isMet = ratio >= goals[name]
  console.log(
    `${isMet ? 'met' : 'NOT met'}: ${name.padEnd(16)} ${of('ours', 'perSecond').toFixed(0)}/s, bare Hono ${of('bare', 'perSecond').toFixed(0)}/s, ratio ${ratio.toFixed(2)} (at least ${goals[name]}); p99 ${of('ours', 'p99').toFixed(1)} ms, bare ${of('bare', 'p99').toFixed(1)}; processor time per request ${of('ours', 'cpu').toFixed(0)} µs, bare ${of('bare', 'cpu').toFixed(0)}`,
  )
  return isMet
}

/** Returns the requests for each route. */
async function routesOf(port, random) {
  const listing = '/getWallets?projectId=bench&st=appkit&sv=react-wagmi-1.7.5&page=1&entries=40&badge=&search='
  const { body, count } = await walletsOf(port, listing)
  const names = [...body]
  for (let page = 2; names.length < count; page += 1)
    names.push(...(await walletsOf(port, listing.replace('page=1', `page=${page}`))).body)
  const pick = () => names[Math.floor(random() * names.length)]
  const found = new Set()
  while (found.size < searches) {
    const { name, id } = pick()
    const from = Math.floor(random() * name.length)
    const search = name.slice(from, from + 1 + Math.floor(random() * 6)).trim()
    // Pages exclude the wallets that they already show, so most queries contain IDs.
    found.add(`${listing}${encodeURIComponent(search)}&exclude=${id},${pick().id}`)
  }
  const body32 = (at) =>
    `{"jsonrpc":"2.0","id":${at},"method":"eth_getBalance","params":["0x${String(at).padStart(40, '0')}","latest"]}`
  return {
    listing: [{ path: listing }],
    search: [...found].map((path) => ({ path })),
    image: names.filter(({ image_id }) => image_id).map(({ image_id }) => ({ path: `/getWalletImage/${image_id}` })),
    'supported chains': [{ path: '/v1/supported-chains?projectId=bench' }],
    'RPC proxy': Array.from({ length: 100 }, (_, at) => ({
      method: 'POST',
      path: '/v1/?chainId=eip155%3A1&projectId=bench',
      body: body32(at),
    })),
  }
}

async function walletsOf(port, path) {
  const { data, count } = await (await fetch(`http://127.0.0.1:${port}${path}`)).json()
  return { body: data, count }
}

async function answerOf(port, path) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`)
  if (answer.status !== 200) throw new Error(`${path} responded with ${answer.status}`)
  const type = answer.headers.get('content-type')
  return { type, body: Buffer.from(await answer.arrayBuffer()).toString('base64') }
}

/** Serves the same bodies: JSON from its objects, images from memory. */
function serveBare() {
  process.on('disconnect', () => process.exit())
  process.on('message', async ({ answers, url }) => {
    const byPath = new Map(
      answers.map(([path, { type, body }]) => {
        const bytes = Buffer.from(body, 'base64')
        return [path, type.startsWith('application/json') ? JSON.parse(String(bytes)) : { bytes, type }]
      }),
    )
    const answerTo = (c) => byPath.get(c.req.url.slice(c.req.url.indexOf('/', 8)))
    const app = new Hono()
      .get('/getWallets', (c) => c.json(answerTo(c)))
      .get('/v1/supported-chains', (c) => c.json(answerTo(c)))
      .get('/getWalletImage/:id', (c) => {
        const { bytes, type } = answerTo(c)
        return c.body(bytes, 200, { 'content-type': type })
      })
      .post('/v1/', async (c) => {
        const headers = { 'content-type': 'application/json' }
        const answer = await fetch(url, { method: 'POST', body: await c.req.text(), headers })
        return c.body(await answer.text(), 200, headers)
      })
    const listener = createAdaptorServer({ fetch: app.fetch }).listen(0, '127.0.0.1')
    await once(listener, 'listening')
    process.send({ port: listener.address().port })
  })
}

/** A node that responds immediately. */
function serveNode() {
  process.on('disconnect', () => process.exit())
  const answerOf = (result) => {
    const text = `{"jsonrpc":"2.0","id":1,"result":"${result}"}`
    return { text, headers: { 'content-type': 'application/json', 'content-length': text.length } }
  }
  // The server only uses nodes of the configured chain, so it asks for the chain ID first.
  const chainId = answerOf('0x1')
  const balance = answerOf('0x1bc16d674ec80000')
  const listener = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { text, headers } = body.includes('"eth_chainId"') ? chainId : balance
    response.writeHead(200, headers).end(text)
  })
  listener.listen(0, '127.0.0.1')
  process.on('message', async () => {
    if (!listener.listening) await once(listener, 'listening')
    process.send({ url: `http://127.0.0.1:${listener.address().port}` })
  })
}
