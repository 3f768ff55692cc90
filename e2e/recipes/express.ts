import { sessionOf, signInMiddleware } from '@latchkey/siwx/express'
import express, { type Express } from 'express'
import { signIn } from './signIn.js'

export const app: Express = express()
app.use(express.json())
app.use('/auth/v1', signInMiddleware(signIn))
app.post('/orders', async (request, response) => {
  const account = await sessionOf(signIn, request)
  if (account) response.json({ orderedBy: account.sub })
  else response.status(401).send('Sign in first')
})
