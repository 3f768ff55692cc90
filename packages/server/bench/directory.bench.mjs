// Compares the throughput of a directory of 10,000 wallets with that of a bare Hono endpoint that returns the same results (40
// wallets per query) with `c.json`. Run `npm run build` first. To reproduce a run, use `SEED=… node bench/directory.bench.mjs`.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { fileURLToPath } from 'node:url'
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { createDirectory, createServer, inMemoryDependencies, readWalletsFile } from '../dist/index.js'
import { median, randomFrom } from './statistics.mjs'

const goal = 0.7
const rounds = 5
const lanes = 16

if (process.argv[2] === 'load') await load()
else process.exitCode = await bench()

async function bench() {
  const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31))
  const random = randomFrom(seed)
  const { wallets: real } = await readWalletsFile(fileURLToPath(new URL('../data/wallets.json', import.meta.url)))
  const wallets = Array.from({ length: 10_000 }, (_, index) => {
    const wallet = real[index % real.length]
    const id = index.toString(16).padStart(64, '0')
    return { ...wallet, id, name: index < real.length ? wallet.name : `${wallet.name} ${index}`, order: index }
  })
  const directory = createDirectory(wallets)
  const queries = distinctQueries(directory, wallets, random)
  const byId = new Map(wallets.map((wallet) => [wallet.id, wallet]))

  const server = createServer(inMemoryDependencies({ directory }))
  const answers = new Map()
  for (const path of queries) {
    const { data, count } = await (await server(new Request(`http://x${path}`))).json()
    answers.set(path.slice(path.indexOf('?')), { data: data.map(({ id }) => byId.get(id)), count })
  }
  const bareApp = new Hono().get('/getWallets', (c) => c.json(answers.get(c.req.url.slice(c.req.url.indexOf('?')))))
  const bare = (request) => bareApp.fetch(request)

  console.log(
    `seed ${seed}: ${wallets.length} wallets, ${queries.length} distinct queries of 40 wallets each, median of ${rounds} alternating runs`,
  )
  const inProcess = await compare('in process', (fetch) => runInProcess(fetch, queries), server, bare)
  const overHttp = await compare('over HTTP', (fetch) => runOverHttp(fetch, queries), server, bare)
  const good = Math.min(inProcess, overHttp) >= goal
  console.log(`${good ? 'met' : 'NOT met'}: at least ${goal} × bare Hono`)
  return good ? 0 : 1
}

async function compare(name, measure, server, bare) {
  const runs = { server: [], bare: [] }
  await measure(server)
  await measure(bare)
  for (let round = 0; round < rounds; round += 1) {
    runs.bare.push(await measure(bare))
    runs.server.push(await measure(server))
  }
  const [a, b] = [median(runs.server), median(runs.bare)]
  console.log(
    `${name.padEnd(12)} directory ${a.toFixed(0).padStart(7)}/s   bare Hono ${b.toFixed(0).padStart(7)}/s   ratio ${(a / b).toFixed(2)}`,
  )
  return a / b
}

async function runInProcess(fetch, queries) {
  const started = performance.now()
  for (const path of queries) await (await fetch(new Request(`http://x${path}`))).arrayBuffer()
  return (queries.length / (performance.now() - started)) * 1000
}

async function runOverHttp(fetch, queries) {
  const server = createAdaptorServer({ fetch }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const child = fork(fileURLToPath(import.meta.url), ['load'])
  child.send({ port: server.address().port, queries })
  const [{ perSecond }] = await once(child, 'message')
  child.disconnect()
  await once(child, 'exit')
  server.close()
  return perSecond
}

// The load generator runs in a separate process, so that it does not compete with the server for a thread.
async function load() {
  const [{ port, queries }] = await once(process, 'message')
  const agent = new Agent({ keepAlive: true, maxSockets: lanes })
  const started = performance.now()
  const left = queries.values()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (const path of left) {
        const sent = httpRequest({ host: '127.0.0.1', port, path, agent }).end()
        const [answer] = await once(sent, 'response')
        if (answer.statusCode !== 200) throw new Error(`${path} responded with ${answer.statusCode}`)
        answer.resume()
        await once(answer, 'end')
      }
    }),
  )
  process.send({ perSecond: (queries.length / (performance.now() - started)) * 1000 })
  agent.destroy()
}

function distinctQueries(directory, wallets, random) {
  const found = new Set()
  const pick = (list) => list[Math.floor(random() * list.length)]
  for (let tries = 0; found.size < 1000; tries += 1) {
    if (tries > 200_000) throw new Error('Too few queries have 40 results')
    const { name } = pick(wallets)
    const from = Math.floor(random() * name.length)
    const search = name.slice(from, from + 1 + Math.floor(random() * 6)).trim()
    const chains = random() < 0.3 ? ['eip155:1', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'] : []
    const exclude = random() < 0.3 ? Array.from({ length: 8 }, () => pick(wallets).id) : []
    const query = { page: 1 + Math.floor(random() * 3), entries: 40, search, badge: '', include: [], exclude, chains }
    if (directory.find(query).data.length < 40) continue
    const searchParams = new URLSearchParams({
      page: query.page,
      entries: 40,
      search,
      exclude: exclude.join(),
      chains: chains.join(),
      projectId: 'bench',
      st: 'appkit',
      sv: 'react-wagmi-1.7.5',
    })
    found.add(`/getWallets?${searchParams}`)
  }
  return [...found]
}
