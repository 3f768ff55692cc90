import { resolve } from 'node:path'
import type { InlineConfig } from 'vite'

const here = import.meta.dirname

/**
 * One half of the script-tag build: `latchkey-embed.js` with its chunks, React inside; or `latchkey.js`, the classic script that loads it,
 * and knows what `pins.js` hashes to.
 */
export function embedBuild(
  part: 'chunks' | { readonly pins: string },
  outDir: string = resolve(here, 'dist/script'),
): InlineConfig {
  const loader = part !== 'chunks'
  return {
    configFile: false,
    root: here,
    // Its warnings are about 'use client', which means nothing in a script.
    logLevel: 'error',
    resolve: { conditions: ['@latchkey/source', 'module', 'browser', 'production', 'import', 'default'] },
    define: {
      'process.env.NODE_ENV': '"production"',
      // What `pins.js` hashes to: the loader takes no other.
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
