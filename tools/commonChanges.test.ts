// Makes the changes described under "Common changes" in CONTRIBUTING.md in a temporary copy of the repository, and counts the
// files that each change edits or adds. Files that `npm run generate` writes are not counted. To add a change, add an entry to
// `walks` and a test for its effect.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, sep } from 'node:path'
import { type ComponentType, createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { faults, type Source } from './architecture.ts'
import { root } from './bootstrap.mjs'
import { generatedFiles } from './generate.mjs'

/** A function that returns a file's new text, given its current text. The current text is empty if the file does not exist. */
type Step = (text: string) => string

interface Walk {
  /** The name of the change in the table in CONTRIBUTING.md. */
  readonly name: string
  /** The number of files in the table. */
  readonly files: number
  readonly steps: Readonly<Record<string, Step>>
}

/** Returns a step that replaces the only occurrence of `anchor`. */
const replace =
  (anchor: string, replacement: string): Step =>
  (text) => {
    const parts = text.split(anchor)
    if (parts.length !== 2) throw new Error(`"${anchor}" occurs ${parts.length - 1} times.`)
    return parts.join(replacement)
  }
const before = (anchor: string, added: string): Step => replace(anchor, `${added}${anchor}`)
const create =
  (content: string): Step =>
  () =>
    content
const both =
  (first: Step, second: Step): Step =>
  (text) =>
    second(first(text))

const entryOf = (name: string, source: string): string => `    "./${name}": {
      "@latchkey/source": "./src/${source}.ts",
      "types": "./dist/${source}.d.ts",
      "default": "./dist/${source}.js"
    },
`

const walks: readonly Walk[] = [
  {
    name: 'a view',
    files: 4,
    steps: {
      'packages/core/src/modal/views.ts': before('  WhatIsANetwork: undefined\n', '  Toy: { child: string }\n'),
      'packages/react/src/views/connect/Toy.tsx': create(`import { Screen } from '@latchkey/ui'
import type { ReactNode } from 'react'
import { useInfoTranslations } from '../useInfoTranslations.ts'
import type { ViewProps } from '../viewProps.ts'

/** Shows who may play with the toy. */
export function Toy({ data }: ViewProps<'Toy'>): ReactNode {
  const text = useInfoTranslations()
  return <Screen title={text('toy.title')}>{text('toy.body', { name: data.child })}</Screen>
}
`),
      'packages/react/src/views/infoMessages.ts': before(
        "  'whatIsANetwork.shared.title'",
        "  'toy.title': 'A toy',\n  'toy.body': 'For {name}.',\n",
      ),
      'apps/demo/src/gallery/states/connectStates.ts': before(
        "  ...statesOf('WhatIsAWallet'",
        "  ...statesOf('Toy', { child: 'Ana' }, { loaded: {} }),\n",
      ),
    },
  },
  {
    name: 'a chain family',
    files: 8,
    steps: {
      'packages/protocol/src/chainFamilies.ts': before(
        '  cosmos: {\n',
        `  toy: {
    name: 'Toyland',
    address: /^toy[a-z]{1,20}$/,
    signature: 'hex',
    walletConnectMethods: ['toy_sign'],
    nodeMethods: [/^toy_[a-z]+$/],
  },
`,
      ),
      'packages/adapters/src/toy/index.ts':
        create(`import type { Adapter, Connector, Network } from '@latchkey/core/adapter'

/** The network of the toy family. */
export const toyland: Network<'toy'> = {
  id: 'main',
  name: 'Toyland',
  nativeCurrency: { name: 'Marble', symbol: 'MRB', decimals: 0 },
  rpcUrls: { default: { http: ['https://toyland.example'] } },
  chainNamespace: 'toy',
  caipNetworkId: 'toy:main',
}

/** Connects wallets of the toy family. */
export function toy(): Adapter<'toy'> {
  return {
    namespace: 'toy',
    networks: [toyland],
    discover(found) {
      found(toyWallet)
    },
  }
}

const toyWallet: Connector<'toy'> = {
  id: 'example.toy',
  name: 'Toy Box',
  type: 'INJECTED',
  namespace: 'toy',
  async connect() {
    return {
      connector: toyWallet,
      provider: {},
      accounts: ['toy:main:toybox'],
      chain: 'toy:main',
      can: {},
      on: () => () => undefined,
      ping: async () => undefined,
      disconnect: async () => undefined,
    }
  },
}
`),
      'packages/adapters/src/walletconnect/toySession.ts': create(`import type { Session } from '@latchkey/core/adapter'
import { createNamespaceSession, type NamespaceSessionInput } from './namespaceSession.ts'

/** Opens the toy namespace of a session. */
export function openToy(opening: NamespaceSessionInput<'toy'>): Session<'toy'> {
  return createNamespaceSession(opening, (wired) => ({ provider: { request: wired.request }, can: {} }))
}
`),
      'packages/adapters/package.json': before('    "./wagmi": {\n', entryOf('toy', 'toy/index')),
      'packages/siwx/src/verify/toy.ts': create(`import { toHex, toUtf8 } from '@latchkey/protocol/bytes'
import type { SignatureVerifier } from '../message/signInTypes.ts'

/** Verifies signatures of the toy family. */
export function toyVerifier(): SignatureVerifier {
  return async ({ account, message, signature }) => signature === toHex(toUtf8(\`\${account} \${message}\`))
}
`),
      'packages/siwx/package.json': before('    "./verify/cosmos": {\n', entryOf('verify/toy', 'verify/toy')),
      'packages/siwx/src/testing/signInFields.ts': both(
        before("    cosmos: ['", "    toy: ['main'],\n"),
        before("    case 'cosmos':\n", "    case 'toy':\n      return of('abc', 9).replace(/^.../, 'toy')\n"),
      ),
      'packages/siwx/src/testing/testSigner.ts': both(
        before(
          '  cosmos(secret) {\n',
          `  toy: () => ({
    account: (chain) => accountId(chain, 'toybox'),
    sign: async (message) => toHex(toUtf8(\`toy:main:toybox \${message}\`)),
  }),
`,
        ),
        before('  cosmos(signature) {\n', "  toy: (signature) => signature.concat('00'),\n"),
      ),
    },
  },
  {
    name: 'an endpoint',
    files: 3,
    steps: {
      'packages/protocol/src/http/publicRoutes.ts': both(
        both(before("  | 'imageId'\n", "  | 'id'\n"), before('  [postRpc, ', "  [getToy, '404 id'],\n")),
        before(
          '/** The analytics settings of a project. */\n',
          `/** \`GET /toys/v1/{id}\`: the name of a toy. */
export const getToy: Endpoint<undefined, { readonly name: string }, Identity> = defineEndpoint({
  method: 'GET',
  path: '/toys/v1/:id',
  query: identityQuery,
  answer: v.object({ name: text(64) }),
})

`,
        ),
      ),
      'packages/server/src/routes/projects.ts': both(
        both(
          replace('getAnalyticsConfig, getOrigins }', 'getAnalyticsConfig, getOrigins, getToy }'),
          before('import { authorizeProject }', "import { HttpError } from '../errors/httpError.ts'\n"),
        ),
        before(
          '  definePublicRoute(app, getAnalyticsConfig',
          `  definePublicRoute(app, getToy, async (c) => {
    if (c.req.param('id') !== 'bear') throw new HttpError(404, 'id', 'Toy not found')
    return { name: 'Bear' }
  })

`,
        ),
      ),
      'packages/server/src/routes/toys.test.ts': create(`import { expect, test } from 'vitest'
import { inMemoryDependencies } from '../inMemoryDependencies.ts'
import { createTestServer } from '../testing/declaredErrors.ts'

test('GET /toys/v1/bear returns the name of the toy', async () => {
  const answer = await createTestServer(inMemoryDependencies())(new Request('http://localhost/toys/v1/bear'))
  expect(await answer.json()).toEqual({ name: 'Bear' })
})
`),
    },
  },
  {
    name: 'an error',
    files: 2,
    steps: {
      'packages/protocol/src/latchkeyError.ts': before(
        "  'link/skipped': { href: string }\n",
        "  'toy/broken': { name: string }\n",
      ),
      'packages/protocol/src/errors/errorMessages.ts': before(
        "  'link/skipped': '",
        "  'toy/broken': 'The toy \"{name}\" is broken.',\n",
      ),
    },
  },
]

/** The messages that the change "a view" also adds to each language. The language files are not counted. */
const translations = { 'toy.title': 'Toy', 'toy.body': '{name}' }

const copied = ['protocol', 'i18n', 'siwx', 'walletconnect', 'core', 'adapters', 'ui', 'react', 'server', 'testing']
const copy = mkdtempSync(join(tmpdir(), 'latchkey-walks-'))
const path = (name: string): string => join(copy, name)
const read = (name: string): string => readFileSync(path(name), 'utf8')
/** Imports a module from the copy. The caller declares its types, because TypeScript cannot resolve modules in the copy. */
const load = async <Module>(name: string): Promise<Module> => (await import(/* @vite-ignore */ path(name))) as Module

type Core = typeof import('../packages/core/src/index.ts')
type CoreTesting = typeof import('../packages/core/src/testing/index.ts')

/** Starts a Latchkey instance from the copy. */
async function start(adapters: readonly unknown[]) {
  const { createLatchkey } = await load<Core>('packages/core/src/index.ts')
  const { fakeAdapter, fakeClock, memoryStorage } = await load<CoreTesting>('packages/core/src/testing/index.ts')
  const latchkey = createLatchkey({
    adapters: [fakeAdapter(), ...(adapters as readonly ReturnType<typeof fakeAdapter>[])],
    clock: fakeClock(),
    storage: memoryStorage(),
    platform: 'desktop',
    logLevel: 'silent',
  })
  onTestFinished(latchkey.start())
  await latchkey.prepare()
  return latchkey
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(path(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !join(entry.parentPath, entry.name).includes('node_modules'))
    .map((entry) => relative(copy, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
}

beforeAll(async () => {
  for (const folder of [...copied.map((name) => `packages/${name}`), 'apps/demo']) {
    // Links to other packages are relative, so they stay inside the copy.
    cpSync(join(root, folder), path(folder), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !/^\/packages\/server\/(data|bench)$|\/(dist|\.[^/]+)$/.test(source.slice(root.length)),
    })
  }
  for (const file of ['tsconfig.base.json', 'tsconfig.json', 'package.json']) cpSync(join(root, file), path(file))
  symlinkSync(join(root, 'node_modules'), path('node_modules'))

  for (const { steps } of walks) {
    for (const [name, step] of Object.entries(steps)) {
      const isNew = !filesIn(dirname(name).split('/').slice(0, 2).join('/')).includes(name)
      mkdirSync(dirname(path(name)), { recursive: true })
      writeFileSync(path(name), step(isNew ? '' : read(name)))
    }
  }
  for (const name of filesIn('packages/i18n/src/locales').filter((file) => file.endsWith('/modal.ts'))) {
    const lines = Object.entries(translations).map(([key, text]) => `  '${key}': '${text}',\n`)
    writeFileSync(path(name), before("  'whatIsANetwork.shared.title'", lines.join(''))(read(name)))
  }
  for (const [name, text] of await generatedFiles(copy)) writeFileSync(path(name), text)
})

afterAll(() => rmSync(copy, { recursive: true, force: true }))

test.each(walks)('adding $name changes no more files than CONTRIBUTING.md says', async ({ name, files, steps }) => {
  expect(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')).toContain(`| ${name} | ${files} |`)
  const generated = [...(await generatedFiles(root)).keys()]
  const edited = Object.keys(steps)
  expect(edited.filter((file) => generated.includes(file))).toEqual([])
  expect(edited.length).toBeLessThanOrEqual(files)
})

// The folders in which the changes are made. The compiler also checks the modules that these folders import.
const changed = [
  ...['protocol', 'siwx', 'core', 'adapters', 'react', 'server'].map((name) => `packages/${name}/src`),
  'apps/demo/src/gallery',
]

test('a copy with a toy view and a toy family has the structure described in ARCHITECTURE.md', () => {
  const sources: Source[] = changed
    .flatMap(filesIn)
    .filter((name) => /\.tsx?$/.test(name) && !/\.(test|browser\.test|d)\.tsx?$/.test(name))
    .map((name) => ({ path: name, text: read(name) }))
  expect(sources.map(({ path: name }) => name)).toContain('packages/react/src/views/connect/Toy.tsx')
  expect(faults(sources)).toEqual([])
}, 600_000)

test('a copy with a toy view and a toy family compiles', () => {
  const exclude = ['**/*.test.*', '**/*.test-d.*', '**/dist']
  writeFileSync(path('tsconfig.walks.json'), JSON.stringify({ extends: './tsconfig.json', include: changed, exclude }))
  const tsc = join(root, 'node_modules/typescript-7/bin/tsc')
  const { stdout } = spawnSync(process.execPath, [tsc, '--noEmit', '-p', path('tsconfig.walks.json')], {
    encoding: 'utf8',
  })
  expect(stdout).toBe('')
}, 600_000)

test('the toy view opens with its data, has a chunk loader, and is in the gallery', async () => {
  const latchkey = await start([])
  const toy = { view: 'Toy', data: { child: 'Ana' } }
  latchkey.modal.open({ view: toy as never })
  expect(latchkey.state.get().modal.stack).toEqual([toy])

  const { viewRegistry } = await load<{
    viewRegistry: Readonly<Record<string, () => Promise<ComponentType<{ data: object }>>>>
  }>('packages/react/src/modal/viewRegistry.ts')
  const Toy = await viewRegistry.Toy?.()
  expect(Toy && renderToStaticMarkup(createElement(Toy, toy))).toContain('For Ana.')

  const { galleryStates } = await load<{ galleryStates: readonly object[] }>('apps/demo/src/gallery/galleryStates.ts')
  expect(galleryStates).toContainEqual(expect.objectContaining({ view: 'Toy', state: 'loaded' }))
})

test('a wallet in the toy family is listed and connects', async () => {
  const { toy } = await load<{ toy: () => unknown }>('packages/adapters/src/toy/index.ts')
  const latchkey = await start([toy()])
  expect(latchkey.shown().map(({ name }) => name)).toContain('Toy Box')
  await latchkey.connect({ connectorId: 'example.toy', namespace: 'toy' as never })
  expect(latchkey.state.get().connections.byNamespace).toMatchObject({
    toy: { status: 'connected', accounts: ['toy:main:toybox'] },
  })

  const { namespaceName } = await load<{ namespaceName: (namespace: string) => string }>(
    'packages/react/src/views/namespaceName.ts',
  )
  expect(namespaceName('toy')).toBe('Toyland')
})

test('an account in the toy family can sign in', async () => {
  const { signWith } = await load<{
    signWith: (namespace: string, seed: number) => { sign: (text: string) => Promise<string> }
  }>('packages/siwx/src/testing/testSigner.ts')
  const { writeMessage } = await load<{ writeMessage: (fields: object) => string }>(
    'packages/siwx/src/message/messageText.ts',
  )
  const { verifiersFor } = await load<{
    verifiersFor: (families: readonly string[]) => Readonly<Record<string, (signed: object) => Promise<boolean>>>
  }>('packages/siwx/src/verify/index.ts')
  const message = writeMessage({
    domain: 'shop.example',
    uri: 'https://shop.example',
    version: '1',
    nonce: 'abcdefgh1',
    chainId: 'toy:main',
    accountAddress: 'toybox',
  })
  expect(message).toContain('wants you to sign in with your Toyland account')
  const signed = { account: 'toy:main:toybox', message, signature: await signWith('toy', 1).sign(message) }
  const verify = verifiersFor(['toy']).toy
  expect(await verify?.(signed)).toBe(true)
  expect(await verify?.({ ...signed, message: `${message}.` })).toBe(false)
})

test('WalletConnect requests the toy family, and the server forwards its requests to nodes', async () => {
  const { wantedNamespaces } = await load<{ wantedNamespaces: (networks: readonly object[]) => object }>(
    'packages/adapters/src/walletconnect/proposedNamespaces.ts',
  )
  expect(wantedNamespaces([{ caipNetworkId: 'toy:main', rpcUrls: {} }])).toMatchObject({
    toy: { chains: ['toy:main'], methods: ['toy_sign'] },
  })
  const { isMethodAllowed } = await load<{ isMethodAllowed: (call: object) => boolean }>(
    'packages/server/src/rpcProxy/allowedMethods.ts',
  )
  expect(isMethodAllowed({ namespace: 'toy', method: 'toy_read', extra: [] })).toBe(true)
  expect(isMethodAllowed({ namespace: 'toy', method: 'admin_read', extra: [] })).toBe(false)
})

test('the server provides the toy endpoint, and a client uses the same declaration to build the URL and parse the response', async () => {
  const { getToy, urlOf } = await load<{
    getToy: { readonly answer: object }
    urlOf: (base: string, endpoint: object, parameters: object) => string
  }>('packages/protocol/src/http/publicRoutes.ts')
  // Rejects errors that the declaration does not list.
  const { createTestServer } = await load<typeof import('../packages/server/src/testing/declaredErrors.ts')>(
    'packages/server/src/testing/declaredErrors.ts',
  )
  const { inMemoryDependencies } = await load<typeof import('../packages/server/src/inMemoryDependencies.ts')>(
    'packages/server/src/inMemoryDependencies.ts',
  )
  const { read: parse } = await load<{ read: (schema: object, value: unknown) => unknown }>(
    'packages/protocol/src/parseWithSchema.ts',
  )
  const server = createTestServer(inMemoryDependencies())
  const request = (id: string) => server(new Request(urlOf('http://localhost', getToy, { params: { id } })))
  const found = await request('bear')
  expect(found.status).toBe(200)
  expect(parse(getToy.answer, await found.json())).toEqual({ name: 'Bear' })
  const missing = await request('robot')
  expect(missing.status).toBe(404)
  expect(await missing.json()).toEqual({ status: 'FAILED', reasons: [{ field: 'id', description: 'Toy not found' }] })
})

test('the toy error has a message and details, and keeps both when it is serialized as JSON', async () => {
  const { failure } = await load<{ failure: (code: string, details: object) => Error }>(
    'packages/protocol/src/errors/errorMessages.ts',
  )
  const error = failure('toy/broken', { name: 'Bear' })
  expect(error.message).toBe('The toy "Bear" is broken.')
  expect(JSON.parse(JSON.stringify(error))).toMatchObject({
    code: 'toy/broken',
    message: 'The toy "Bear" is broken.',
    details: { name: 'Bear' },
  })
})
