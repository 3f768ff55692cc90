import { resolve } from 'node:path'
import type { InlineConfig } from 'vite'

const here = import.meta.dirname

/**
 * Returns the Vite config for a part of the script-tag build. `chunks` builds `latchkey-embed.js` and its chunks, including
 * React. The other part builds `latchkey.js`, the classic script that loads the chunks and contains the hash of `pins.js`.
 */
export function embedBuild(
  part: 'chunks' | { readonly pins: string },
  outDir: string = resolve(here, 'dist/script'),
): InlineConfig {
  const loader = part !== 'chunks'
  return {
    configFile: false,
    root: here,
    // Vite warns about 'use client', which has no effect in a script.
    logLevel: 'error',
    resolve: { conditions: ['@latchkey/source', 'module', 'browser', 'production', 'import', 'default'] },
    define: {
      'process.env.NODE_ENV': '"production"',
      // The loader only accepts a `pins.js` with this hash.
      ...(loader && { PINS_INTEGRITY: JSON.stringify(part.pins) }),
    },
    build: {
      outDir,
      emptyOutDir: !loader,
      target: 'es2023',
      modulePreload: false,
      minify: true,
      lib: loader
        ? {
            entry: resolve(here, 'src/embed/scriptLoader.ts'),
            formats: ['iife'],
            name: 'LatchkeyScript',
            fileName: () => 'latchkey.js',
          }
        : { entry: { 'latchkey-embed': resolve(here, 'src/embed/index.ts') }, formats: ['es'] },
      ...(loader
        ? {}
        : { rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' } } }),
    },
  }
}
