import { build } from 'vite'
import { latchkeyBuild } from '../../tools/tsdown.base.mjs'
import { embedBuild } from './vite.embed.config.ts'

export default {
  ...latchkeyBuild({
    folder: import.meta.dirname,
    platform: 'browser',
    bundle: [/^@latchkey\/ui/],
    copy: [{ from: 'src/buttons/styles.css', to: 'dist' }],
  }),
  // The script-tag build stands in dist/script, beside the modules.
  onSuccess: async () => {
    await build(embedBuild('chunks'))
    await build(embedBuild('loader'))
  },
}
