import type { ConnectorContext, SignInOnLogin } from '@latchkey/core/adapter'
import { type ChainId, namespaceOf } from '@latchkey/protocol/caip'
import type { FrameUser } from '@latchkey/protocol/frame/messages'
import type { EmbeddedFrame } from './embeddedFrame.ts'
import { siwxOf } from './prepareSignIn.ts'
import { confirmMs } from './walletRequests.ts'

/** If GET_USER takes longer than this, our frame probably needs user input, such as recovery or approval on another device. */
const askingMs = 2_000
/** The limit for logins that include a sign-in. It is shorter, because the frame prompts as soon as the wallet is open. */
const signInMs = 600

/** Requests the logged-in user's account on `chain` (GET_USER). If our frame is slow to respond, displays it unless `silent`. */
export async function requestAccount<Result>({
  frame,
  host,
  chain,
  rpcUrl,
  signIn,
  silent = false,
  signal,
  received,
}: {
  readonly frame: Pick<EmbeddedFrame, 'mount' | 'show'>
  readonly host: Pick<ConnectorContext, 'accountType' | 'clock'>
  readonly chain: ChainId
  readonly rpcUrl: string | undefined
  readonly signIn?: SignInOnLogin | undefined
  readonly silent?: boolean | undefined
  readonly signal?: AbortSignal | undefined
  /** Handles the response. The frame is hidden when the returned promise settles, or earlier if `hide` is called. */
  received(user: FrameUser, hide: () => void): Promise<Result>
}): Promise<Result> {
  const { channel } = frame.mount()
  const { clock } = host
  const controller = new AbortController()
  // Only our frames, which communicate over a port, sometimes need user input before they respond.
  const canShow = !silent && channel.speaks === 'port'
  let id: string | undefined
  let hide = () => {}
  let cancelConfirm = () => {}
  const stop = () => {
    if (canShow && id !== undefined) channel.notify('RPC_ABORT', { id })
    controller.abort()
  }
  const dismissed = () => {
    // Cancel any prompt that is open in the frame.
    channel.notify('RPC_ABORT', undefined)
    hide()
    // Dismissing the sign-in does not undo the login, so wait for the frame to respond without a signature.
    if (signIn) cancelConfirm = clock.after(confirmMs, stop)
    else controller.abort()
  }
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  const cancelShow = canShow
    ? clock.after(signIn ? signInMs : askingMs, () => (hide = frame.show(dismissed)))
    : () => {}
  try {
    const user = await channel.ask(
      'GET_USER',
      {
        chainId: chain,
        preferredAccountType: host.accountType(namespaceOf(chain)),
        ...(rpcUrl !== undefined && { rpcUrl }),
        ...(signIn && { siwxMessage: siwxOf(signIn) }),
      },
      {
        signal: controller.signal,
        sent(sentId) {
          id = sentId
        },
      },
    )
    return await received(user, () => hide())
  } finally {
    cancelShow()
    cancelConfirm()
    hide()
    signal?.removeEventListener('abort', stop)
  }
}
