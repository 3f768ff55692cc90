// Checks the structure of the source code. ARCHITECTURE.md documents the rules, and this file contains them as data and checks
// them.

import { dirname, join, normalize } from 'node:path'
import { parseSync } from 'oxc-parser'

/** A source file: its path relative to the root, and its text. */
export interface Source {
  readonly path: string
  readonly text: string
}

/** The allowed imports: the importing package or folder, and the packages that it can import. The first match applies. */
const arrows: readonly { readonly from: RegExp; readonly may: readonly RegExp[] }[] = [
  { from: /^packages\/protocol\//, may: [] },
  { from: /^packages\/i18n\//, may: [] },
  { from: /^packages\/siwx\//, may: [/^protocol(\/|$)/] },
  {
    from: /^packages\/core\//,
    may: [/^protocol(\/|$)/, /^siwx\/(signIn|message|validateMessage|verifySignIn)$/],
  },
  { from: /^packages\/adapters\/src\/[^/]+\/testing\//, may: [/^(protocol|core|testing|walletconnect)(\/|$)/] },
  { from: /^packages\/adapters\//, may: [/^protocol(\/|$)/, /^core\/adapter$/, /^walletconnect$/] },
  { from: /^packages\/walletconnect\//, may: [/^protocol(\/|$)/, /^siwx\/verify\/eip155$/] },
  { from: /^packages\/ui\//, may: [] },
  {
    from: /^packages\/react\/src\/(Latchkey\.|createEvmLatchkey|embed|lazyEvm)/,
    may: [/^(protocol|i18n|core|ui)(\/|$)/, /^adapters\/evm$/],
  },
  { from: /^packages\/react\//, may: [/^(protocol|i18n|core|ui)(\/|$)/] },
  { from: /^packages\/server\//, may: [/^(protocol|i18n|siwx)(\/|$)/] },
  { from: /^packages\/dev\//, may: [/^(protocol|server|testing)(\/|$)/] },
  { from: /^packages\/testing\//, may: [/^protocol(\/|$)/] },
  { from: /^packages\/vault\//, may: [/^protocol(\/|$)/] },
  // The frame must never import the vault's test doubles, such as seeded random numbers.
  { from: /^packages\/frame\//, may: [/^(protocol|i18n|ui)(\/|$)/, /^siwx\/message$/, /^vault(\/(?!testing$).+)?$/] },
  { from: /^apps\/wallet\//, may: [/^(protocol|walletconnect|ui)(\/|$)/] },
  { from: /^apps\/demo\//, may: [/^(core|adapters|react|testing)(\/|$)/] },
]

/** The order of the files and folders in a folder. */
interface Order {
  readonly folder: string
  /** The files and folders, lowest floor first. A file can import from its own floor and from lower ones. */
  readonly floors: readonly (readonly string[])[]
  /**
   * Whether the order also applies to type imports. If not, a lower folder can name the type of what a higher one passes to it.
   */
  readonly types: boolean
}

const orders: readonly Order[] = [
  {
    folder: 'packages/core/src/',
    types: true,
    floors: [
      ['lib', 'version.ts', 'adapter.ts', 'options.ts', 'latchkeyTypes.ts'],
      ['networks', 'wallets', 'login', 'storage', 'analytics', 'chainApi'],
      ['connections'],
      ['account', 'onramp', 'smartSessions', 'signIn', 'pairing'],
      ['swap'],
      ['modal'],
      ['stateCookie.ts', 'runtime'],
      ['latchkeyRuntime.ts'],
      ['createLatchkey.ts', 'index.ts'],
      ['testing'],
    ],
  },
  {
    folder: 'packages/react/src/',
    types: false,
    floors: [
      [
        'LatchkeyContext.ts',
        'ModalLoaderContext.ts',
        'afterPaint.ts',
        'applyTheme.ts',
        'chunkLoader.ts',
        'fallbackWallets.ts',
        'promptSignIn.ts',
        'selectors.ts',
        'slots.ts',
        'warnOptionsChanged.ts',
        'whenIdle.ts',
      ],
      ['i18n'],
      ['hooks'],
      ['buttons', 'views'],
      ['modal'],
      ['createModalLoader.ts', 'LazyModal.tsx', 'useWarnOptionsChanged.ts'],
      ['lazyEvmAdapter.ts', 'LatchkeyPanel.tsx', 'LatchkeyProvider.tsx'],
      ['createEvmLatchkey.ts'],
      ['Latchkey.tsx', 'embed', 'index.ts'],
      ['testing'],
    ],
  },
  {
    folder: 'packages/frame/src/',
    types: false,
    floors: [
      // Pages that share no code with the others.
      ['identify', 'recovery'],
      [
        'publicError.ts',
        'payloadSize.ts',
        'singleflight.ts',
        'serverClock.ts',
        'signInPopups.ts',
        'identifyVisitor.ts',
      ],
      ['pageSettings.ts', 'frameConfig.ts', 'frameContext.ts', 'keysApiClient.ts', 'messageBridge.ts'],
      ['approvals', 'networks', 'texts', 'handover', 'accountSession.ts'],
      ['crossSite', 'decoders', 'guards'],
      ['smartAccount'],
      ['wallet'],
      ['permissions', 'announceReady.ts'],
      ['rpcRequests', 'screens'],
      ['frameMethods', 'approvalWindow', 'walletPage', 'loadApprovalScreens.ts'],
      ['crossSiteWindow', 'pageRequestHandler.ts'],
      ['startFrame.ts'],
      ['main.ts'],
    ],
  },
  {
    folder: 'packages/server/src/',
    types: false,
    floors: [
      ['serverDependencies.ts', 'errors', 'ipAddresses', 'resilience'],
      ['http', 'storage', 'projects', 'directory', 'analytics', 'walletConnectVerify'],
      ['config', 'monitoring', 'memoryLimits', 'rateLimits', 'rpcProxy', 'images', 'mail', 'emailCodes'],
      ['chainApi'],
      ['routes', 'relay', 'signIn', 'keys', 'inMemoryDependencies.ts'],
      ['hostRouter.ts'],
      ['createServer.ts'],
      ['serverFromConfig.ts', 'testing'],
      ['startServer.ts'],
      ['commands', 'index.ts'],
    ],
  },
  {
    folder: 'packages/server/src/keys/',
    types: true,
    floors: [
      ['tables', 'keysError.ts', 'frameFile.ts', 'assistedShareKeyService.ts'],
      ['keysDependencies.ts'],
      ['requestContext.ts', 'accounts'],
      ['keysServices.ts'],
      ['http', 'visitorIdentification'],
      ['login', 'smartAccounts', 'crossSite'],
      ['vault', 'frame'],
      ['keysServer.ts'],
      ['keysServerFromConfig.ts'],
    ],
  },
]

/** Folders with a border: outside of them, only the files in `from` can import their files or types. */
const borders: readonly { readonly folder: string; readonly from: RegExp }[] = [
  { folder: 'packages/server/src/keys/', from: /^packages\/server\/src\/((serverFromConfig|index)\.ts|testing\/.+)$/ },
]

/** The files of core that define shared types. They can import any type, and any file can import their types. */
const shapes: readonly string[] = ['latchkeyTypes.ts', 'options.ts', 'modal/views.ts'].map(
  (name) => `packages/core/src/${name}`,
)

/** The entry points that are run rather than imported. */
const started = /\/(cli|main|embed\/scriptLoader)\.tsx?$/

/**
 * The globals that the vault must not use: those of a page or process, and any source of time or randomness except its
 * environment.
 */
const bannedInVault =
  /^(window|self|globalThis|document|navigator|location|localStorage|sessionStorage|indexedDB|caches|fetch|XMLHttpRequest|WebSocket|Worker|BroadcastChannel|postMessage|addEventListener|console|process|Buffer|Date|performance|setTimeout|setInterval|crypto)$/

/** The file that passes the platform to the vault. */
const vaultEnvironment = 'packages/vault/src/cryptoEnvironment.ts'

interface Import {
  readonly target: string
  readonly typeOnly: boolean
  readonly lazy: boolean
}

/** Returns one sentence for each violation in `sources`. */
export function faults(sources: readonly Source[]): string[] {
  return [...sources.flatMap(faultsOf), ...importCycles(sources), ...folderCycles(sources)]
}

function faultsOf(source: Source): string[] {
  const { program, comments } = parseSync(source.path, source.text)
  const imports = importsOf(source)
  return [
    ...namedBadly(source.path),
    ...wrongArrows(source.path, imports),
    ...wrongFloors(source.path, imports),
    ...crossedBorders(source.path, imports),
    ...ownIndex(source.path, imports),
    ...moduleState(source, program.body),
    ...importEffects(source.path, program.body),
    ...vaultGlobals(source.path, program),
    ...longFunctions(source, program),
    ...undocumented(source, program.body, comments),
  ]
}

function namedBadly(path: string): string[] {
  return /(^|\/)(utils?|helpers?|misc|common|world|wire|chunk|door|desk|seats?|house|keepers?|words)(\/|\.tsx?$)/i.test(
    path,
  )
    ? [`${path}: name it after what it contains.`]
    : []
}

function wrongArrows(path: string, imports: readonly Import[]): string[] {
  const own = path.match(/^packages\/([^/]+)\//)?.[1]
  const rule = arrows.find(({ from }) => from.test(path))
  return imports.flatMap(({ target }) => {
    const name = target.match(/^@latchkey\/(.+)$/)?.[1]
    if (name === undefined || !rule) return []
    if (own && name.split('/')[0] === own) return [`${path} imports its own package by name: ${target}.`]
    return rule.may.some((allowed) => allowed.test(name)) ? [] : [`${path} may not import ${target}.`]
  })
}

function wrongFloors(path: string, imports: readonly Import[]): string[] {
  return orders.flatMap(({ folder, floors, types }) => {
    if (!path.startsWith(folder)) return []
    const nameOf = (file: string): string => file.slice(folder.length).split('/')[0] ?? ''
    const floorOf = (file: string): number => floors.findIndex((floor) => floor.includes(nameOf(file)))
    const from = floorOf(path)
    if (from < 0) return [`${path}: no floor is known for ${nameOf(path)}.`]
    return imports.flatMap(({ target, typeOnly }) => {
      const theirs = resolved(path, target)
      if (!target.startsWith('.') || !theirs.startsWith(folder)) return []
      if (typeOnly && (!types || shapes.includes(path) || shapes.includes(theirs))) return []
      const to = floorOf(theirs)
      if (to < 0) return [`${path}: no floor is known for ${nameOf(theirs)}.`]
      return to > from ? [`${path} (floor ${from}) imports ${target} (floor ${to}) from above.`] : []
    })
  })
}

function crossedBorders(path: string, imports: readonly Import[]): string[] {
  return borders
    .filter(({ folder, from }) => !path.startsWith(folder) && !from.test(path))
    .flatMap(({ folder }) =>
      imports
        .filter(({ target }) => target.startsWith('.') && resolved(path, target).startsWith(folder))
        .map(({ target }) => `${path} may not import ${target}, which is inside ${folder}.`),
    )
}

function ownIndex(path: string, imports: readonly Import[]): string[] {
  const root = path.match(/^packages\/[^/]+\/src\//)?.[0]
  return imports
    .filter(({ target }) => root && target.startsWith('.') && resolved(path, target) === `${root}index.ts`)
    .map(({ target }) => `${path} imports the index of its own package: ${target}.`)
}

function importCycles(sources: readonly Source[]): string[] {
  const next = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .filter(({ target }) => target.startsWith('.'))
        .map(({ target }) => resolved(source.path, target)),
    ]),
  )
  return cyclesIn(next).map((cycle) => `An import cycle: ${cycle.join(' → ')}.`)
}

/**
 * Returns the cycles of value imports between the folders in a package's `src`. Type imports are ignored, because they do
 * not exist at runtime. A file that is directly in `src` is treated as a folder, so that a cycle through it is detected.
 */
function folderCycles(sources: readonly Source[]): string[] {
  const next = new Map<string, Set<string>>()
  const example = new Map<string, string>()
  for (const source of sources) {
    const from = folderOf(source.path)
    for (const { target, typeOnly } of importsOf(source)) {
      if (from === undefined || typeOnly || !target.startsWith('.')) continue
      const path = resolved(source.path, target)
      const to = folderOf(path)
      if (to === undefined || to === from) continue
      next.set(from, (next.get(from) ?? new Set()).add(to))
      example.set(`${from} → ${to}`, `${source.path} imports ${path}`)
    }
  }
  return cyclesIn(next).map((cycle) => {
    const imports = cycle.slice(1).map((to, at) => example.get(`${cycle[at]} → ${to}`))
    return `A cycle of folders: ${cycle.join(' → ')}. ${imports.join(', ')}.`
  })
}

/** Returns the folder in a package's `src` that contains a file, or the file itself if it is directly in `src`. */
function folderOf(path: string): string | undefined {
  return path.match(/^packages\/[^/]+\/src\/[^/]+/)?.[0]
}

/** Returns the cycles found in a depth-first search of the graph `next`, each with its first node repeated at the end. */
function cyclesIn(next: ReadonlyMap<string, Iterable<string>>): string[][] {
  const done = new Set<string>()
  const found: string[][] = []
  const walk = (node: string, trail: readonly string[]): void => {
    if (trail.includes(node)) {
      found.push([...trail.slice(trail.indexOf(node)), node])
      return
    }
    if (done.has(node)) return
    for (const target of next.get(node) ?? []) walk(target, [...trail, node])
    done.add(node)
  }
  for (const node of next.keys()) walk(node, [])
  return found
}

// biome-ignore lint/suspicious/noExplicitAny: an ESTree node, read structurally.
type Node = any

/** Returns the violations for banned globals that a file in the vault uses. Property names are not globals. */
function vaultGlobals(path: string, program: Node): string[] {
  if (!/^packages\/vault\/src\/(?!testing\/)/.test(path) || path === vaultEnvironment) return []
  const found = new Set<string>()
  const walk = (node: Node, parent: Node): void => {
    if (Array.isArray(node)) for (const child of node) walk(child, parent)
    if (typeof node?.type !== 'string') return
    if (node.object?.name === 'Math' && node.property.name === 'random') found.add('Math.random')
    if (node.type === 'Identifier' && bannedInVault.test(node.name) && !isPropertyName(node, parent))
      found.add(node.name)
    for (const [name, child] of Object.entries(node))
      if (name !== 'parent' && typeof child === 'object') walk(child, node)
  }
  walk(program, undefined)
  return [...found].map((name) => `${path} uses ${name}: the vault only uses what is passed in.`)
}

/** The maximum length of a function in the packages, in lines. */
const maxFunctionLines = 150

/** Returns the violations for long functions in the packages. */
function longFunctions({ path, text }: Source, program: Node): string[] {
  if (!path.startsWith('packages/')) return []
  const found: string[] = []
  const walk = (node: Node): void => {
    if (Array.isArray(node)) for (const child of node) walk(child)
    if (typeof node?.type !== 'string') return
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) {
      const lines = text.slice(node.start, node.end).split('\n').length
      if (lines > maxFunctionLines) found.push(`${path}: ${node.id?.name ?? 'a function'} has ${lines} lines.`)
    }
    for (const [name, child] of Object.entries(node)) if (name !== 'parent' && typeof child === 'object') walk(child)
  }
  walk(program)
  return found
}

function isPropertyName(node: Node, parent: Node): boolean {
  if (parent?.computed || parent?.shorthand) return false
  return parent?.type === 'MemberExpression' ? parent.property === node : parent?.key === node
}

/**
 * Returns the violations for module-level `let`, and for module-level collections that start empty or that the same file changes.
 */
function moduleState(source: Source, body: readonly Node[]): string[] {
  return body.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type !== 'VariableDeclaration' || declared.declare) return []
    if (declared.kind !== 'const')
      return [`${source.path}: module-level ${declared.kind} ${declared.declarations[0]?.id?.name}.`]
    return declared.declarations
      .filter(({ id, init }: Node) => id.type === 'Identifier' && init && isState(source.text, id.name, init))
      .map(({ id }: Node) => `${source.path}: module-level mutable ${id.name}.`)
  })
}

function isState(text: string, name: string, node: Node): boolean {
  const init = node.type === 'TSAsExpression' || node.type === 'TSSatisfiesExpression' ? node.expression : node
  const collection = init.type === 'NewExpression' && /^(Weak)?(Map|Set)$/.test(init.callee.name ?? '')
  const literal = init.type === 'ArrayExpression' || init.type === 'ObjectExpression'
  if (collection && init.arguments.length === 0) return true
  if (!collection && !literal) return false
  const changed = new RegExp(
    `(?<![\\w.$])${name.replace(/\$/g, '\\$')}(\\.(set|add|delete|clear|push|pop|shift|unshift|splice|sort|reverse|fill)\\(|(\\.\\w+|\\[[^\\]]*\\])+\\s*(=(?!=|>)|\\+\\+|--|[-+*|&?]{1,2}=))`,
  )
  return changed.test(text)
}

/** Returns the violations for module-level statements that run on import, such as expressions, loops and `await`. */
function importEffects(path: string, body: readonly Node[]): string[] {
  if (started.test(path)) return []
  const acting = /^(ExpressionStatement|IfStatement|For\w*Statement|WhileStatement|TryStatement|ThrowStatement)$/
  return body
    .filter((statement) => acting.test(statement.type) && !statement.directive)
    .filter((statement) => !isLabel(statement))
    .map((statement) => `${path}: something happens on import (${statement.type}).`)
}

/**
 * Whether a statement only labels a function in this file, such as `Component.displayName = '…'` and `ConnectButton.Custom = …`.
 */
function isLabel({ expression }: Node): boolean {
  return expression?.type === 'AssignmentExpression' && /^[A-Z]/.test(expression.left.object?.name ?? '')
}

function undocumented(source: Source, body: readonly Node[], comments: readonly Node[]): string[] {
  if (!/^(packages|apps\/wallet)\//.test(source.path)) return []
  return body.flatMap((statement, at) => {
    if (statement.type !== 'ExportNamedDeclaration' || !statement.declaration) return []
    const { declaration } = statement
    const name = declaration.id?.name ?? declaration.declarations?.[0]?.id?.name ?? 'something'
    // Further overload signatures share the doc comment of the first signature.
    const before = body[at - 1]?.declaration?.id?.name
    if (before === name) return []
    const doc = comments.find(
      ({ type, value, end }) =>
        type === 'Block' &&
        value.startsWith('*') &&
        end <= statement.start &&
        /^\s*((\/\/[^\n]*|\/\* @__\w+__ \*\/)\s*)*$/.test(source.text.slice(end, statement.start)),
    )
    return doc && /[.?!:)`}\]]\s*$|[.?!]/.test(doc.value) ? [] : [`${source.path}: ${name} has no doc sentence.`]
  })
}

function importsOf({ path, text }: Source): Import[] {
  const { module } = parseSync(path, text)
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      target: moduleRequest.value,
      typeOnly: entries.length > 0 && entries.every(({ isType }) => isType),
      lazy: false,
    })),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest ? [{ target: moduleRequest.value, typeOnly: isType, lazy: false }] : [],
      ),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) => ({
      target: text.slice(moduleRequest.start, moduleRequest.end).replace(/^['"`]|['"`]$/g, ''),
      typeOnly: false,
      lazy: true,
    })),
  ]
}

function resolved(from: string, target: string): string {
  return normalize(join(dirname(from), target.replace(/\?.*$/, '')))
}
