// Checks the licence of every package in the lockfile, with stricter rules for the dependencies of published packages.
// `node tools/licences.mjs` prints the violations, and fails if there are any. It reads node_modules and needs no network.

import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from './bootstrap.mjs'

/** The licences that direct and transitive dependencies of published packages can have. MIT-0 is MIT without attribution. */
const published = ['MIT', 'MIT-0', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', '0BSD', 'CC0-1.0', 'MPL-2.0']

/** The licences that packages for building and testing can have. */
const development = [...published, 'BlueOak-1.0.0', 'Python-2.0', 'Unlicense', 'CC-BY-4.0']

/**
 * The packages with an unclear or non-open licence, each with the reason for the exception. They are used only in development and
 * in the dev environment. The bundler and the contracts are not in the lockfile, because the dev environment
 * downloads them on first use. They are not part of any package.
 */
export const exceptions = {
  spawndamnit: 'its LICENSE file is the MIT text; package.json only points at it',
  connectkit: 'BSD-2-Clause, which its package.json calls "BSD-2-Clause license"; a page of e2e',
  'text-encoding-utf-8':
    'its LICENSE.md is the Unlicense, its package.json names none; of a page of e2e, by way of @solana/web3.js',
  '@uniswap/v3-core': 'BUSL artifacts, deployed on a local chain only',
  '@uniswap/v3-periphery': 'GPL artifacts, deployed on a local chain only',
  '@uniswap/swap-router-contracts': 'GPL artifacts, deployed on a local chain only',
  '@pimlico/alto': 'GPL-3.0, run as a separate process',
  '@account-abstraction/contracts': 'says MIT, its contracts GPL-3.0; deployed on a local chain only',
  '@safe-global/safe-contracts': 'LGPL artifacts, deployed on a local chain only',
  '@safe-global/safe-4337': 'GPL and LGPL artifacts, deployed on a local chain only',
}

/**
 * Whether a package is forbidden in the lockfile regardless of its declared licence. The official WalletConnect packages up to
 * version 2.21.8 and `@reown/walletkit` up to version 1.2.8 have the Apache-2.0 licence. They serve as reference clients in
 * `e2e/` and are never shipped. Later versions are never used, because their licences claim derivative works.
 * @param {string} name
 * @param {string} version
 * @param {boolean} isShipped
 */
function isBarred(name, version, isShipped) {
  if (!/^@(reown|walletconnect)\//.test(name)) return false
  if (isShipped) return true
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  const later = (/** @type {readonly [number, number, number]} */ [a, b, c]) =>
    major > a || (major === a && (minor > b || (minor === b && patch > c)))
  if (name.startsWith('@reown/')) return name !== '@reown/walletkit' || later([1, 2, 8])
  return later([2, 21, 8])
}

/**
 * Whether the allowed licences satisfy an SPDX expression.
 * @param {string | undefined} expression
 * @param {readonly string[]} allowed
 * @returns {boolean}
 */
export function permits(expression, allowed) {
  if (!expression) return false
  const bare = expression.replace(/[()]/g, '')
  return bare.split(' OR ').some((choice) => choice.split(' AND ').every((name) => allowed.includes(name.trim())))
}

/**
 * @typedef {{ name: string, version: string, dependencies: string[], otherPlatform: boolean }} Locked
 * @typedef {{ packages: Map<string, Locked>, importers: Map<string, string[]> }} Lock
 */

/**
 * Parses the required parts of a pnpm lockfile: the packages, their dependencies, and the runtime dependencies of each workspace
 * package.
 * @param {string} text
 * @returns {Lock}
 */
export function readLock(text) {
  /** @type {Lock} */
  const lock = { packages: new Map(), importers: new Map() }
  /** @type {Map<string, boolean>} */
  const bound = new Map()
  let section = ''
  let subject = ''
  let group = ''
  let dependency = ''
  for (const line of text.split('\n')) {
    const found = line.match(/^( *)(?:'([^']+)'|([^\s':][^:]*|[^\s':]+:[^\s:]+)):(?: (.*))?$/)
    if (!found) continue
    const depth = (found[1] ?? '').length
    const key = found[2] ?? found[3] ?? ''
    const value = found[4] ?? ''
    if (depth === 0) section = key
    else if (depth === 2) {
      subject = key
      group = ''
      if (section === 'importers') lock.importers.set(subject, [])
      if (section === 'snapshots') {
        const { name, version } = identify(subject)
        const otherPlatform = bound.get(`${name}@${version}`) ?? false
        lock.packages.set(subject, { name, version, dependencies: [], otherPlatform })
      }
    } else if (depth === 4) {
      group = key
      if (section === 'packages' && (key === 'os' || key === 'cpu')) bound.set(subject, true)
      // The package is used only by builds for other platforms.
      if (section === 'snapshots' && key === 'optional') mark(lock, subject)
    } else if (section === 'snapshots' && depth === 6 && /^(optionalD|d)ependencies$/.test(group)) {
      lock.packages.get(subject)?.dependencies.push(target(key, value))
    } else if (section === 'importers' && /^(optionalD|d)ependencies$/.test(group)) {
      if (depth === 6) dependency = key
      else if (key === 'version') lock.importers.get(subject)?.push(target(dependency, value))
    }
  }
  return lock
}

/**
 * @param {Lock} lock
 * @param {string} subject
 */
function mark(lock, subject) {
  const found = lock.packages.get(subject)
  if (found) found.otherPlatform = true
}

/**
 * @param {string} key `@scope/name@1.0.0(peer@2.0.0)`
 * @returns {{ name: string, version: string }}
 */
function identify(key) {
  const bare = key.replace(/\(.*$/, '')
  const at = bare.indexOf('@', 1)
  return { name: bare.slice(0, at), version: bare.slice(at + 1) }
}

/**
 * Returns the snapshot to which a dependency line refers. For an alias, the value contains the name of the actual package.
 * @param {string} name
 * @param {string} value
 */
function target(name, value) {
  const version = value.replace(/^'|'$/g, '')
  if (version.startsWith('link:')) return version
  return /^@?[a-z]/i.test(version) && version.indexOf('@', 1) > 0 && !/^\d/.test(version)
    ? version
    : `${name}@${version}`
}

/**
 * Returns the direct and transitive dependencies of the given workspace packages.
 * @param {Lock} lock
 * @param {readonly string[]} importers
 * @returns {Set<string>}
 */
export function runtimeClosure(lock, importers) {
  /** @type {Set<string>} */
  const seen = new Set()
  const waiting = importers.flatMap((importer) => lock.importers.get(importer) ?? [])
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue
    seen.add(next)
    waiting.push(...(lock.packages.get(next)?.dependencies ?? []))
  }
  return seen
}

/**
 * Returns one sentence for each violation.
 * @param {{ lock: Lock, importers: readonly string[], licenceOf: (name: string, version: string) => string | undefined }} options
 * @returns {string[]}
 */
export function judge({ lock, importers, licenceOf }) {
  const shipped = runtimeClosure(lock, importers)
  /** @type {Set<string>} */
  const found = new Set()
  for (const [key, { name, version, otherPlatform }] of lock.packages) {
    if (isBarred(name, version, shipped.has(key))) found.add(`${name}@${version} must not be in the lockfile.`)
    const licence = licenceOf(name, version)
    // This is a build for another platform, which is not installed. It has the same licence as the package that depends on it.
    if (licence === undefined && otherPlatform) continue
    if (shipped.has(key)) {
      if (!permits(licence, published))
        found.add(`${name}@${version} (${licence ?? 'no license'}) is shipped to users.`)
    } else if (!permits(licence, development) && !Object.hasOwn(exceptions, name)) {
      found.add(`${name}@${version} (${licence ?? 'no license'}) has neither an open-source license nor an exception.`)
    }
  }
  return [...found].sort()
}

/**
 * Returns the declared licence of each installed package.
 * @param {string} folder node_modules/.pnpm
 * @returns {Map<string, string | undefined>}
 */
function installedLicences(folder) {
  /** @type {Map<string, string | undefined>} */
  const found = new Map()
  for (const entry of readdirSync(folder)) {
    const inside = join(folder, entry, 'node_modules')
    if (!existsSync(inside)) continue
    const names = readdirSync(inside).flatMap((name) =>
      name.startsWith('@') ? readdirSync(join(inside, name)).map((part) => `${name}/${part}`) : [name],
    )
    for (const name of names) {
      const manifest = join(inside, name, 'package.json')
      if (lstatSync(join(inside, name)).isSymbolicLink() || !existsSync(manifest)) continue
      const { version, license, licenses } = JSON.parse(readFileSync(manifest, 'utf8'))
      const declared = license ?? licenses
      const words = Array.isArray(declared)
        ? declared.map((item) => item.type ?? item).join(' OR ')
        : (declared?.type ?? declared)
      found.set(`${name}@${version}`, words)
    }
  }
  return found
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const lock = readLock(readFileSync(join(root, 'pnpm-lock.yaml'), 'utf8'))
  const licences = installedLicences(join(root, 'node_modules/.pnpm'))
  const importers = [...lock.importers.keys()].filter((path) => {
    if (!path.startsWith('packages/')) return false
    return JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')).private !== true
  })
  const wrong = judge({ lock, importers, licenceOf: (name, version) => licences.get(`${name}@${version}`) })
  const shipped = runtimeClosure(lock, importers)
  process.stdout.write(
    `${lock.packages.size} packages in the lockfile, ${shipped.size} of them shipped: ${wrong.length} problems\n`,
  )
  for (const sentence of wrong) process.stdout.write(`  ${sentence}\n`)
  process.exitCode = wrong.length === 0 ? 0 : 1
}
