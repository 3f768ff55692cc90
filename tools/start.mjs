// `npm start`: installs what is missing, builds the demo, starts the dev environment, and prints its URLs.

import { join } from 'node:path'
import { ensureInstalled, root, run, Stop, say, script, toolEnv } from './bootstrap.mjs'
import { ownBuildFolder } from './buildFolder.mjs'

await script(async () => {
  /** @type {Promise<void>} */
  const stopped = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve())
  })
  await ensureInstalled()
  const args = startArgs(process.argv.slice(2), process.env)
  const terminal = {
    out: (/** @type {string} */ text) => process.stdout.write(text),
    err: (/** @type {string} */ text) => process.stderr.write(text),
    stopped: () => stopped,
  }
  // Printing the help requires no build.
  if (args.includes('--help') || args.includes('-h')) return runDev({ args, ...terminal })
  // Use separate builds, because a second start in this clone must not overwrite the builds of the first.
  const own = ownBuildFolder(join(root, '.latchkey/start'))
  process.once('exit', own.remove)
  const site = join(own.folder, 'site')
  const wallet = join(own.folder, 'wallet')
  const frame = join(own.folder, 'frame')
  /** @param {string} app @param {string} folder */
  const vite = (app, folder) =>
    run('vite', ['build', '--logLevel', 'error', '--outDir', folder, '--emptyOutDir'], {
      cwd: join(root, 'apps', app),
      env: toolEnv(),
    })
  say('Building the demo')
  if ((await vite('demo', site)) !== 0) throw new Stop('The demo could not be built. See the output above.')
  say('Building the test wallet')
  if ((await vite('wallet', wallet)) !== 0) throw new Stop('The test wallet could not be built. See the output above.')
  say('Building the key frame')
  const framed = await run('node', ['build.mjs', frame], { cwd: join(root, 'packages/frame'), env: toolEnv() })
  if (framed !== 0) throw new Stop('The key frame could not be built. See the output above.')
  return runDev({
    args: [
      ...['--site', site, '--wallet', wallet, '--frame', frame],
      ...['--data', join(root, '.latchkey/demo'), ...args],
    ],
    ...terminal,
  })
})

/** @param {{ args: string[], out(text: string): void, err(text: string): void, stopped(): Promise<void> }} terminal */
async function runDev(terminal) {
  // Imported here, because vite is not available before the installation.
  const { openSources } = await import('./runFromSource.mjs')
  const sources = await openSources()
  try {
    const dev = await sources.load('packages/dev/src/index.ts')
    return await dev.runDev(terminal)
  } finally {
    await sources.close()
  }
}

/**
 * Returns the arguments. If they do not specify a port, adds the port from the environment.
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function startArgs(args, { PORT }) {
  const named = args.some((arg) => arg === '--port' || arg.startsWith('--port='))
  return PORT && !named ? [...args, '--port', PORT] : args
}
