import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { faults, type Source } from './architecture.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

function sourcesIn(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => /\.tsx?$/.test(name) && !/\.(test|browser\.test|d)\.tsx?$/.test(name) && !name.includes('node_modules'),
    )
    .map((name) => `${folder}/${name}`)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

const entries = [
  ...readdirSync(join(root, 'packages')).flatMap((name) => sourcesIn(`packages/${name}/src`)),
  ...sourcesIn('apps/demo/src'),
  ...sourcesIn('apps/wallet/src'),
]

test('the repository has the structure described in ARCHITECTURE.md', () => {
  expect(entries.length).toBeGreaterThan(100)
  expect(faults(entries)).toEqual([])
})

// These tests cover the checker itself: each violation is introduced once and must be detected.
const doc = '/** A thing. */\n'
test.each<[fault: string, path: string, text: string, found: RegExp]>([
  [
    'an import from a higher layer',
    'packages/core/src/lib/a.ts',
    `import 'react'\nimport { x } from '@latchkey/react'\n`,
    /may not import @latchkey\/react/,
  ],
  [
    'a function of more than 150 lines',
    'packages/core/src/lib/a.ts',
    `${doc}export function a(): void {${'\n  b()'.repeat(149)}\n}`,
    /a has 151 lines/,
  ],
  [
    'an adapter that imports the root of core',
    'packages/adapters/src/evm/a.ts',
    `import { x } from '@latchkey/core'`,
    /may not import/,
  ],
  [
    'a dynamic import from a higher layer',
    'packages/protocol/src/a.ts',
    `const load = () => import('@latchkey/core')`,
    /may not import/,
  ],
  [
    'a re-export from a higher layer',
    'packages/protocol/src/a.ts',
    `export { x } from '@latchkey/core'`,
    /may not import/,
  ],
  [
    'react importing a chain adapter',
    'packages/react/src/hooks/a.ts',
    `import { evm } from '@latchkey/adapters/evm'`,
    /may not import/,
  ],
  [
    'a locale importing a package',
    'packages/i18n/src/locales/de/modal.ts',
    `import { x } from '@latchkey/ui'`,
    /may not import/,
  ],
  ['the frame importing core', 'packages/frame/src/a.ts', `import { x } from '@latchkey/core'`, /may not import/],
  [
    'the frame importing the vault’s test doubles',
    'packages/frame/src/a.ts',
    `import { x } from '@latchkey/vault/testing'`,
    /may not import/,
  ],
  [
    'the vault importing the frame’s UI',
    'packages/vault/src/a.ts',
    `import { x } from '@latchkey/ui'`,
    /may not import/,
  ],
  [
    'the vault using a page’s storage',
    'packages/vault/src/a.ts',
    `const read = () => localStorage.getItem('key')`,
    /uses localStorage/,
  ],
  [
    'the vault using a clock that was not passed in',
    'packages/vault/src/signers/a.ts',
    `const now = () => ({ Date: Date.now() })`,
    /uses Date/,
  ],
  ['the vault using Math.random', 'packages/vault/src/a.ts', `const n = () => Math.random()`, /uses Math\.random/],
  [
    'the vault using a global by shorthand',
    'packages/vault/src/a.ts',
    `const f = () => ({ document })`,
    /uses document/,
  ],
  ['sign-in importing the server', 'packages/siwx/src/a.ts', `import { x } from '@latchkey/server'`, /may not import/],
  [
    'core importing the sign-in handlers',
    'packages/core/src/signIn/a.ts',
    `import { x } from '@latchkey/siwx/server'`,
    /may not import/,
  ],
  [
    'an import from a higher folder',
    'packages/core/src/connections/a.ts',
    `import { x } from '../modal/b.ts'`,
    /from above/,
  ],
  [
    'a type import from a higher folder',
    'packages/core/src/lib/a.ts',
    `import type { X } from '../modal/b.ts'`,
    /from above/,
  ],
  [
    'an import from a higher folder of the frame',
    'packages/frame/src/wallet/a.ts',
    `import { x } from '../rpcRequests/b.ts'`,
    /wallet\/a\.ts .* from above/,
  ],
  [
    'a dynamic import from a higher folder of the server',
    'packages/server/src/storage/a.ts',
    `const load = () => import('../relay/b.ts')`,
    /storage\/a\.ts .* from above/,
  ],
  [
    'a type import from a higher folder of the keys origin',
    'packages/server/src/keys/accounts/a.ts',
    `import type { X } from '../login/b.ts'`,
    /accounts\/a\.ts .* from above/,
  ],
  ['a folder that has no floor', 'packages/frame/src/rooms/a.ts', '', /no floor is known for rooms/],
  [
    'public sign-in importing the insides of the keys origin',
    'packages/server/src/signIn/a.ts',
    `import type { X } from '../keys/accounts/b.ts'`,
    /signIn\/a\.ts may not import .*, which is inside packages\/server\/src\/keys/,
  ],
  [
    'an import of the index of the file’s own package',
    'packages/core/src/modal/a.ts',
    `import { x } from '../index.ts'`,
    /index of its own package/,
  ],
  [
    'an import of the file’s own package by name',
    'packages/core/src/modal/a.ts',
    `import { x } from '@latchkey/core'`,
    /its own package by name/,
  ],
  ['a module-level let', 'packages/ui/src/a.ts', `let count = 0`, /module-level let count/],
  ['an exported let', 'packages/ui/src/a.ts', `${doc}export let count = 0`, /module-level let count/],
  ['an empty module-level map', 'packages/ui/src/a.ts', `const seen = new Map<string, number>()`, /mutable seen/],
  [
    'a module-level list that grows',
    'packages/ui/src/a.ts',
    `const all: string[] = []\nconst f = () => all.push('x')`,
    /mutable all/,
  ],
  [
    'a module-level object that is mutated',
    'packages/ui/src/a.ts',
    `const now = { n: 0 }\nconst f = () => { now.n = 1 }`,
    /mutable now/,
  ],
  ['a side effect on import', 'packages/ui/src/a.ts', `addEventListener('x', () => undefined)`, /happens on import/],
  ['an await on import', 'packages/ui/src/a.ts', `await fetch('/')`, /happens on import/],
  [
    'an export without a doc comment',
    'packages/ui/src/a.ts',
    `// not a doc\nexport const x = 1`,
    /x has no doc sentence/,
  ],
  [
    'a doc comment below its export',
    'packages/ui/src/a.ts',
    `export const x = 1\n/** A number. */`,
    /x has no doc sentence/,
  ],
  ['a meaningless file name', 'packages/ui/src/utils.ts', '', /name it after what it contains/],
  ['a metaphorical file name', 'packages/server/src/relay/door.ts', '', /name it after what it contains/],
])('%s is detected', (_fault, path, text, found) => {
  expect(faults([{ path, text }]).join('\n')).toMatch(found)
})

test('a cycle of three files is detected, whether they import values or types, and even if they use import()', () => {
  const ring = (last: string): Source[] => [
    { path: 'packages/ui/src/a.ts', text: `import { b } from './b.ts'` },
    { path: 'packages/ui/src/b.ts', text: `import { c } from './c.ts'` },
    { path: 'packages/ui/src/c.ts', text: last },
  ]
  expect(faults(ring(`import { a } from './a.ts'`)).join()).toMatch(
    /An import cycle: .*a\.ts → .*b\.ts → .*c\.ts → .*a\.ts/,
  )
  expect(faults(ring(`const a = () => import('./a.ts')`)).join()).toMatch('An import cycle')
  expect(faults(ring(`import type { A } from './a.ts'`)).join()).toMatch(/An import cycle: /)
})

test('a cycle of folders is detected, whether it uses import() or a file outside the folders, unless it needs types only', () => {
  const ring = (last: string): Source[] => [
    { path: 'packages/walletconnect/src/relay/a.ts', text: `import { b } from '../session/b.ts'` },
    { path: 'packages/walletconnect/src/session/b.ts', text: '' },
    { path: 'packages/walletconnect/src/session/c.ts', text: `export { d } from '../d.ts'` },
    { path: 'packages/walletconnect/src/d.ts', text: last },
    { path: 'packages/walletconnect/src/relay/e.ts', text: '' },
  ]
  const cycle = /^A cycle of folders: .*relay → .*session → .*d\.ts → .*relay\. .*d\.ts imports .*relay\/e\.ts/
  expect(faults(ring(`import { e } from './relay/e.ts'`)).join()).toMatch(cycle)
  expect(faults(ring(`const e = () => import('./relay/e.ts')`)).join()).toMatch(cycle)
  expect(faults(ring(`import type { E } from './relay/e.ts'`))).toEqual([])
  expect(faults(ring(`import { type E } from './relay/e.ts'`))).toEqual([])
})

test('allowed code is not reported', () => {
  const text = `'use client'
import { x } from '@latchkey/core/adapter'
/** A list. */
export const list: readonly string[] = ['a']
const table = new Map([['a', 1]])
/** A function. */
export function one(): number {
  let n = 0
  n += table.get('a') ?? 0
  return n
}
`
  expect(faults([{ path: 'packages/adapters/src/evm/a.ts', text }])).toEqual([])
  const passedIn = `import { x } from '@latchkey/protocol/bytes'
interface Browser { readonly location: string }
const f = (browser: Browser) => ({ location: browser.location })
`
  expect(faults([{ path: 'packages/vault/src/a.ts', text: passedIn }])).toEqual([])
  const named = `import type { Approval } from '../rpcRequests/b.ts'`
  expect(faults([{ path: 'packages/frame/src/wallet/a.ts', text: named }])).toEqual([])
  const composed = `import { x } from './keys/keysServerFromConfig.ts'`
  expect(faults([{ path: 'packages/server/src/serverFromConfig.ts', text: composed }])).toEqual([])
})
