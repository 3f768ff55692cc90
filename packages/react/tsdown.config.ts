import { build } from 'vite'
import { latchkeyBuild } from '../../tools/tsdown.base.mjs'
import { announceLoader, pinChunks } from './chunkIntegrity.ts'
import { embedBuild } from './vite.embed.config.ts'

export default {
  ...latchkeyBuild({
    folder: import.meta.dirname,
    platform: 'browser',
    bundle: [/^@latchkey\/ui/],
    // The declaration lets `import '@latchkey/react/styles.css'` compile where no bundler's types are.
    copy: ['styles.css', 'styles.css.d.ts'].map((name) => ({ from: `src/buttons/${name}`, to: 'dist' })),
  }),
  // The script-tag build stands in dist/script, beside the modules.
  onSuccess: async () => {
    const folder = `${import.meta.dirname}/dist/script`
    await build(embedBuild('chunks'))
    await build(embedBuild({ pins: pinChunks(folder) }))
    announceLoader(folder)
  },
}
