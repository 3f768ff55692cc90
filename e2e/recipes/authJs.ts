import { Auth } from '@auth/core'
import Credentials from '@auth/core/providers/credentials'
import { signIn } from './signIn.js'

const wallet = Credentials({
  id: 'wallet',
  credentials: { message: {}, signature: {} },
  authorize: async ({ message, signature }, request) => {
    const signed = await signIn.verify(request, { message: String(message), signature: String(signature) })
    return signed.ok ? { id: signed.account, name: signed.fields.accountAddress } : null
  },
})

export const auth = (request: Request): Promise<Response> =>
  Auth(request, { providers: [wallet], secret: process.env.AUTH_SECRET ?? '', trustHost: true, basePath: '/auth' })
