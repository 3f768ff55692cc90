import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  // From the packages' sources: no build of theirs is needed before ours.
  resolve: { conditions: ['@latchkey/source', ...defaultClientConditions] },
  build: { modulePreload: { polyfill: false }, target: 'es2023' },
})
