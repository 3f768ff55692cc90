// `npm run size`: builds pages for production, measures the gzipped size (gzip -9) of the files that they load, and compares it
// with the budgets. React is not included, because the size of a page without Latchkey is subtracted.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { quickstart, quick as quickWithChains } from './bench/pages.mjs'
import { root } from './bootstrap.mjs'
import { budgetOf, sessionsIn, viewsIn } from './generate.mjs'
import { chunksIn, closure, gzipSize } from './pageChunks.mjs'
import { cssText } from './tsdown.base.mjs'

const kB = 1000

/**
 * The pages, as entry modules. Their imports are resolved from `e2e/`, because e2e/package.json lists their dependencies.
 * @type {Record<string, string>}
 */
const pages = {
  bare: `import { createRoot } from 'react-dom/client'
import { createElement } from 'react'
createRoot(document.body).render(createElement('button', null, 'Connect'))`,
  kit: `import { createRoot } from 'react-dom/client'
import { createElement } from 'react'
import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
createRoot(document.body).render(createElement(LatchkeyProvider, { options: {} }, createElement(ConnectButton)))`,
  kitEvm: `import { createRoot } from 'react-dom/client'
import { createElement } from 'react'
import { ConnectButton, LatchkeyProvider } from '@latchkey/react'
import { evm } from '@latchkey/adapters/evm'
createRoot(document.body).render(createElement(LatchkeyProvider, { options: { adapters: [evm()] } }, createElement(ConnectButton)))`,
  quick: `import { createRoot } from 'react-dom/client'
import { createElement } from 'react'
import { Latchkey } from '@latchkey/react/quick'
createRoot(document.body).render(createElement(Latchkey))`,
  quickstart,
  quickWithChains,
  embedded: `export { embedded } from '@latchkey/adapters/embedded'`,
  bridge: `export { walletConnect } from '@latchkey/adapters/walletconnect'`,
  walletconnect: `export { createClient, createProposer } from '@latchkey/walletconnect'`,
}

/** @typedef {import('./pageChunks.mjs').Chunk} Chunk */

/**
 * Builds a page for production in memory, and resolves to its chunks.
 * @param {string} name a page
 * @param {(id: string) => boolean} [external]
 * @returns {Promise<Map<string, Chunk>>}
 */
async function chunksOf(name, external = () => false) {
  const entry = join(root, 'e2e', `size-${name}.js`)
  const result = await build({
    root: join(root, 'e2e'),
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    resolve: { conditions: ['@latchkey/source', 'module', 'browser', 'production'] },
    plugins: [
      // Style sheets are measured as the packages contain them, where Vite does not add fallbacks for other browsers.
      { ...cssText(), enforce: 'pre' },
      {
        name: 'size-page',
        resolveId: (id) => (id === entry ? entry : null),
        load: (id) => (id === entry ? (pages[name] ?? '') : null),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      modulePreload: false,
      minify: true,
      // Like `vite build`, except that it does not keep the exports of an entry.
      rollupOptions: { input: entry, external, preserveEntrySignatures: 'exports-only' },
    },
  })
  const { output } = /** @type {import('./pageChunks.mjs').Output} */ (Array.isArray(result) ? result[0] : result)
  return chunksIn(output)
}

/**
 * Builds the frame as it is published, and resolves to its chunks.
 * @returns {Promise<Map<string, Chunk>>}
 */
async function frameChunks() {
  const { frameBuild } = await import('../packages/frame/build.mjs')
  const result = await build(frameBuild({ write: false }))
  const { output } = /** @type {import('./pageChunks.mjs').Output} */ (Array.isArray(result) ? result[0] : result)
  return chunksIn(output)
}

/**
 * Returns the total gzipped size of the given chunks. Each chunk is a separate file, so it is compressed separately.
 * @param {Map<string, Chunk>} chunks
 * @param {Iterable<string>} names
 */
function weight(chunks, names) {
  let sum = 0
  for (const name of names) sum += gzipSize(chunks.get(name)?.code ?? '')
  return sum
}

/**
 * @param {Map<string, Chunk>} chunks
 * @param {string} path
 */
function chunkOf(chunks, path) {
  return [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(path))?.fileName
}

/** @param {Map<string, Chunk>} chunks */
const entryOf = (chunks) => [...chunks.values()].filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName)

/** @type {{ what: string, bytes: number, budget?: number }[]} */
const rows = []
const bare = await chunksOf('bare')
const bareBytes = weight(bare, closure(bare, entryOf(bare)))
rows.push({ what: 'the page without Latchkey, including React', bytes: bareBytes })

const kit = await chunksOf('kit')
const first = closure(kit, entryOf(kit))
rows.push({
  what: 'LatchkeyProvider and ConnectButton, before the first click',
  bytes: weight(kit, first) - bareBytes,
  budget: 12 * kB,
})
for (const name of /** @type {const} */ (['kitEvm', 'quick'])) {
  const chunks = await chunksOf(name)
  const what = name === 'quick' ? '@latchkey/react/quick, before the first click' : 'the same with adapters: [evm()]'
  rows.push({ what, bytes: weight(chunks, closure(chunks, entryOf(chunks))) - bareBytes })
}

// The chunks that `start()` loads after the first paint. They are listed because they are loaded before the first click.
const engine = chunkOf(kit, '/core/src/latchkeyRuntime.ts')
const started = new Set([...closure(kit, engine ? [engine] : [])].filter((name) => !first.has(name)))
rows.push({ what: 'what start() then loads, after the first paint', bytes: weight(kit, started) })
// The additional chunks that the page of a returning user loads at that time. For a new user, they are loaded when the user is
// about to connect.
const connections = chunkOf(kit, '/core/src/runtime/connectionRuntime.ts')
const connecting = new Set(
  [...closure(kit, connections ? [connections] : [])].filter((name) => !first.has(name) && !started.has(name)),
)
rows.push({ what: 'code that restores and opens connections', bytes: weight(kit, connecting) })

// The chunks that are loaded when Connect opens: the modal and the first view, with all their imports.
const opened = ['/modal/Modal.tsx', '/views/connect/Connect.tsx']
  .map((path) => chunkOf(kit, path))
  .filter((name) => name !== undefined)
const modal = new Set([...closure(kit, opened)].filter((name) => !first.has(name)))
rows.push({ what: 'opening Connect, styles included', bytes: weight(kit, modal), budget: 18.5 * kB })

// The quickstart with three chains, WalletConnect and styles. The goals are 20 kB until the button is displayed, and at most
// 25 kB that the page then loads without user interaction. `npm run bench -- page` checks these goals in a browser.
for (const name of /** @type {const} */ (['quickstart', 'quickWithChains'])) {
  const chunks = await chunksOf(name)
  const what = name === 'quickstart' ? 'the README’s quickstart' : 'the same with @latchkey/react/quick'
  const untilButton = closure(chunks, entryOf(chunks))
  const fetched = ['/core/src/latchkeyRuntime.ts', '/modal/Modal.tsx', '/views/connect/Connect.tsx']
    .map((path) => chunkOf(chunks, path))
    .filter((file) => file !== undefined)
  const afterwards = [...closure(chunks, fetched)].filter((file) => !untilButton.has(file))
  rows.push({ what: `${what} with three chains (goal 20)`, bytes: weight(chunks, untilButton) - bareBytes })
  rows.push({
    what: 'what it then loads without a click, for a new user (goal 25)',
    bytes: weight(chunks, afterwards),
  })
  const restoring = closure(
    chunks,
    ['/core/src/runtime/connectionRuntime.ts'].flatMap((path) => chunkOf(chunks, path) ?? []),
  )
  const more = [...restoring].filter((file) => !untilButton.has(file) && !afterwards.includes(file))
  rows.push({ what: 'the same for a returning user', bytes: weight(chunks, [...afterwards, ...more]) })
}

// The list of the other views and what they have in common, which is loaded once Connect is displayed.
const registry = chunkOf(kit, '/modal/viewRegistry.ts')
const shared = new Set(
  [...closure(kit, registry ? [registry] : [])].filter((name) => !first.has(name) && !modal.has(name)),
)
rows.push({
  what: 'what the other views have in common, once Connect is displayed',
  bytes: weight(kit, shared),
  budget: 5.8 * kB,
})

// The chunks that `start()` loads are present before any view opens.
const loaded = new Set([...first, ...started, ...connecting, ...modal, ...shared])

// With an embedded wallet, the modal loads the shared login code together with Connect, so that code is present before any login
// view opens.
const loginPart = chunkOf(kit, '/views/login/LoginMethod.tsx')
const login = new Set([...closure(kit, loginPart ? [loginPart] : [])].filter((name) => !loaded.has(name)))
rows.push({
  what: 'email and social login on Connect, if the page offers them',
  bytes: weight(kit, login),
  // The budget covers email, seven providers, the row for passkey login with its translated label, and the imports from chunks
  // that Connect shares with other views.
  budget: 7.25 * kB,
})
// The modal loads these texts together with Connect.
const legal = chunkOf(kit, '/views/LegalTexts.tsx')
const legalTexts = new Set(
  [...closure(kit, legal ? [legal] : [])].filter((name) => !first.has(name) && !modal.has(name)),
)
rows.push({ what: 'the legal notice or checkbox on Connect, where a host has them', bytes: weight(kit, legalTexts) })
// Each view specifies its budget in its own file.
const budgets = new Map(viewsIn(root).map((view) => [view.name, budgetOf(view)]))
const viewChunks = [...kit.values()].flatMap(({ fileName, facadeModuleId }) => {
  const [, folder, view] = facadeModuleId?.match(/\/views\/(\w+)\/(\w+)\.tsx$/) ?? []
  if (!view || view === 'Connect' || view === 'LoginMethod') return []
  const more = [...closure(kit, [fileName])].filter(
    (name) => !loaded.has(name) && !(folder === 'login' && login.has(name)),
  )
  return [{ folder, view, more }]
})
/**
 * Parts that a view loads on demand, with the view and the budget in kB: the activity below the tokens, the list of many tokens, the
 * scanner of QR codes with its decoder, the messages about what is wrong, the details of a price, and the progress and the outcome
 * of a confirmed transaction.
 * @type {Map<string | undefined, { readonly of: string, readonly budget: number }>}
 */
const parts = new Map([
  ['RecentActivity', { of: 'Account', budget: 1 }],
  ['LongTokenList', { of: 'Account', budget: 2 }],
  ['ReplaceActions', { of: 'Account', budget: 1 }],
  ['ScanRecipient', { of: 'WalletSend', budget: 4.7 }],
  ['SendNotices', { of: 'WalletSend', budget: 3 }],
  ['SendReviewNotices', { of: 'WalletSendPreview', budget: 3.9 }],
  ['SendOutcome', { of: 'WalletSendPreview', budget: 2.4 }],
  ['SwapNotices', { of: 'Swap', budget: 1.4 }],
  ['SwapFacts', { of: 'Swap', budget: 1 }],
  ['SwapReviewNotices', { of: 'SwapPreview', budget: 3.3 }],
  ['SwapOutcome', { of: 'SwapPreview', budget: 2.4 }],
])
/** The parts that are only loaded after the view has been displayed, so that their code is not code for opening a view. */
const laterParts = new Set([...parts.keys()].filter((part) => part !== 'RecentActivity'))
// The code that views of several folders load when they open. Only the first of them that opens has to load it.
const accountFolders = ['account', 'onramp', 'send', 'swap', 'transactions']
// The settings are a page about logins and names, which has little in common with them.
/** @param {{ folder: string | undefined, view: string }} chunk */
const isOfAccount = ({ folder, view }) => accountFolders.includes(folder ?? '') && view !== 'AccountSettings'
const accountViews = viewChunks.filter((chunk) => isOfAccount(chunk) && !laterParts.has(chunk.view))
const ofAccount = new Set(
  accountViews.flatMap(({ folder, more }) =>
    more.filter((name) => accountViews.some((other) => other.folder !== folder && other.more.includes(name))),
  ),
)
rows.push({ what: 'what the account’s views have in common', bytes: weight(kit, ofAccount), budget: 12 * kB })
for (const { folder, view, more: all } of viewChunks) {
  const part = parts.get(view)
  const present = new Set(part && viewChunks.find((other) => other.view === part.of)?.more)
  const isLoaded = (/** @type {string} */ name) =>
    present.has(name) ||
    (view === 'AccountSettings' && login.has(name)) ||
    (isOfAccount({ folder, view }) && ofAccount.has(name))
  rows.push({
    what: part ? `${part.of} then loads ${view}` : `opening ${view}`,
    bytes: weight(
      kit,
      all.filter((name) => !isLoaded(name)),
    ),
    budget: (part?.budget ?? budgets.get(view) ?? 4) * kB,
  })
}

// The code that a page loads if it announces its embedded wallet to other kits, in addition to the adapter's own code. This code
// takes the users of those kits to the login view.
const leads = chunkOf(kit, '/core/src/login/announceEmbeddedWallets.ts')
rows.push({
  what: 'core, to announce the embedded wallet',
  bytes: weight(
    kit,
    [...closure(kit, leads ? [leads] : [])].filter((name) => !loaded.has(name)),
  ),
  budget: 1 * kB,
})

// The code that a page loads if it requires sign-in: the code that runs after connecting, and the server authentication adapter.
// The view is not included.
const flow = [
  '/core/src/modal/modalSignIn.ts',
  '/authentication/serverSignIn.ts',
  '/authentication/serverAuthentication.ts',
]
  .map((path) => chunkOf(kit, path))
  .filter((name) => name !== undefined)
rows.push({
  what: 'sign-in with the Latchkey server, without its view',
  bytes: weight(
    kit,
    [...closure(kit, flow)].filter((name) => !loaded.has(name)),
  ),
  // Half of this code is shared with other features: parsing, byte encoding and error messages. About half a kilobyte is needed
  // to distinguish outages from error responses, to retry requests and to limit the response size.
  budget: 18.2 * kB,
})

// Each adapter's own code, without chain libraries, core and protocol. An adapter has the same name as its entry point, such as
// `evm` in `@latchkey/adapters/evm`.
const adapterManifest = JSON.parse(readFileSync(join(root, 'packages/adapters/package.json'), 'utf8'))
const otherEntries = ['chains', 'embedded', 'solana', 'walletconnect', 'wagmi']
const adapters = Object.keys(adapterManifest.exports).map((entry) => entry.slice('./'.length))
for (const adapter of adapters.filter((entry) => !otherEntries.includes(entry))) {
  pages[adapter] = `export { ${adapter} } from '@latchkey/adapters/${adapter}'`
  const own = await chunksOf(
    adapter,
    (id) => !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('@latchkey/adapters'),
  )
  const ownFirst = closure(own, entryOf(own))
  rows.push({ what: `adapters/${adapter}, own code at page load`, bytes: weight(own, ownFirst), budget: 6 * kB })
  rows.push({
    what: `adapters/${adapter}, own code loaded on connecting`,
    bytes: weight(
      own,
      [...own.keys()].filter((name) => !ownFirst.has(name)),
    ),
  })
}

const log = await chunksOf('embedded', (id) => id === 'viem' || id.startsWith('viem/'))
const logFirst = closure(log, entryOf(log))
rows.push({ what: 'adapters/embedded, at page load', bytes: weight(log, logFirst), budget: 1.5 * kB })
const offered = chunkOf(log, '/embedded/createAnnouncer.ts')
const announced = new Set([...closure(log, offered ? [offered] : [])].filter((name) => !logFirst.has(name)))
rows.push({
  what: 'adapters/embedded, to announce it to other kits',
  bytes: weight(log, announced),
  budget: 1.5 * kB,
})
const whatIsWrong = [...log.values()].filter(({ moduleIds }) =>
  moduleIds.some((id) => id.endsWith('/diagnoseFrame.ts')),
)
const wrongFirst = new Set(whatIsWrong.map(({ fileName }) => fileName))
// The code that is loaded when the user sends tokens or replaces a transaction.
const sending = new Set(
  [
    '/solana/sendTransfer.ts',
    '/evm/viem/encodeErc20Transfer.ts',
    '/evm/replaceTransaction.ts',
    '/errors/accountErrorMessages.ts',
  ].flatMap((path) => chunkOf(log, path) ?? []),
)
rows.push({
  what: 'adapters/embedded, on login or restore',
  bytes: weight(
    log,
    [...log.keys()].filter(
      (name) => !logFirst.has(name) && !announced.has(name) && !wrongFirst.has(name) && !sending.has(name),
    ),
  ),
  // Without the code that is only loaded when the user sends tokens or replaces a transaction.
  budget: 25.4 * kB,
})
rows.push({
  what: 'adapters/embedded, if the frame does not start',
  bytes: weight(log, wrongFirst),
  budget: 2 * kB,
})

const bridge = await chunksOf('bridge', (id) => id === 'viem' || id.startsWith('viem/'))
const bridgeFirst = closure(bridge, entryOf(bridge))
rows.push({ what: 'adapters/walletconnect, at page load', bytes: weight(bridge, bridgeFirst), budget: 1.5 * kB })
/** The additional code that each chain family loads when connecting, including the client. */
for (const [family, { file }] of sessionsIn(root)) {
  const chunk = chunkOf(bridge, `/adapters/src/walletconnect/${file}`)
  const client = ['/walletconnect/src/crypto/webCrypto.ts', '/adapters/src/walletconnect/walletConnectClient.ts'].map(
    (path) => chunkOf(bridge, path),
  )
  const all = closure(
    bridge,
    [chunk, ...client].filter((name) => name !== undefined),
  )
  const more = [...all].filter((name) => !bridgeFirst.has(name))
  rows.push({ what: `connecting over WalletConnect, ${family}, client included`, bytes: weight(bridge, more) })
}

// The WalletConnect client with all its dependencies. Polyfills for missing crypto primitives are loaded only if needed.
const pairing = await chunksOf('walletconnect')
const web = chunkOf(pairing, '/crypto/webCrypto.ts')
const client = closure(pairing, [...entryOf(pairing), ...(web ? [web] : [])])
rows.push({ what: 'WalletConnect client of a page, with WebCrypto', bytes: weight(pairing, client), budget: 20 * kB })
rows.push({
  what: 'all fallbacks for missing WebCrypto primitives',
  bytes: weight(
    pairing,
    [...pairing.keys()].filter((name) => !client.has(name)),
  ),
})

// The frame: the code that an embedding page waits for, and the additional code for the first login to a new account.
const frame = await frameChunks()
const bootEntry = chunkOf(frame, '/packages/frame/index.html')
const boot = closure(frame, bootEntry ? [bootEntry] : [])
rows.push({ what: 'frame until READY and session restore', bytes: weight(frame, boot), budget: 22 * kB })
// These chunks are found by the modules that they contain, because a chunk that two pages share has no entry module.
const vault = [
  '/packages/frame/src/wallet/embeddedWallet.ts',
  '/packages/vault/src/index.ts',
  '/packages/vault/src/createVault.ts',
].map((path) => [...frame.values()].find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(path)))?.fileName)
const made = closure(
  frame,
  vault.filter((name) => name !== undefined),
)
const more = [...made].filter((name) => !boot.has(name))
rows.push({ what: 'additional code to create a vault', bytes: weight(frame, more), budget: 60 * kB })
const approval = closure(frame, [...frame.keys()])
const last = [...approval].filter((name) => !boot.has(name) && !made.has(name))
rows.push({
  what: 'rest of the frame: screens with React, signers and decoders',
  bytes: weight(frame, last),
})

const ownPage = chunkOf(frame, '/packages/frame/wallet.html')
rows.push({
  what: 'the page where users manage their keys, with React',
  bytes: weight(frame, closure(frame, ownPage ? [ownPage] : [])),
})

let over = 0
process.stdout.write('\n')
for (const { what, bytes, budget } of rows) {
  // Compared as printed, because the hashes in file names change the compressed size by a few bytes from build to build.
  const tooBig = budget !== undefined && Math.round(bytes / 10) * 10 > budget
  if (tooBig) over += 1
  const limit = budget === undefined ? '' : `of ${budget / kB} kB`
  process.stdout.write(
    `${budget === undefined ? ' ' : tooBig ? '✗' : '✓'} ${(bytes / kB).toFixed(2).padStart(7)} kB ${limit.padEnd(10)} ${what}\n`,
  )
}
if (process.argv.includes('--list')) {
  for (const { fileName, moduleIds, code } of kit.values()) {
    const where = first.has(fileName) ? 'first' : modal.has(fileName) ? 'modal' : 'later'
    process.stdout.write(`\n${where} ${fileName} ${gzipSize(code)}\n`)
    for (const id of moduleIds) process.stdout.write(`    ${id.replace(`${root}/`, '')}\n`)
  }
}
const { version } = JSON.parse(readFileSync(join(root, 'node_modules/vite/package.json'), 'utf8'))
process.stdout.write(`\ngzip -9, Vite ${version}: ${over === 0 ? 'all budgets met' : `${over} over budget`}\n`)
process.exitCode = over === 0 ? 0 : 1
