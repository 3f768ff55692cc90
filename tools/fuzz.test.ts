import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as keys from '../packages/protocol/src/http/keys/index.ts'
import * as publicRoutes from '../packages/protocol/src/http/publicRoutes.ts'
import { readConfig } from '../packages/server/src/config/readConfig.ts'
import { startServer } from '../packages/server/src/startServer.ts'
import { freePort, schemasOf, startSurroundings } from './fuzz/fakeServices.mjs'
import { fuzz, targetsOf } from './fuzz/sendMalformedRequests.mjs'

test('malformed requests to every route and upgrade cause no uncaught error and no 5xx response except 503', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-fuzz-'))
  await writeFile(join(folder, 'index.html'), '<!doctype html>')
  const port = await freePort()
  const { env, hosts, close } = await startSurroundings({ folder: join(folder, 'data'), port })
  const uncaught: unknown[] = []
  const noted = (error: unknown): void => void uncaught.push(error)
  process.on('unhandledRejection', noted)
  const lines: string[] = []
  const running = await startServer({
    config: readConfig({ ...env, FRAME_DIR: folder }),
    log: (level, message, fields) => {
      if (level === 'error') lines.push(`${message} ${JSON.stringify(fields)}`)
    },
  })
  try {
    const targets = targetsOf(running.routes, { hosts, schemas: schemasOf([publicRoutes, keys]) })
    expect(targets.length).toBeGreaterThan(60)
    const found = await fuzz({ port, targets, seed: 20_261_122, perTarget: 12, total: 1_500, isAlive: () => true })
    expect(found.faults).toEqual([])
    expect(found.short).toEqual([])
    expect([uncaught, lines]).toEqual([[], []])
  } finally {
    process.off('unhandledRejection', noted)
    await running.stop()
    await close()
    await rm(folder, { recursive: true, force: true })
  }
}, 240_000)
