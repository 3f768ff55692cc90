// `npm run fuzz`: starts a real server in a separate process and sends at least 100,000 malformed requests and upgrades,
// including at least 500 for each route and method that the running apps report. Fails if the process exits, if there is an
// uncaught error or a 5xx response (except 503 with Retry-After), or if /health does not respond.
//   SEED=…        repeats a run          TOTAL=… PER_ROUTE=…   set the number of requests
//   DATABASE_URL=… REDIS_URL=…           use these stores instead of PGlite and memory

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, run, say, script, toolEnv } from './bootstrap.mjs'
import { freePort, schemasOf, startSurroundings } from './fuzz/fakeServices.mjs'
import { fuzz, tableOf, targetsOf } from './fuzz/sendMalformedRequests.mjs'

const total = Number(process.env.TOTAL ?? 100_000)
const perTarget = Number(process.env.PER_ROUTE ?? 500)

/** @param {string} path */
const built = (path) => import(pathToFileURL(join(root, 'packages', path)).href)

await script(async () => {
  say('Building the server')
  if ((await run('node', ['tools/build.mjs'], { env: toolEnv(), quiet: true })) !== 0) return 1
  const seed = Number(process.env.SEED ?? randomBytes(4).readUInt32LE())
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-fuzz-'))
  const port = await freePort()
  const surroundings = await startSurroundings({ folder, port })
  const stores = Object.fromEntries(
    ['DATABASE_URL', 'REDIS_URL'].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
  )
  const env = { ...surroundings.env, ...stores }
  // Use the route tables of the apps as they are configured here, rather than a separate list.
  const { createNodeServer, readConfig } = await built('server/dist/index.js')
  const assembled = await createNodeServer({ config: readConfig(env), log: () => {} })
  const { routes } = assembled
  await assembled.close()
  const schemas = schemasOf(
    await Promise.all(
      ['publicRoutes', 'keys/index', 'keys/assistedCustody', 'keys/crossSite', 'visitorIdentification'].map((name) =>
        built(`protocol/dist/http/${name}.js`),
      ),
    ),
  )

  const server = spawn(process.execPath, [join(root, 'packages/server/dist/commands/cli.js')], {
    env: { PATH: process.env.PATH, ...env, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  let hasEnded = false
  server.stderr.setEncoding('utf8').on('data', (part) => {
    log = `${log}${part}`.slice(-5_000_000)
  })
  server.once('exit', () => {
    hasEnded = true
  })
  try {
    await Promise.race([
      once(server.stdout, 'data'),
      once(server, 'exit').then(() => Promise.reject(new Error(`The server did not start: ${log}`))),
    ])
    const targets = targetsOf(routes, { hosts: surroundings.hosts, schemas })
    say(`Seed ${seed}: ${targets.length} routes and methods, and the upgrades of each origin`)
    const from = performance.now()
    const found = await fuzz({ port, targets, seed, perTarget, total, isAlive: () => !hasEnded, say })
    const seconds = (performance.now() - from) / 1000
    process.stdout.write(`${tableOf(found.statuses)}\n`)
    const uncaught = log.split('\n').filter((line) => line.includes('uncaught error'))
    const rss = hasEnded ? 0 : await residentMb(server.pid ?? 0)
    process.stdout.write(
      `\n${found.sent} requests and upgrades in ${seconds.toFixed(0)} s · seed ${seed} · /health at most ${found.healthMs.toFixed(0)} ms · ${rss.toFixed(0)} MB resident\n`,
    )
    for (const fault of found.faults.slice(0, 10)) process.stdout.write(`✗ ${JSON.stringify(fault, null, 2)}\n`)
    for (const line of uncaught.slice(0, 10)) process.stdout.write(`✗ ${line}\n`)
    for (const name of found.short) process.stdout.write(`✗ fewer than ${perTarget}: ${name}\n`)
    if (hasEnded) process.stdout.write(`✗ the process ended: ${log.slice(-2_000)}\n`)
    if (found.faults.length > 0) process.stdout.write(`log: ${log.slice(-4_000)}\n`)
    const isFine =
      !hasEnded && uncaught.length === 0 && found.faults.length === 0 && found.short.length === 0 && found.sent >= total
    process.stdout.write(
      `${isFine ? '✓' : '✗'} the process kept running, no uncaught error, no 5xx except 503 with Retry-After\n`,
    )
    return isFine ? 0 : 1
  } finally {
    if (!hasEnded) {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
    }
    await surroundings.close()
    await rm(folder, { recursive: true, force: true })
  }
})

/** @param {number} pid */
async function residentMb(pid) {
  const { readFile } = await import('node:fs/promises')
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1000
}
