// Builds the pages and starts a local environment for each worker that requests one.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSources } from '../../tools/runFromSource.mjs'
import { closeEgress } from './blockEgress.mjs'
import { buildAll, built } from './buildPages.mjs'
import { serveWorlds } from './serveEnvironments.mjs'
import { sitesFor } from './serveSites.mjs'

export default async function globalSetup() {
  await buildAll()
  const sources = await openSources()
  const { serveFolder, startDevEnvironment } = await sources.load('packages/dev/src/index.ts')
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-e2e-'))
  // Download these files up front so that no test has to wait for them.
  const { accountContracts, bundlerProgram, ensArtifacts, uniswapV3Artifacts } = await sources.load(
    'packages/testing/src/node/index.ts',
  )
  const say = (/** @type {string} */ line) => process.stderr.write(`› ${line}\n`)
  await accountContracts({ say })
  await uniswapV3Artifacts({ say })
  await ensArtifacts({ say })
  await bundlerProgram({ say })
  const { tried } = closeEgress()
  const worlds = await serveWorlds({
    start: async (worker) =>
      startDevEnvironment({
        port: Number(process.env.PORT ?? 4700) + 50 * worker,
        site: built.demo,
        wallet: built.wallet,
        dataFolder: join(folder, `worker-${worker}`),
        sponsored: ['other'],
        sites: await sitesFor({ serveFolder }),
      }),
  })
  process.env.LATCHKEY_WORLDS = worlds.url
  return async () => {
    await worlds.stop()
    await sources.close()
    await rm(folder, { recursive: true, force: true })
    if (tried.length > 0) throw new Error(`The run reached out to ${[...new Set(tried)].join(', ')}.`)
  }
}
