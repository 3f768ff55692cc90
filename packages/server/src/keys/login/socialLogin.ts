import {
  type KeysFailureCode,
  popupPath,
  postSocial,
  postSocialFinish,
  type SocialProvider,
  socialCallbackPath,
  socialDonePath,
  socialProviders,
} from '@latchkey/protocol/http/keys'
import { continuePath } from '@latchkey/protocol/http/keys/crossSite'
import type { Context } from 'hono'
import * as v from 'valibot'
import { readLimitedText } from '../../http/readLimitedBody.ts'
import { mailText } from '../../mail/mailText.ts'
import { createPendingStepStore, type PendingStepStore } from '../../storage/pendingStepStore.ts'
import { hashOf, randomToken, sameText } from '../../storage/secretDigests.ts'
import { defineKeysRoute, type KeysApp } from '../http/defineKeysRoute.ts'
import type { Embedders } from '../http/embedderOrigins.ts'
import { htmlPage, pageHeaders } from '../http/htmlPage.ts'
import type { SocialClient } from '../keysDependencies.ts'
import { KeysError } from '../keysError.ts'
import type { KeysServices } from '../keysServices.ts'
import { authorizationUrl, exchangeCode } from './oauthCodeFlow.ts'
import { type Provider, providers } from './oauthProviders.ts'

const lifetimeMs = 10 * 60_000

const flowSchema = v.object({
  provider: v.picklist(socialProviders),
  verifier: v.string(),
  nonce: v.string(),
  /** The page that the popup can post its result to, in addition to the frame. */
  opener: v.nullable(v.string()),
  /** Whether the flow started in a window of the keys origin. If so, the user is redirected back to that window's page. */
  isWindow: v.optional(v.boolean(), false),
  /** Set after the user has returned from the provider. */
  identity: v.nullable(
    v.object({
      provider: v.string(),
      subject: v.string(),
      name: v.nullable(v.string()),
      email: v.nullable(v.string()),
    }),
  ),
})

/** The OAuth flows in progress, each bound to the frame session that started it. */
export type OAuthFlows = PendingStepStore<v.InferOutput<typeof flowSchema>>

/** Creates a store for OAuth flows in progress. */
export function createOAuthFlows({ connection, now }: Pick<KeysServices, 'connection' | 'now'>): OAuthFlows {
  return createPendingStepStore({ connection, kind: 'social', data: flowSchema, lifetimeMs, now })
}

interface OAuthParty {
  readonly id: SocialProvider
  readonly provider: Provider
  readonly client: SocialClient
  readonly redirectURI: string
}

function oauthClientOf(services: KeysServices, name: string): OAuthParty | undefined {
  const id = socialProviders.find((known) => known === name)
  const client = id && services.social.get(id)
  if (!id || !client) return undefined
  return {
    id,
    provider: providers[id],
    client,
    redirectURI: services.origin + socialCallbackPath.replace(':provider', id),
  }
}

/** Splits a `state` parameter at two dashes into our own state and the URL of the page that started a full-page redirect. */
function readState(parameter: string): { state: string; page: URL | undefined } {
  const [, state = parameter, rest = ''] = /^([\w-]{43})--(.{1,4096})$/.exec(parameter) ?? []
  // Some pages encode the URL, and some do not.
  const address = /^https?%3A/i.test(rest) && URL.canParse(decoded(rest)) ? decoded(rest) : rest
  return { state, page: URL.canParse(address) && /^https?:/i.test(address) ? new URL(address) : undefined }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}

/** Adds the top-level pages for social sign-in: the waiting popup, the provider's callback and the final page. */
export function socialPages(app: KeysApp, services: KeysServices, oauthFlows: OAuthFlows): void {
  const { now } = services

  // Without this header, the redirect would cut off the popup from the page that opened it.
  const keepOpener = (c: Context) => c.header('cross-origin-opener-policy', 'unsafe-none')

  app.get(popupPath, (c) => {
    // On a cross-site page, the frame signs the user in through its own window and shares no channel with this popup.
    const isAway = c.req.header('sec-fetch-site') === 'cross-site'
    const { language } = c.var.context
    const body = htmlPage({
      language,
      title: mailText(language, 'popup.title'),
      heading: mailText(language, isAway ? 'popup.elsewhere' : 'popup.loading'),
      texts: [mailText(language, isAway ? 'popup.close' : 'popup.loadingBody')],
      attributes: { part: isAway ? 'away' : 'loading' },
    })
    return new Response(body, { headers: pageHeaders({ hasOpener: true }) })
  })

  // Apple posts a form from its own page, so the request includes none of our cookies. The redirect turns it into a GET request
  // with cookies.
  app.post(socialCallbackPath, async (c) => {
    const form = new URLSearchParams((await readLimitedText(c.req.raw, 16_384)) ?? '')
    const query = new URLSearchParams()
    for (const name of ['code', 'state', 'error']) {
      const value = form.get(name)
      if (value !== null) query.set(name, value)
    }
    keepOpener(c)
    return c.redirect(`${new URL(c.req.url).pathname}?${query}`, 303)
  })

  app.get(socialCallbackPath, async (c) => {
    const { context } = c.var
    let back: URL | undefined
    const end = (query: Record<string, string>) => {
      const done = `${socialDonePath}?${new URLSearchParams(query)}`
      back?.searchParams.set('result_uri', services.origin + done)
      keepOpener(c)
      return c.redirect(back?.href ?? done, 303)
    }
    const failed = (code: KeysFailureCode) => end({ error: code })
    const flow = context.flow()
    const party = oauthClientOf(services, c.req.param('provider') ?? '')
    const { state, page } = readState(c.req.query('state') ?? '')
    const [code, error] = [c.req.query('code') ?? '', c.req.query('error')]
    const step = await oauthFlows.find(flow)
    const secret = hashOf('state', state)
    if (!party || !step || step.data.provider !== party.id || !sameText(step.secret, secret))
      return failed('social/failed')
    if (step.data.isWindow) back = new URL(continuePath, services.origin)
    // Redirect only to the page that started the flow, as reported by the browser, because the URL in `state` can be forged.
    else if (page !== undefined && page.origin === step.data.opener) back = page
    // Use up the state before anything else, so that a replayed callback is rejected.
    const used = hashOf('used', randomToken())
    if (!(await oauthFlows.change(flow, secret, { secret: used }))) return failed('social/failed')
    if (error !== undefined || code === '')
      return failed(/denied|cancel/i.test(error ?? '') ? 'social/declined' : 'social/failed')
    try {
      await services.spendBy(context, { action: 'social', max: 60, windowMs: lifetimeMs })
      const attempt = { state, verifier: step.data.verifier, nonce: step.data.nonce }
      const identity = await exchangeCode(party, attempt, { code, fetch: services.fetch, now: now() })
      const ticket = randomToken()
      const next = { secret: hashOf('ticket', ticket), data: { ...step.data, identity } }
      if (!(await oauthFlows.change(flow, used, next))) return failed('social/failed')
      return end({ ticket })
    } catch (cause) {
      services.log('warn', 'a social sign-in failed', {
        provider: party.id,
        error: cause instanceof Error ? cause.name : 'unknown',
      })
      return failed('social/failed')
    }
  })

  app.get(socialDonePath, async (c) => {
    const { context } = c.var
    const { language } = context
    const step = await oauthFlows.find(context.flow())
    const well = c.req.query('error') === undefined
    const body = htmlPage({
      language,
      title: mailText(language, 'popup.title'),
      heading: mailText(language, well ? 'popup.done' : 'popup.failed'),
      texts: [mailText(language, 'popup.close')],
      attributes: { part: 'done', ...(step?.data.opener ? { opener: step.data.opener } : {}) },
    })
    return new Response(body, { headers: { ...pageHeaders({ hasOpener: true }) } })
  })
}

/** Adds the routes that the frame calls for social sign-in. */
export function socialRoutes(
  app: KeysApp,
  services: KeysServices,
  { embedders, oauthFlows }: { embedders: Embedders; oauthFlows: OAuthFlows },
): void {
  const { accounts, audit, origin } = services

  defineKeysRoute(app, postSocialFinish, async ({ body, context }) => {
    const uri = URL.canParse(body.resultUri) ? new URL(body.resultUri) : undefined
    const gone = () => new KeysError('social/failed', 'This sign-in did not start here or has expired')
    if (uri?.origin !== origin || uri.pathname !== socialDonePath) throw gone()
    const error = uri.searchParams.get('error')
    if (error !== null)
      throw error === 'social/declined' ? new KeysError('social/declined', 'The user declined') : gone()
    const step = await oauthFlows.take(context.flow(), hashOf('ticket', uri.searchParams.get('ticket') ?? ''))
    if (!step?.data.identity) throw gone()
    const { provider, identity } = step.data
    const { user, isNew } = await accounts.withIdentity(identity)
    context.setCookies.push(...(await accounts.signIn({ userId: user.id, browser: context.browser() })))
    if (isNew) await audit.note(user.id, 'account-made', undefined, context.place)
    await audit.note(user.id, 'signed-in-by-social', provider, context.place)
    return { user, userName: identity.name, provider }
  })

  defineKeysRoute(app, postSocial, async ({ body, context, param }) => {
    const isWindow = body.window === true
    const party = oauthClientOf(services, param('provider'))
    if (!party) throw new KeysError('social/unknown-provider', 'This provider is not configured')
    await services.spendBy(context, { action: 'social-start', max: 100, windowMs: lifetimeMs })
    const opener = body.opener !== undefined && (await embedders.may(body.opener)) ? body.opener : null
    const attempt = { state: randomToken(), verifier: randomToken(), nonce: randomToken() }
    await oauthFlows.put({
      flow: context.flow(),
      secret: hashOf('state', attempt.state),
      data: { provider: party.id, verifier: attempt.verifier, nonce: attempt.nonce, opener, isWindow, identity: null },
    })
    return { uri: await authorizationUrl(party, attempt) }
  })
}
