// Installs what the scripts need in a fresh clone: pnpm, the packages and, if requested, browsers and databases from Debian. This
// file uses plain Node 20 without dependencies, because nothing else is installed yet.

import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root folder of the repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The folder for downloaded tools, which is never committed. */
const toolsFolder = join(root, '.tools')

/**
 * The reviewed version of pnpm. Because pnpm installs everything else from the lockfile, it is installed first and has no
 * separate lockfile entry. Packages for platforms that are not listed are not verified.
 * @type {{ version: string, packages: Record<string, string> }}
 */
export const pnpmSeen = {
  version: '12.21.0',
  packages: {
    pnpm: 'sha512-Zv2CeO4ok1zpUXktNDZ/869cQyonVkRYIwKVM4NbjaUpu+C+UTCv1W7QcT+4eJ5Hutgtk71a4v5UsVVi1idu8A==',
    '@pnpm/exe.linux-x64':
      'sha512-8eufCjHXspKbNS/kh8q4Q0gqJoOuvC4Q5pgos6XS8By/nAMtP+jf8F1Cw9er840kfAX+PJ/ts+A9qnLE91rvXQ==',
    '@pnpm/exe.linux-arm64':
      'sha512-4Oj/iF2TDCe2lcH0n4TupPR5sSdrNLclJB6xBElLMPCUOAvBhdf2rRlSaO5M4erJ6g4Fyy7YTXTpcmfFsKyxEA==',
  },
}

/**
 * Returns the packages in npm's lockfile whose integrity differs from the reviewed version.
 * @param {{ packages?: Record<string, { integrity?: string | undefined }> }} noted
 * @returns {string[]}
 */
export function notAsSeen({ packages = {} }) {
  const unpacked = Object.entries(packages).map(([path, { integrity }]) => ({
    name: path.replace(/^node_modules\//, ''),
    integrity,
  }))
  const other = unpacked
    .filter(({ name, integrity }) => {
      const seen = pnpmSeen.packages[name]
      return seen === undefined ? !/^@pnpm\/exe\.[\w-]+$/.test(name) : seen !== integrity
    })
    .map(({ name }) => name)
  return unpacked.some(({ name }) => name === 'pnpm') ? other : ['pnpm', ...other]
}

/** An error with an actionable message, which is printed without a stack trace. */
export class Stop extends Error {}

/** @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: boolean, note?: (text: string) => void }} RunOptions */

/**
 * Runs a program and resolves to its exit code. The output is printed, or passed to `note`. The arguments are never passed
 * through a shell.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<number>}
 */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd ?? root,
      env: options.env ?? process.env,
      stdio: options.note ? ['ignore', 'pipe', 'pipe'] : ['ignore', options.quiet ? 'ignore' : 'inherit', 'inherit'],
    })
    for (const output of [child.stdout, child.stderr])
      output?.setEncoding('utf8').on('data', (text) => options.note?.(text))
    // Ctrl-C also reaches the child through the terminal, but a signal that is sent only to this process must be passed on.
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => child.kill(signal)
    process.on('SIGINT', pass)
    process.on('SIGTERM', pass)
    const done = () => {
      process.off('SIGINT', pass)
      process.off('SIGTERM', pass)
    }
    child.on('error', (error) => {
      done()
      reject(error)
    })
    // Wait for `close` rather than `exit`, because the last output might arrive after `exit`.
    child.on('close', (code, signal) => {
      done()
      if (signal === 'SIGINT' || signal === 'SIGTERM') process.exit(130)
      resolve(code ?? 1)
    })
  })
}

/**
 * Returns an environment in which the packages' programs are found by name.
 * @param {NodeJS.ProcessEnv} [more]
 * @returns {NodeJS.ProcessEnv}
 */
export function toolEnv(more = {}) {
  const path = [join(root, 'node_modules/.bin'), join(toolsFolder, 'node_modules/.bin'), process.env.PATH].join(
    delimiter,
  )
  return { ...process.env, PATH: path, ...more }
}

/** @returns {string} the version of pnpm in package.json, such as `12.21.0` for `pnpm@12.21.0` */
function pnpmVersion() {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return packageManager.split('@')[1]
}

/** @returns {Promise<string>} the path of pnpm, which is installed with npm if it is missing */
async function ensurePnpm() {
  const program = join(toolsFolder, 'node_modules/.bin/pnpm')
  const manifest = join(toolsFolder, 'node_modules/pnpm/package.json')
  const version = pnpmVersion()
  if (existsSync(program) && existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version)
    return program
  say(`Fetching pnpm ${version} into .tools (once, about 68 MB)`)
  mkdirSync(toolsFolder, { recursive: true })
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const args = [
    'install',
    '--prefix',
    toolsFolder,
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    `pnpm@${version}`,
  ]
  if ((await run(npm, args, { cwd: toolsFolder })) !== 0) {
    throw new Stop(`npm could not fetch pnpm ${version}. Check your network connection. Command: npm ${args.join(' ')}`)
  }
  // None of pnpm's code has run yet. Its install script runs after the verification.
  const noted = JSON.parse(readFileSync(join(toolsFolder, 'node_modules/.package-lock.json'), 'utf8'))
  const other = version === pnpmSeen.version ? notAsSeen(noted) : ['pnpm']
  if (other.length > 0) {
    rmSync(toolsFolder, { recursive: true, force: true })
    throw new Stop(`pnpm ${version} differs from the pinned version (${other.join(', ')}). It was not executed.`)
  }
  if ((await run(npm, ['rebuild', '--prefix', toolsFolder, 'pnpm'], { cwd: toolsFolder })) !== 0)
    throw new Stop(`The install script of pnpm ${version} failed. See its output above.`)
  return program
}

/** Returns a hash of everything that an installation depends on. If the hash changes, node_modules is outdated. */
function lockMark() {
  const mark = createHash('sha256')
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'])
    mark.update(readFileSync(join(root, file)))
  return mark.digest('hex')
}

/** @returns {Promise<void>} */
async function ensurePackages() {
  const stamp = join(root, 'node_modules/.latchkey-installed')
  const mark = lockMark()
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === mark) return
  // A manual installation leaves no stamp. It is accepted if it is newer than the lockfile.
  const theirs = join(root, 'node_modules/.modules.yaml')
  if (
    !existsSync(stamp) &&
    existsSync(theirs) &&
    statSync(theirs).mtimeMs > statSync(join(root, 'pnpm-lock.yaml')).mtimeMs
  )
    return
  const pnpm = await ensurePnpm()
  say('Installing packages (a first install takes about half a minute)')
  if ((await run(pnpm, ['install', '--frozen-lockfile', '--reporter=append-only'])) !== 0) {
    rmSync(stamp, { force: true })
    throw new Stop('pnpm install failed. See its output above.')
  }
  writeFileSync(stamp, mark)
}

/** @typedef {{ chromium?: boolean, headlessShell?: boolean, firefox?: boolean, webkit?: boolean, screen?: boolean, postgres?: boolean, redis?: boolean }} Programs */

/** The programs' Debian package names, and the paths where they are installed. */
const debian = {
  chromium: { package: 'chromium', variable: 'CHROMIUM', paths: ['/usr/bin/chromium', '/usr/bin/chromium-browser'] },
  // Chromium without a user interface. The tests prefer it, because it needs a third less CPU time.
  headlessShell: {
    package: 'chromium-headless-shell',
    variable: 'CHROMIUM_HEADLESS_SHELL',
    paths: ['/usr/bin/chromium-headless-shell'],
  },
  firefox: { package: 'firefox-esr', variable: 'FIREFOX', paths: ['/usr/bin/firefox-esr', '/usr/bin/firefox'] },
  webkit: { package: 'webkit2gtk-driver', variable: 'WEBKIT_DRIVER', paths: ['/usr/bin/WebKitWebDriver'] },
  // WebKitGTK needs a display, so Xvfb provides a virtual display.
  screen: { package: 'xvfb', variable: 'XVFB', paths: ['/usr/bin/Xvfb'] },
  postgres: {
    package: 'postgresql',
    variable: 'POSTGRES_BIN',
    paths: ['18', '17', '16', '15', '14'].map((major) => `/usr/lib/postgresql/${major}/bin/postgres`),
  },
  redis: {
    package: 'redis-server',
    variable: 'REDIS_SERVER',
    paths: ['/usr/bin/redis-server', '/usr/local/bin/redis-server', '/opt/homebrew/bin/redis-server'],
  },
}

/**
 * Returns the path of a program, or `undefined` if the program is not installed.
 * @param {keyof typeof debian} name
 * @returns {string | undefined}
 */
export function whereIs(name) {
  const { variable, paths } = debian[name]
  return [process.env[variable], ...paths].find((path) => path && existsSync(path))
}

/** Returns whether Debian packages can be installed. */
function canInstall() {
  return process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
}

/**
 * @param {Programs} programs
 * @returns {Promise<void>}
 */
async function ensureDebian(programs) {
  const names = /** @type {(keyof typeof debian)[]} */ (Object.keys(debian))
  const missing = names.filter((name) => programs[name] && !whereIs(name))
  if (missing.length === 0) return
  const packages = missing.map((name) => debian[name].package)
  const command = `apt-get install --yes --no-install-recommends ${packages.join(' ')}`
  const variables = missing.map((name) => debian[name].variable).join(', ')
  if (!canInstall()) {
    throw new Stop(
      `Missing: ${packages.join(', ')}. Run: sudo ${command}\nor set ${variables} to the path of an installed program.`,
    )
  }
  say(`Installing ${packages.join(', ')} from Debian`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  await run('apt-get', ['update', '-q'], { env })
  if ((await run('apt-get', ['install', '-q', '--yes', '--no-install-recommends', ...packages], { env })) !== 0) {
    throw new Stop(`Debian could not install ${packages.join(', ')}. Run it manually: ${command}`)
  }
}

/**
 * Installs the packages in the lockfile and the requested programs, if they are missing.
 * @param {{ browsers?: boolean, otherBrowsers?: boolean, postgres?: boolean, redis?: boolean }} [programs]
 * @returns {Promise<void>}
 */
export async function ensureInstalled(programs = {}) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19))
    throw new Stop(`Node 20.19 or later is required. This is ${process.version}.`)
  await ensurePackages()
  await ensureDebian({
    chromium: programs.browsers === true,
    firefox: programs.otherBrowsers === true,
    webkit: programs.otherBrowsers === true,
    screen: programs.otherBrowsers === true,
    postgres: programs.postgres === true,
    redis: programs.redis === true,
  })
  const chromium = whereIs('chromium')
  if (chromium) process.env.CHROMIUM = chromium
  const firefox = whereIs('firefox')
  if (firefox) process.env.FIREFOX = firefox
}

/**
 * Makes the tests use Chromium's headless shell, unless `CHROMIUM` was set before. Installs it if possible. Without it, all tests
 * use Chromium.
 * @param {string | undefined} chosen the value of `CHROMIUM` that the user set
 * @returns {Promise<void>}
 */
export async function preferHeadlessShell(chosen) {
  if (chosen) return
  if (canInstall())
    await ensureDebian({ headlessShell: true }).catch(() =>
      say('Using Chromium, because its headless shell cannot be installed'),
    )
  const headlessShell = whereIs('headlessShell')
  if (headlessShell) process.env.CHROMIUM_HEADLESS_SHELL = headlessShell
}

/**
 * Prints a progress message.
 * @param {string} line
 */
export function say(line) {
  process.stderr.write(`\n› ${line}\n`)
}

/**
 * Runs a script's main function. If it throws a `Stop` error, prints the message and exits with code 1.
 * @param {() => Promise<number | void>} main
 */
export async function script(main) {
  try {
    process.exitCode = (await main()) ?? 0
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    process.stderr.write(`\n✗ ${error.message}\n`)
    process.exitCode = 1
  }
}
