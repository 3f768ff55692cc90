import { approvalPath } from '@latchkey/protocol/http/vault'
import { read } from '@latchkey/protocol/schemas'
import { publicErrorMessage } from '../publicError.ts'
import type { Quote } from '../requests/quoteTransaction.ts'
import type { ApprovalWindowState } from './approvalWindowState.ts'
import {
  broadcastWindowChannel,
  type FrameMessage,
  generateId,
  openerQuery,
  postMessageWindowChannel,
  type ShownApproval,
  sharesChannels,
  windowMessage,
} from './messages.ts'

/** The window in which one approval is given. */
export interface ApprovalWindow {
  state(): ApprovalWindowState
  subscribe(listener: () => void): () => void
  /** Opens it, within a press. One that was opened before counts no more. */
  open(): void
  /** The approval is being done: the window is told, and shows it. */
  doing(): void
  /** The approval is over. */
  stop(): void
}

/** The browser's part in it. */
export interface ApprovalWindowHost
  extends Pick<Window, 'open' | 'addEventListener' | 'removeEventListener' | 'location' | 'navigator'> {
  readonly BroadcastChannel: typeof BroadcastChannel
  readonly crypto: Crypto
  readonly setTimeout: (task: () => void, ms: number) => number
  readonly clearTimeout: (timer: number) => void
}

/** What it takes. */
export interface ApprovalWindowParameters {
  readonly window: ApprovalWindowHost
  readonly shown: () => ShownApproval
  readonly approve: (choice: unknown) => void
  readonly cancel: () => void
}

/** A window that opened has said so by then, unless the machine is very busy; then it is believed later. */
const blockedNoticeMs = 5_000
/** An id that nobody has claimed by then counts no more. */
const claimTimeoutMs = 60_000

/**
 * Opens windows of this origin for one approval. Which window that is, a random id decides, which stands in the address's fragment, is
 * accepted once and for a minute, and names the channel on which frame and window talk: the page around the frame learns neither, and
 * `noopener` gives it no hold of the window. What is signed stays here; the window says yes or no.
 */
export function createApprovalWindow({ window, shown, approve, cancel }: ApprovalWindowParameters): ApprovalWindow {
  const listeners = new Set<() => void>()
  let state: ApprovalWindowState = 'none'
  let close = (): void => {}
  let tell: (message: FrameMessage) => void = () => {}

  const change = (next: ApprovalWindowState): void => {
    state = next
    for (const listener of [...listeners]) listener()
  }

  const isShared = sharesChannels(window.navigator)
  let opened: Window | null = null

  const listen = (id: string): void => {
    const channel = isShared ? broadcastWindowChannel(window, id) : postMessageWindowChannel(window, () => opened)
    /** What was asked of the network for this window, by its number: exactly what was shown is what is done. */
    const quotes: Quote[] = []
    const { subject } = shown()
    let claimant: string | undefined
    let isAnswered = false
    const blocked = window.setTimeout(() => change('blocked'), blockedNoticeMs)
    const expired = window.setTimeout(() => {
      if (claimant === undefined) close()
    }, claimTimeoutMs)

    close = () => {
      window.clearTimeout(blocked)
      window.clearTimeout(expired)
      if (claimant !== undefined) channel.post({ type: 'gone' } satisfies FrameMessage)
      channel.close()
      close = () => {}
      tell = () => {}
      change('none')
    }
    tell = (message) => channel.post(message)

    const prepare = (call: number): void => {
      if (subject.kind !== 'calls') return
      subject.prepare().then(
        (quote) => tell({ type: 'prepared', call, prepared: quotes.push(quote) - 1, quote: displayedQuote(quote) }),
        (error: unknown) => tell({ type: 'failed', call, sentence: publicErrorMessage(error) }),
      )
    }

    channel.onMessage((data) => {
      const message = read(windowMessage, data)
      if (!message) return
      if (message.type === 'claim') {
        // Once: a copy of the address, or a reload, is another window.
        if (claimant !== undefined) return
        claimant = message.from
        window.clearTimeout(blocked)
        change('open')
        tell({ type: 'show', to: claimant, ...shown(), subject: withoutFunctions(subject) })
        return
      }
      if (message.from !== claimant || isAnswered) return
      if (message.type === 'prepare') prepare(message.call)
      if (message.type === 'closed') close()
      if (message.type === 'cancel') {
        isAnswered = true
        cancel()
      }
      if (message.type === 'approve') {
        const choice = message.prepared === undefined ? undefined : quotes[message.prepared]
        if (subject.kind === 'calls' && choice === undefined) return
        isAnswered = true
        approve(choice)
      }
    })
  }

  const leave = (): void => close()
  window.addEventListener('pagehide', leave)
  return {
    state: () => state,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    open() {
      close()
      const id = generateId(window.crypto)
      listen(id)
      change('opening')
      const size = 'popup,width=440,height=760'
      // With `noopener` it is null either way, so what it returns does not say whether a window opened.
      if (isShared) window.open(`${approvalPath}#${id}`, '_blank', `${size},noopener`)
      else opened = window.open(`${approvalPath}${openerQuery}#${id}`, '_blank', size)
    },
    doing: () => tell({ type: 'doing' }),
    stop() {
      close()
      window.removeEventListener('pagehide', leave)
    },
  }
}

/** What a person is told of a quote, and no more: one for a contract account also holds what will sign it. */
function displayedQuote({
  readings,
  simulation,
  tellsAll,
  contracts,
  fee,
  balance,
  willFail,
  payer,
  begins,
}: Quote): Quote {
  // Every field stands here, so that the compiler misses the next one.
  const shown: { readonly [Field in keyof Required<Quote>]: Quote[Field] } = {
    readings,
    simulation,
    tellsAll,
    contracts,
    fee,
    balance,
    willFail,
    payer,
    begins,
  }
  return shown
}

/** A subject without what acts: functions stay in the frame, and a second key is not made here. */
function withoutFunctions(subject: ShownApproval['subject']): ShownApproval['subject'] {
  const copy: Record<string, unknown> = { ...subject }
  if ('setting' in subject) copy.setting = { ...subject.setting, protecting: undefined }
  // The window puts its own function there, which asks the frame.
  if (subject.kind === 'calls') copy.prepare = undefined
  return copy as unknown as ShownApproval['subject']
}
