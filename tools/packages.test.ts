import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

interface Target {
  readonly '@latchkey/source': string | { readonly types: string; readonly default: string }
  readonly types: string
  readonly default: string
}

interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly license?: string
  readonly description?: string
  readonly files?: readonly string[]
  readonly sideEffects?: boolean | readonly string[]
  readonly engines?: { readonly node?: string }
  readonly repository?: { readonly directory?: string }
  /** The entry points. A string is a static file, which is neither compiled nor imported. */
  readonly exports: Readonly<Record<string, Target | string>>
}

const folders = readdirSync(join(root, 'packages')).map((name) => join('packages', name))
const published = folders
  .map((folder) => ({
    folder,
    manifest: JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest,
  }))
  .filter(({ manifest }) => manifest.private !== true)

describe.each(published)('$manifest.name', ({ folder, manifest }) => {
  const modules = Object.entries(manifest.exports).filter(
    (entry): entry is [string, Target] => typeof entry[1] !== 'string',
  )

  test('has the metadata that people and bundlers need', () => {
    expect(manifest).toMatchObject({
      license: 'MIT',
      description: expect.stringMatching(/\.$/),
      files: expect.arrayContaining(['dist']),
      ...(modules.length > 0 && { sideEffects: expect.anything() as unknown }),
      engines: { node: expect.any(String) as unknown },
      repository: { directory: folder },
    })
    const readme = readFileSync(join(root, folder, 'README.md'), 'utf8')
    expect(readme).toContain(`# ${manifest.name}`)
    // Links to relative paths in this repository would be broken on a registry page.
    expect(readme).not.toMatch(/\]\((?!https:)/)
  })

  test.each(modules)('%s has a source and declarations', (_, target) => {
    expect(Object.keys(target)).toEqual(['@latchkey/source', 'types', 'default'])
    const source = target['@latchkey/source']
    for (const path of typeof source === 'string' ? [source] : Object.values(source)) {
      expect(existsSync(join(root, folder, path.includes('*') ? dirname(path) : path))).toBe(true)
    }
    expect(target.types).toBe(`${target.default.replace(/\.js$/, '')}.d.ts`)
    expect(target.types).toMatch(/^\.\/dist\//)
  })
})

test('published doc comments do not reference internal documents', () => {
  const sources = published.flatMap(({ folder }) =>
    readdirSync(join(root, folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !/\.test(-d)?\./.test(name))
      .map((name) => join(folder, 'src', name)),
  )
  expect(sources.length).toBeGreaterThan(100)
  const cites = (text: string) =>
    [...text.matchAll(/\/\*\*[\s\S]*?\*\//g)].flatMap(
      ([comment]) => comment.match(/\bR\d+\.\d+|\bspec(ification)?,? (logic|ui|frame|services|section)\b/g) ?? [],
    )
  expect(cites('/** The flags of R9.7, as spec logic 1.8 has them. */')).toEqual(['R9.7', 'spec logic'])
  expect(sources.filter((path) => cites(readFileSync(join(root, path), 'utf8')).length > 0)).toEqual([])
})
