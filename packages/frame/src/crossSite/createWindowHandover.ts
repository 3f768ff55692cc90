import { toBase64Url } from '@latchkey/protocol/bytes'
import {
  continuePath,
  type HandoverState,
  handoverLifeMs,
  postHandover,
  postHandoverEnd,
  postHandoverWait,
} from '@latchkey/protocol/http/keys/crossSite'
import { read } from '@latchkey/protocol/parseWithSchema'
import type { CryptoEnvironment } from '@latchkey/vault'
import type { ApprovalWindowState } from '../approvals/approvalWindowState.ts'
import { createHandoverCipher, generateHandoverKey, type HandoverCipher } from '../handover/handoverCipher.ts'
import type { WindowHandover } from '../handover/handoverMessages.ts'
import { type HandoverRequest, type HandoverResponse, handoverResponseSchema } from '../handover/handoverMessages.ts'
import { isKeysFailure, type KeysApiClient } from '../keysApiClient.ts'
import { PublicError, publicErrorMessage } from '../publicError.ts'

/** The time after which a window that has not claimed its request is reported as blocked. */
const blockedNoticeMs = 8_000
/** The delay before polling again after a network error. */
const retryMs = 1_500

/** The dependencies of a handover. */
export interface HandoverDependencies {
  readonly window: Pick<Window, 'open' | 'setTimeout' | 'clearTimeout' | 'addEventListener' | 'removeEventListener'>
  readonly keysClient: KeysApiClient
  readonly environment: CryptoEnvironment
  readonly question: () => HandoverRequest
}

interface PostedHandover {
  readonly secret: string
  readonly seals: HandoverCipher
}

/**
 * Creates a handover, which passes a request to a window of this origin. The user's click opens the window immediately, with a
 * new key in the URL fragment. The request is encrypted with that key and sent to the window through the server. `noopener`
 * prevents the embedding page from getting a reference to the window.
 */
export function createWindowHandover({
  window,
  keysClient,
  environment,
  question,
}: HandoverDependencies): WindowHandover {
  const listeners = new Set<() => void>()
  let state: ApprovalWindowState = 'none'
  let failure: string | undefined
  let attempt: { readonly stop: AbortController; posted?: PostedHandover; finished: Promise<void> } | undefined
  let resolveBegun = (): void => {}
  const begun = new Promise<void>((resolve) => {
    resolveBegun = resolve
  })
  let resolveAnswer = (_: HandoverResponse): void => {}
  const answer = new Promise<HandoverResponse>((resolve) => {
    resolveAnswer = resolve
  })

  const setState = (waitForUpdate: ApprovalWindowState, reason?: string): void => {
    state = waitForUpdate
    failure = reason
    for (const listener of [...listeners]) listener()
  }

  const endHandover = async ({ secret, seals }: PostedHandover, { leaving = false } = {}): Promise<boolean> => {
    try {
      await keysClient(postHandoverEnd, { params: { id: seals.id }, body: { secret }, leaving })
      return true
    } catch (error) {
      // If the server cannot be reached, the window cannot get the request either.
      return !isKeysFailure(error, 'handover/taken')
    }
  }

  const post = async (key: ReturnType<typeof generateHandoverKey>): Promise<PostedHandover> => {
    const seals = await createHandoverCipher(environment, key)
    const sealed = await seals.sealRequest(question())
    const { secret } = await keysClient(postHandover, { body: { id: seals.id, sealed } })
    return { secret, seals }
  }

  /** Waits until the state is no longer `seen`, and resolves to the new state. Resolves to `undefined` if the request fails. */
  const waitForUpdate = async (
    { secret, seals }: PostedHandover,
    seen: HandoverState,
    stop: AbortSignal,
  ): Promise<{ readonly state: HandoverState; readonly sealed: string | null } | undefined> => {
    try {
      return await keysClient(postHandoverWait, { params: { id: seals.id }, body: { secret, seen }, signal: stop })
    } catch (error) {
      return isKeysFailure(error, 'handover/unknown') ? { state: 'closed', sealed: null } : undefined
    }
  }

  /** Tracks the state of a window until the window responds or closes. */
  const follow = async ({ secret, seals }: PostedHandover, stop: AbortSignal): Promise<void> => {
    const until = environment.clock.now() + handoverLifeMs
    const blocked = window.setTimeout(() => {
      if (!stop.aborted) setState('blocked')
    }, blockedNoticeMs)
    stop.addEventListener('abort', () => window.clearTimeout(blocked), { once: true })
    let seen: HandoverState = 'waiting'
    while (!stop.aborted && environment.clock.now() < until) {
      const update = await waitForUpdate({ secret, seals }, seen, stop)
      if (stop.aborted) return
      if (!update) {
        await new Promise<void>((resolve) => void environment.clock.after(retryMs, resolve))
        continue
      }
      seen = update.state
      if (seen !== 'waiting') window.clearTimeout(blocked)
      if (seen === 'claimed' && state !== 'open') setState('open')
      if (seen === 'doing') resolveBegun()
      if (seen === 'closed') return setState('none')
      if (seen === 'answered') {
        const found = read(
          handoverResponseSchema,
          await seals.unsealResponse(update.sealed ?? '').catch(() => undefined),
        )
        void endHandover({ secret, seals })
        resolveAnswer(found ?? { kind: 'refused', message: 'The window did not respond' })
        resolveBegun()
        return setState('none')
      }
    }
    window.clearTimeout(blocked)
    if (!stop.aborted) setState('none')
  }

  return {
    state: () => state,
    failure: () => failure,
    begun,
    answer,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open() {
      const key = generateHandoverKey(environment)
      // With `noopener` the result is always null, so it does not indicate whether a window opened.
      window.open(`${continuePath}#${toBase64Url(key)}`, '_blank', 'popup,width=440,height=760,noopener')
      const before = attempt
      before?.stop.abort()
      const stop = new AbortController()
      const now: NonNullable<typeof attempt> = { stop, finished: Promise.resolve() }
      attempt = now
      setState('opening')
      now.finished = (async () => {
        await before?.finished
        // Never offer a request to two windows, because both could respond.
        if (before?.posted && !(await endHandover(before.posted))) now.posted = before.posted
        if (stop.signal.aborted) return
        now.posted ??= await post(key)
        const { posted } = now
        // After this page unloads, it cannot receive the response, and an abandoned window would block other windows.
        const leave = (): void => void endHandover(posted, { leaving: true })
        window.addEventListener('pagehide', leave)
        await follow(posted, stop.signal).finally(() => window.removeEventListener('pagehide', leave))
      })().catch((error: unknown) => {
        if (!stop.signal.aborted) setState('none', publicErrorMessage(error))
      })
    },
    async takeBack() {
      const now = attempt
      if (!now) return true
      // Wait until a handover that is being posted can be cancelled on the server.
      if (!now.posted)
        await Promise.race([
          now.finished,
          new Promise((resolve) => environment.clock.after(retryMs, () => resolve(undefined))),
        ])
      if (now.posted && !(await endHandover(now.posted))) return false
      now.stop.abort()
      setState('none')
      return true
    },
  }
}

/**
 * Returns the response, unless the request was rejected.
 * @throws {PublicError} if the request was rejected.
 */
export function unwrapResponse(answer: HandoverResponse): Exclude<HandoverResponse, { kind: 'refused' }> {
  if (answer.kind === 'refused') throw new PublicError(answer.message)
  return answer
}
