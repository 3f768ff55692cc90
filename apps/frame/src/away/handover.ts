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
import { type HandoverAnswer, type HandoverQuestion, handoverAnswer } from '../handover/messages.ts'
import { type HandoverSeals, handoverSeals, newHandoverKey } from '../handover/seals.ts'
import type { CryptoEnvironment } from '../keys/environment.ts'
import { Refusal, sentenceFor } from '../refusal.ts'
import { isVaultFailure, type VaultClient } from '../vaultClient.ts'

/** A window that opened has claimed its question by then, unless the machine is very busy. */
const noticeBlockedMs = 8_000
/** How soon it is asked again after the network failed. */
const againMs = 1_500

/** What handing over takes. */
export interface HandoverNeeds {
  readonly window: Pick<Window, 'open' | 'setTimeout' | 'clearTimeout' | 'addEventListener' | 'removeEventListener'>
  readonly vault: VaultClient
  readonly environment: CryptoEnvironment
  readonly question: () => HandoverQuestion
}

interface Posted {
  readonly secret: string
  readonly seals: HandoverSeals
}

/**
 * Hands a question to a window of this origin. A press opens the window at once, with a new key in its address; the question, sealed with
 * that key, meets it at the server. `noopener` gives the page around the frame no hold of the window.
 */
export function createHandover({ window, vault, environment, question }: HandoverNeeds): Handover {
  const listeners = new Set<() => void>()
  let state: ApprovalWindowState = 'none'
  let failure: string | undefined
  let turn: { readonly stop: AbortController; posted?: Posted; over: Promise<void> } | undefined
  let tellBegun = (): void => {}
  const begun = new Promise<void>((resolve) => {
    tellBegun = resolve
  })
  let tellAnswer = (_: HandoverAnswer): void => {}
  const answer = new Promise<HandoverAnswer>((resolve) => {
    tellAnswer = resolve
  })

  const change = (next: ApprovalWindowState, because?: string): void => {
    state = next
    failure = because
    for (const listener of [...listeners]) listener()
  }

  const end = async ({ secret, seals }: Posted, { leaving = false } = {}): Promise<boolean> => {
    try {
      await vault(postHandoverEnd, { params: { id: seals.id }, body: { secret }, leaving })
      return true
    } catch (error) {
      // A server that cannot be asked gives no window anything either.
      return !isVaultFailure(error, 'handover/taken')
    }
  }

  const post = async (key: ReturnType<typeof newHandoverKey>): Promise<Posted> => {
    const seals = await handoverSeals(environment, key)
    const sealed = await seals.sealQuestion(question())
    const { secret } = await vault(postHandover, { body: { id: seals.id, sealed } })
    return { secret, seals }
  }

  /** What comes after `seen`; `undefined` where the network failed. */
  const next = async (
    { secret, seals }: Posted,
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
  const follow = async ({ secret, seals }: Posted, stop: AbortSignal): Promise<void> => {
    const until = environment.clock.now() + handoverLifeMs
    const blocked = window.setTimeout(() => {
      if (!stop.aborted) change('blocked')
    }, noticeBlockedMs)
    stop.addEventListener('abort', () => window.clearTimeout(blocked), { once: true })
    let seen: HandoverState = 'waiting'
    while (!stop.aborted && environment.clock.now() < until) {
      const said = await next({ secret, seals }, seen, stop)
      if (stop.aborted) return
      if (!said) {
        await new Promise<void>((resolve) => void environment.clock.after(againMs, resolve))
        continue
      }
      seen = said.state
      if (seen !== 'waiting') window.clearTimeout(blocked)
      if (seen === 'claimed' && state !== 'open') change('open')
      if (seen === 'doing') tellBegun()
      if (seen === 'closed') return change('none')
      if (seen === 'answered') {
        const found = read(handoverAnswer, await seals.unsealAnswer(said.sealed ?? '').catch(() => undefined))
        void end({ secret, seals })
        tellAnswer(found ?? { kind: 'refused', message: 'The window gave no answer' })
        tellBegun()
        return change('none')
      }
    }
    window.clearTimeout(blocked)
    if (!stop.aborted) change('none')
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
      const key = newHandoverKey(environment)
      // With `noopener` it is null either way, so what it returns does not say whether a window opened.
      window.open(`${continuePath}#${toBase64Url(key)}`, '_blank', 'popup,width=440,height=760,noopener')
      const before = turn
      before?.stop.abort()
      const stop = new AbortController()
      const now: NonNullable<typeof turn> = { stop, over: Promise.resolve() }
      turn = now
      change('opening')
      now.over = (async () => {
        await before?.over
        // Never two windows for one question: both could be answered.
        if (before?.posted && !(await end(before.posted))) now.posted = before.posted
        if (stop.signal.aborted) return
        now.posted ??= await post(key)
        const { posted } = now
        // Nobody hears an answer any more, and an abandoned window would keep others waiting.
        const leave = (): void => void end(posted, { leaving: true })
        window.addEventListener('pagehide', leave)
        await follow(posted, stop.signal).finally(() => window.removeEventListener('pagehide', leave))
      })().catch((error: unknown) => {
        if (!stop.signal.aborted) change('none', sentenceFor(error))
      })
    },
    async takeBack() {
      const now = turn
      if (!now) return true
      // What is still being posted is taken back once it is.
      if (!now.posted)
        await Promise.race([
          now.over,
          new Promise((resolve) => environment.clock.after(againMs, () => resolve(undefined))),
        ])
      if (now.posted && !(await end(now.posted))) return false
      now.stop.abort()
      change('none')
      return true
    },
  }
}

/** The result of an answer, or the refusal that it is. */
export function resultOf(answer: HandoverAnswer): Exclude<HandoverAnswer, { kind: 'refused' }> {
  if (answer.kind === 'refused') throw new Refusal(answer.message)
  return answer
}
