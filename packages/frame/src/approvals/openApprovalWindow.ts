import { approvalPath } from '@latchkey/protocol/http/keys'
import { read } from '@latchkey/protocol/parseWithSchema'
import { publicErrorMessage } from '../publicError.ts'
import type { Quote } from './approvalViewModel.ts'
import {
  broadcastWindowChannel,
  type FrameMessage,
  generateId,
  openerQuery,
  postMessageWindowChannel,
  type ShownApproval,
  sharesChannels,
  windowMessage,
} from './approvalWindowChannel.ts'
import type { ApprovalWindowState } from './approvalWindowState.ts'

/** The window for a single approval. */
export interface ApprovalWindow {
  state(): ApprovalWindowState
  subscribe(listener: () => void): () => void
  /** Opens the window. Call this method in a click handler. Any window that was opened earlier becomes invalid. */
  open(): void
  /** Notifies the window that the approved request is being executed. */
  doing(): void
  /** Closes the window and removes the listeners. Call this method when the approval has ended. */
  stop(): void
}

/** The browser APIs used by the approval window. */
export interface ApprovalWindowHost
  extends Pick<Window, 'open' | 'addEventListener' | 'removeEventListener' | 'location' | 'navigator'> {
  readonly BroadcastChannel: typeof BroadcastChannel
  readonly crypto: Crypto
  readonly setTimeout: (task: () => void, ms: number) => number
  readonly clearTimeout: (timer: number) => void
}

/** Parameters of `createApprovalWindow`. */
export interface ApprovalWindowParameters {
  readonly window: ApprovalWindowHost
  readonly shown: () => ShownApproval
  readonly approve: (choice: unknown) => void
  readonly cancel: () => void
}

/** The time after which a window that has not claimed its ID is reported as blocked. A later claim is still accepted. */
const blockedNoticeMs = 5_000
/** The time after which an unclaimed ID expires. */
const claimTimeoutMs = 60_000

/**
 * Creates the window for a single approval. The window opens on this origin. A random ID in the URL fragment identifies the
 * window and the channel between the frame and the window. The ID can be claimed once, within a minute. The embedding page learns
 * neither the ID nor the channel, and with `noopener` it has no reference to the window. The user approves or rejects the request
 * in the window, but the frame signs it.
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
    /** The quotes prepared for this window. The window specifies a quote by its index, so that exactly that quote is executed. */
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
        // Accept only the first claim. A later claim comes from a copied URL or from a reload.
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
      // With `noopener` the result is always null, so it does not indicate whether a window opened.
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

/** Returns the parts of a quote that are displayed. Quotes for smart accounts also contain signing data. */
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
  replaces,
}: Quote): Quote {
  // List every field, so that the compiler reports fields added later.
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
    replaces,
  }
  return shown
}

/** Returns a copy of a subject without functions, which stay in the frame, and without the offer to add a second key. */
function withoutFunctions(subject: ShownApproval['subject']): ShownApproval['subject'] {
  const copy: Record<string, unknown> = { ...subject }
  if ('setting' in subject) copy.setting = { ...subject.setting, protecting: undefined }
  // The window replaces `prepare` with its own function, which sends a request to the frame.
  if (subject.kind === 'calls') copy.prepare = undefined
  return copy as unknown as ShownApproval['subject']
}
