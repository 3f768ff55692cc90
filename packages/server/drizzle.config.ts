import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: [
    './src/storage/serverSchema.ts',
    './src/storage/verificationSchema.ts',
    './src/keys/tables/vaultSchema.ts',
    './src/keys/tables/assistedCustodySchema.ts',
    './src/storage/signInSchema.ts',
    './src/storage/accountNamesSchema.ts',
  ],
  out: './data/migrations',
})
