import { toBase64Url } from '@latchkey/protocol/bytes'
import {
  continuePath,
  type HandoverState,
  handoverLifeMs,
  postHandover,
  postHandoverEnd,
  postHandoverWait,
} from '@latchkey/protocol/http/vaultWindow'
import { read } from '@latchkey/protocol/schemas'
import type { ApprovalWindowState } from '../approvalWindow/approvalWindowState.ts'
import type { Handover } from '../handover/handover.ts'
import { createHandoverCipher, generateHandoverKey, type HandoverCipher } from '../handover/handoverCipher.ts'
import { type HandoverRequest, type HandoverResponse, handoverResponseSchema } from '../handover/handoverMessages.ts'
import type { CryptoEnvironment } from '../keys/cryptoEnvironment.ts'
import { PublicError, publicErrorMessage } from '../publicError.ts'
import { isVaultFailure, type VaultClient } from '../vaultClient.ts'

/** A window that opened has claimed its question by then, unless the machine is very busy. */
const blockedNoticeMs = 8_000
/** How soon it is asked again after the network failed. */
const retryMs = 1_500

/** What handing over takes. */
export interface HandoverDependencies {
  readonly window: Pick<Window, 'open' | 'setTimeout' | 'clearTimeout' | 'addEventListener' | 'removeEventListener'>
  readonly vault: VaultClient
  readonly environment: CryptoEnvironment
  readonly question: () => HandoverRequest
}

interface PostedHandover {
  readonly secret: string
  readonly seals: HandoverCipher
}

/**
 * Hands a question to a window of this origin. A press opens the window at once, with a new key in its address; the question, sealed with
 * that key, meets it at the server. `noopener` gives the page around the frame no hold of the window.
 */
export function createHandover({ window, vault, environment, question }: HandoverDependencies): Handover {
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
      await vault(postHandoverEnd, { params: { id: seals.id }, body: { secret }, leaving })
      return true
    } catch (error) {
      // A server that cannot be asked gives no window anything either.
      return !isVaultFailure(error, 'handover/taken')
    }
  }

  const post = async (key: ReturnType<typeof generateHandoverKey>): Promise<PostedHandover> => {
    const seals = await createHandoverCipher(environment, key)
    const sealed = await seals.sealRequest(question())
    const { secret } = await vault(postHandover, { body: { id: seals.id, sealed } })
    return { secret, seals }
  }

  /** What comes after `seen`; `undefined` where the network failed. */
  const waitForUpdate = async (
    { secret, seals }: PostedHandover,
    seen: HandoverState,
    stop: AbortSignal,
  ): Promise<{ readonly state: HandoverState; readonly sealed: string | null } | undefined> => {
    try {
      return await vault(postHandoverWait, { params: { id: seals.id }, body: { secret, seen }, signal: stop })
    } catch (error) {
      return isVaultFailure(error, 'handover/unknown') ? { state: 'closed', sealed: null } : undefined
    }
  }

  /** Follows one window until it has answered or is gone. */
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
        resolveAnswer(found ?? { kind: 'refused', message: 'The window gave no answer' })
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
      // With `noopener` it is null either way, so what it returns does not say whether a window opened.
      window.open(`${continuePath}#${toBase64Url(key)}`, '_blank', 'popup,width=440,height=760,noopener')
      const before = attempt
      before?.stop.abort()
      const stop = new AbortController()
      const now: NonNullable<typeof attempt> = { stop, finished: Promise.resolve() }
      attempt = now
      setState('opening')
      now.finished = (async () => {
        await before?.finished
        // Never two windows for one question: both could be answered.
        if (before?.posted && !(await endHandover(before.posted))) now.posted = before.posted
        if (stop.signal.aborted) return
        now.posted ??= await post(key)
        const { posted } = now
        // Nobody hears an answer any more, and an abandoned window would keep others waiting.
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
      // What is still being posted is taken back once it is.
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

/** The result of an answer, or the refusal that it is. */
export function unwrapResponse(answer: HandoverResponse): Exclude<HandoverResponse, { kind: 'refused' }> {
  if (answer.kind === 'refused') throw new PublicError(answer.message)
  return answer
}
