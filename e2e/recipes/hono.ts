import { signInRoutes } from '@latchkey/siwx/hono'
import { Hono } from 'hono'
import { signIn } from './signIn.js'

export const app = new Hono()
app.route('/auth/v1', signInRoutes(signIn))
app.post('/orders', async (c) => {
  const account = await signIn.session(c.req.raw)
  return account ? c.json({ orderedBy: account.sub }) : c.text('Sign in first', 401)
})
