import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from './bootstrap.mjs'
import { generatedFiles } from './generate.mjs'

test('the generated lists match the current views and chain families; to update them, run "npm run generate"', async () => {
  const generated = await generatedFiles(root)
  const current = new Map([...generated.keys()].map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  expect(Object.fromEntries(current)).toEqual(Object.fromEntries(generated))
})
