import { walletSignIn } from '@latchkey/siwx/better-auth'
import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { signIn } from './signIn.js'

export const auth = betterAuth({
  baseURL: 'https://shop.example',
  secret: process.env.AUTH_SECRET ?? '',
  // Replace with your own database.
  database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
  plugins: [walletSignIn(signIn)],
})
