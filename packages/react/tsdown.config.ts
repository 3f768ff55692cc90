import { build } from 'vite'
import { latchkeyBuild } from '../../tools/tsdown.base.mjs'
import { announceLoader, pinChunks } from './chunkIntegrity.ts'
import { embedBuild } from './vite.embed.config.ts'

export default {
  ...latchkeyBuild({
    folder: import.meta.dirname,
    platform: 'browser',
    bundle: [/^@latchkey\/(ui|i18n)/],
    // With the declaration file, `import '@latchkey/react/styles.css'` compiles without a bundler's types.
    copy: ['styles.css', 'styles.css.d.ts'].map((name) => ({ from: `src/buttons/${name}`, to: 'dist' })),
  }),
  // The script-tag build goes to dist/script.
  onSuccess: async () => {
    const folder = `${import.meta.dirname}/dist/script`
    await build(embedBuild('chunks'))
    await build(embedBuild({ pins: pinChunks(folder) }))
    announceLoader(folder)
  },
}
