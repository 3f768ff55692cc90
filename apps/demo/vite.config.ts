import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  // Resolve the packages' sources, so that they need no build first.
  resolve: { conditions: ['@latchkey/source', ...defaultClientConditions] },
  build: { modulePreload: { polyfill: false }, target: 'es2023' },
})
