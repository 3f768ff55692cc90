import {
  handoverLifeMs,
  maxHandoverBytes,
  postHandover,
  postHandoverClaim,
  postHandoverEnd,
  postHandoverStep,
  postHandoverWait,
} from '@latchkey/protocol/http/keys/crossSite'
import type { ActionLimit } from '../../rateLimits/actionLimits.ts'
import { defineKeysRoute, type KeysApp } from '../http/defineKeysRoute.ts'
import { pollUntil } from '../http/pollUntil.ts'
import { KeysError } from '../keysError.ts'
import type { KeysServices } from '../keysServices.ts'
import type { RequestContext } from '../requestContext.ts'
import { createWindowHandoverStore, handoverTopic } from './windowHandoverStore.ts'

/** How long a window waits for a request that has not arrived yet. */
const claimMs = 12_000
const waitMs = 25_000
/** The maximum number of state polls per handover. It applies to both sides together and includes retries. */
const maxWaits = 300
/** Requests larger than this many bytes have stricter limits. */
const largeAbove = 16_384
/** The maximum size of a body, which contains at most one sealed payload and a few IDs. */
const maxBodyBytes = maxHandoverBytes + 1_024

/** Returns the limits for a client's networks, for its address block and for all clients together. */
function limitsFor(
  { networks, block }: RequestContext,
  {
    action,
    maxPerNetwork,
    maxTotal,
  }: { readonly action: string; readonly maxPerNetwork: number; readonly maxTotal: number },
): readonly ActionLimit[] {
  const windowMs = handoverLifeMs
  return [
    ...networks.map(({ name, share }) => ({ action, key: name, max: maxPerNetwork * share, windowMs })),
    // Limited per block, so that a single block cannot use up the global limit and lock out all other cross-site pages.
    { action: `${action}-block`, key: block, max: maxTotal / 2, windowMs },
    { action: `${action}-in-all`, max: maxTotal, windowMs },
  ]
}

/**
 * Adds the routes through which a frame on a cross-site page hands requests over to a window on its own origin. The contents are
 * sealed with a key that both sides share and that never reaches the server. The server enforces the order of the steps.
 */
export function windowHandoverRoutes(app: KeysApp, services: KeysServices): void {
  const { limits } = services
  const handovers = createWindowHandoverStore(services)
  const unknown = (): KeysError => new KeysError('handover/unknown', 'There is no such request')

  defineKeysRoute(
    app,
    postHandover,
    async ({ body, context }) => {
      const isLarge = body.sealed.length > largeAbove
      await limits.spend(
        ...limitsFor(context, { action: 'handover', maxPerNetwork: 120, maxTotal: 6_000 }),
        ...(isLarge ? limitsFor(context, { action: 'handover-large', maxPerNetwork: 10, maxTotal: 200 }) : []),
      )
      const secret = await handovers.create(body.id, body.sealed)
      if (secret === undefined) throw new KeysError('handover/taken', 'This request already exists')
      return { secret }
    },
    { maxBodyBytes },
  )

  defineKeysRoute(app, postHandoverClaim, async ({ context, param }) => {
    const id = param('id')
    await limits.spend(...limitsFor(context, { action: 'handover-claim', maxPerNetwork: 240, maxTotal: 12_000 }))
    const poll = { topic: handoverTopic(id), ms: claimMs, signal: context.signal }
    const claimed = await pollUntil(services, poll, async () => {
      const found = await handovers.claim(id)
      if (found) return found
      const state = await handovers.state(id)
      // If the request arrives between the two statements, the subscription fires and the next iteration claims the request.
      if (state !== undefined && state !== 'waiting')
        throw new KeysError('handover/taken', 'Another window has claimed this request')
      return undefined
    })
    if (!claimed) throw unknown()
    return { sealed: claimed.sealed, secret: claimed.secret }
  })

  defineKeysRoute(app, postHandoverWait, async ({ body, context, param }) => {
    const id = param('id')
    await limits.spend({ action: 'handover-wait', key: id, max: maxWaits, windowMs: handoverLifeMs })
    const poll = { topic: handoverTopic(id), ms: waitMs, signal: context.signal }
    const found = await pollUntil(services, poll, async (isLast) => {
      const current = await handovers.find(id, body.secret)
      if (!current) throw unknown()
      return current.handover.state !== body.seen || isLast ? current : undefined
    })
    if (!found) throw unknown()
    const { handover, isFrame } = found
    // The response stays available until the frame deletes the handover, so that it survives a failed request.
    return { state: handover.state, sealed: isFrame ? handover.answer : null }
  })

  defineKeysRoute(
    app,
    postHandoverStep,
    async ({ body, param }) => {
      const { secret, state, sealed = null } = body
      const from = ({ doing: ['claimed'], closed: ['claimed'], answered: ['claimed', 'doing'] } as const)[state]
      const to = { state, ...(state === 'answered' && { answer: sealed }) }
      if (!(await handovers.change(param('id'), { secret, from, to }))) throw unknown()
      return {}
    },
    { maxBodyBytes },
  )

  defineKeysRoute(app, postHandoverEnd, async ({ body, param }) => {
    if (!(await handovers.end(param('id'), body.secret)))
      throw new KeysError('handover/taken', 'The window is already handling this request')
    return {}
  })
}
