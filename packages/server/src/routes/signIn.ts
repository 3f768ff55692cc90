import { originAllowed } from '@latchkey/protocol/origins'
import { storableText } from '@latchkey/protocol/storableText'
import type { RelyingParty } from '@latchkey/siwx/server'
import { Hono } from 'hono'
import * as v from 'valibot'
import { HttpError } from '../errors/httpError.ts'
import { readProjectRequest } from '../projects/readProjectRequest.ts'
import { rateLimit } from '../rateLimits/rateLimitMiddleware.ts'
import type { Caller, Projects, ServerDependencies } from '../serverDependencies.ts'

interface Env {
  Bindings: Caller
  Variables: { relyingParty: RelyingParty }
}

/**
 * Creates the routes for sign-in with a wallet: `/auth/v1/{nonce,authenticate,me,sign-out,account-metadata,otp,keys}`. These are
 * the only routes that use cookies, so only the project's own pages can read their responses.
 */
export function signInRoutes(dependencies: ServerDependencies): Hono<Env> {
  const app = new Hono<Env>()
  const { signIn, projects } = dependencies
  if (!signIn) return app
  const project = '/auth/v1/:call'
  app.use(project, async (c, next) => {
    const { projectId } = readProjectRequest(c.req)
    const relyingParty = await placeOf(projects, projectId)
    c.set('relyingParty', relyingParty)
    await next()
    // Loaded only if sign-in is configured, because its signature libraries use several megabytes.
    const { corsHeaders } = await import('@latchkey/siwx/server')
    for (const [name, value] of Object.entries(corsHeaders(c.req.raw, relyingParty))) c.res.headers.set(name, value)
  })
  app.use(project, rateLimit('signIn', dependencies))
  app.all(project, (c) => signIn.answer(c.req.raw, c.var.relyingParty, c.env?.address))
  return app
}

async function placeOf(projects: Projects, projectId: string | undefined): Promise<RelyingParty> {
  if (projectId !== undefined && !v.is(storableText(128), projectId))
    throw new HttpError(400, 'projectId', 'The project ID is too long or contains invalid characters')
  const all = await projects.all()
  const project = all.find(({ id }) => id === projectId)
  if (!projectId || (all.length > 0 && !project)) throw new HttpError(401, 'projectId', 'Project not found')
  return {
    projectId,
    allowsOrigin: (origin) => project === undefined || originAllowed(origin, project.allowedOrigins),
    isShared: true,
    isHttps: false,
  }
}
