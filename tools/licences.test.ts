import { expect, test } from 'vitest'
import { exceptions, judge, permits, readLock, runtimeClosure } from './licences.mjs'

const text = `lockfileVersion: '9.0'

importers:

  packages/core:
    dependencies:
      '@scope/deep':
        specifier: 1.0.0
        version: 1.0.0(peer@2.0.0)
      nick:
        specifier: npm:real@3.0.0
        version: real@3.0.0
    devDependencies:
      builder:
        specifier: 4.0.0
        version: 4.0.0

packages:

  builder-darwin@4.0.0:
    resolution: {integrity: sha512-x}
    cpu: [arm64]
    os: [darwin]

snapshots:

  '@scope/deep@1.0.0(peer@2.0.0)':
    dependencies:
      inner: 5.0.0

  builder-darwin@4.0.0:
    optional: true

  builder@4.0.0:
    optionalDependencies:
      builder-darwin: 4.0.0

  inner@5.0.0: {}

  real@3.0.0: {}
`

/** Returns a function that returns the licence of a package: the one in `others`, or MIT by default. */
function licences(others: Record<string, string | undefined>) {
  return (name: string) => (Object.hasOwn(others, name) ? others[name] : 'MIT')
}

const lock = readLock(text)
const importers = ['packages/core']

test('readLock() parses aliases, peers and transitive dependencies', () => {
  expect([...runtimeClosure(lock, importers)].sort()).toEqual([
    '@scope/deep@1.0.0(peer@2.0.0)',
    'inner@5.0.0',
    'real@3.0.0',
  ])
})

test('a lockfile whose packages all have open licences passes', () => {
  expect(judge({ lock, importers, licenceOf: licences({ 'builder-darwin': undefined }) })).toEqual([])
})

test('a copyleft licence deep in the dependencies of a published package is detected', () => {
  expect(judge({ lock, importers, licenceOf: licences({ inner: 'GPL-3.0' }) })).toEqual([
    'inner@5.0.0 (GPL-3.0) is shipped to users.',
  ])
})

test('a licence that is allowed for building is not allowed for shipping', () => {
  expect(judge({ lock, importers, licenceOf: licences({ builder: 'Python-2.0' }) })).toEqual([])
  expect(judge({ lock, importers, licenceOf: licences({ real: 'Python-2.0' }) })).toHaveLength(1)
})

test('a package without a licence is detected, unless it is a build for a different platform', () => {
  expect(judge({ lock, importers, licenceOf: licences({ builder: undefined }) })).toHaveLength(1)
  expect(judge({ lock, importers, licenceOf: licences({ 'builder-darwin': undefined }) })).toEqual([])
})

test.each([
  ['@walletconnect/core', '2.30.0', true],
  ['@walletconnect/core', '2.21.9', true],
  ['@walletconnect/core', '2.21.8', false],
  ['@walletconnect/time', '1.0.2', false],
  ['@reown/walletkit', '1.2.8', false],
  ['@reown/walletkit', '1.2.9', true],
  ['@reown/appkit', '1.0.0', true],
])('whether %s %s is forbidden as a reference client: %s', (name, version, isBarred) => {
  const withOracle = readLock(`${text}\n  '${name}@${version}': {}\n`)
  expect(judge({ lock: withOracle, importers, licenceOf: licences({}) })).toEqual(
    isBarred ? [`${name}@${version} must not be in the lockfile.`] : [],
  )
})

test('a reference client cannot be shipped', () => {
  const shipping = readLock(text.replaceAll('inner', '@walletconnect/core').replaceAll('5.0.0', '2.21.8'))
  expect(judge({ lock: shipping, importers, licenceOf: licences({ '@walletconnect/core': 'MIT' }) })).toContain(
    '@walletconnect/core@2.21.8 must not be in the lockfile.',
  )
})

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0)', true],
  ['(MIT AND GPL-3.0)', false],
  ['SEE LICENSE IN LICENSE', false],
  [undefined, false],
])('whether MIT and ISC satisfy the expression %s: %s', (expression, fine) => {
  expect(permits(expression, ['MIT', 'ISC'])).toBe(fine)
})

test('each exception has a reason', () => {
  for (const reason of Object.values(exceptions)) expect(reason.length).toBeGreaterThan(20)
})
