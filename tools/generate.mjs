// `npm run generate`: writes the lists that are derived from definitions in other files. Each list is between the comments
// `// #region generated: <name>` and `// #endregion` (in Markdown, HTML comments). `tools/generate.test.ts` fails if a list is
// outdated.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { transformWithOxc } from 'vite'
import { root, say } from './bootstrap.mjs'

/** The view that is part of the modal's chunk, because it is the first one that users see. */
const firstView = 'Connect'

/** @typedef {{ name: string, folder: string, file: string, source: string }} View */

/**
 * Returns the implemented views, in the order of `Views`. A view is implemented if `packages/react/src/views` contains a
 * component that takes `ViewProps<'Name'>`.
 * @param {string} folder the root of the repository
 * @returns {readonly View[]}
 */
export function viewsIn(folder) {
  const declared = readFileSync(join(folder, 'packages/core/src/modal/views.ts'), 'utf8')
  const [, body = ''] = /export interface Views \{([\s\S]*?)\n\}/.exec(declared) ?? []
  const names = [...body.matchAll(/^ {2}(\w+): /gm)].map(([, name = '']) => name)
  const at = join(folder, 'packages/react/src/views')
  /** @type {Map<string, View>} */
  const found = new Map()
  for (const area of readdirSync(at, { withFileTypes: true })) {
    if (!area.isDirectory() || area.name === 'testing') continue
    for (const file of readdirSync(join(at, area.name)).filter((name) => /^\w+\.tsx$/.test(name))) {
      const source = readFileSync(join(at, area.name, file), 'utf8')
      for (const [, name = ''] of source.matchAll(/^export function (\w+)\([^)]*: ViewProps<'\1'>\)/gm))
        found.set(name, { name, folder: area.name, file, source })
    }
  }
  const undeclared = [...found.keys()].find((name) => !names.includes(name))
  if (undeclared) throw new Error(`The view ${undeclared} is missing in packages/core/src/modal/views.ts.`)
  return names.flatMap((name) => found.get(name) ?? [])
}

/**
 * Returns the size budget in kB that a view specifies in a comment such as `// Size budget: 5 kB, for …`. The default is 4 kB.
 * @param {View} view
 */
export function budgetOf({ source }) {
  return Number(/^\/\/ Size budget: ([\d.]+) kB,/m.exec(source)?.[1] ?? 4)
}

/** @typedef {import('../packages/protocol/src/chainFamilies.ts').Family} Family */

/**
 * Returns the families in `packages/protocol/src/chainFamilies.ts`, with their namespaces.
 * @param {string} folder
 * @returns {Promise<readonly (readonly [namespace: string, family: Family])[]>}
 */
async function familiesIn(folder) {
  const source = readFileSync(join(folder, 'packages/protocol/src/chainFamilies.ts'), 'utf8')
  // Node 20 cannot strip types. The file imports only types, so the transformed module has no imports.
  const { code } = await transformWithOxc(source, 'chainFamilies.ts')
  const { families } = await import(`data:text/javascript,${encodeURIComponent(code)}`)
  return Object.entries(families)
}

/**
 * Returns the functions that a folder exports for the families, with their files, keyed by namespace. In `pattern`, the first
 * group matches the name of the function, and the second group matches the namespace.
 * @param {string} folder
 * @param {RegExp} pattern
 * @returns {ReadonlyMap<string, { name: string, file: string }>}
 */
function functionsIn(folder, pattern) {
  /** @type {Map<string, { name: string, file: string }>} */
  const found = new Map()
  for (const file of readdirSync(folder).filter((name) => /^\w+\.ts$/.test(name))) {
    const [, name = '', namespace = ''] = pattern.exec(readFileSync(join(folder, file), 'utf8')) ?? []
    if (name) found.set(namespace, { name, file })
  }
  return found
}

/**
 * Returns the functions that open a WalletConnect session, keyed by namespace.
 * @param {string} folder
 */
export function sessionsIn(folder) {
  return functionsIn(
    join(folder, 'packages/adapters/src/walletconnect'),
    /^export (?:async )?function (open\w+)\(\w+: NamespaceSessionInput<'(\w+)'>\)/m,
  )
}

/**
 * Returns the generated files with up-to-date lists, keyed by path.
 * @param {string} folder
 * @returns {Promise<ReadonlyMap<string, string>>}
 */
export async function generatedFiles(folder) {
  const views = viewsIn(folder)
  const families = await familiesIn(folder)
  const names = families.map(([namespace, { name }]) => `${namespace}: '${name}',`)
  const verifiers = functionsIn(join(folder, 'packages/siwx/src/verify'), /^export function ((\w+)Verifier)\(/m)
  const sessions = sessionsIn(folder)

  /** @type {readonly (readonly [path: string, region: string, lines: readonly string[]])[]} */
  const lists = [
    ['packages/core/src/modal/implementedViews.ts', 'views', views.map(({ name }) => `'${name}',`)],
    [
      'packages/react/src/modal/viewRegistry.ts',
      'views',
      views.filter(({ name }) => name !== firstView).flatMap(loader),
    ],
    ['packages/react/README.md', 'views', paragraph(views.map(({ name }) => `\`${name}\``))],

    ['packages/protocol/src/caip.ts', 'families', families.map(([namespace]) => `'${namespace}',`)],
    [
      'packages/protocol/src/specificationConstants.ts',
      'login families',
      families.flatMap(([namespace, { hasLogin }]) => (hasLogin ? [`'${namespace}',`] : [])),
    ],
    [
      'packages/protocol/src/specificationConstants.ts',
      'account types',
      families.flatMap(([namespace, { accountType }]) => (accountType ? [`${namespace}: '${accountType}',`] : [])),
    ],
    ['packages/react/src/views/namespaceName.ts', 'families', names],
    ['packages/siwx/src/message/messageText.ts', 'families', names],
    [
      'packages/siwx/src/message/grammar.ts',
      'families',
      families.flatMap(([namespace, { address }]) => [`case '${namespace}':`, `  return ${address}.test(text)`]),
    ],
    [
      // The eip155 verifier is written by hand, because it also supports contract signatures, which take more than one line.
      'packages/siwx/src/verify/index.ts',
      'families',
      families.flatMap(([namespace]) => {
        const verifier = namespace === 'eip155' ? undefined : verifiers.get(namespace)
        return verifier ? [`${namespace}: async () => (await import('./${verifier.file}')).${verifier.name}(),`] : []
      }),
    ],
    [
      'packages/core/src/signIn/encodeSignature.ts',
      'families',
      families.flatMap(([namespace, { signature }]) => {
        const encode = { base58: 'toBase58', base64: 'toBase64', hex: undefined, json: undefined }[signature]
        return encode ? [`if (namespace === '${namespace}') return ${encode}(bytes)`] : []
      }),
    ],
    [
      'packages/core/src/wallets/directoryChains.ts',
      'families',
      families.flatMap(([namespace, { listedChain }]) => (listedChain ? [`${namespace}: '${listedChain}',`] : [])),
    ],
    [
      'packages/adapters/src/walletconnect/proposedNamespaces.ts',
      'families',
      families.flatMap(([namespace, { walletConnectMethods }]) => property(namespace, walletConnectMethods)),
    ],
    [
      'packages/adapters/src/walletconnect/loadNamespaceSession.ts',
      'families',
      families.flatMap(([namespace]) => {
        const session = sessions.get(namespace)
        if (!session) return []
        return [`case '${namespace}':`, `  return (await import('./${session.file}')).${session.name}(of())`]
      }),
    ],
  ]
  /** @type {Map<string, string>} */
  const files = new Map()
  for (const [path, region, lines] of lists) {
    files.set(path, replaceRegion(files.get(path) ?? readFileSync(join(folder, path), 'utf8'), region, lines))
  }
  return files
}

/**
 * @param {View} view
 * @returns {readonly string[]}
 */
function loader({ name, folder, file }) {
  const imported = `(await import('../views/${folder}/${file}')).${name},`
  const line = `${name}: async () => ${imported}`
  return line.length <= 118 ? [line] : [`${name}: async () =>`, `  ${imported}`]
}

/**
 * Returns a property with an array of strings, formatted as Biome would format it.
 * @param {string} name
 * @param {readonly string[]} values
 * @returns {readonly string[]}
 */
function property(name, values) {
  const line = `${name}: [${values.map((value) => `'${value}'`).join(', ')}],`
  return line.length <= 118 ? [line] : [`${name}: [`, ...values.map((value) => `  '${value}',`), '],']
}

/**
 * Wraps `items` at 130 characters, as in the other documents.
 * @param {readonly string[]} items
 */
function paragraph(items) {
  /** @type {string[]} */
  const lines = []
  for (const item of [...items.slice(0, -1).map((text) => `${text},`), `${items.at(-1)}.`]) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + item.length <= 130) lines[lines.length - 1] = `${last} ${item}`
    else lines.push(item)
  }
  return lines
}

/**
 * Replaces the lines between `#region generated: <name>` and `#endregion`, and keeps the region's indentation.
 * @param {string} text
 * @param {string} name
 * @param {readonly string[]} lines
 */
function replaceRegion(text, name, lines) {
  const found = new RegExp(`^( *)(?://|<!--) #region generated: ${name} [^\\n]*\\n`, 'm').exec(text)
  if (!found) throw new Error(`There is no region "${name}".`)
  const begin = found.index + found[0].length
  const end = begin + text.slice(begin).search(/^ *(?:\/\/|<!--) #endregion/m)
  return `${text.slice(0, begin)}${lines.map((line) => `${found[1]}${line}\n`).join('')}${text.slice(end)}`
}

if (process.argv[1] === import.meta.filename) {
  for (const [path, text] of await generatedFiles(root)) {
    const file = join(root, path)
    if (readFileSync(file, 'utf8') === text) continue
    writeFileSync(file, text)
    say(`Wrote ${relative(root, file)}`)
  }
}
