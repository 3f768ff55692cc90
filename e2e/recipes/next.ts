import { type SignInHandlers, signInHandlers } from '@latchkey/server/sign-in/next'
import { signIn } from './signIn.ts'

// app/auth/v1/[call]/route.ts
export const { GET, POST, OPTIONS }: SignInHandlers = signInHandlers(signIn)
