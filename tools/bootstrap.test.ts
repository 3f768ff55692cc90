import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { notAsSeen, pnpmSeen } from './bootstrap.mjs'

const main = { 'node_modules/pnpm': { integrity: pnpmSeen.packages.pnpm } }
const linux = '@pnpm/exe.linux-x64'

test('the pinned pnpm is the version in package.json', () => {
  const { packageManager } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  expect(packageManager).toBe(`pnpm@${pnpmSeen.version}`)
})

test('a package from npm runs only if it matches the reviewed version', () => {
  expect(
    notAsSeen({ packages: { ...main, [`node_modules/${linux}`]: { integrity: pnpmSeen.packages[linux] } } }),
  ).toEqual([])
  expect(notAsSeen({ packages: { ...main, [`node_modules/${linux}`]: { integrity: 'sha512-AAAA' } } })).toEqual([linux])
  expect(notAsSeen({ packages: { 'node_modules/pnpm': { integrity: 'sha512-AAAA' } } })).toEqual(['pnpm'])
  expect(notAsSeen({ packages: { 'node_modules/pnpm': {} } })).toEqual(['pnpm'])
})

test('a pnpm package for an unlisted platform is not verified, but every other package is', () => {
  expect(
    notAsSeen({ packages: { ...main, 'node_modules/@pnpm/exe.darwin-arm64': { integrity: 'sha512-AAAA' } } }),
  ).toEqual([])
  expect(notAsSeen({ packages: { ...main, 'node_modules/left-pad': { integrity: 'sha512-AAAA' } } })).toEqual([
    'left-pad',
  ])
  expect(notAsSeen({})).toEqual(['pnpm'])
})
