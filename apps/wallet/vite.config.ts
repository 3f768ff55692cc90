import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  plugins: [react()],
  // Resolve packages to their sources so that they do not have to be built first.
  resolve: { conditions: ['@latchkey/source', ...defaultClientConditions] },
  build: { modulePreload: { polyfill: false }, target: 'es2023' },
})
