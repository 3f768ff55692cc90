// Builds the demo, the host pages and the script that injects wallets into a page.

import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { build, defaultClientConditions } from 'vite'
import { buildFrame } from '../../packages/frame/build.mjs'

const here = dirname(dirname(fileURLToPath(import.meta.url)))

/** The output folders. */
export const built = {
  demo: join(here, '../apps/demo/dist'),
  wallet: join(here, '../apps/wallet/dist'),
  pages: join(here, '.pages/pages'),
  react18: join(here, '.pages/react18'),
  kits: join(here, '.pages/kits'),
  server: join(here, '.pages/server'),
  inject: join(here, '.pages/inject'),
}

const conditions = ['@latchkey/source', ...defaultClientConditions]
const serverConditions = ['@latchkey/source', 'node', 'module', 'import', 'default']

/** @type {import('vite').InlineConfig} */
const common = {
  configFile: false,
  logLevel: 'error',
  root: join(here, 'pages'),
  plugins: [react()],
  resolve: { conditions, dedupe: ['react', 'react-dom'] },
}

/** @type {import('vite').BuildOptions} */
const pageBuild = { emptyOutDir: true, modulePreload: { polyfill: false }, target: 'es2023' }

export async function buildAll() {
  await buildFrame()
  for (const app of ['demo', 'wallet'])
    await build({
      configFile: join(here, '../apps', app, 'vite.config.ts'),
      root: join(here, '../apps', app),
      logLevel: 'error',
    })
  const pages = readdirSync(join(here, 'pages')).filter((file) => file.endsWith('.html'))
  const input = Object.fromEntries(pages.map((file) => [file.replace('.html', ''), join(here, 'pages', file)]))
  await build({ ...common, build: { ...pageBuild, outDir: built.pages, rollupOptions: { input } } })
  await build({
    ...common,
    resolve: {
      ...common.resolve,
      alias: [
        { find: /^react-dom(\/|$)/, replacement: `${join(here, 'node_modules/react-dom-18')}$1` },
        { find: /^react(\/|$)/, replacement: `${join(here, 'node_modules/react-18')}$1` },
      ],
    },
    build: {
      ...pageBuild,
      outDir: built.react18,
      rollupOptions: { input: { plain: join(here, 'pages/hostPage.html') } },
    },
  })
  await build(kitsBuild())
  await build({
    ...common,
    resolve: { conditions: serverConditions },
    ssr: { noExternal: [/^@latchkey\//], resolve: { conditions: serverConditions } },
    build: {
      emptyOutDir: true,
      outDir: built.server,
      ssr: join(here, 'pages/serverRendered.server.tsx'),
      target: 'node20',
    },
  })
  await build({
    ...common,
    build: {
      emptyOutDir: true,
      outDir: built.inject,
      lib: {
        entry: join(here, 'support/injectWallets.ts'),
        formats: ['iife'],
        name: 'latchkeyInject',
        fileName: () => 'inject.js',
      },
    },
  })
}

/**
 * Returns the Vite config for the pages that use other wallet kits. These pages use a separate copy of React. Stubs replace the
 * dependencies that pnpm-workspace.yaml removes from the kits.
 */
export function kitsBuild() {
  const root = join(here, 'kits')
  const moduleStubs = join(root, 'moduleStubs.ts')
  const input = readdirSync(root).filter((file) => file.endsWith('.html'))
  return {
    ...common,
    root,
    resolve: {
      ...common.resolve,
      alias: [
        { find: 'rpc-websockets', replacement: moduleStubs },
        { find: '@solana-mobile/wallet-adapter-mobile', replacement: moduleStubs },
      ],
    },
    build: {
      ...pageBuild,
      outDir: built.kits,
      rollupOptions: {
        input: input.map((file) => join(root, file)),
        // These modules are only imported when the user selects the corresponding wallet, which no test does.
        external: [
          '@base-org/account',
          '@coinbase/wallet-sdk',
          '@gemini-wallet/core',
          '@metamask/sdk',
          '@safe-global/safe-apps-provider',
          '@safe-global/safe-apps-sdk',
          '@walletconnect/ethereum-provider',
          'cbw-sdk',
          'porto',
          'porto/internal',
        ],
      },
    },
  }
}
