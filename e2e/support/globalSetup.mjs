// Builds the pages and brings up one local world for the whole run.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSources } from '../../tools/source.mjs'
import { buildAll, built } from './build.mjs'
import { closeEgress } from './egress.mjs'
import { sitesFor } from './sites.mjs'

export default async function globalSetup() {
  await buildAll()
  const sources = await openSources()
  const { serveFolder, startLocalWorld } = await sources.load('packages/server/src/dev/index.ts')
  const dataFolder = join(await mkdtemp(join(tmpdir(), 'latchkey-e2e-')), 'data')
  // Fetched here, so that no test waits for it.
  const { accountContracts, bundlerProgram } = await sources.load('packages/testing/src/node/index.ts')
  const say = (/** @type {string} */ line) => process.stderr.write(`› ${line}\n`)
  await accountContracts({ say })
  await bundlerProgram({ say })
  const { tried } = closeEgress()
  const world = await startLocalWorld({
    port: 4700,
    site: built.demo,
    wallet: built.wallet,
    dataFolder,
    sponsored: ['other'],
    sites: await sitesFor({ serveFolder }),
  })
  process.env.LATCHKEY_WORLD = JSON.stringify({ port: world.port, facts: world.facts })
  return async () => {
    await world.stop()
    await sources.close()
    await rm(join(dataFolder, '..'), { recursive: true, force: true })
    if (tried.length > 0) throw new Error(`The run reached out to ${[...new Set(tried)].join(', ')}.`)
  }
}
