import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readLock, runtimeClosure } from './licences.mjs'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

test('versions published within the last week are not installed', () => {
  const [, minutes] = /^minimumReleaseAge: (\d+)$/m.exec(read('pnpm-workspace.yaml')) ?? []
  expect(Number(minutes)).toBeGreaterThanOrEqual(7 * 24 * 60)
  // No package is exempt from the waiting period.
  expect(read('pnpm-workspace.yaml')).not.toMatch(/^minimumReleaseAgeExclude:/m)
})

test('the lockfile pins every package by hash, and every package comes from the registry', () => {
  const lock = read('pnpm-lock.yaml')
  const resolutions = [...lock.matchAll(/^ {4}resolution: (.*)$/gm)].map(([, text]) => text as string)
  expect(resolutions.length).toBeGreaterThan(100)
  expect(resolutions.filter((text) => !/^\{integrity: sha512-[\w+/]{86}==(, \w+: [^,}]+)*\}$/.test(text))).toEqual([])
  expect(lock).not.toMatch(/tarball:|codeload|git\+|github\.com/)
})

/** Whether a semver range includes Node 20.19.0. Returns `false` for a range that cannot be parsed. */
function letsIn(range: string): boolean {
  const node = [20, 19, 0]
  const compare = (text: string): number => {
    const parts = text.replaceAll(/[xX*]/g, '0').split('-')[0]?.split('.').map(Number) ?? []
    const at = node.findIndex((part, index) => part !== (parts[index] ?? 0))
    return at < 0 ? 0 : (node[at] as number) - (parts[at] ?? 0)
  }
  const keeps = (comparator: string): boolean => {
    const [, sign = '', version = ''] = /^(\^|~|>=|<=|>|<|=)?v?([\d.xX*][^\s]*)$/.exec(comparator) ?? []
    if (comparator === '*' || comparator === '') return true
    if (sign === '>=') return compare(version) >= 0
    if (sign === '>') return compare(version) > 0
    if (sign === '<') return compare(version) < 0
    if (sign === '<=') return compare(version) <= 0
    return version.split('.')[0] === '20' && compare(version) >= 0
  }
  return range.split('||').some((part) =>
    part
      .trim()
      .replaceAll(/(\^|~|>=|<=|>|<|=)\s+/g, '$1')
      .split(/\s+/)
      .every(keeps),
  )
}

test('every installed package supports Node 20.19, the oldest supported version', () => {
  const engines = [...read('pnpm-lock.yaml').matchAll(/^ {2}(\S+):\n {4}resolution:[^\n]*\n {4}engines: \{([^}]*)\}/gm)]
  expect(engines.length).toBeGreaterThan(100)
  const refusals = engines.flatMap(([, name, text = '']) => {
    const [, quoted, bare] = /node: (?:'([^']*)'|([^,]*))/.exec(text) ?? []
    const range = quoted ?? bare
    return range === undefined || letsIn(range.trim()) ? [] : [`${name} wants ${range}`]
  })
  expect(refusals).toEqual([])
  expect(['>=22.0.0', '^22.18.0 || >=24.11.0', '^20.20.0'].filter(letsIn)).toEqual([])
})

test('the packages for sign-in on a custom server install neither a database nor a chain library', () => {
  const lock = readLock(read('pnpm-lock.yaml'))
  const namesOf = (importers: string[]) => [
    ...new Set([...runtimeClosure(lock, importers)].map((key) => lock.packages.get(key)?.name ?? key)),
  ]
  expect(namesOf(['packages/siwx', 'packages/protocol']).toSorted()).toEqual([
    '@noble/curves',
    '@noble/hashes',
    '@scure/base',
    'jose',
    'link:../protocol',
    'typescript',
    'valibot',
  ])
  expect(namesOf(['packages/server'])).toEqual(expect.arrayContaining(['drizzle-orm', 'viem']))
})
