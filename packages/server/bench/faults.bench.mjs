// Runs two server instances with PostgreSQL and Redis on loopback. While honest clients send requests, the benchmark kills or
// freezes services, or fills up their disks. Reports the errors that clients saw, the recovery time after the repair, and whether
// any acknowledged data was lost. Run `npm run build` first. `ONLY=Redis` limits the run to the rows with that word in their
// name.
//
// Exits with 1 if an acknowledged message or sign-in was lost, if a client received a 500, if /ready was wrong for more than two
// seconds, if an instance exited unexpectedly, or if a hostile address made the server use 100 MB more memory than when idle.

import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  endAll,
  residentMb,
  startBalancer,
  startDisk,
  startInstance,
  startMail,
  startNode,
  startPostgres,
  startRedis,
} from './faultServices.mjs'
import { ask, endAgent, isSignedIn, keysHost, startLoad } from './honestClients.mjs'

const frozenMs = 8000
const truthMs = 2000
const hostileMb = 100
const only = process.env.ONLY
const missed = []
const table = []

try {
  await bench()
} finally {
  await endAll()
  endAgent()
}
const head = ['fault under load', 'clients saw', 'after repair', 'acknowledged lost']
console.log(`\n${[head, head.map(() => '---'), ...table].map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`)
for (const failure of missed) console.log(`NOT met: ${failure}`)
if (missed.length === 0)
  console.log('met: nothing acknowledged lost, no 500, /ready true within 2 s, one address under 100 MB')
process.exit(missed.length > 0 ? 1 : 0)

async function bench() {
  const [postgres, redis, node, mail] = [
    await startPostgres(),
    await startRedis(),
    await startNode(),
    await startMail(),
  ]
  const hole = await startNode()
  hole.silent(true)
  const base = {
    RPC_URLS: `eip155:1=${node.url};eip155:10=${hole.url}`,
    KEYS_URL: `http://${keysHost}`,
    AUTH_SECRET: 'a secret of this bench, long enough',
    SMTP_URL: mail.url,
    MAIL_FROM: 'wallet@shop.example',
    MAILS_PER_HOUR: '1000000',
    LOG_LEVEL: 'warn',
    DRAIN_DELAY_MS: '1500',
    RATE_PER_ADDRESS: '0',
    SIGN_IN_TRANSPORT: 'token',
    CLIENT_ADDRESS_HEADER: 'x-forwarded-for',
  }
  const env = { ...base, DATABASE_URL: postgres.url, REDIS_URL: redis.url }
  const isSelected = (name) => !only || name.includes(only)
  const instances = [await startInstance(env), await startInstance(env)]
  const row = async (name, fault, options = {}) => {
    if (isSelected(name)) await underLoad({ name, instances, fault, ...options })
  }

  await row('kill -9 of an instance', async ({ repaired }) => {
    const [first] = instances
    first.isEnded = true
    first.process.kill('SIGKILL')
    await first.ended
    await pause(2000)
    instances[0] = await startInstance(env, { port: first.port })
    repaired()
  })
  await row('SIGTERM of an instance', async ({ repaired }) => {
    const [first] = instances
    first.isEnded = true
    first.process.kill('SIGTERM')
    if ((await first.ended) !== 0) missed.push('SIGTERM of an instance: its exit code was not 0')
    instances[0] = await startInstance(env, { port: first.port })
    repaired()
  })
  await row(`an instance frozen ${frozenMs / 1000} s`, async ({ repaired }) => {
    instances[0].process.kill('SIGSTOP')
    await pause(frozenMs)
    instances[0].process.kill('SIGCONT')
    repaired()
  })
  for (const [name, key, store] of [
    ['Redis', 'relay', redis],
    ['PostgreSQL', 'database', postgres],
  ]) {
    await row(`kill -9 of ${name}`, async ({ repaired, now }) => {
      await store.kill()
      now(key, 'unavailable')
      await pause(5000)
      await store.start()
      now(key, 'ok')
      repaired()
    })
    await row(`${name} restarted with SIGTERM`, async ({ repaired, now }) => {
      await store.stop()
      now(key, 'unavailable')
      await pause(2000)
      await store.start()
      now(key, 'ok')
      repaired()
    })
    await row(`${name} frozen ${frozenMs / 1000} s`, async ({ repaired, now }) => {
      await store.signal('STOP')
      now(key, 'unavailable')
      await pause(frozenMs)
      await store.signal('CONT')
      now(key, 'ok')
      repaired()
    })
  }
  await row('mail server gone 5 s', async ({ repaired }) => {
    await mail.kill()
    await pause(5000)
    await mail.start()
    repaired()
  })
  await row(`mail server frozen ${frozenMs / 1000} s`, async ({ repaired }) => {
    mail.silent(true)
    await pause(frozenMs)
    mail.silent(false)
    repaired()
  })
  await row('RPC black hole', async ({ repaired }) => {
    node.silent(true)
    await pause(15_000)
    node.silent(false)
    repaired()
  })
  await row('clock −60 s', async ({ repaired }) => {
    for (const { process: server } of instances) server.kill('SIGUSR2')
    await pause(3000)
    repaired()
  })
  await row(
    'rolling restart behind a balancer',
    async ({ repaired, balancer }) => {
      for (const at of [0, 1]) {
        const old = instances[at]
        old.isEnded = true
        old.process.kill('SIGTERM')
        await old.ended
        balancer.targets.delete(old.port)
        instances[at] = await startInstance(env)
        balancer.targets.set(instances[at].port, { isReady: false })
        for (let tries = 0; tries < 200 && !balancer.isWhole(); tries += 1) await pause(50)
      }
      repaired()
    },
    { isBalanced: true },
  )
  await row('memory of one hostile address', ({ repaired }) => hostile(instances[0], repaired))

  if (isSelected('memory of one hostile address, relay in the process')) {
    const alone = [await startInstance({ ...base, DATABASE_URL: postgres.url })]
    await underLoad({
      name: 'memory of one hostile address, relay in the process',
      instances: alone,
      fault: ({ repaired }) => hostile(alone[0], repaired),
    })
    alone[0].isEnded = true
    alone[0].process.kill('SIGKILL')
  }
  if (isSelected('disk full (PGlite)')) await pgliteDisk(base)
  if (isSelected('disk full (PostgreSQL)')) await postgresDisk({ ...base, REDIS_URL: redis.url })
}

async function hostile({ port, process: server }, repaired) {
  const { idle, peak, output } = await hostility({ port, pid: server.pid })
  repaired()
  // The honest load continues during the attack, so both numbers include the memory that it uses.
  if (peak - idle >= hostileMb) missed.push(`memory: one address held ${(peak - idle).toFixed(0)} MB over idle`)
  return `${idle.toFixed(0)} MB idle, ${peak.toFixed(0)} MB at most; the hostile client saw ${output}`
}

/** Tests an instance with PGlite on a small disk that fills up under load. Restarts the instance before and after the repair. */
async function pgliteDisk(base) {
  const disk = await startDisk(160)
  const env = { ...base, DATA_DIR: disk.folder }
  const options = { within: disk }
  const instances = [await startInstance(env, options)]
  await underLoad({
    name: 'disk full (PGlite)',
    instances,
    stores: { database: 'ok' },
    fault: async ({ repaired, now, load }) => {
      await disk.fill()
      now('database', undefined)
      // The server only detects that the disk is full when a write fails.
      if (await load.refuses()) now('database', 'disk full')
      await pause(5000)
      const [first] = instances
      first.isEnded = true
      first.process.kill('SIGTERM')
      await first.ended
      const refused = await startInstance(env, { ...options, limitMs: 20_000 }).then(
        (started) => {
          started.isEnded = true
          started.process.kill('SIGKILL')
          return 'the server started on a full disk'
        },
        ({ message }) => `starting on a full disk failed with "${message.split('\n').at(-1)}"`,
      )
      await disk.free()
      instances[0] = await startInstance(env, { ...options, port: first.port })
      now('database', 'ok')
      repaired()
      return refused
    },
    isAlone: true,
  })
}

/** Tests PostgreSQL on a small disk, which fills up under load until PostgreSQL rejects writes and is then freed. */
async function postgresDisk(base) {
  const disk = await startDisk(64 + 48)
  const postgres = await startPostgres({ within: disk, flags: ['-c', 'max_wal_size=48MB', '-c', 'min_wal_size=32MB'] })
  const env = { ...base, DATABASE_URL: postgres.url }
  const instances = [await startInstance(env), await startInstance(env)]
  await underLoad({
    name: 'disk full (PostgreSQL)',
    instances,
    fault: async ({ repaired, now, load }) => {
      await disk.fill()
      now('database', undefined)
      // The server only detects that the disk is full when a write fails.
      if (await load.refuses()) now('database', 'disk full')
      await pause(5000)
      const wasUp = postgres.isUp()
      await disk.free()
      if (!wasUp) await postgres.start()
      now('database', 'ok')
      repaired()
      return wasUp ? 'PostgreSQL stayed up' : 'PostgreSQL exited and was restarted'
    },
  })
  for (const instance of instances) {
    instance.isEnded = true
    instance.process.kill('SIGKILL')
  }
}

/** Starts a process that sends all kinds of expensive requests from one address at once, and measures the server's memory. */
async function hostility({ port, pid }) {
  const idle = await residentMb(pid)
  let peak = idle
  const look = setInterval(async () => {
    peak = Math.max(peak, await residentMb(pid))
  }, 50)
  const file = fileURLToPath(new URL('hostileClients.mjs', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [file, String(port)])
  clearInterval(look)
  return { idle, peak, output: stdout.trim() }
}

/**
 * Sends requests to all instances while `fault` runs, and adds a row to the table. `stores` contains the state that /ready must
 * report for each store. `undefined` means that any state is valid.
 */
async function underLoad({
  name,
  instances,
  fault,
  stores: expected = { database: 'ok', relay: 'ok' },
  isBalanced = false,
  isAlone = false,
}) {
  const stores = { ...expected }
  const problems = []
  const wrongSince = new Map()
  let [maxWrong, repairedAt, isOver] = [0, undefined, false]
  const balancer = isBalanced
    ? await startBalancer(
        instances.map(({ port }) => port),
        ask,
      )
    : undefined
  const ports = () => instances.map(({ port }) => port)
  const watched = [...instances]
  for (const { log } of watched) log.length = 0
  const load = await startLoad({
    ports: balancer ? () => [balancer.port] : ports,
    relay: !balancer,
    gapMs: isAlone ? 50 : 20,
  })
  const relayLoad = balancer && (await startLoad({ ports, kinds: [] }))
  const readyAt = new Map()
  const probes = instances.map(async (_, at) => {
    while (!isOver) {
      const { port } = instances[at]
      const answer = await ask(port, '/ready', { timeoutMs: 5000 }).catch(() => undefined)
      if (answer && (answer.status === 200 || answer.status === 503)) {
        const health = JSON.parse(answer.text)
        const isTrue =
          health.status === 'draining' ||
          Object.entries(stores).every(([store, state]) => state === undefined || health[store] === state)
        if (isTrue) wrongSince.delete(at)
        else wrongSince.set(at, wrongSince.get(at) ?? performance.now())
        const since = wrongSince.get(at)
        if (since !== undefined) maxWrong = Math.max(maxWrong, performance.now() - since)
        if (answer.status === 200) readyAt.set(at, performance.now())
        else readyAt.delete(at)
      } else {
        readyAt.delete(at)
        wrongSince.delete(at)
      }
      await pause(50)
    }
  })
  await pause(1500)
  const more = await fault({
    balancer,
    load,
    now: (store, state) => {
      stores[store] = state
      wrongSince.clear()
    },
    repaired: () => {
      repairedAt = performance.now()
    },
  })
  // The instances have recovered once all of them are ready and there has been no error for two seconds.
  const lastBadAt = () => Math.max(load.lastBadAt(), relayLoad?.lastBadAt() ?? 0)
  const limit = performance.now() + 40_000
  while (performance.now() < limit) {
    const quietMs = performance.now() - Math.max(lastBadAt(), repairedAt)
    if (quietMs > 2000 && readyAt.size === instances.length) break
    await pause(50)
  }
  const isWell = performance.now() < limit
  const wellMs = Math.max(0, lastBadAt() - repairedAt)
  isOver = true
  await Promise.all(probes)
  const http = await load.end()
  const relay = (await relayLoad?.end()) ?? http
  await balancer?.close()
  const sessions = http.sessions.slice(-200)
  let lostSessions = 0
  for (const token of sessions) {
    const status = await isSignedIn(ports()[0], token).catch(() => 0)
    if (status !== 200) lostSessions += 1
  }

  const counts = new Map([...http.counts, ...relay.counts])
  if (!isWell) problems.push('not recovered 40 s after the repair')
  if (maxWrong > truthMs) problems.push(`/ready was wrong for ${(maxWrong / 1000).toFixed(1)} s`)
  if (relay.lost > 0) problems.push(`${relay.lost} acknowledged messages never arrived`)
  if (lostSessions > 0) problems.push(`${lostSessions} sign-ins were lost`)
  if (isBalanced && [...http.counts.keys()].some((key) => !/ (200|429)$/.test(key)))
    problems.push('requests were lost behind the load balancer')
  for (const key of counts.keys()) if (/ 500$/.test(key)) problems.push(key)
  for (const instance of new Set([...watched, ...instances])) {
    const { exitCode, signalCode } = instance.process
    if (!instance.isEnded && (exitCode !== null || signalCode !== null))
      problems.push(`an instance exited unexpectedly (${exitCode ?? signalCode}): ${instance.log.at(-1)}`)
    const uncaught = instance.log.filter((line) => line.includes('uncaught error'))
    if (uncaught.length > 0) problems.push(`${uncaught.length} uncaught errors: ${uncaught[0].slice(0, 300)}`)
  }
  missed.push(...problems.map((problem) => `${name}: ${problem}`))

  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  const bad = [...counts].filter(([key]) => !/ (200|429|ok)$/.test(key)).map(([key, count]) => `${count} × ${key}`)
  const slow = [...http.slowest]
    .filter(([, ms]) => ms > 1000)
    .map(([kind, ms]) => `${kind} up to ${(ms / 1000).toFixed(1)} s`)
  const cells = [
    name,
    [
      `${bad.join(', ') || 'nothing'} of ${total}`,
      ...slow,
      ...(maxWrong > 100 ? [`/ready reported it after ${(maxWrong / 1000).toFixed(1)} s`] : []),
      ...(relay.latestMs > 1000 ? [`messages up to ${(relay.latestMs / 1000).toFixed(1)} s late`] : []),
      ...(more ? [more] : []),
    ].join('; '),
    !isWell ? 'not within 40 s' : wellMs < 100 ? 'immediately' : `${(wellMs / 1000).toFixed(1)} s`,
    `${relay.lost} of ${relay.acknowledged} messages, ${lostSessions} of ${sessions.length} sign-ins`,
  ]
  table.push(cells)
  console.log(`| ${cells.join(' | ')} |`)
  for (const problem of problems) console.log(`  NOT met: ${problem}`)
}
