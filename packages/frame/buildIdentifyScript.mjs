// Builds the files of the identification origin into `dist/identify/`, as a separate bundle that is not part of the key frame.

import { join } from 'node:path'
import { build, defaultClientConditions } from 'vite'

/**
 * Builds the files of the identification origin.
 * @param {{ root: string, outDir: string }} options `root` contains the frame's sources, and `outDir` receives the build.
 */
export async function buildIdentifyScript({ root, outDir }) {
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
