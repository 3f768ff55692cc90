import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const root = dirname(dirname(import.meta.dirname))
/** The packages that the frame is built from. */
const sources = [
  'packages/frame',
  'packages/i18n',
  'packages/protocol',
  'packages/siwx',
  'packages/ui',
  'packages/vault',
]
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-frame-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Copies the sources and their dependencies to a different path. No link in the copy points back to this repository. */
async function copyTo(to: string): Promise<void> {
  const seen = new Set<string>()
  /** Returns the packages in a `node_modules` folder, including scoped packages. */
  const packagesIn = async (modules: string): Promise<readonly string[]> => {
    const names = (await readdir(join(root, modules)).catch(() => [])).filter((name) => !name.startsWith('.'))
    const inner = names.map(async (name) =>
      name.startsWith('@')
        ? (await readdir(join(root, modules, name))).map((dependency) => `${name}/${dependency}`)
        : [name],
    )
    return (await Promise.all(inner)).flat().map((name) => join(modules, name))
  }
  /** Copies the target of the link at `path`. If the target is in the pnpm store, also copies its dependencies. */
  const follow = async (path: string): Promise<string | undefined> => {
    const target = relative(root, await realpath(join(root, path)))
    const store = /^node_modules\/\.pnpm\/[^/]+/.exec(target)?.[0]
    // Our other packages are not part of the frame.
    if (!store) return sources.includes(target) ? target : undefined
    if (seen.has(store)) return target
    seen.add(store)
    await mkdir(dirname(join(to, store)), { recursive: true })
    // Links inside the folder are relative, so that they also work in the copy. Files are hard-linked if possible.
    const copied = run('cp', ['-al', join(root, store), join(to, store)])
    await copied.catch(() => cp(join(root, store), join(to, store), { recursive: true, verbatimSymlinks: true }))
    for (const inner of await packagesIn(join(store, 'node_modules'))) await follow(inner)
    return target
  }
  for (const path of sources) {
    await cp(join(root, path), join(to, path), {
      recursive: true,
      filter: (from) => !/\/(node_modules|dist)$/.test(from),
    })
    for (const found of await packagesIn(join(path, 'node_modules'))) {
      const target = await follow(found)
      if (target === undefined) continue
      await mkdir(dirname(join(to, found)), { recursive: true })
      await symlink(relative(dirname(join(to, found)), join(to, target)), join(to, found))
    }
  }
}

const shiftedClock = `const shift = 400 * 86400e3, Real = Date
globalThis.Date = class extends Real { constructor(...a) { a.length ? super(...a) : super(Real.now() + shift) } static now() { return Real.now() + shift } }`

/** Builds the frame in a separate process, with the given environment variables and clock. */
async function build(
  at: string,
  { out, env, clock = '' }: { out: string; env: Record<string, string>; clock?: string },
): Promise<Map<string, string>> {
  const preload = clock === '' ? [] : ['--import', `data:text/javascript,${encodeURIComponent(clock)}`]
  await run('node', [...preload, 'build.mjs', out], {
    cwd: join(at, 'packages/frame'),
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  const entries = (await readdir(out, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
  const names = entries.map((entry) => relative(out, join(entry.parentPath, entry.name))).sort()
  return new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(out, name), 'latin1')] as const)),
  )
}

test('builds in different folders, by different users, in different time zones and on different days are byte-for-byte identical', async () => {
  const there = join(folder, 'much/deeper/and elsewhere')
  await copyTo(there)
  // The messages of the modal and the emails are in the same folders as those of the frame, but are not part of the frame.
  for (const part of ['modal', 'mail']) {
    const path = join(there, `packages/i18n/src/locales/de/${part}.ts`)
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replaceAll('Wallet', 'Geldbörse'))
  }
  const [first, second] = await Promise.all([
    build(root, { out: join(folder, 'first'), env: { HOME: folder, USER: 'ada', TZ: 'UTC', LANG: 'C' } }),
    build(there, {
      out: join(folder, 'other/second'),
      env: { HOME: there, USER: 'bob', TZ: 'Asia/Tokyo', LANG: 'de_DE.UTF-8' },
      clock: shiftedClock,
    }),
  ])
  expect([...second.keys()]).toEqual([...first.keys()])
  for (const [name, text] of first) expect(second.get(name) === text, name).toBe(true)
  // No file reveals where it was built, and every script is a separate file.
  for (const [name, text] of first) expect(text.includes(root) || text.includes(folder), name).toBe(false)
  expect(first.get('index.html')).not.toMatch(/<script(?![^>]*src=)|<style|style=|\son\w+=/)
}, 120_000)
