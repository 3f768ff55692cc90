// app/auth/v1/[call]/route.ts
import { signInHandlers } from '@latchkey/siwx/next'
import { signIn } from '../../../../signIn'

export const { GET, POST, OPTIONS } = signInHandlers(signIn)
