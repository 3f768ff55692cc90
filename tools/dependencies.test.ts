import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

test('versions that were published within the last week are not taken in', () => {
  const [, minutes] = /^minimumReleaseAge: (\d+)$/m.exec(read('pnpm-workspace.yaml')) ?? []
  expect(Number(minutes)).toBeGreaterThanOrEqual(7 * 24 * 60)
  // No package is let in before its week is over.
  expect(read('pnpm-workspace.yaml')).not.toMatch(/^minimumReleaseAgeExclude:/m)
})

test('what is installed is what the lockfile names, byte by byte, from the registry alone', () => {
  const lock = read('pnpm-lock.yaml')
  const resolutions = [...lock.matchAll(/^ {4}resolution: (.*)$/gm)].map(([, text]) => text as string)
  expect(resolutions.length).toBeGreaterThan(100)
  expect(resolutions.filter((text) => !/^\{integrity: sha512-[\w+/]{86}==(, \w+: [^,}]+)*\}$/.test(text))).toEqual([])
  expect(lock).not.toMatch(/tarball:|codeload|git\+|github\.com/)
})
