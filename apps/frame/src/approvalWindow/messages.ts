import type { ThemeData } from '@latchkey/protocol/frame/messages'
import * as v from 'valibot'
import type { ApprovalView } from '../approvalViewModel.ts'

/** An id that nobody can guess and that counts once: 128 random bits in hex. */
export const approvalIdSchema = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/))

/** A new one-time id. */
export function generateId(crypto: Pick<Crypto, 'getRandomValues'>): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The channel of one window: whoever does not know its id does not hear it. */
function channelNameOf(id: string): string {
  return `latchkey-approval:${id}`
}

/** How frame and window talk: over a channel of their origin, or from window to window. */
export interface WindowChannel {
  post(message: object): void
  onMessage(listener: (data: unknown) => void): void
  close(): void
}

/** The channel of their origin, under the id. */
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

/** From window to window, both of this origin; nobody else's message is heard, and nobody else hears. */
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

/** The query of a window that is to talk to its opener. */
export const openerQuery = '?opener'

/**
 * Whether a frame and a window of one origin share channels here. WebKit gives a frame channels and storage of its own under each page,
 * the same site or not, so there the window keeps its opener: the frame, which is the only one to have the window's handle.
 */
export function sharesChannels({ vendor }: Pick<Navigator, 'vendor'>): boolean {
  return !vendor.startsWith('Apple')
}

/** The lock that one approval window holds: there is never a second one to press in. */
export const approvalWindowLock = 'latchkey-approval-window'

/** What a window says to the frame that opened it. `from` is the window's own number: the first one to claim the id is heard. */
export const windowMessage = v.variant('type', [
  v.object({ type: v.literal('claim'), from: approvalIdSchema }),
  v.object({ type: v.literal('prepare'), from: approvalIdSchema, call: v.number() }),
  v.object({ type: v.literal('approve'), from: approvalIdSchema, prepared: v.optional(v.number()) }),
  v.object({ type: v.literal('cancel'), from: approvalIdSchema }),
  v.object({ type: v.literal('closed'), from: approvalIdSchema }),
])

/** What an approval looks like to the window: everything that is drawn, nothing that acts. */
export interface ShownApproval {
  readonly subject: ApprovalView
  readonly behind: number
  readonly theme: ThemeData
  readonly language: string
  readonly operatorCanSign: boolean
}

/** What the frame says to its window. Both are of one origin, and only they know the channel's name. */
export type FrameMessage =
  | ({ readonly type: 'show'; readonly to: string } & ShownApproval)
  | { readonly type: 'prepared'; readonly call: number; readonly prepared: number; readonly quote: unknown }
  | { readonly type: 'failed'; readonly call: number; readonly sentence: string }
  | { readonly type: 'doing' }
  | { readonly type: 'gone' }
