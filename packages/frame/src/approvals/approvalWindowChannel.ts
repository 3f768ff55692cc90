import type { ThemeData } from '@latchkey/protocol/frame/messages'
import * as v from 'valibot'
import type { ApprovalView } from './approvalViewModel.ts'

/** The schema of an unguessable one-time ID, which consists of 128 random bits in hex. */
export const approvalIdSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/))

/** Generates a one-time ID. */
export function generateId(crypto: Pick<Crypto, 'getRandomValues'>): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Returns the channel name of a window. Only contexts that know the ID can join the channel. */
function channelNameOf(id: string): string {
  return `latchkey-approval:${id}`
}

/** A channel between a frame and its window. */
export interface WindowChannel {
  post(message: object): void
  onMessage(listener: (data: unknown) => void): void
  close(): void
}

/** Creates a `BroadcastChannel` for `id`. */
export function broadcastWindowChannel(
  window: { readonly BroadcastChannel: typeof BroadcastChannel },
  id: string,
): WindowChannel {
  const channel = new window.BroadcastChannel(channelNameOf(id))
  return {
    post: (message) => channel.postMessage(message),
    onMessage(listener) {
      channel.onmessage = ({ data }) => listener(data)
    },
    close: () => channel.close(),
  }
}

/** Creates a `postMessage` channel between two windows of this origin. Messages from other windows and origins are ignored. */
export function postMessageWindowChannel(
  window: Pick<Window, 'addEventListener' | 'removeEventListener' | 'location'>,
  other: () => Pick<Window, 'postMessage'> | null,
): WindowChannel {
  const { origin } = window.location
  let hear = (_: MessageEvent): void => {}
  return {
    post: (message) => other()?.postMessage(message, origin),
    onMessage(listener) {
      hear = (event) => {
        if (event.origin === origin && event.source !== null && event.source === other()) listener(event.data)
      }
      window.addEventListener('message', hear)
    },
    close: () => window.removeEventListener('message', hear),
  }
}

/** The URL query of a window that communicates with its opener. */
export const openerQuery = '?opener'

/**
 * Whether a frame and a top-level window of the same origin share `BroadcastChannel`s. WebKit partitions channels and storage by
 * top-level page, even for same-site pages. In WebKit, the window therefore keeps a reference to its opener. The opener is the
 * frame, which is the only context with a reference to the window.
 */
export function sharesChannels({ vendor }: Pick<Navigator, 'vendor'>): boolean {
  return !vendor.startsWith('Apple')
}

/** The Web Lock of the approval window. Only one approval window can be active at a time. */
export const approvalWindowLock = 'latchkey-approval-window'

/**
 * The schema of a message from a window to the frame that opened it. `from` is the window's own ID. Only the first window that
 * claims the one-time ID is accepted.
 */
export const windowMessage = v.variant('type', [
  v.object({ type: v.literal('claim'), from: approvalIdSchema }),
  v.object({ type: v.literal('prepare'), from: approvalIdSchema, call: v.number() }),
  v.object({ type: v.literal('approve'), from: approvalIdSchema, prepared: v.optional(v.number()) }),
  v.object({ type: v.literal('cancel'), from: approvalIdSchema }),
  v.object({ type: v.literal('closed'), from: approvalIdSchema }),
])

/** The approval that is sent to the window. It contains only display data. */
export interface ShownApproval {
  readonly subject: ApprovalView
  readonly behind: number
  readonly theme: ThemeData
  readonly language: string
  readonly operatorCanSign: boolean
}

/** A message from the frame to its window. Both have the same origin, and only they know the channel name. */
export type FrameMessage =
  | ({ readonly type: 'show'; readonly to: string } & ShownApproval)
  | { readonly type: 'prepared'; readonly call: number; readonly prepared: number; readonly quote: unknown }
  | { readonly type: 'failed'; readonly call: number; readonly sentence: string }
  | { readonly type: 'doing' }
  | { readonly type: 'gone' }
