import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './src/data/schema.ts',
    './src/data/vaultSchema.ts',
    './src/data/keySharesSchema.ts',
    './src/data/signInSchema.ts',
    './src/data/accountNamesSchema.ts',
  ],
  out: './data/migrations',
})
