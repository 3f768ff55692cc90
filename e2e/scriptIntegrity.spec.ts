import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { build } from 'vite'
import { announceLoader, pinChunks } from '../packages/react/chunkIntegrity.ts'
import { embedBuild } from '../packages/react/vite.embed.config.ts'
import { expect, test } from './support/fixtures.ts'

// Tests that files of the script-tag build do not run if a third-party host has changed them.

const types: Readonly<Record<string, string>> = { '.js': 'text/javascript', '.html': 'text/html' }

// biome-ignore lint/correctness/noEmptyPattern: Playwright requires the destructuring pattern
test.use({ allowedConsole: async ({}, use) => use([/integrity/i, /did not load/, /Unable to load/, /page error/]) })

let folder: string
let server: Server
let origin: string
let integrity: string
/** The content of the changed files, keyed by path. */
const changed = new Map<string, string>()

test.beforeAll(async () => {
  test.setTimeout(120_000)
  folder = await mkdtemp(join(tmpdir(), 'latchkey-script-'))
  await build(embedBuild('chunks', folder))
  await build(embedBuild({ pins: pinChunks(folder) }, folder))
  integrity = announceLoader(folder)
  server = createServer(async (incoming, answer) => {
    const path = new URL(incoming.url ?? '/', origin).pathname.slice(1)
    if (path === 'favicon.ico') return void answer.writeHead(204).end()
    const text = changed.get(path) ?? (await readFile(join(folder, path), 'utf8').catch(() => undefined))
    answer.writeHead(text === undefined ? 404 : 200, {
      'content-type': types[extname(path)] ?? 'text/plain',
      'content-security-policy': "default-src 'self'; style-src 'self'",
    })
    answer.end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
test.afterAll(async () => {
  server?.closeAllConnections()
  server?.close()
  await rm(folder, { recursive: true, force: true })
})
test.beforeEach(() => changed.clear())

/** Opens a page that pins the loader with `integrity=`. */
async function open(page: Page, hash = integrity): Promise<void> {
  await writeFile(
    join(folder, 'page.html'),
    `<!doctype html><title>A page</title><script src="/latchkey.js" integrity="${hash}"></script><latchkey-button></latchkey-button>`,
  )
  await page.goto(`${origin}/page.html`)
}

const button = (page: Page) => page.getByRole('button', { name: 'Connect wallet' })

/** Resolves to the path of a chunk that the entry imports statically. */
async function importOfEntry(): Promise<string> {
  const found = /(?:from|import)\s*["']\.\/(chunks\/[^"']+)["']/.exec(
    await readFile(join(folder, 'latchkey-embed.js'), 'utf8'),
  )?.[1]
  if (!found) throw new Error('The entry imports no chunk.')
  return found
}

/** Resolves to the path of the chunk with the given name, which excludes the hash. */
async function chunk(name: string): Promise<string> {
  const found = (await readdir(join(folder, 'chunks'))).find((file) => file.startsWith(`${name}-`))
  if (!found) throw new Error(`The chunk ${name} was not found.`)
  return `chunks/${found}`
}

/** Adds a statement to a served file that makes it detectable whether the file ran. */
async function change(file: string): Promise<void> {
  changed.set(file, `globalThis.stolen = true;\n${await readFile(join(folder, file), 'utf8')}`)
}

const stolen = (page: Page) => page.evaluate(() => 'stolen' in globalThis)

test('the unchanged build works under a CSP that forbids inline scripts', async ({ page }) => {
  await open(page)
  await button(page).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  // The loader pinned every script that was loaded.
  const unpinned = await page.evaluate(() => {
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')]
    const named = new Set(links.filter((link) => link.integrity.startsWith('sha384-')).map((link) => link.href))
    return performance
      .getEntriesByType('resource')
      .map(({ name }) => name)
      .filter((name) => name.endsWith('.js') && !name.endsWith('/latchkey.js') && !named.has(name))
  })
  expect(unpinned).toEqual([])
})

test('a changed entry, hash list or static import does not run', async ({ page }) => {
  for (const file of ['latchkey-embed.js', 'pins.js', await importOfEntry()]) {
    changed.clear()
    await change(file)
    const refused = page.waitForEvent('console', (message) => /did not load or does not match/.test(message.text()))
    await open(page)
    await refused
    expect(await stolen(page), file).toBe(false)
    await expect(button(page)).toHaveCount(0)
  }
})

test('a changed chunk that is loaded later does not run, and the user can try again', async ({ page }) => {
  await change(await chunk('Modal'))
  await open(page)
  await button(page).click()
  await expect(page.getByRole('button', { name: 'Could not load. Try again' })).toBeVisible()
  expect(await stolen(page)).toBe(false)
})

test('a changed loader does not run on a page that pins it', async ({ page }) => {
  await change('latchkey.js')
  await open(page)
  expect(await stolen(page)).toBe(false)
  await expect(button(page)).toHaveCount(0)
})
