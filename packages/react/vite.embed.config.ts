import { resolve } from 'node:path'
import type { InlineConfig } from 'vite'

const here = import.meta.dirname

/**
 * One half of the script-tag build: `latchkey-embed.js` with its chunks, React included; or `latchkey.js`, the classic script that loads it
 * and contains the hash of `pins.js`.
 */
export function embedBuild(
  part: 'chunks' | { readonly pins: string },
  outDir: string = resolve(here, 'dist/script'),
): InlineConfig {
  const loader = part !== 'chunks'
  return {
    configFile: false,
    root: here,
    // Its warnings are about 'use client', which has no effect in a script.
    logLevel: 'error',
    resolve: { conditions: ['@latchkey/source', 'module', 'browser', 'production', 'import', 'default'] },
    define: {
      'process.env.NODE_ENV': '"production"',
      // The hash of `pins.js`. The loader accepts no other file.
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
