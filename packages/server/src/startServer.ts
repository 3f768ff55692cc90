import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from './config/readConfig.ts'
import { createDrain } from './http/connectionDrain.ts'
import { createListener } from './http/httpListener.ts'
import { listenOnPort } from './http/listenOnPort.ts'
import type { Log } from './serverDependencies.ts'
import { type AssembledServer, serverFromConfig } from './serverFromConfig.ts'
import { folderMustExist } from './storage/durableFiles.ts'

/** A listening server. */
export interface RunningServer {
  /** The URL of the listener, such as `http://127.0.0.1:4100`. */
  url: string
  /** The port in use, which can differ from the configured one. */
  port: number
  /** The routes that the server provides, each with its origin. */
  routes: AssembledServer['routes']
  /** The CAIP-2 IDs of the configured chains. */
  chains: AssembledServer['chains']
  /**
   * Stops accepting connections, waits for running requests to finish, and then closes the stores. Resolves to whether all
   * requests finished in time. With `drains`, `/ready` first reports the shutdown while the server keeps serving for the
   * configured time.
   */
  stop(options?: { drains?: boolean }): Promise<{ clean: boolean }>
}

/**
 * Starts a server with this configuration. Resolves once the server is listening.
 *
 * @throws {Error} if a folder, the database, Redis or the port cannot be used. The message explains how to fix the problem.
 *
 * @example
 * const log = createLog({ level: 'info', write: (line) => process.stderr.write(line) })
 * const server = await startServer({ config: readConfig(process.env), log })
 * process.once('SIGTERM', () => server.stop({ drains: true }))
 */
export async function startServer({ config, log }: { config: Config; log: Log }): Promise<RunningServer> {
  await folderMustExist('FRAME_DIR', config.keys?.frameFolder)
  await folderMustExist('WALLET_IMAGES_DIR', config.walletImagesFolder)
  const assembled = await serverFromConfig({ config, log })
  const listener = createListener({
    fetch: assembled.respond,
    upgrade: assembled.upgrade,
    limits: config.listener,
  })
  const drain = createDrain(listener)
  try {
    await listenOnPort(listener, config)
  } catch (error) {
    await assembled.close()
    throw error
  }
  const address = listener.address()
  const port = typeof address === 'object' && address ? address.port : config.port
  const host = config.host.includes(':') ? `[${config.host}]` : config.host

  return {
    url: `http://${host}:${port}`,
    port,
    routes: assembled.routes,
    chains: assembled.chains,
    stop: async ({ drains = false } = {}) => {
      assembled.drain()
      if (drains) await pause(config.drainDelayMs)
      assembled.hangUp()
      const clean = await drain.close(config.stopTimeoutMs)
      await assembled.close()
      return { clean }
    },
  }
}
