import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { generatedFiles, outdatedFiles, writeGeneratedFiles } from './locales.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const parts = ['packages/i18n/src', 'packages/react/src/i18n/generatedLocales', 'packages/react/README.md']

/** Copies the parts of the repository that depend on the languages, and returns the path of the copy. */
function copyOfLocales(): string {
  const copy = mkdtempSync(join(tmpdir(), 'latchkey-locales-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  for (const path of parts) cpSync(join(root, path), join(copy, path), { recursive: true })
  return copy
}

function textsIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = names.map(({ parentPath, name }) => join(parentPath, name))
  return new Map(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]))
}

test('the lists of languages match the folders; to update them, run `npm run locales`', () => {
  expect(outdatedFiles(root)).toEqual([])
})

test('a new folder adds a language everywhere, without changes to any other file', async () => {
  const copy = copyOfLocales()
  const locales = join(copy, 'packages/i18n/src/locales')
  cpSync(join(locales, 'de'), join(locales, 'he'), { recursive: true })
  const before = textsIn(copy)
  writeGeneratedFiles(copy)

  // The command changes only generated files.
  const changed = [...textsIn(copy)].filter(([path, text]) => before.get(path) !== text).map(([path]) => path)
  const generated = generatedFiles(copy)
  expect(changed.filter((path) => !generated.has(path))).toEqual([])
  expect(changed).toContain('packages/react/src/i18n/generatedLocales/he.ts')
  expect(textsIn(copy).get('packages/react/README.md')).toContain('Hebrew (`he`)')

  const source = (name: string) => import(/* @vite-ignore */ join(copy, 'packages/i18n/src', name))
  const { direction, matchLanguage } = await source('locale.ts')
  expect(matchLanguage(['he-IL', 'en'])).toBe('he')
  expect(direction('he')).toBe('rtl')
  for (const part of readdirSync(join(locales, 'he')).map((name) => name.replace('.ts', ''))) {
    const lists = await source(`${part}Locales.ts`)
    const [offered] = Object.values<Readonly<Record<string, unknown>>>(lists)
    expect(Object.keys(offered ?? {}), part).toContain('he')
  }
  const { modalLocales } = await source('modalLocales.ts')
  expect((await modalLocales.he()).modal['button.connect']).toBe('Wallet verbinden')
})

test('removing a folder removes its language', () => {
  const copy = copyOfLocales()
  rmSync(join(copy, 'packages/i18n/src/locales/ko'), { recursive: true })
  expect(outdatedFiles(copy)).toContain('packages/react/src/i18n/generatedLocales/ko.ts')
  writeGeneratedFiles(copy)
  expect(outdatedFiles(copy)).toEqual([])
  expect([...textsIn(copy).keys()].filter((path) => /\bko\b/.test(path))).toEqual([])
  expect(textsIn(copy).get('packages/react/README.md')).not.toContain('Korean')
})

test('a folder that is not named after a language is reported', () => {
  const copy = copyOfLocales()
  mkdirSync(join(copy, 'packages/i18n/src/locales/Deutsch'))
  expect(() => generatedFiles(copy)).toThrow(/Deutsch is not named after a language/)
})
