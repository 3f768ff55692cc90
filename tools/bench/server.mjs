// The parts of `npm run bench` that measure the server. Each benchmark is a script that prints its results and goals, and exits
// with a non-zero status if a goal is missed.

import { run, say, toolEnv } from '../bootstrap.mjs'

/** The file and subject of each benchmark, keyed by the name of its part. */
const benchmarks = {
  routes: { file: 'routes', subject: 'the routes that pages call, compared with bare Hono' },
  account: {
    file: 'account',
    subject: 'an account’s balances and history, compared with the calls to the node that they cost',
  },
  directory: { file: 'directory', subject: 'a directory of 10,000 wallets, compared with bare Hono' },
  fanOut: { file: 'fanOut', subject: 'the relay’s fan-out and slowest messages, compared with bare ws' },
  relay: { file: 'relay', subject: 'the relay’s throughput and memory per connection, compared with bare ws' },
  attackedRelay: { file: 'relayHostile', subject: 'the relay under attack by 200 hostile sockets' },
  idle: { file: 'idle', subject: 'the memory of an idle server, compared with a bare PGlite' },
}

/** @type {Promise<boolean> | undefined} */
let building

/**
 * Returns the functions that run the parts, keyed by name. The first part that runs builds the packages.
 * @param {(fine: boolean, line: string) => void} report
 * @returns {Readonly<Record<string, () => Promise<void>>>}
 */
export function serverParts(report) {
  return Object.fromEntries(
    Object.entries(benchmarks).map(([name, { file, subject }]) => [
      name,
      async () => {
        say(`Server: ${subject}`)
        building ??= run('node', ['tools/build.mjs'], { env: toolEnv(), quiet: true }).then((code) => code === 0)
        const script = `packages/server/bench/${file}.bench.mjs`
        const fine = (await building) && (await run('node', [script], { env: toolEnv() })) === 0
        report(fine, `${name} (see its output above)`)
      },
    ]),
  )
}
