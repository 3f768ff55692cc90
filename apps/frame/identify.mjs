// Builds what the identification origin serves: `dist/identify/`. A bundle of its own, so that the key frame carries none of it.

import { join } from 'node:path'
import { build, defaultClientConditions } from 'vite'

/** @param {{ root: string, outDir: string }} asked `root` holds the frame's sources, `outDir` gets what is built. */
export async function buildIdentify({ root, outDir }) {
  await build({
    root,
    configFile: false,
    envFile: false,
    logLevel: 'error',
    resolve: { conditions: ['@latchkey/source', ...defaultClientConditions] },
    build: {
      outDir: join(outDir, 'identify'),
      emptyOutDir: true,
      target: 'es2023',
      assetsInlineLimit: 0,
      modulePreload: false,
      rollupOptions: {
        input: join(root, 'src/identify/main.ts'),
        output: { entryFileNames: 'identify.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}
